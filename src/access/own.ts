// What of a tenant an end user has: their own money, and nothing else. This is the one place that says so. Every verb is
// refused unless it is listed here, so a verb that is added later is no end user's until somebody decides; and what is listed
// answers for somebody else's account or payment as if it did not exist.
//
// own-view.ts says what they see of it. An end user changes only what they made: a payment that the tenant made in their name is
// the tenant's to cancel. A subscription is the exception: its payer agreed to it, and can end it.
import type { Uuid } from '../kernel/index.ts';
import { namesOf, refuse } from '../kernel/index.ts';
import type { LedgerVerbs } from '../ledger/index.ts';
import { SYSTEM_ACCOUNTS, accountFits, systemAccountId } from '../ledger/index.ts';
import type { OperatingVerbs } from '../ops/index.ts';
import type { ListFilter, Payment, PaymentOrder, PaymentVerbs } from '../payments/index.ts';
import type { AllowanceVerbs, ForecastVerbs, Subscription, SubscriptionVerbs } from '../schedules/index.ts';
import type { Viewer } from './own-view.ts';
import {
  accountSeen,
  actorOf,
  creditPaid,
  creditReceived,
  entrySeen,
  juniorSeen,
  paymentsSeen,
  subscriptionSeen,
  transferSeen,
} from './own-view.ts';

type Verbs = LedgerVerbs & PaymentVerbs & AllowanceVerbs & SubscriptionVerbs & ForecastVerbs & OperatingVerbs;

export function ownVerbs<V extends Verbs>(all: V, viewer: Viewer): V {
  const me = viewer.accountId;
  const mine = (idOrRef: string, param = 'account'): Uuid =>
    isMine(viewer, idOrRef) ? me : refuse('ACCOUNT_NOT_FOUND', { param, account: idOrRef });
  const allSeen = (payments: readonly Payment[]): Promise<Payment[]> => paymentsSeen(all, viewer, payments);
  const seen = async (id: Uuid): Promise<Payment> =>
    (await allSeen([await all.payment(id)]))[0] ?? refuse('PAYMENT_NOT_FOUND', { payment: id });
  const changed = async (payment: Promise<Payment>): Promise<Payment> => {
    const done = await payment;
    return (await allSeen([done]))[0] ?? done;
  };
  const made = async (id: Uuid): Promise<Uuid> => {
    const payment = await seen(id);
    if (payment.payerId === me && payment.createdBy === actorOf(viewer)) return id;
    return refuse('AUTH_FORBIDDEN/not_your_payment');
  };
  const agreed = async (id: Uuid): Promise<Subscription> => {
    const found = await all.subscription(id);
    return found.payerId === me ? subscriptionSeen(found) : refuse('SUBSCRIPTION_NOT_FOUND', { subscription: id });
  };
  /** The guardians of a child are the only accounts beside its own that it can name. */
  const myGuardian = async (idOrRef: string): Promise<Uuid> => {
    const { guardianIds } = await all.account(me);
    const guardians = await Promise.all(guardianIds.map((id) => all.account(id)));
    const named = guardians.find(({ id, ref }) => id === idOrRef || ref === idOrRef);
    if (named) return named.id;
    return refuse('ACCOUNT_NOT_FOUND', { param: 'guardian', account: idOrRef });
  };
  const filtered = (filter: ListFilter): ListFilter => {
    withoutMetadata(filter);
    return {
      ...filter,
      account: mine(filter.account ?? me),
      ...(filter.from === undefined ? {} : { from: mine(filter.from, 'from') }),
    };
  };

  const agreements = ({ reference, ...filter }: Parameters<Verbs['subscriptions']>[0] & object): typeof filter => {
    if (reference !== undefined) refuse('AUTH_FORBIDDEN/option_needs_api_key', { param: 'reference' });
    withoutMetadata(filter);
    return { ...filter, payer: mine(filter.payer ?? me, 'payer') };
  };

  const own: Partial<Verbs> = {
    assets: () => all.assets(),
    defaultAsset: () => all.defaultAsset(),

    account: async (name) => accountSeen(await all.account(mine(name))),
    accounts: async (page = {}) =>
      page.after === undefined || page.after < me ? [accountSeen(await all.account(me))].slice(0, page.limit) : [],
    // Refs are the tenant's own names, and can say who somebody is: an end user sees only theirs.
    accountRefs: async (ids) => new Map(ids.includes(me) ? [[me, viewer.ref]] : []),
    accountsById: async (ids) => (ids.includes(me) ? [accountSeen(await all.account(me))] : []),
    async accountsPage(filter = {}, page = {}) {
      const own = page.after === undefined || page.after < me ? [await all.account(me)] : [];
      return { accounts: own.filter((account) => accountFits(account, filter)).map(accountSeen), next: null };
    },
    async accountWithBalances(name) {
      const { account, ...rest } = await all.accountWithBalances(mine(name));
      return { account: accountSeen(account), ...rest };
    },
    juniors: async (guardian, page) =>
      (await all.juniors(mine(guardian, 'guardian'), page)).map((junior) => juniorSeen(viewer, junior)),
    balances: async (name) => all.balances(mine(name)),
    balancesAt: async (name, at) => all.balancesAt(mine(name), at),
    async statement(name, period) {
      const { lines, ...rest } = await all.statement(mine(name), period);
      return { ...rest, lines: lines.map(transferSeen) };
    },
    transfers: async (name, page) => (await all.transfers(mine(name), page)).map(transferSeen),
    reservations: async (name, page) => all.reservations(mine(name), page),
    forecast: async (name, options) => all.forecast(mine(name), options),

    payment: seen,
    shownPayment: async (id) => ({ payment: await seen(id), nextAttemptAt: await all.nextAttemptAt(id) }),
    lockPayment: async (id) => all.lockPayment((await seen(id)).id),
    lockSubscription: async (id) => all.lockSubscription((await agreed(id)).id),
    nextAttemptAt: async (id) => all.nextAttemptAt((await seen(id)).id),
    payments: async (filter = {}, page = {}) => allSeen(await all.payments(filtered(filter), page)),
    async paymentsPage(filter = {}, page = {}) {
      const { payments, next } = await all.paymentsPage(filtered(filter), page);
      return { payments: await allSeen(payments), next };
    },
    async timeline(id, page) {
      if ((await seen(id)).payerId !== me) refuse('AUTH_FORBIDDEN/not_the_payer');
      return (await all.timeline(id, page)).map((entry) => entrySeen(viewer, entry));
    },
    async whyPayment(id) {
      if ((await seen(id)).payerId !== me) refuse('AUTH_FORBIDDEN/not_the_payer');
      return all.whyPayment(id, { audience: 'payer' });
    },
    createPayment: async (order) => all.createPayment({ ...order, ...ownOrder(order, viewer) }),
    cancelPayment: async (id, options) => changed(all.cancelPayment(await made(id), options)),
    capturePayment: async (id, options) => changed(all.capturePayment(await made(id), options)),
    editPayment: async (id, edit) => changed(all.editPayment(await made(id), edit)),
    extendPayment: async (id, expiresAt) => changed(all.extendPayment(await made(id), expiresAt)),

    subscription: agreed,
    cancelSubscription: async (id, deed) => subscriptionSeen(await all.cancelSubscription((await agreed(id)).id, deed)),
    subscriptions: async (filter = {}, page = {}) =>
      (await all.subscriptions(agreements(filter), page)).map(subscriptionSeen),
    async subscriptionsPage(filter = {}, page = {}) {
      const { subscriptions, next } = await all.subscriptionsPage(agreements(filter), page);
      return { subscriptions: subscriptions.map(subscriptionSeen), next };
    },

    // Whose child it is, is asked by the verbs themselves.
    createAllowance: async (order) =>
      all.createAllowance({ ...withoutRetry(order), guardian: mine(order.guardian, 'guardian') }),
    allowance: async (guardian, junior) =>
      isMine(viewer, junior)
        ? all.allowance(await myGuardian(guardian), me)
        : all.allowance(mine(guardian, 'guardian'), junior),
    allowanceCredits: async (guardian, junior, page) =>
      isMine(viewer, junior)
        ? (await all.allowanceCredits(await myGuardian(guardian), me, page)).map(creditReceived)
        : (await all.allowanceCredits(mine(guardian, 'guardian'), junior, page)).map(creditPaid),
    allowancesOf: async (junior, page) => all.allowancesOf(mine(junior, 'junior'), page),
    allowances: async (guardian, page) => all.allowances(mine(guardian, 'guardian'), page),
    editAllowance: async (guardian, junior, edit) =>
      all.editAllowance(mine(guardian, 'guardian'), junior, withoutRetry(edit)),
    deleteAllowance: async (guardian, junior) => all.deleteAllowance(mine(guardian, 'guardian'), junior),
  };
  return { ...refusing(all), ...own };
}

