// Grouped creates: what queued while the last commit ran goes together, in one transaction. No timer: a lone request runs
// at once, and under load the group grows by itself, up to 256. Every request keeps its own idempotency key and its own
// answer; refusals are decided without raising. If the group fails for a reason nobody foresaw, or the answer to its
// COMMIT is lost, each request runs again alone: one that did commit is found by its key.
//
// A group waits for locks only briefly, because everything behind it waits too:
//
//   a lock is held            the group runs again without waiting; requests that need the lock step aside, the others are done
//   requests step aside       into a lane: one per payer, or one per tenant and asset where the tenant's daily total is held. Later
//                             requests of that payer, or tenant and asset, join the lane at once
//   the head of a lane        waits by itself for some seconds: a lane takes one connection, however many wait in it, and a tenant
//                             takes two, however many lanes it has
//   the head gets the lock    all of its lane rejoin the groups, but never make a group wait again
//   the head waits in vain    it is refused as busy, with all that waited as long; the next one of the lane is its head
import type { Database, Transaction, TransactionOptions } from '../db/index.ts';
import { LOCK_WAIT_MS, isLockTimeout, refusingBusy } from '../db/index.ts';
import type { Caller, Clock, Uuid } from '../kernel/index.ts';
import { Refusal, refused } from '../kernel/index.ts';
import type { IdempotencyScope, Json, Once } from '../tenants/index.ts';
import { findKeyRecords, insertKeyRecords, replayOf, requireKey, tryLockKeys } from '../tenants/index.ts';
import { createPayments } from './create.ts';
import type { OrderBounds, PaymentOrder } from './order.ts';
import type { Payment } from './payment.ts';

/** Makes the answer of a payment, given the refs of its accounts by id. */
export type AnswerWith = (payment: Payment, refs: ReadonlyMap<Uuid, string>) => Json;

export interface GroupedOrder {
  readonly scope: IdempotencyScope;
  readonly caller: Caller;
  readonly order: PaymentOrder;
  /** What to remember and to answer. */
  readonly answer: AnswerWith;
}

interface Waiting extends GroupedOrder {
  /** When it first stepped aside: from then on no group waits for its locks. Null: it never did. */
  asideAtMs: number | null;
  settle(outcome: Once<Json> | Error): void;
}

/** The outcome of a request that was not waited for: the lane of the lock that it needs. */
class Aside {
  readonly lane: string;
  constructor(lane: string) {
    this.lane = lane;
  }
}

type Outcome = Once<Json> | Error | Aside;

export interface GroupOptions {
  readonly readClock: (tx: Transaction) => Promise<Clock>;
  readonly bounds: OrderBounds;
  /** Requests in one transaction, at most. 1 turns grouping off. */
  readonly maxGroup: number;
}

interface Run extends TransactionOptions {
  readonly isImpatient: (waiting: Waiting) => boolean;
}

const GROUP_WAIT_MS = 200;
/** Heads of one tenant's lanes that wait at once, each on a connection. */
const MOST_HEADS = 2;
const GROUPED: Run = { probes: true, lockTimeoutMs: GROUP_WAIT_MS, isImpatient: ({ asideAtMs }) => asideAtMs !== null };
const IMPATIENT: Run = { ...GROUPED, isImpatient: () => true };
const alone = (lockTimeoutMs: number): Run => ({ probes: true, lockTimeoutMs, isImpatient: () => false });

export class CreateGroup {
  readonly #db: Database;
  readonly #options: GroupOptions;
  #queue: Waiting[] = [];
  #running = false;
  readonly #lanes = new Map<string, Waiting[]>();
  /** By tenant: how many heads wait for their locks, and who waits to be one. */
  readonly #heads = new Map<string, { waiting: number; readonly next: (() => void)[] }>();

