// The scheduler: makes what is due, sleeps until the next schedule is due and never longer than a second. Two lanes work at
// once: while one commits, the other decides.
import type { Database } from '../db/index.ts';
import type { LoopDefinition, LoopRun, Uuid } from '../kernel/index.ts';
import { ScheduleClaimer } from './claim.ts';
import type { BatchOptions, BatchReport } from './scheduler.ts';
import { Marks, runDueSchedules } from './scheduler.ts';

/** Options of the loop that makes payments of schedules. */
export interface SchedulerOptions extends Omit<BatchOptions, 'batchSize' | 'marks'> {
  /** Called for a tenant whose outage guard could not be evaluated: its schedules make nothing until it can be. */
  readonly onTenantSetAside?: (tenantId: Uuid, error: unknown) => void;
  /** Schedules in one transaction: 1 to 10,000, default 2,000. */
  readonly batchSize?: number;
  /** Batches at once, default 2. */
  readonly lanes?: number;
}

const POLL_MS = 1_000;
/** How long the lanes go on by themselves before the loop may be stopped between two runs. */
const STRETCH_MS = 500;

export function schedulerLoop(db: Database, options: SchedulerOptions): LoopDefinition {
  const { batchSize = 2_000, lanes = 2 } = options;
  const claimer = new ScheduleClaimer(options);
  const marks = new Marks();
  return {
    name: 'scheduler',
    pollMs: POLL_MS,
    async runOnce(signal, resident): Promise<LoopRun> {
      const total: Record<string, number> = { claimed: 0 };
      const runBatch = async (): Promise<BatchReport> => {
        const report = await runDueSchedules(db, claimer, { ...options, batchSize, marks });
        total['claimed'] = (total['claimed'] ?? 0) + report.claimed;
        for (const [name, count] of Object.entries(report.counts)) total[name] = (total[name] ?? 0) + count;
        return report;
      };
      const first = await runBatch();
      if (first.claimed === 0)
        return { counts: total, ...(first.nextInMs === null ? {} : { nextInMs: first.nextInMs }) };
      // A run that somebody asked for by itself ends when everything due is made.
      const untilMs = resident ? performance.now() + STRETCH_MS : Infinity;
      const lane = async (): Promise<void> => {
        while (!signal.aborted && performance.now() < untilMs && (await runBatch()).claimed > 0);
      };
      await Promise.all(Array.from({ length: first.claimed >= batchSize / 2 ? lanes : 1 }, lane));
      return { counts: total, more: true };
    },
  };
}
