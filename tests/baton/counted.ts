import {countTokens as cl100k} from 'gpt-tokenizer/encoding/cl100k_base';
import {countTokens as o200k} from 'gpt-tokenizer/encoding/o200k_base';

/** What the worse of two public tokenizers makes of it. */
export const counted = (text: string): number => {
  const options = {disallowedSpecial: new Set<string>()};
  return Math.max(cl100k(text, options), o200k(text, options));
};
