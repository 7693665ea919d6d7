// The processor: settles what is due, wakes the underfunded, sleeps until the next payment is due and never longer than
// a second. Two lanes work at once: while one commits, the other decides.
import type { Database } from '../db/index.ts';
import type { LoopDefinition, LoopRun, Uuid } from '../kernel/index.ts';
import { Claimer } from './claim.ts';
import { Foresight } from './foresight.ts';
import { HeldTotals } from './held-totals.ts';
import type { SettleOptions, Tried } from './settle.ts';
import type { SettleReport } from './settle-due.ts';
import { settleDue } from './settle-due.ts';
import { wakeWaiting } from './wake.ts';

/** Options of the loop that executes due payments. */
export interface ProcessorOptions extends Omit<
  SettleOptions,
  'batchSize' | 'tried' | 'foresight' | 'heldTotals' | 'woken'
> {
  /** Payments in one transaction: 1 to 10,000, default 1,000. */
  readonly batchSize?: number;
  /** Batches at once, default 2. */
  readonly lanes?: number;
  /** Most payments per second of each tenant without its own cap; default none. */
  readonly executionsPerSecond?: number | null;
  /** Called with the outcome of each payment, after the commit. */
  readonly onTried?: (tried: readonly Tried[]) => void;
  /** Called after every batch that was not empty. */
  readonly onBatch?: (report: SettleReport, durationMs: number) => void;
}

const POLL_MS = 1_000;
/** Under load there are hundreds of runs a second; who waits for a credit can wait for this. */
const WAKE_EVERY_MS = 100;
/** How long the lanes go on by themselves before the wakes are looked at again. */
const STRETCH_MS = 500;

export function processorLoop(db: Database, options: ProcessorOptions): LoopDefinition {
  const { batchSize = 1_000, lanes = 2 } = options;
  const claimer = new Claimer({ executionsPerSecond: options.executionsPerSecond ?? null });
  const foresight = new Foresight();
  const heldTotals = new HeldTotals();
  let wokenAtMs = -Infinity;
  return {
    name: 'processor',
    pollMs: POLL_MS,
    async runOnce(signal, resident, woken = false): Promise<LoopRun> {
      const total: Record<string, number> = { claimed: 0, woken: 0 };
      if (!resident || woken || performance.now() - wokenAtMs > WAKE_EVERY_MS) {
        total['woken'] = await wakeWaiting(db, options.readClock);
        wokenAtMs = performance.now();
      }
      const settle = async (isWoken = false): Promise<SettleReport> => {
        const startedMs = performance.now();
        const tried = options.onTried ? new Map<Uuid, Tried>() : null;
        const report = await settleDue(db, claimer, {
          ...options,
          foresight,
          heldTotals,
          batchSize,
          resident,
          woken: isWoken,
          ...(tried ? { tried } : {}),
        });
        if (tried && tried.size > 0) options.onTried?.([...tried.values()]);
        if (report.claimed > 0) options.onBatch?.(report, performance.now() - startedMs);
        total['claimed'] = (total['claimed'] ?? 0) + report.claimed;
        for (const [name, count] of Object.entries(report.outcomes)) total[name] = (total[name] ?? 0) + count;
        return report;
      };
      const first = await settle(woken);
      if (first.claimed === 0)
        return { counts: total, ...(first.nextInMs === null ? {} : { nextInMs: first.nextInMs }) };
      const untilMs = performance.now() + STRETCH_MS;
      const lane = async (): Promise<void> => {
        while (!signal.aborted && performance.now() < untilMs && (await settle()).claimed >= batchSize / 2);
      };
      // A small batch leaves nothing for a second lane; whatever came meanwhile is looked for at once.
      if (first.claimed >= batchSize / 2) await Promise.all(Array.from({ length: lanes }, lane));
      return { counts: total, more: true };
    },
  };
}
