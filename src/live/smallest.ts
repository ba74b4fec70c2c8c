import type {ViewerSize} from './frames.ts';

/** The agent's screen fits into every viewer's; without viewers it stays as it was. */
export const smallest = (sizes: ViewerSize[]): ViewerSize | undefined =>
  sizes.length === 0
    ? undefined
    : {cols: Math.min(...sizes.map(({cols}) => cols)), rows: Math.min(...sizes.map(({rows}) => rows))};
