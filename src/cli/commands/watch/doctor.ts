// `ckpt doctor [agent]`: is everything there that a run needs? Each finding says what to do.

import {exitCodeOf, ok} from '../../../core/failure.ts';
import {type Finding, findings} from '../../../doctor/findings.ts';
import {findingsText} from '../../../doctor/words.ts';
import {json} from '../text.ts';
import {type Common, done, type Outcome, type World} from '../world.ts';

export const doctor = async (world: World, agent: string | undefined, flags: Common): Outcome => {
  const watch = await world.watch();
  const facts = await watch.examine({...flags, agent});
  if (!facts.ok) return facts;
  const found = findings(facts.value);
  world.out(
    flags.json
      ? json(found.map(({is, about, words, ...rest}) => ({is, about, words, ...fixOf(rest)})))
      : findingsText(found),
  );
  // The exit code is that of the first thing to mend: what ckpt-run itself would have left with.
  const first = found.find((finding): finding is Extract<Finding, {is: 'bad'}> => finding.is === 'bad');
  return first === undefined ? done : ok(exitCodeOf(first.failure));
};

const fixOf = (rest: object): object => ('fix' in rest ? {fix: rest.fix} : {});
