import type {ExitStatus} from '../events.ts';

export const exitWords = ({code, signal}: ExitStatus): string =>
  signal === undefined ? `exit ${code}` : `signal ${signal}`;
