// Payments as an application sees them: one tenant, accounts by id or ref, amounts and instants as they come. Verbs that
// create or move money take an idempotency key; each runs in one transaction, or in a savepoint of the caller's own.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../db/index.ts';
import type { PaymentTexts } from '../events/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { Refusal, isUuid, oneOf, parsePositiveAmount, refuse, someOf } from '../kernel/index.ts';
import type { Refused, VerbContext } from '../ledger/index.ts';
import { fingerprint, findAccounts } from '../ledger/index.ts';
import { once } from '../tenants/index.ts';
import type { Changed } from './answers.ts';
import { orRefuse } from './answers.ts';
import { approvePayments, rejectPayments } from './approve.ts';
import type { Created } from './create.ts';
import { lockDue, readDueAt } from './due-store.ts';
import { MAX_BULK, createPayments, requireAll } from './create.ts';
import type { Refunded } from './ended.ts';
import { refundPayments, retryPayments } from './ended.ts';
import { createdWithin, parseInstant } from './instant.ts';
import type { PaymentLimit } from './limits-store.ts';
import { listLimits } from './limits-store.ts';
import type { PaymentPage } from './list.ts';
import { findPayments, pageOfPayments } from './list.ts';
import { readShown } from './shown-store.ts';
import type { NotForRunNow, PaymentFilter } from './list-store.ts';
import type { OrderBounds, PaymentOrder } from './order.ts';
import type { OwnerRules } from './owner-rules.ts';
import type { Funding, Payment, PaymentKind, PaymentStatus } from './payment.ts';
import { PAYMENT_STATUSES, namespaceOf, parseKind } from './payment.ts';
import type { RanNow, RunNowOptions } from './run-now.ts';
import { runManyNow } from './run-now.ts';
import type { LimitOrder } from './set-limit.ts';
import { setLimit } from './set-limit.ts';
import { cancelPayments, capturePayments, editPayments, extendPayments, failPayments, runNow } from './scheduled.ts';
import type { Refund } from './refund-store.ts';
import { listRefunds } from './refund-store.ts';
import { readOwned, readPayments, readTexts } from './store.ts';
import type { TimelineEntry, TimelinePage } from './timeline.ts';
import { timeline } from './timeline.ts';

type Amount = bigint | string | number;

export interface CreatePaymentOrder extends PaymentOrder {
  readonly idempotencyKey: string;
}

