// The list of ticks, for operators. tick-recorder.ts writes it.
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { findFirstTenant } from '../tenants/index.ts';
import type { CronRun } from './cron-run-store.ts';
import { listCronRuns } from './cron-run-store.ts';

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
        refuse('AUTH_FORBIDDEN/first_tenant_only');
      }
      return listCronRuns(context.sql, filter, { limit: PAGE, ...page });
    },
  };
}

const PAGE = 100;
