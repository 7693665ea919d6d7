// Lists of schedules as callers page through them.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { pageOf, upTo } from '../kernel/index.ts';
import type { ScheduleFilter } from './list-store.ts';
import { listSchedules } from './list-store.ts';
import type { StoredSchedule } from './store.ts';

interface PageOrder {
  readonly limit: number;
  /** The id that the page before ended with. */
  readonly before: Uuid | null;
}

/** One page, in bounded time whatever the filter. */
export function pageOfSchedules(
  sql: Sql,
  tenantId: Uuid,
  filter: ScheduleFilter,
  { limit, before }: PageOrder,
  scan?: number,
): Promise<{ items: readonly StoredSchedule[]; next: Uuid | null }> {
  return pageOf(
    limit,
    (most) => listSchedules(sql, tenantId, filter, { limit: most, before }, scan),
    ({ schedule }) => schedule.id,
  );
}

/** As many as there are, up to the limit: scan after scan, where the filter finds little. */
export function findSchedules(
  sql: Sql,
  tenantId: Uuid,
  filter: ScheduleFilter,
  { limit, before }: PageOrder,
): Promise<StoredSchedule[]> {
  return upTo(limit, before, (most, from) => listSchedules(sql, tenantId, filter, { limit: most, before: from }));
}
