/** The exhaustiveness guard: a new variant that is not handled fails to compile here. */
export const unreachable = (value: never): never => {
  throw new Error(`Internal error: unhandled case ${JSON.stringify(value)}`);
};
