// Every background loop, and what its runs work on: `processed_count` of `cron_runs` is the sum of these counts.
export const PROCESSED: Readonly<Record<string, readonly string[]>> = {
  scheduler: ['made'],
  sequencer: ['placed'],
  sealer: ['sealed'],
  anchors: ['anchored'],
  integrity: ['checked'],
  clocks: ['steps'],
  forecast: ['looked'],
  partitions: ['made'],
  retention: ['keys', 'spend', 'runs', 'archived'],
  metrics: ['kept'],
  processor: ['claimed'],
};

export const LOOP_NAMES: readonly string[] = Object.keys(PROCESSED);