export interface ListFilter {
  /** Any of these. */
  readonly status?: PaymentStatus | readonly PaymentStatus[];
  /** Payer or payee, id or ref. */
  readonly account?: string;
  /** Payer alone. */
  readonly from?: string;
  readonly funding?: Funding;
  readonly reference?: string;
  /** `awaited`: those that wait for a second person. */
  readonly approval?: 'awaited' | 'given';
  readonly executeFrom?: Date | string;
  readonly executeBefore?: Date | string;
  readonly createdFrom?: Date | string;
  readonly createdBefore?: Date | string;
  /** Only payments over a chain; not together with \`account\`. */
  readonly payouts?: boolean;
  /** Payments whose metadata has every one of these fields; at most five. A value that is not text is compared as its JSON. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** At least one field: an empty filter would hurry every payment there is. */
export interface RunNowOrder extends Omit<ListFilter, NotForRunNow> {
  /** Only payments that have failed at least once and are tried again. */
  readonly retries?: boolean;
  /** Only charges of subscriptions. */
  readonly charges?: boolean;
  /** Only payments of this kind. */
  readonly kind?: PaymentKind;
  /** Only payments whose last attempt failed with this error code, such as `FUNDS_INSUFFICIENT`. */
  readonly code?: string;
}

export interface ShownPayment {
  readonly payment: Payment;
  /** When a scheduled payment is tried next, or for the first time; null once it has ended, and while it awaits approval. */
  readonly nextAttemptAt: Date | null;
  /** Refs of accounts by id, so far as they were read with the payment. Absent if the caller may not see them. */
  readonly refs?: ReadonlyMap<Uuid, string>;
}

export interface PaymentVerbs {
  createPayment(order: CreatePaymentOrder): Promise<Payment>;
  /** Up to 10,000. `atomic`: all or none (throws BulkRefusal). Otherwise each has its own answer. */
  createPayments(
    orders: readonly PaymentOrder[],
    options: { idempotencyKey: string; atomic?: boolean },
  ): Promise<Created[]>;
  payment(id: Uuid): Promise<Payment>;
  /** The payment, and with it what its page shows. */
  shownPayment(id: Uuid): Promise<ShownPayment>;
  /** Locks the payment as its changes do, until the transaction ends: for a comparison before a change in the same transaction. */
  lockPayment(id: Uuid): Promise<void>;
  /** When a scheduled payment is tried next, or for the first time; null once it has ended, and while it awaits approval. */
  nextAttemptAt(id: Uuid): Promise<Date | null>;
  payments(filter?: ListFilter, page?: { limit?: number; before?: Uuid }): Promise<Payment[]>;
  /** The same in bounded time: a page may be short, or empty, and not be the last. */
  paymentsPage(filter?: ListFilter, page?: { limit?: number; before?: Uuid }): Promise<PaymentPage>;
  timeline(id: Uuid, page?: TimelinePage): Promise<TimelineEntry[]>;
  /** Reference and metadata of those of these payments that have any, by id: their events show them. */
  paymentTexts(ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, PaymentTexts>>;
  cancelPayment(id: Uuid, options?: { reason?: string }): Promise<Payment>;
  capturePayment(id: Uuid, options: { amount?: Amount; idempotencyKey: string }): Promise<Payment>;
  editPayment(
    id: Uuid,
    edit: { amount?: Amount; executeAt?: Date | string; metadata?: Readonly<Record<string, unknown>> },
  ): Promise<Payment>;
  extendPayment(id: Uuid, expiresAt: Date | string): Promise<Payment>;
  /** `from`: the payee that gives back, where there are several. */
  refundPayment(
    id: Uuid,
    options: { amount?: Amount; from?: string; reason?: string; idempotencyKey: string },
  ): Promise<Refunded>;
  /** What was given back of these payments, and by whom; the oldest first. */
  refunds(ids: readonly Uuid[]): Promise<Refund[]>;
  /** A failed payment gets its attempts again. */
  retryPayment(id: Uuid, options?: { reason?: string }): Promise<Payment>;
  /** Makes it due now. */
  runPaymentNow(id: Uuid, options?: { reason?: string }): Promise<Payment>;
  /**
   * The same for the payments that a filter finds and that are due later, up to 1,000, those first that are due first. Needs `dryRun`,
   * which only lists them, or `expect` or `limit`. Payments that the caller may not hurry are named with their codes.
   */
  runPaymentsNow(filter: RunNowOrder, options: RunNowOptions): Promise<RanNow>;
  failPayment(id: Uuid, reason: string): Promise<Payment>;
  /**
   * A second person agrees to the terms that they saw, named by the payment's `termsVersion`: from now on it runs like any other.
   * Refused as APPROVAL_TERMS_CHANGED where the terms have changed since, and to everyone who decided them.
   */
  approvePayment(id: Uuid, options: { termsVersion: number; reason?: string }): Promise<Payment>;
  /** A second person does not agree: the payment is cancelled. */
  rejectPayment(id: Uuid, reason: string): Promise<Payment>;
  /** Sets limits of one account, or of the whole tenant if no account is given. Null removes a limit; omitted limits stay. */
  setLimit(order: LimitOrder): Promise<void>;
  limits(): Promise<PaymentLimit[]>;
}

const PAGE = 100;
const LIMITS = 10_000;

export function paymentVerbs(context: VerbContext, bounds: OrderBounds, rules: OwnerRules): PaymentVerbs {
  const { tenantId, caller, sql, identities } = context;

  const accountId = async (on: Transaction | typeof sql, idOrRef: string, param: string): Promise<Uuid> => {
    const [found] = await findAccounts(on, tenantId, [idOrRef]);
    return found?.id ?? refuse('ACCOUNT_NOT_FOUND', { param, account: idOrRef });
  };
  const payment = async (id: Uuid, on: Transaction | typeof sql = sql): Promise<Payment> => {
    const [found] = isUuid(id) ? await readPayments(on, [{ tenantId, id }]) : [];
    return found ?? refuse('PAYMENT_NOT_FOUND', { payment: id });
  };
  const key = (id: Uuid): { tenantId: Uuid; id: Uuid } =>
    isUuid(id) ? { tenantId, id } : refuse('PAYMENT_NOT_FOUND', { payment: id });
  /** One order of a batch verb: its refusal is thrown. */
  const one = async (changed: Promise<Changed[]>): Promise<Payment> => orRefuse((await changed)[0]).payment;
  /** Once per key; the answer that is remembered is the ids, and the payments are read again for a replay. */
  const onceFor = (
    verb: string,
    order: { readonly idempotencyKey: string; readonly [field: string]: unknown },
    work: (tx: Transaction, clock: Clock) => Promise<string[]>,
  ): Promise<string[]> =>
    context.run(async (tx, clock) => {
      if (context.keyed) return work(tx, clock);
      const scope = { tenantId, actor: caller.scope, key: order.idempotencyKey, fingerprint: fingerprint(verb, order) };
      return (await once(tx, scope, (inner) => work(inner, clock))).answer;
    });
  const filterOf = async (filter: ListFilter): Promise<PaymentFilter> => ({
    ...(filter.status ? { status: someOf(filter.status, PAYMENT_STATUSES, 'status') } : {}),
    ...(filter.account ? { accountId: await accountId(sql, filter.account, 'account') } : {}),
    ...(filter.from ? { payerId: await accountId(sql, filter.from, 'from') } : {}),
    ...(filter.funding ? { funding: oneOf(filter.funding, ['reserve', 'at_execution'], 'funding') } : {}),
    ...(filter.reference ? { reference: { namespace: namespaceOf(caller.actor), text: filter.reference } } : {}),
    ...(filter.approval ? { approval: oneOf(filter.approval, ['awaited', 'given'], 'approval') } : {}),
    ...(filter.executeFrom ? { executeFrom: parseInstant(filter.executeFrom, 'executeFrom') } : {}),
    ...(filter.executeBefore ? { executeBefore: parseInstant(filter.executeBefore, 'executeBefore') } : {}),
    ...createdWithin(filter),
    ...(filter.payouts ? { payouts: true } : {}),
    ...(filter.metadata ? { metadata: filter.metadata } : {}),
    ...(context.hasTestClock ? {} : { idsFollowTime: true }),
  });

  return {
    async createPayment(order) {
      const [id] = await onceFor('createPayment', { ...order }, async (tx, clock) => {
        return [(await one(createPayments(tx, clock, [{ tenantId, caller, order }], bounds))).id];
      });
      return payment(id ?? '');
    },
    async createPayments(orders, options) {
      if (orders.length < 1 || orders.length > MAX_BULK) {
        refuse('BULK_TOO_LARGE', { param: 'payments', max: MAX_BULK });
      }
      let results: Created[] = [];
      const answers = await onceFor('createPayments', { ...options, orders }, async (tx, clock) => {
        const wanted = orders.map((order) => ({ tenantId, caller, order }));
        results = await againIfTaken(tx, (inner) => createPayments(inner, clock, wanted, bounds));
        requireAllowed(results);
        if (options.atomic) requireAll(results);
        return results.map(remembered);
      });
      // Where the try that made them was undone, and somebody else was quicker with the same key, they are not what is there.
      return isDeepStrictEqual(results.map(remembered), answers)
        ? results
        : replay(answers, (ids) =>
            readPayments(
              sql,
              ids.map((id) => ({ tenantId, id })),
            ),
          );
    },
    payment: (id) => payment(id),
    async shownPayment(id) {
      const found = await readShown(sql, key(id));
      if (!found) return { payment: await payment(id), nextAttemptAt: null };
      const { dueAt, refs } = found;
      return { payment: found.payment, nextAttemptAt: nextAttempt(found.payment, dueAt), refs };
    },
    lockPayment: (id) =>
      context.runUntimed(async (tx) => {
        const keys = [key(id)];
        // In the order of every verb: the owner, the due row, the payment.
        const owned = await readOwned(tx, keys);
        if (owned.length > 0) await rules.refund(tx, owned);
        await lockDue(tx, keys);
        await readPayments(tx, keys, { lock: true });
      }),
    async nextAttemptAt(id) {
      return nextAttempt(await payment(id), await readDueAt(sql, key(id)));
    },
    payments: async (filter = {}, page = {}) =>
      findPayments(sql, tenantId, await filterOf(filter), { limit: page.limit ?? PAGE, before: cursor(page.before) }),
    paymentsPage: async (filter = {}, page = {}) =>
      pageOfPayments(sql, tenantId, await filterOf(filter), { limit: page.limit ?? PAGE, before: cursor(page.before) }),
    timeline: async (id, page) => timeline(sql, await payment(id), page),
    paymentTexts: (ids) => readTexts(sql, ids.map(key)),
    cancelPayment: (id, options = {}) =>
      one(context.run((tx, clock) => cancelPayments(tx, clock, caller, [{ ...key(id), ...options }]))),
    async capturePayment(id, { amount, idempotencyKey }) {
      await onceFor('capturePayment', { id, amount, idempotencyKey }, async (tx, clock) => {
        const order = { ...key(id), ...(amount === undefined ? {} : { amount: parsePositiveAmount(amount) }) };
        return [(await one(capturePayments(tx, clock, caller, [order], identities))).id];
      });
      return payment(id);
    },
    editPayment: (id, { amount, executeAt, metadata }) =>
      one(
        context.run((tx, clock) => {
          const order = {
            ...key(id),
            ...(amount === undefined ? {} : { amount: parsePositiveAmount(amount) }),
            ...(executeAt === undefined ? {} : { executeAt: parseInstant(executeAt, 'executeAt') }),
            ...(metadata === undefined ? {} : { metadata }),
          };
          return editPayments(tx, clock, caller, [order], bounds);
        }),
      ),
    extendPayment: (id, expiresAt) =>
      one(
        context.run((tx, clock) =>
          extendPayments(tx, clock, caller, [{ ...key(id), expiresAt: parseInstant(expiresAt, 'expiresAt') }], bounds),
        ),
      ),
    async refundPayment(id, { idempotencyKey, ...options }) {
      const ids = await onceFor('refundPayment', { id, idempotencyKey, ...options }, async (tx, clock) => {
        const order = {
          ...key(id),
          ...(options.amount === undefined ? {} : { amount: parsePositiveAmount(options.amount) }),
          ...(options.from === undefined ? {} : { fromAccountId: await accountId(tx, options.from, 'from') }),
          ...(options.reason === undefined ? {} : { reason: options.reason }),
        };
        const [done] = await refundPayments(tx, clock, caller, [order], rules);
        return orRefuse(done).refunds.map((refund) => refund.id);
      });
      const refunds = await listRefunds(sql, [key(id)]);
      return { payment: await payment(id), refunds: refunds.filter((refund) => ids.includes(refund.id)) };
    },
    refunds: (ids) => listRefunds(sql, ids.map(key)),
    retryPayment: (id, options = {}) =>
      // Refused inside: what was taken out of the archive for it goes back.
      context.run((tx, clock) =>
        one(retryPayments(tx, clock, caller, [{ ...key(id), ...options }], { rules, bounds })),
      ),
    runPaymentNow: (id, options = {}) =>
      one(context.run((tx, clock) => runNow(tx, clock, caller, [{ ...key(id), ...options }], identities))),
    async runPaymentsNow(filter, options) {
      const { retries, charges, kind, code, ...rest } = filter;
      // A state would be no filter: scheduled payments run.
      const { status: _status, approval: _approval, idsFollowTime: _ids, ...fields } = await filterOf(rest);
      const found = {
        ...fields,
        ...(retries ? { retries } : {}),
        ...(charges ? { charges } : {}),
        ...(kind ? { kind: parseKind(kind) } : {}),
        ...(code ? { code } : {}),
      };
      return runManyNow(context, found, options);
    },
    failPayment: (id, reason) =>
      one(context.run((tx, clock) => failPayments(tx, clock, caller, [{ ...key(id), reason }]))),
    approvePayment: (id, options) =>
      one(context.run((tx, clock) => approvePayments(tx, clock, caller, [{ ...key(id), ...options }], identities))),
    rejectPayment: (id, reason) =>
      one(context.run((tx, clock) => rejectPayments(tx, clock, caller, [{ ...key(id), reason }], identities))),
    setLimit: (order) => context.run((tx, clock) => setLimit(tx, clock, { ...order, tenantId, caller })),
    limits: () => listLimits(sql, tenantId, LIMITS),
  };
}

/**
 * A reference was free when we looked and taken when we wrote: the next look finds whose it is, and refuses that one. The
 * transaction may be a whole request's, with its key: what the first try wrote is undone, not left beside the second.
 */
async function againIfTaken<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>, tries = 5): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tx.savepoint(work);
    } catch (error) {
      if (attempt >= tries || !(error instanceof Refusal) || error.code !== 'REFERENCE_EXISTS') throw error;
    }
  }
}

