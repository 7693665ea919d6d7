// How many events a backfill will send: those that match and have no execution. Counted before the job is rewound, in the same transaction, over
// a bounded range: a job that was disabled for a year has more events behind it than one request may read.
import type { Sql } from '../db/index.ts';
import { eventTypes, piecesBetween } from '../events/index.ts';
import { executionIdOf } from './execution.ts';
import { countKnown } from './match-store.ts';
import { isFor, likesOf, needsResources } from './match.ts';
import type { Rewind } from './job-store.ts';

/** Events that are looked at. */
const MOST_SCANNED = 20_000n;
const PAGE = 5_000n;

export interface Missed {
  readonly missed: number;
  /** There may be more: only the first 20,000 events were looked at. */
  readonly missedIsAtLeast: boolean;
}

export async function countMissed(sql: Sql, job: Rewind, after: bigint): Promise<Missed> {
  const end = job.upTo < after + MOST_SCANNED ? job.upTo : after + MOST_SCANNED;
  let missed = 0;
  for (let from = after; from < end; from += PAGE) {
    const to = from + PAGE < end ? from + PAGE : end;
    const pieces = await piecesBetween(sql, job.tenantId, from, to);
    const events = await eventTypes(sql, pieces, likesOf([job]), needsResources(job));
    const ids = events.filter((event) => isFor(job, event)).map(({ id }) => executionIdOf(job.id, id));
    if (ids.length > 0) missed += ids.length - (await countKnown(sql, job.tenantId, ids));
  }
  return { missed, missedIsAtLeast: end < job.upTo };
}
