// The loop `health`: a snapshot of each chain every interval. Any number of processes run it; one of them takes each measurement. It needs no lease:
// a process that dies while measuring costs one interval, and two snapshots of one instant do no harm.
import type { Database } from '../../db/index.ts';
import type { Clock, LoopDefinition } from '../../kernel/index.ts';
import type { PriceSource } from '../price.ts';
import type { Rail } from '../rail.ts';
import { measureChain } from './measure.ts';
import { claimMeasurements, deleteSnapshots, ensureChains, insertSnapshots } from './store.ts';

export interface HealthOptions {
  /** The chains that this process can measure. */
  readonly rails: readonly Rail[];
  readonly prices: PriceSource;
  /** Between two snapshots of a chain. A snapshot older than three intervals counts as unhealthy. */
  readonly intervalMs: number;
  /** How long snapshots are kept; the newest of each chain always is. */
  readonly keepMs: number;
  readonly readClock: (db: Database) => Promise<Clock>;
  /** For tests: how long a rail may take. */
  readonly timeoutMs?: number;
}

const DELETED_AT_ONCE = 1_000;

export function healthLoop(db: Database, options: HealthOptions): LoopDefinition {
  const { rails, prices, intervalMs, keepMs, readClock, timeoutMs } = options;
  const names = rails.map(({ chain }) => chain);
  return {
    name: 'health',
    pollMs: intervalMs,
    async runOnce(_signal, resident) {
      if (rails.length > 0) await ensureChains(db, rails, intervalMs);
      // A single run that was requested measures now.
      const { chains, nextInMs } = await claimMeasurements(db, names, intervalMs, { now: !resident });
      const due = rails.filter(({ chain }) => chains.includes(chain));
      const clock = await readClock(db);
      const taken = await Promise.all(due.map((rail) => measureChain(rail, prices, clock, timeoutMs)));
      if (taken.length > 0) await insertSnapshots(db, taken);
      const removed = await deleteSnapshots(db, keepMs, DELETED_AT_ONCE);
      const unhealthy = taken.filter(({ status }) => status === 'unhealthy').length;
      return { counts: { measured: taken.length, unhealthy, removed }, more: removed === DELETED_AT_ONCE, nextInMs };
    },
  };
}
