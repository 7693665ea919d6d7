// Follows the order of events of all tenants and queues executions. For each job and each event that is the job's there is exactly one
// execution, whatever dies when:
//
// Position. One process at a time matches, whichever gets the advisory lock. A take reads blocks from the position on, queues the
// executions of their events, and moves the position, in one transaction: either all of it happened or nothing. The order grows at its end
// only and becomes visible in order, so that nothing is added before the position, and an event is read by one committed take.
//
// Joining. A job is matched by takes once it has `joined_seq`, which only a take sets, under the lock, at its position P: the greater of
// `after_seq` and S, the seq of the tenant's last event before P. Events from P on have seqs above S: takes match those above `joined_seq`. Events
// up to `joined_seq` that are behind `after_seq` were passed before: the backfill matches them. Together that is every event behind `after_seq`,
// each in one of the two. It does not matter when the job's transaction commits: until then no take sees the job, and P is that of the take
// that does.
//
// Disabled and enabled. Enabling sets `after_seq` to the end of the order and takes `joined_seq` away: the job joins again. A take that read the job
// before may have matched events behind that end, and the backfill would meet them again. The primary key of the queue refuses a second execution;
// one that has ended meanwhile is looked up in history, after the insert (insertUnended). Takes never meet an event twice.
//
// Deleted, or a pattern that changed. A take reads the jobs once, in one statement: for a job that is deleted in the same moment it may still
// queue executions, which the rescuer cancels. The rescuer is done with a deleted job only when it had the matcher's lock itself (rescue.ts).
//
// No jobs. Without an enabled job nothing is read. When the first one joins, no job has `joined_seq`, so no event before the end is any job's
// by takes: the position goes to the end. Events that the job missed meanwhile are backfilled.
//
// Lost commits. A database that was restored in part may have a position beyond the end of the order. It goes back to the end, where new events
// will be, and so do jobs that begin behind the end of their tenant's events.
//
// Bounds. A take reads about 10,000 blocks and events, of 250 tenants that have jobs, and queues about 10,000 executions: the position may end
// inside a block. Nothing that a tenant wrote is parsed, and every row that it queues can be inserted: no tenant stops the others.
import type { Database, Transaction } from '../db/index.ts';
import type { BlockPiece, PlacedBlock, TypedEvent } from '../events/index.ts';
import {
  ADDRESSED_TYPES,
  blocksFrom,
  eventTypes,
  isAddressedTo,
  likePatterns,
  patternsOf,
  piecesBetween,
  readOrderEnd,
  subscribes,
} from '../events/index.ts';
import type { LoopDefinition, Uuid } from '../kernel/index.ts';
import { NIL_UUID } from '../kernel/index.ts';
import { noteWakeUp } from '../queue/index.ts';
import { readClocks } from '../tenants/index.ts';
import { executionIdOf } from './execution.ts';
import type { JoinedJob, MatcherState, NewExecution } from './match-store.ts';
import {
  insertExecutions,
  insertUnended,
  joinJobs,
  joinedJobs,
  lockGapIfFree,
  markBackfilled,
  movePosition,
  pullBackJobs,
  readMatcher,
  tryLockMatcher,
} from './match-store.ts';
import type { OrderKey } from './order-store.ts';
import { listStuck, noteOrder, settleNoted } from './order-store.ts';

/** Sizes of a take. */
export interface MatcherSizes {
  readonly events: number;
  readonly executions: number;
  readonly tenants: number;
  /** Events of one page of a backfill. */
  readonly page: number;
}

const SIZES: MatcherSizes = { events: 10_000, executions: 10_000, tenants: 250, page: 5_000 };
const POLL_MS = 200;
const NOTES_AT_ONCE = 1_000;
/** Keys that are looked at for stuck executions, and how often. */
const KEYS_AT_ONCE = 1_000;
const LOOK_EVERY_MS = 15_000;
/** Patterns that the server compares, so that events of no job need not travel. */
const MOST_LIKES = 20;

export interface Matched {
  readonly executions: number;
  /** The order goes on: match again at once. */
  readonly more: boolean;
}

const NOTHING: Matched = { executions: 0, more: false };

export interface Matcher {
  /** One take; null while another process matches. `state`: as it was just read. */
  match(state?: MatcherState): Promise<Matched | null>;
  /** One page of a backfill, if a job has one. */
  backfill(): Promise<Matched>;
  /** Opens ordered executions whose keys are noted. */
  settle(): Promise<{ readonly more: boolean }>;
  /** Notes keys that have blocked executions and nothing open, among the next thousand. */
  noteStuck(): Promise<number>;
}