function cursor(before: string | undefined): Uuid | null {
  if (before === undefined || isUuid(before)) return before ?? null;
  return refuse('ID_INVALID/not_a_cursor', { param: 'before' });
}

/** A caller that may not order one of them may not order any: an order without the scope is no part of an answer to remember. */
function requireAllowed(results: readonly Created[]): void {
  for (const result of results)
    if ('refused' in result && result.refused.code === 'AUTH_SCOPE_MISSING') throw new Refusal(result.refused);
}

const remembered = (result: Created): string =>
  'payment' in result ? result.payment.id : JSON.stringify(result.refused, amountsAsText);

const amountsAsText = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

/** Reads again what a sentence shows as money: an amount and its asset. */
const textAsMoney = (_name: string, value: unknown): unknown =>
  isMoneyText(value) ? { amount: BigInt(value.amount), asset: value.asset } : value;

const isMoneyText = (value: unknown): value is { readonly amount: string; readonly asset: string } =>
  typeof value === 'object' &&
  value !== null &&
  'asset' in value &&
  'amount' in value &&
  typeof value.amount === 'string';

/** What a bulk request answered the first time, its payments as they are now. */
async function replay(answers: readonly string[], read: (ids: string[]) => Promise<Payment[]>): Promise<Created[]> {
  const payments = new Map((await read(answers.filter(isUuid))).map((payment) => [payment.id, payment]));
  return answers.map((answer) => {
    const payment = payments.get(answer);
    return payment ? { payment } : { refused: JSON.parse(answer, textAsMoney) as Refused };
  });
}

const nextAttempt = ({ endedAt, approval }: Payment, dueAt: Date | null): Date | null =>
  endedAt !== null || approval === 'awaited' ? null : dueAt;
