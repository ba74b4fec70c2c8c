// start.json in a leg's folder, written before its agent is started: a leg that has none has never been there.
// watch/leg-start.ts reads it.

export const legStartText = ({at, sessionId}: {at: number; sessionId: string | undefined}): string =>
  `${JSON.stringify({schema_version: 1, at, session_id: sessionId})}\n`;
