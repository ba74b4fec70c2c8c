// What makes a run save a checkpoint. The automatic ones are skipped when nothing has moved since the one before.

export const automaticTriggers = ['interval', 'phase', 'threshold', 'on_test_failure', 'before_risky_change'] as const;
export type AutomaticTrigger = (typeof automaticTriggers)[number];
export type CaptureTrigger = 'death' | 'pre-compaction' | 'end' | AutomaticTrigger;