export function createMatcher(db: Database, given: Partial<MatcherSizes> = {}): Matcher {
  const sizes = { ...SIZES, ...given };
  /** Tenants take turns. */
  let lastTenant: Uuid = NIL_UUID;
  let lastKey: OrderKey | null = null;

  return {
    async match(state) {
      const { position, joined, joining } = state ?? (await readMatcher(db));
      if (!joined && !joining) return NOTHING;
      if (!joining && (await readOrderEnd(db)).position === position) return NOTHING;
      return db.transaction((tx) => matchNext(tx, sizes), { probes: true });
    },

    async backfill() {
      const [tenantId, filled] = await db.transaction((tx) => backfillPage(tx, lastTenant, sizes.page), {
        probes: true,
      });
      lastTenant = tenantId;
      return filled;
    },

    settle: () =>
      db.transaction(async (tx) => {
        if (!(await tryLockMatcher(tx))) return { more: false };
        const { taken, opened } = await settleNoted(tx, NOTES_AT_ONCE);
        if (opened > 0) noteWakeUp(tx, 'executions_due');
        return { more: taken === NOTES_AT_ONCE && opened > 0 };
      }),

    async noteStuck() {
      const { stuck, next } = await listStuck(db, lastKey, KEYS_AT_ONCE);
      lastKey = next;
      await noteOrder(db, stuck);
      return stuck.length;
    },
  };
}

async function matchNext(tx: Transaction, sizes: MatcherSizes): Promise<Matched | null> {
  if (!(await tryLockMatcher(tx))) return null;
  const { position: stored, joined, joining } = await readMatcher(tx);
  const { position: end } = await readOrderEnd(tx);
  let position = stored;
  if (stored > end) await pullBackJobs(tx, end);
  if (stored > end || (joining && !joined)) position = end;
  const moreJobs = joining && (await joinJobs(tx, position));
  const { rows, next } = await matchFrom(tx, position, sizes);
  if (rows.length > 0) {
    await insertExecutions(tx, rows);
    noteWakeUp(tx, 'executions_due');
  }
  if (next !== stored) await movePosition(tx, stored, next);
  return { executions: rows.length, more: moreJobs || next < end };
}

/** The executions of the next events, and the position behind these events. */
async function matchFrom(
  tx: Transaction,
  position: bigint,
  sizes: MatcherSizes,
): Promise<{ rows: readonly NewExecution[]; next: bigint }> {
  const placed = bounded(await blocksFrom(tx, position, sizes.events), sizes.events);
  const tenantIds = [...new Set(placed.map((block) => block.tenantId))];
  const found = tenantIds.length === 0 ? [] : await joinedJobs(tx, tenantIds);
  const { blocks, jobs } = ofFewTenants(placed, found, sizes.tenants);
  const last = blocks.at(-1);
  if (last === undefined) return { rows: [], next: position };
  const end = last.firstPosition + BigInt(last.events);
  const heard = blocks.filter((block) => jobs.has(block.tenantId));
  if (heard.length === 0) return { rows: [], next: end };
  const pieces = heard.map((block) => pieceFrom(block, position));
  const all = [...jobs.values()].flat();
  const events = await eventTypes(tx, pieces, likesOf(all), all.some(needsResources));
  const queue = await createQueue(tx, [...jobs.keys()]);
  const listeners = listening(jobs);
  for (const event of events) {
    for (const job of listeners(event)) if (event.seq > job.joinedSeq) queue.add(job, event);
    if (queue.rows.length < sizes.executions) continue;
    const block = heard[event.piece] as PlacedBlock;
    const ordinal = event.seq - (block.lastSeq - BigInt(block.events) + 1n);
    return { rows: queue.rows, next: block.firstPosition + ordinal + 1n };
  }
  return { rows: queue.rows, next: end };
}

/** The first blocks, of so many events. */
function bounded(blocks: readonly PlacedBlock[], events: number): PlacedBlock[] {
  let sum = 0;
  const end = blocks.findIndex((block) => (sum += block.events) >= events);
  return end === -1 ? [...blocks] : blocks.slice(0, end + 1);
}

/** The first blocks, of so many tenants that have jobs, and their jobs. */
function ofFewTenants(
  blocks: readonly PlacedBlock[],
  jobs: readonly JoinedJob[],
  most: number,
): { blocks: readonly PlacedBlock[]; jobs: ReadonlyMap<Uuid, readonly JoinedJob[]> } {
  const all = Map.groupBy(jobs, (job) => job.tenantId);
  const some = new Map<Uuid, readonly JoinedJob[]>();
  const end = blocks.findIndex(({ tenantId }) => {
    const own = all.get(tenantId);
    if (own) some.set(tenantId, own);
    return some.size > most;
  });
  if (end === -1) return { blocks, jobs: some };
  some.delete(blocks[end]?.tenantId ?? '');
  return { blocks: blocks.slice(0, end), jobs: some };
}

function pieceFrom({ tenantId, blockId, firstPosition, events, lastSeq }: PlacedBlock, position: bigint): BlockPiece {
  const from = position > firstPosition ? Number(position - firstPosition) : 0;
  return { tenantId, blockId, firstSeq: lastSeq - BigInt(events) + 1n, from, to: events - 1 };
}

