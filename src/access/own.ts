// What of a tenant an end user has: their own money, and nothing else. This is the one place that says so. Every verb is
// refused unless it is listed here, so a verb that is added later is no end user's until somebody decides; and what is listed
// answers for somebody else's account or payment as if it did not exist.
//
// The payer of a payment sees all of it. A payee sees that it is coming and their own part, not why an attempt failed (that
// would tell what the payer holds), nor the other payees, nor what the payer noted. What is changed by an end user is what
// that end user made: a payment that the tenant made in their name is the tenant's to cancel.
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { LedgerVerbs } from '../ledger/index.ts';
import { SYSTEM_ACCOUNTS, systemAccountId } from '../ledger/index.ts';
import type { OperatingVerbs } from '../ops/index.ts';
import type { ListFilter, Payment, PaymentOrder, PaymentVerbs } from '../payments/index.ts';
import type { AllowanceVerbs, ForecastVerbs, Subscription, SubscriptionVerbs } from '../schedules/index.ts';

/** The account an end user is. */
export interface Viewer {
  readonly tenantId: Uuid;
  readonly accountId: Uuid;
  readonly ref: string;
}

export const actorOf = (viewer: Viewer): string => `user:${viewer.accountId}`;

type Verbs = LedgerVerbs & PaymentVerbs & AllowanceVerbs & SubscriptionVerbs & ForecastVerbs & OperatingVerbs;

export function ownVerbs<V extends Verbs>(all: V, viewer: Viewer): V {
  const me = viewer.accountId;
  const mine = (idOrRef: string, param = 'account'): Uuid =>
    isMine(viewer, idOrRef) ? me : refuse('ACCOUNT_NOT_FOUND', `there is no account "${idOrRef}"`, { param });
  const seen = async (id: Uuid): Promise<Payment> =>
    seenBy(viewer, await all.payment(id)) ?? refuse('PAYMENT_NOT_FOUND', `there is no payment ${id}`);
  const made = async (id: Uuid): Promise<Uuid> => {
    const payment = await seen(id);
    if (payment.payerId === me && payment.createdBy === actorOf(viewer)) return id;
    return refuse('AUTH_FORBIDDEN', 'you can change only payments that you made');
  };
  const agreed = async (id: Uuid): Promise<Subscription> => {
    const found = await all.subscription(id);
    return found.payerId === me ? found : refuse('SUBSCRIPTION_NOT_FOUND', `there is no subscription ${id}`);
  };
  /** Of a child, who answers for it: the one account beside its own that it may name. */
  const myGuardian = async (idOrRef: string): Promise<Uuid> => {
    const { guardianId } = await all.account(me);
    const guardian = guardianId === null ? null : await all.account(guardianId);
    if (guardian && [guardian.id, guardian.ref].includes(idOrRef)) return guardian.id;
    return refuse('ACCOUNT_NOT_FOUND', `there is no account "${idOrRef}"`, { param: 'guardian' });
  };
  const filtered = (filter: ListFilter): ListFilter => ({
    ...filter,
    account: mine(filter.account ?? me),
    ...(filter.from === undefined ? {} : { from: mine(filter.from, 'from') }),
  });

  const own: Partial<Verbs> = {
    assets: () => all.assets(),
    defaultAsset: () => all.defaultAsset(),

    account: async (name) => all.account(mine(name)),
    accounts: async (page = {}) =>
      page.after === undefined || page.after < me ? [await all.account(me)].slice(0, page.limit) : [],
    accountWithBalances: async (name) => all.accountWithBalances(mine(name)),
    balances: async (name) => all.balances(mine(name)),
    balancesAt: async (name, at) => all.balancesAt(mine(name), at),
    statement: async (name, period) => all.statement(mine(name), period),
    transfers: async (name, page) => all.transfers(mine(name), page),
    reservations: async (name, page) => all.reservations(mine(name), page),
    forecast: async (name, options) => all.forecast(mine(name), options),

    payment: seen,
    payments: async (filter = {}, page = {}) =>
      (await all.payments(filtered(filter), page)).flatMap((payment) => seenBy(viewer, payment) ?? []),
    async paymentsPage(filter = {}, page = {}) {
      const { payments, next } = await all.paymentsPage(filtered(filter), page);
      return { payments: payments.flatMap((payment) => seenBy(viewer, payment) ?? []), next };
    },
    async timeline(id, page) {
      if ((await seen(id)).payerId === me) return all.timeline(id, page);
      return refuse('AUTH_FORBIDDEN', 'only its payer sees the story of a payment');
    },
    createPayment: async (order) => all.createPayment({ ...order, ...ownOrder(order, viewer) }),
    cancelPayment: async (id, options) => all.cancelPayment(await made(id), options),
    capturePayment: async (id, options) => all.capturePayment(await made(id), options),
    editPayment: async (id, edit) => all.editPayment(await made(id), edit),
    extendPayment: async (id, expiresAt) => all.extendPayment(await made(id), expiresAt),

    subscription: agreed,
    subscriptions: async (filter = {}, page = {}) =>
      all.subscriptions({ ...filter, payer: mine(filter.payer ?? me, 'payer') }, page),

    // Whose child it is, is asked by the verbs themselves.
    createAllowance: async (order) => all.createAllowance({ ...order, guardian: mine(order.guardian, 'guardian') }),
    allowance: async (guardian, junior) =>
      isMine(viewer, junior)
        ? all.allowance(await myGuardian(guardian), me)
        : all.allowance(mine(guardian, 'guardian'), junior),
    allowances: async (guardian, page) => all.allowances(mine(guardian, 'guardian'), page),
    editAllowance: async (guardian, junior, edit) => all.editAllowance(mine(guardian, 'guardian'), junior, edit),
    deleteAllowance: async (guardian, junior) => all.deleteAllowance(mine(guardian, 'guardian'), junior),
  };
  return { ...refusing(all), ...own };
}

