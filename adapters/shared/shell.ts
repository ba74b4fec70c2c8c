// The hook command: read by the agent's shell, so every word is quoted.

export interface RelayCall {
  relay: string;
  spool: string;
  event: string;
  /** Extra words for relay.sh: `hold 55`, `context`. */
  extra: string[];
}

/** `exec` saves a fork; `sh` in front works without the executable bit. */
export const relayCommand = ({relay, spool, event, extra}: RelayCall): string =>
  ['exec', 'sh', quoted(relay), quoted(spool), event, ...extra].join(' ');

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
