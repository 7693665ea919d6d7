// The record of ticks. A started loop runs many times a second under load: runs that follow one another without a pause are
// one tick, written when the loop comes to rest. A run that somebody asked for by itself is one tick with those after it,
// written at the end, whatever it did. The record is beside the work, never in its way: it is written after the fact, and if
// that fails the work is done all the same.
import type { Sql } from '../db/index.ts';
import type { Counts, LoopObserver, Uuid } from '../kernel/index.ts';
import { newId, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { findFirstTenant } from '../tenants/index.ts';
import type { CronRun } from './cron-run-store.ts';
import { insertCronRun, listCronRuns } from './cron-run-store.ts';
import { codedMessage } from './trouble.ts';

export interface CronRunVerbs {
  /** Newest first. A tick serves every tenant, and its numbers are of all of them: only the first tenant may ask. */
  cronRuns(
    filter?: { readonly jobName?: string; readonly status?: CronRun['status'] },
    page?: { readonly limit?: number; readonly before?: Uuid },
  ): Promise<CronRun[]>;
}

export function cronRunVerbs(context: VerbContext): CronRunVerbs {
  return {
    async cronRuns(filter = {}, page = {}) {
      const first = await findFirstTenant(context.sql);
      if (first?.id !== context.tenantId) {
        refuse('AUTH_FORBIDDEN', 'runs are of all tenants: only the first live tenant sees them');
      }
      return listCronRuns(context.sql, filter, { limit: PAGE, ...page });
    },
  };
}

const PAGE = 100;
/** The others do a little all the time, and metrics tell of them. */
const RECORDED = ['scheduler', 'processor'];

interface OpenTick {
  readonly counts: Record<string, number>;
  durationMs: number;
}

export class CronRuns {
  readonly observer: LoopObserver = {
    ran: (name, counts, durationMs, resident) => this.#ran(name, counts, durationMs, resident),
    failed: (name, error) => this.#failed(name, error),
    failedAlone: (name, error) => this.#failed(name, error),
  };
  readonly #open = new Map<string, OpenTick>();
  #sql: Sql | null = null;
  #written: Promise<void> = Promise.resolve();

  /** From now on ticks are written there. */
  writeTo(sql: Sql): void {
    this.#sql = sql;
  }

  /** Writes what is open, and waits until everything is written. */
  async finish(): Promise<void> {
    for (const name of this.#open.keys()) this.#close(name);
    await this.#written;
  }

  #ran(name: string, counts: Counts, durationMs: number, resident: boolean): void {
    if (!RECORDED.includes(name)) return;
    const didSomething = (counts['claimed'] ?? 0) > 0;
    if (!didSomething && resident) return this.#close(name);
    const tick = this.#open.get(name) ?? { counts: {}, durationMs: 0 };
    for (const [what, count] of Object.entries(counts)) tick.counts[what] = (tick.counts[what] ?? 0) + count;
    tick.durationMs += durationMs;
    this.#open.set(name, tick);
  }

  #close(name: string): void {
    const tick = this.#open.get(name);
    if (!tick) return;
    this.#open.delete(name);
    this.#write(name, tick, null);
  }

  #failed(name: string, error: unknown): void {
    if (!RECORDED.includes(name)) return;
    const tick = this.#open.get(name) ?? { counts: {}, durationMs: 0 };
    this.#open.delete(name);
    this.#write(name, tick, codedMessage(error));
  }

  #write(jobName: string, { counts, durationMs }: OpenTick, errorMessage: string | null): void {
    const sql = this.#sql;
    if (!sql) return;
    const run = {
      id: newId(),
      jobName,
      status: errorMessage === null ? 'SUCCESS' : 'FAILED',
      processedCount: counts['made'] ?? counts['claimed'] ?? 0,
      counts,
      errorMessage,
      durationMs,
    } as const;
    this.#written = this.#written.then(() => insertCronRun(sql, run)).catch(() => undefined);
  }
}
