// A tenant at a glance: what waits, what is late, what moved and what failed, what is stopped, and what needs a person.
import { countRecent, countUnplaced } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Freeze, VerbContext } from '../ledger/index.ts';
import { listFreezes } from '../ledger/index.ts';
import type { Ahead, AtStake } from '../payments/index.ts';
import { readAhead, sumAwaiting, sumDeadLetters } from '../payments/index.ts';
import type { ActivePause } from '../tenants/index.ts';
import { listPauses } from '../tenants/index.ts';

export interface Overview extends Ahead {
  readonly at: Date;
  /** How late the oldest due payment is. */
  readonly lateMs: number;
  /** Of real time, whatever the tenant's clock says. */
  readonly lastHour: { readonly settled: number; readonly failed: number };
  readonly lastDay: { readonly settled: number; readonly failed: number };
  /** The day had more events than are counted: its numbers are at least that. */
  readonly recentCapped: boolean;
  readonly deadLetters: readonly AtStake[];
  readonly awaitingApproval: readonly AtStake[];
  readonly freezes: readonly Freeze[];
  readonly pauses: readonly ActivePause[];
  /** Events that have no place in the order yet, and since when. */
  readonly unplaced: { readonly count: number; readonly oldest: Date | null };
}

export async function overview(context: VerbContext, tenantId: Uuid): Promise<Overview> {
  const { sql } = context;
  const clock = await context.moment(sql);
  const [ahead, recent, deadLetters, awaitingApproval, freezes, pauses, unplaced] = await Promise.all([
    readAhead(sql, tenantId, clock),
    countRecent(sql, tenantId),
    sumDeadLetters(sql, tenantId),
    sumAwaiting(sql, tenantId),
    listFreezes(sql, { activeOnly: true }),
    listPauses(sql, tenantId),
    countUnplaced(sql, tenantId),
  ]);
  const { capped: recentCapped, ...counts } = recent;
  return {
    ...ahead,
    ...counts,
    recentCapped,
    at: clock.now,
    lateMs: ahead.oldestDueAt ? Math.max(0, clock.now.getTime() - ahead.oldestDueAt.getTime()) : 0,
    deadLetters,
    awaitingApproval,
    freezes: freezes.filter((freeze) => freeze.tenantId === tenantId),
    pauses,
    unplaced,
  };
}