type Matching = Pick<JoinedJob, 'id' | 'eventPattern' | 'managed' | 'ordered'>;

const isManaged = ({ managed }: Matching): boolean => managed;
/** The resources of events are read only where a job needs them. */
export const needsResources = ({ managed, ordered }: Matching): boolean => managed || ordered;

/** Null where a pattern admits every type, or there are many. Events may be addressed to managed jobs. */
export function likesOf(jobs: readonly Matching[]): string[] | null {
  const addressed = jobs.some(isManaged) ? ADDRESSED_TYPES : [];
  const patterns = new Set([...jobs.flatMap((job) => patternsOf(job.eventPattern)), ...addressed]);
  return patterns.has('*') || patterns.size > MOST_LIKES ? null : [...patterns].flatMap(likePatterns);
}

/** The jobs that run on an event; each type of a tenant is compared with its jobs once, unless its events are for one job each. */
function listening(jobs: ReadonlyMap<Uuid, readonly JoinedJob[]>): (event: TypedEvent) => readonly JoinedJob[] {
  const known = new Map<string, readonly JoinedJob[]>();
  return (event) => {
    const { tenantId, type } = event;
    const own = jobs.get(tenantId) ?? [];
    if (ADDRESSED_TYPES.includes(type)) return own.filter((job) => isFor(job, event));
    const key = `${tenantId} ${type}`;
    const found = known.get(key) ?? own.filter((job) => isFor(job, event));
    known.set(key, found);
    return found;
  };
}

export const isFor = ({ id, eventPattern }: Matching, event: TypedEvent): boolean =>
  subscribes(eventPattern, event.type) || isAddressedTo(id, event);

interface Queue {
  readonly rows: readonly NewExecution[];
  add(job: Pick<JoinedJob, 'id' | 'ordered'>, event: TypedEvent): void;
}

/** Due at once; in a test tenant at the instant of the event, which its clock has reached. */
async function createQueue(tx: Transaction, tenantIds: readonly Uuid[]): Promise<Queue> {
  const clocks = await readClocks(tx, tenantIds);
  const live = tx.begunAt as Date;
  const rows: NewExecution[] = [];
  return {
    rows,
    add({ id: jobId, ordered }, { tenantId, id: eventId, seq, occurredAt, resourceId }) {
      const clock = clocks.get(tenantId);
      rows.push({
        tenantId,
        id: executionIdOf(jobId, eventId),
        jobId,
        eventId,
        seq,
        clockId: clock?.clockId ?? null,
        // Events from before the first clock are of real time.
        dueAt: clock ? new Date(Math.min(Math.max(occurredAt.getTime(), 0), clock.now.getTime())) : live,
        orderKey: ordered ? resourceId : null,
      });
    },
  };
}

/** Returns the tenant whose turn it was, for the next one. */
async function backfillPage(tx: Transaction, lastTenant: Uuid, page: number): Promise<[Uuid, Matched]> {
  const gap = await lockGapIfFree(tx, lastTenant);
  // Behind the last tenant the first one has its turn.
  if (gap === null) return [NIL_UUID, { executions: 0, more: lastTenant !== NIL_UUID }];
  const { tenantId, after } = gap;
  const upTo = gap.upTo < after + BigInt(page) ? gap.upTo : after + BigInt(page);
  const pieces = await piecesBetween(tx, tenantId, after, upTo);
  const events = await eventTypes(tx, pieces, likesOf([gap]), needsResources(gap));
  const queue = await createQueue(tx, [tenantId]);
  for (const event of events) if (isFor(gap, event)) queue.add(gap, event);
  const executions = await insertUnended(tx, tenantId, queue.rows);
  await markBackfilled(tx, gap, upTo);
  if (executions > 0) noteWakeUp(tx, 'executions_due');
  return [tenantId, { executions, more: true }];
}

/** One take, one page of a backfill and one set of notes in each run: none delays the others. */
export function matcherLoop(db: Database, sizes: Partial<MatcherSizes> = {}): LoopDefinition {
  const matcher = createMatcher(db, sizes);
  let lookedAtMs = performance.now();
  return {
    name: 'matcher',
    pollMs: POLL_MS,
    async runOnce(_signal, resident) {
      if (resident && performance.now() - lookedAtMs > LOOK_EVERY_MS) {
        lookedAtMs = performance.now();
        await matcher.noteStuck();
      }
      const state = await readMatcher(db);
      const matched = await matcher.match(state);
      const filled = state.joining || state.backfilling ? await matcher.backfill() : NOTHING;
      const settled = state.noted ? await matcher.settle() : NOTHING;
      return {
        counts: { matched: (matched?.executions ?? 0) + filled.executions },
        more: (matched?.more ?? false) || filled.more || settled.more,
      };
    },
  };
}
