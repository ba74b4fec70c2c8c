// Why a command failed, in words: what was wrong, and what to do.

import type {Failure} from '../../core/failure.ts';
import {unreachable} from '../../core/unreachable.ts';

export const failureText = (failure: Failure): string => `ckpt: ${sentence(failure)}\n`;

const sentence = (failure: Failure): string => {
  switch (failure.is) {
    case 'bad-usage':
    case 'not-found':
    case 'baton-refused':
      return `${failure.what}\n  ${failure.fix}`;
    case 'bad-config':
      return `${failure.file}${failure.line === undefined ? '' : `:${failure.line}`}: ${failure.what}\n  ${failure.fix}`;
    case 'store-unusable':
      return `the checkpoint folder ${failure.path} cannot be used: ${failure.what}`;
    case 'system':
      return `could not ${failure.doing}: ${failure.message} (${failure.code})`;
    case 'unknown-agent':
      return `no agent called ${failure.name}; known: ${failure.known.join(', ')}`;
    case 'agent-missing':
      return `${failure.agent} was not found (looked in ${failure.looked.join(', ')})\n  ${failure.fix}`;
    case 'nested':
      return `already inside run ${failure.run}`;
    case 'unsupported-platform':
      return `not supported on ${failure.platform}`;
    default:
      return unreachable(failure);
  }
};
