// Two loops: `payouts` executes what is due, `confirmations` watches what was sent. They share nothing but the database, so each may run in
// any number of processes, in the same one or not.
import type { Database } from '../db/index.ts';
import type { LoopDefinition, LoopRun } from '../kernel/index.ts';
import { Claimer } from '../payments/index.ts';
import { CONFIRM_EVERY_MS } from './attempt.ts';
import type { ExecuteOptions } from './execute.ts';
import { executeBatch } from './execute.ts';
import type { WatchOptions } from './watch.ts';
import { watchBatch } from './watch.ts';

export interface PayoutsOptions
  extends
    Omit<ExecuteOptions, 'concurrency' | 'confirmEveryMs'>,
    Omit<WatchOptions, 'concurrency' | 'confirmEveryMs' | 'batchSize'> {
  /** How often a transaction that is not final is looked at, in milliseconds; default 15 seconds. */
  readonly confirmEveryMs?: number | undefined;
  /** Payouts in one transaction, default 100. */
  readonly batchSize?: number | undefined;
  /** Calls to chains at the same time, in each of the two loops; default 16. */
  readonly concurrency?: number | undefined;
  readonly executionsPerSecond?: number | null;
}

const POLL_MS = 1_000;
const BATCH_SIZE = 100;
const CONCURRENCY = 16;

export const payoutLoops = (db: Database, options: PayoutsOptions): LoopDefinition[] => [
  payoutsLoop(db, options),
  confirmationsLoop(db, options),
];

/** The options with every default. */
export const complete = (options: PayoutsOptions): ExecuteOptions & WatchOptions => ({
  ...options,
  confirmEveryMs: options.confirmEveryMs ?? CONFIRM_EVERY_MS,
  batchSize: options.batchSize ?? BATCH_SIZE,
  concurrency: options.concurrency ?? CONCURRENCY,
});

function payoutsLoop(db: Database, given: PayoutsOptions): LoopDefinition {
  const options = complete(given);
  const claimer = new Claimer({ executionsPerSecond: given.executionsPerSecond ?? null, payouts: true });
  return {
    name: 'payouts',
    pollMs: POLL_MS,
    async runOnce(_signal, resident, woken = false): Promise<LoopRun> {
      const { batchSize } = options;
      const { counts, claimed, nextInMs } = await executeBatch(
        db,
        (tx, clock) => claimer.claim(tx, clock, batchSize, { thorough: !resident, woken }),
        options,
      );
      const all = { claimed, ...counts };
      if (claimed > 0) return { counts: all, more: true };
      return nextInMs === null ? { counts: all } : { counts: all, nextInMs };
    },
  };
}

function confirmationsLoop(db: Database, given: PayoutsOptions): LoopDefinition {
  const options = complete(given);
  return {
    name: 'confirmations',
    pollMs: POLL_MS,
    async runOnce(): Promise<LoopRun> {
      const { claimed, ...rest } = await watchBatch(db, options);
      return { counts: { claimed, ...rest }, ...(claimed === options.batchSize ? { more: true } : {}) };
    },
  };
}
