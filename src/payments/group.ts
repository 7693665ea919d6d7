// Grouped creates: what queued while the last commit ran goes together, in one transaction. No timer: a lone request runs
// at once, and under load the group grows by itself, up to 256. Every request keeps its own idempotency key and its own
// answer; refusals are decided without raising. If the group fails for a reason nobody foresaw, or the answer to its
// COMMIT is lost, each request runs again alone: one that did commit is found by its key.
//
// A group waits for locks only briefly, because everybody in it and behind it waits too. A request whose payer's balance
// turns out to be held elsewhere leaves the groups and waits by itself, and so do later ones of that payer: one after the
// other, so that they take one connection and not all of them.
import type { Database, Transaction, TransactionOptions } from '../db/index.ts';
import { LOCK_WAIT_MS, isLockTimeout, refusingBusy } from '../db/index.ts';
import type { Caller, Clock } from '../kernel/index.ts';
import { Refusal } from '../kernel/index.ts';
import type { IdempotencyScope, Json, Once } from '../tenants/index.ts';
import {
  findKeyRecords,
  insertKeyRecords,
  replayOf,
  requireKey,
  runningDetail,
  tryLockKeys,
} from '../tenants/index.ts';
import { createPayments } from './create.ts';
import type { OrderBounds, PaymentOrder } from './order.ts';
import type { Payment } from './payment.ts';

export interface GroupedOrder {
  readonly scope: IdempotencyScope;
  readonly caller: Caller;
  readonly order: PaymentOrder;
  /** What to remember and to answer. */
  readonly answer: (payment: Payment) => Json;
}

interface Waiting extends GroupedOrder {
  settle(outcome: Once<Json> | Error): void;
}

export interface GroupOptions {
  readonly readClock: (tx: Transaction) => Promise<Clock>;
  readonly bounds: OrderBounds;
  /** Requests in one transaction, at most. 1 turns grouping off. */
  readonly maxGroup: number;
}

const GROUPED: TransactionOptions = { probes: true, lockTimeoutMs: 200 };
const ALONE: TransactionOptions = { probes: true, lockTimeoutMs: LOCK_WAIT_MS };

export class CreateGroup {
  readonly #db: Database;
  readonly #options: GroupOptions;
  #queue: Waiting[] = [];
  #running = false;
  /** By payer whose balance was held elsewhere: the last of those who wait for it. */
  readonly #aside = new Map<string, Promise<void>>();

  constructor(db: Database, options: GroupOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** Throws a Refusal, or answers. */
  async submit(grouped: GroupedOrder): Promise<Once<Json>> {
    requireKey(grouped.scope.key);
    const outcome = await new Promise<Once<Json> | Error>((resolve) => {
      const waiting = { ...grouped, settle: resolve };
      if (this.#aside.has(payerOf(grouped))) return this.#stepAside(waiting);
      // Nothing to gather: nobody waits for anybody else's commit, as many run at once as there are connections.
      if (this.#options.maxGroup === 1) return void this.#runAlone(waiting, null);
      this.#queue.push(waiting);
      if (!this.#running) void this.#drain();
    });
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#queue.length > 0) {
      const group = this.#takeGroup();
      try {
        await this.#run(group, GROUPED);
      } catch (error) {
        for (const waiting of group) await this.#runAlone(waiting, group.length > 1 ? null : error);
      }
    }
    this.#running = false;
  }

  /** Again, where it was in a group or may have committed; `error` is what became of it alone. */
  async #runAlone(waiting: Waiting, error: unknown): Promise<void> {
    const again = error === null || isUnknown(error);
    const failed = again
      ? await this.#run([waiting], GROUPED).then(
          () => null,
          (alone: unknown) => alone,
        )
      : error;
    if (failed === null) return;
    if (isLockTimeout(failed)) this.#stepAside(waiting);
    else settleAll([waiting], failed);
  }

  /** Waits for its payer's balance some seconds, behind those that wait for it already, and is then refused. */
  #stepAside(waiting: Waiting): void {
    const payer = payerOf(waiting);
    const before = this.#aside.get(payer) ?? Promise.resolve();
    const done = before
      .then(() => this.#run([waiting], ALONE))
      .catch((error: unknown) => (isUnknown(error) ? this.#run([waiting], ALONE) : Promise.reject(error)))
      .catch((error: unknown) => refusingBusy(Promise.reject(error)))
      .catch((error: unknown) => settleAll([waiting], error))
      .then(() => {
        if (this.#aside.get(payer) === done) this.#aside.delete(payer);
      });
    this.#aside.set(payer, done);
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

  async #run(group: readonly Waiting[], how: TransactionOptions): Promise<void> {
    const outcomes = await this.#db.transaction((tx) => this.#decide(tx, group), how);
    group.forEach((waiting, index) => waiting.settle(outcomes[index] ?? new Error('expected an outcome')));
  }

  async #decide(tx: Transaction, group: readonly Waiting[]): Promise<(Once<Json> | Error)[]> {
    const clock = await this.#options.readClock(tx);
    const scopes = group.map((waiting) => waiting.scope);
    const [got, found] = await tx.together([() => tryLockKeys(tx, scopes), () => findKeyRecords(tx, scopes)]);
    const records = new Map(found.map((record) => [nameOf(record), record]));
    const outcomes: (Once<Json> | Error | null)[] = group.map(({ scope }, index) => {
      const record = records.get(nameOf(scope));
      if (record) return caught(() => ({ answer: replayOf(scope, record), replayed: true }));
      return got[index] ? null : new Refusal('IDEMPOTENCY_RUNNING', runningDetail(scope));
    });
    const fresh = group.map((waiting, index) => ({ waiting, index })).filter(({ index }) => outcomes[index] === null);
    const created = await createPayments(
      tx,
      clock,
      fresh.map(({ waiting: { scope, caller, order } }) => ({ tenantId: scope.tenantId, caller, order })),
      this.#options.bounds,
    );
    const remembered = fresh.flatMap(({ waiting, index }, n) => {
      const result = created[n];
      if (!result || 'refused' in result) {
        const refused = result?.refused ?? { code: 'FIELD_INVALID' as const, detail: '' };
        outcomes[index] = new Refusal(refused.code, refused.detail, 'param' in refused ? { param: refused.param } : {});
        return [];
      }
      const answer = waiting.answer(result.payment);
      outcomes[index] = { answer, replayed: false };
      return [{ ...waiting.scope, answer: JSON.stringify(answer) }];
    });
    if (remembered.length > 0) await insertKeyRecords(tx, remembered);
    return outcomes.map((outcome) => outcome ?? new Error('expected an outcome'));
  }
}

const isUnknown = (error: unknown): boolean => error instanceof Error && error.name === 'CommitUnknown';

const payerOf = ({ scope, order }: GroupedOrder): string => `${scope.tenantId} ${order.from}`;

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
