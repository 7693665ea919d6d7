// Writes the counters of this process to the store every fifteen seconds: the increase since the last write, so that sums over time
// are right although processes start and stop, and an idle process writes nothing. Readings of the whole store are written by the
// first process that gets to them.
import type { Database } from '../../db/index.ts';
import type { Clock, LoopDefinition } from '../../kernel/index.ts';
import { noteLoopRuns } from '../loop-store.ts';
import type { Meters } from './meters.ts';
import type { Readings } from './readings.ts';
import { READINGS } from './readings.ts';
import type { Sample } from './store.ts';
import { deleteSamplesBefore, insertSamples, wasSampled } from './store.ts';

export interface MetricsLoopOptions {
  readonly meters: Pick<Meters, 'counters' | 'loopRuns'>;
  readonly read: () => Promise<Readings | null>;
  readonly readClock: () => Promise<Clock>;
  /** How long rows are kept. */
  readonly retentionMs: number;
}

export const SAMPLE_EVERY_MS = 15_000;
const NOT_SAMPLED_FOR_SECONDS = 10;
const DELETED_AT_ONCE = 10_000;

export function metricsLoop(db: Database, options: MetricsLoopOptions): LoopDefinition {
  const { meters, read, readClock, retentionMs } = options;
  const kept = new Map<string, number>();
  let noted: ReadonlyMap<string, number> = new Map();
  // One round after the other: two at once would both keep what was added since the last.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(round: () => Promise<T>): Promise<T> => {
    const done = last.then(round, round);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    name: 'metrics',
    pollMs: SAMPLE_EVERY_MS,
    runOnce: () =>
      inTurn(async () => {
        const standing = meters.counters().map((counter) => ({ ...counter, key: keyOf(counter) }));
        const added = standing
          .map((counter) => ({ ...counter, value: counter.value - (kept.get(counter.key) ?? 0) }))
          .filter((counter) => counter.value > 0);
        const samples = [...added, ...(await storeSamples(db, read))];
        if (samples.length > 0) await insertSamples(db, samples);
        // Only now: what could not be written is added to the next.
        for (const counter of standing) kept.set(counter.key, counter.value);
        const runs = meters.loopRuns();
        const ran = [...runs].flatMap(([loop, count]) => (count > (noted.get(loop) ?? 0) ? [loop] : []));
        if (ran.length > 0) await noteLoopRuns(db, ran);
        noted = runs;
        const { now } = await readClock();
        const removed = await deleteSamplesBefore(db, new Date(now.getTime() - retentionMs), DELETED_AT_ONCE);
        return { counts: { kept: samples.length, removed }, more: removed === DELETED_AT_ONCE };
      }),
  };
}

async function storeSamples(db: Database, read: () => Promise<Readings | null>): Promise<Sample[]> {
  if (await wasSampled(db, READINGS.due[0], NOT_SAMPLED_FOR_SECONDS)) return [];
  const readings = await read();
  if (readings === null) return [];
  return Object.entries(READINGS).map(([field, [name]]) => ({
    name,
    value: readings[field as keyof Readings],
    labels: {},
  }));
}

const keyOf = ({ name, labels }: Omit<Sample, 'value'>): string => `${name} ${JSON.stringify(labels)}`;