  constructor(db: Database, options: GroupOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** Throws a Refusal, or answers. */
  async submit(grouped: GroupedOrder): Promise<Once<Json>> {
    requireKey(grouped.scope.key);
    const outcome = await new Promise<Once<Json> | Error>((resolve) => {
      const waiting = { ...grouped, asideAtMs: null, settle: resolve };
      const lane = this.#lanes.size === 0 ? undefined : lanesOf(grouped).find((each) => this.#lanes.has(each));
      if (lane === undefined) this.#enqueue(waiting);
      else this.#stepAside(waiting, lane);
    });
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  #enqueue(waiting: Waiting): void {
    // Nothing to gather: no request waits for the commit of another, and as many run at once as there are connections.
    if (this.#options.maxGroup === 1) return void this.#runGroup([waiting]);
    this.#queue.push(waiting);
    if (!this.#running) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#queue.length > 0) await this.#runGroup(this.#takeGroup());
    this.#running = false;
  }

  /** From the quickest way to the most careful. */
  async #runGroup(group: readonly Waiting[]): Promise<void> {
    let error = await this.#failureOf(group, GROUPED);
    if (isLockTimeout(error)) error = await this.#failureOf(group, IMPATIENT);
    if (error === null) return;
    const [waiting] = group;
    if (!waiting || group.length > 1) {
      for (const each of group) await this.#runGroup([each]);
      return;
    }
    if (isUnknown(error)) error = await this.#failureOf(group, GROUPED);
    // A lock that cannot be gone without.
    if (isLockTimeout(error)) this.#stepAside(waiting, payerLane(waiting));
    else if (error !== null) settleAll(group, error);
  }

  #stepAside(waiting: Waiting, lane: string): void {
    waiting.asideAtMs ??= performance.now();
    const before = this.#lanes.get(lane);
    if (before) return void before.push(waiting);
    const queue = [waiting];
    this.#lanes.set(lane, queue);
    void this.#serve(lane, queue);
  }

  async #serve(lane: string, queue: Waiting[]): Promise<void> {
    for (let head = queue.shift(); head; head = queue.shift()) {
      const error = await this.#asHead(head, () => this.#waitFor(head));
      if (error === null) break;
      const inVain = isLockTimeout(error) ? queue.filter((waiting) => leftMs(waiting) <= GROUP_WAIT_MS) : [];
      const refused = await refusingBusy(Promise.reject(error)).catch((reason: unknown) => reason);
      settleAll([head, ...inVain], refused);
      queue.splice(0, queue.length, ...queue.filter((waiting) => !inVain.includes(waiting)));
    }
    this.#lanes.delete(lane);
    for (const waiting of queue) this.#enqueue(waiting);
  }