/** An order of theirs: out of their own account, to somebody who has one. */
export function ownOrder(order: PaymentOrder, viewer: Viewer): PaymentOrder {
  if (!isMine(viewer, order.from)) {
    refuse('AUTH_FORBIDDEN', 'you can pay out of your own account only', { param: 'from' });
  }
  const system: readonly string[] = SYSTEM_ACCOUNTS.flatMap((ref) => [ref, systemAccountId(viewer.tenantId, ref)]);
  for (const payee of [order.to ?? [], (order.legs ?? []).map((leg) => leg.to)].flat()) {
    // Paying `world` is taking money out, which is for the tenant to do.
    if (system.includes(payee)) refuse('ACCOUNT_NOT_FOUND', `there is no account "${payee}"`, { param: 'to' });
  }
  return { ...order, from: viewer.accountId };
}

export async function refuseEndUser(): Promise<never> {
  return refuse('AUTH_FORBIDDEN', 'this is not for end users: it takes an API key');
}

const isMine = (viewer: Viewer, idOrRef: string): boolean => idOrRef === viewer.accountId || idOrRef === viewer.ref;

/** Null where it is none of theirs. */
function seenBy({ accountId }: Viewer, payment: Payment): Payment | null {
  if (payment.payerId === accountId) return payment;
  const legs = payment.legs.filter((leg) => leg.accountId === accountId);
  if (legs.length === 0) return null;
  return {
    ...payment,
    legs,
    owner: null,
    reference: null,
    metadata: null,
    retry: null,
    lastCode: null,
    lastDetail: null,
  };
}

function refusing<V extends object>(all: V): V {
  const refused = Object.entries(all).map(([name, field]: [string, unknown]) => [
    name,
    typeof field === 'function' ? refuseEndUser : field,
  ]);
  return Object.fromEntries(refused) as V;
}
