// A fault of ours that nobody has caught, in a timer or a listener: the agent must outlive it. While a run is on, such a
// fault is told and the loop goes on; too many of them in a row are no accident, and the process ends as it would have.

const MOST = 50;

export const surviveFaults = (tell: (what: string) => void): (() => void) => {
  let count = 0;
  const hear = (error: unknown): void => {
    count += 1;
    if (count > MOST) throw error;
    tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  process.on('uncaughtException', hear).on('unhandledRejection', hear);
  return () => {
    process.off('uncaughtException', hear).off('unhandledRejection', hear);
  };
};