  async #waitFor(head: Waiting): Promise<unknown> {
    const run = alone(Math.max(GROUP_WAIT_MS, leftMs(head)));
    const error = await this.#failureOf([head], run);
    return isUnknown(error) ? this.#failureOf([head], run) : error;
  }

  /** Runs the work when fewer heads of the tenant wait than may. */
  async #asHead<T>({ scope: { tenantId } }: Waiting, work: () => Promise<T>): Promise<T> {
    const heads = this.#heads.get(tenantId) ?? { waiting: 0, next: [] };
    this.#heads.set(tenantId, heads);
    if (heads.waiting < MOST_HEADS) heads.waiting += 1;
    else await new Promise<void>((resolve) => heads.next.push(resolve));
    try {
      return await work();
    } finally {
      const next = heads.next.shift();
      if (next) next();
      else if ((heads.waiting -= 1) === 0) this.#heads.delete(tenantId);
    }
  }

  /** The oldest requests; a second one with the key of another waits for the next group and finds the record. */
  #takeGroup(): Waiting[] {
    const seen = new Set<string>();
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    for (const waiting of this.#queue) {
      const { tenantId, actor, key } = waiting.scope;
      const name = `${tenantId} ${actor} ${key}`;
      if (group.length < this.#options.maxGroup && !seen.has(name)) group.push(waiting);
      else later.push(waiting);
      seen.add(name);
    }
    this.#queue = later;
    return group;
  }

  /** Null where every request of the group has its outcome, or has stepped aside. */
  async #failureOf(group: readonly Waiting[], run: Run): Promise<unknown> {
    const { isImpatient, ...options } = run;
    let outcomes: Outcome[];
    try {
      outcomes = await this.#db.transaction((tx) => this.#decide(tx, group, isImpatient), options);
    } catch (error) {
      return error ?? new Error('expected a reason');
    }
    group.forEach((waiting, index) => {
      const outcome = outcomes[index] ?? new Error('expected an outcome');
      if (outcome instanceof Aside) this.#stepAside(waiting, outcome.lane);
      else waiting.settle(outcome);
    });
    return null;
  }

  async #decide(tx: Transaction, group: readonly Waiting[], isImpatient: Run['isImpatient']): Promise<Outcome[]> {
    const clock = await this.#options.readClock(tx);
    const scopes = group.map((waiting) => waiting.scope);
    const [got, found] = await tx.together([() => tryLockKeys(tx, scopes), () => findKeyRecords(tx, scopes)]);
    const records = new Map(found.map((record) => [nameOf(record), record]));
    const outcomes: (Outcome | null)[] = group.map(({ scope }, index) => {
      const record = records.get(nameOf(scope));
      if (record) return caught(() => ({ answer: replayOf(scope, record), replayed: true }));
      return got[index] ? null : new Refusal(refused('IDEMPOTENCY_RUNNING', { key: scope.key }));
    });
    const fresh = group.map((waiting, index) => ({ waiting, index })).filter(({ index }) => outcomes[index] === null);
    let refs: ReadonlyMap<Uuid, string> = new Map();
    const created = await createPayments(
      tx,
      clock,
      fresh.map(({ waiting }) => {
        const { scope, caller, order } = waiting;
        return { tenantId: scope.tenantId, caller, order, impatient: isImpatient(waiting) };
      }),
      this.#options.bounds,
      (named) => (refs = named),
    );
    const remembered = fresh.flatMap(({ waiting, index }, n) => {
      const result = created[n];
      if (!result) return [];
      if ('refused' in result) {
        const { refused: why } = result;
        outcomes[index] =
          'held' in why && why.held
            ? new Aside(why.held === 'total' ? totalLane(waiting) : payerLane(waiting))
            : new Refusal(why);
        return [];
      }
      const answer = waiting.answer(result.payment, refs);
      outcomes[index] = { answer, replayed: false };
      return [{ ...waiting.scope, answer: JSON.stringify(answer) }];
    });
    if (remembered.length > 0) await insertKeyRecords(tx, remembered);
    return outcomes.map((outcome) => outcome ?? new Error('expected an outcome'));
  }
}

const isUnknown = (error: unknown): boolean => error instanceof Error && error.name === 'CommitUnknown';

const payerLane = ({ scope, order }: GroupedOrder): string => `payer ${scope.tenantId} ${order.from}`;

/** An asset is named by its code or with its scale. */
const totalLane = ({ scope, order }: GroupedOrder): string =>
  `total ${scope.tenantId} ${order.asset}`.split('/', 1).join();

/** A total counts what is set aside now: what looks for its funds when it is due does not wait for it. */
const lanesOf = (grouped: GroupedOrder): string[] =>
  grouped.order.funding === 'at_execution' ? [payerLane(grouped)] : [payerLane(grouped), totalLane(grouped)];

const leftMs = ({ asideAtMs }: Waiting): number =>
  LOCK_WAIT_MS - (asideAtMs === null ? 0 : performance.now() - asideAtMs);

function caught(work: () => Once<Json>): Once<Json> | Error {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const nameOf = (scope: { tenantId: string; actor: string; key: string }): string =>
  `${scope.tenantId} ${scope.actor} ${scope.key}`;

function settleAll(group: readonly Waiting[], error: unknown): void {
  for (const waiting of group) waiting.settle(error instanceof Error ? error : new Error(String(error)));
}