/** An order of theirs: out of their own account, to somebody who has one. */
export function ownOrder(order: PaymentOrder, viewer: Viewer): PaymentOrder {
  if (!isMine(viewer, order.from)) {
    refuse('AUTH_FORBIDDEN/not_your_account', { param: 'from' });
  }
  const system: readonly string[] = SYSTEM_ACCOUNTS.flatMap((ref) => [ref, systemAccountId(viewer.tenantId, ref)]);
  for (const payee of [order.to ?? [], (order.legs ?? []).map((leg) => leg.to)].flat()) {
    // Paying `world` is taking money out, which is for the tenant to do.
    if (system.includes(payee)) refuse('ACCOUNT_NOT_FOUND', { param: 'to', account: payee });
  }
  return { ...order, from: viewer.accountId };
}

/** Which payments such a filter finds would reveal metadata of the tenant, which an end user does not see. */
function withoutMetadata({ metadata }: { readonly metadata?: unknown }): void {
  if (metadata !== undefined) refuse('AUTH_FORBIDDEN/option_needs_api_key', { param: 'metadata' });
}

/** How often a processor tries a credit is the tenant's decision. */
function withoutRetry<T extends { readonly retry?: unknown }>(order: T): T {
  return order.retry === undefined ? order : refuse('AUTH_FORBIDDEN/option_needs_api_key', { param: 'retry' });
}

export async function refuseEndUser(): Promise<never> {
  return refuse('AUTH_FORBIDDEN/needs_api_key');
}

const isMine = (viewer: Viewer, idOrRef: string): boolean => idOrRef === viewer.accountId || idOrRef === viewer.ref;

function refusing<V extends object>(all: V): V {
  const fields = all as Readonly<Record<string, unknown>>;
  const refused = namesOf(all).map((name) => [name, typeof fields[name] === 'function' ? refuseEndUser : fields[name]]);
  return Object.fromEntries(refused) as V;
}
