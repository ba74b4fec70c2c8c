import {fail, ok, type Result} from '../../core/failure.ts';

export const wholeNumber = (name: string, text: string, least = 0): Result<number> => {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return ok(Number(text));
  const what = `${name} ${JSON.stringify(text)} is no whole number${least > 0 ? ` from ${least}` : ''}`;
  return fail({is: 'bad-usage', what, fix: `for example: ${name} 10`});
};
