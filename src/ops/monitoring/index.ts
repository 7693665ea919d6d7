// One object for the engine: the meters, what is read for them, and the loop that keeps them.
import type { Database } from '../../db/index.ts';
import type { Clock, LoopDefinition } from '../../kernel/index.ts';
import { metricsLoop } from './loop.ts';
import type { Answered, Meters } from './meters.ts';
import { createReader, inTime } from './readings.ts';

export { createMeters } from './meters.ts';
export type { Answered, Meters } from './meters.ts';

export interface Monitoring {
  /** Whether the database answers within two seconds; queried at most once a second. */
  answers(): Promise<boolean>;
  /** Every metric, for Prometheus. */
  metrics(): Promise<string>;
  /** A request was answered. */
  answered(answer: Answered): void;
}

const PATIENCE_MS = 2_000;
const REMEMBERED_MS = 1_000;

export function createMonitoring(
  db: Database,
  meters: Meters,
  options: { readClock: () => Promise<Clock>; isListening: () => boolean; retentionMs: number },
): Monitoring & { readonly loop: LoopDefinition } {
  const read = createReader(db, options.readClock);
  return {
    answers: remembered(async () => (await inTime(db.query('select 1'), PATIENCE_MS)) !== null),
    metrics: async () => meters.text(await read(), db.connections(), options.isListening()),
    answered: meters.answered,
    loop: metricsLoop(db, { meters, read, ...options }),
  };
}

/** One question at a time, and its answer for a second. */
function remembered(ask: () => Promise<boolean>): () => Promise<boolean> {
  let answer: Promise<boolean> | null = null;
  let untilMs = 0;
  return () => {
    if (answer && performance.now() < untilMs) return answer;
    const asked = ask();
    answer = asked;
    untilMs = Infinity;
    const keep = (): void => {
      if (answer === asked) untilMs = performance.now() + REMEMBERED_MS;
    };
    asked.then(keep, keep);
    return asked;
  };
}
