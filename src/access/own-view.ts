// What an end user sees of what is theirs: facts about their own money and their own words. Reasons and notes of the tenant's people
// are theirs to tell, and which key acted is the tenant's business.
//
// The payer of a payment sees all of its amounts. A payee sees that it is coming and their own part: not the other payees, the
// totals, or why an attempt failed (that would tell what the payer holds).
import { completeData } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { CATALOGUE, userActor } from '../kernel/index.ts';
import type { Account, Transfer } from '../ledger/index.ts';
import type { Leg, Payment, PaymentVerbs, TimelineEntry } from '../payments/index.ts';
import { sharesOf } from '../payments/index.ts';
import type { AllowanceCredit, Subscription } from '../schedules/index.ts';

/** The account an end user is. */
export interface Viewer {
  readonly tenantId: Uuid;
  readonly accountId: Uuid;
  readonly ref: string;
}

export const actorOf = (viewer: Viewer): string => userActor(viewer.accountId);

/** In the place of a key, a command or the library. */
const TENANT = 'tenant';

const PUBLIC_ACTOR = /^(?:user:|schedule:|system$)/;
const actorSeen = (actor: string): string => (PUBLIC_ACTOR.test(actor) ? actor : TENANT);

/** Only the tenant changes a status, and so the reason is the tenant's. */
export const accountSeen = (account: Account): Account => ({ ...account, statusReason: null });
/** An end user subscribes to nothing by a token: reference, metadata and reason are the tenant's. */
export const subscriptionSeen = (subscription: Subscription): Subscription => ({
  ...subscription,
  statusReason: null,
  reference: null,
  metadata: null,
});

/** A guardian sees which children they answer for, not how to reach them or who else answers for them. */
export const juniorSeen = (viewer: Viewer, account: Account): Account => ({
  ...accountSeen(account),
  contact: null,
  guardianId: viewer.accountId,
  guardianIds: [viewer.accountId],
});

/** A guardian's own credits, as their payments are shown to them. */
export const creditPaid = (credit: AllowanceCredit): AllowanceCredit => ({
  ...credit,
  lastDetail: detailSeen(credit.lastCode, credit.lastDetail),
});

/** Why an attempt failed would tell a child what its guardian holds. */
export const creditReceived = (credit: AllowanceCredit): AllowanceCredit => ({
  ...credit,
  lastCode: null,
  lastDetail: null,
});

/** The description of a refund is the reason that an operator gave. The others are written for statements. */
export const transferSeen = <T extends Transfer>(transfer: T): T =>
  transfer.kind === 'refund' ? { ...transfer, description: null } : transfer;

/** Those of them that the viewer pays, or is paid by. */
export async function paymentsSeen(
  verbs: Pick<PaymentVerbs, 'refunds'>,
  viewer: Viewer,
  payments: readonly Payment[],
): Promise<Payment[]> {
  const { accountId } = viewer;
  const withLegs = payments.filter(
    ({ payerId, legs, refunded }) => payerId !== accountId && legs.length > 1 && refunded > 0n,
  );
  const refunds = withLegs.length === 0 ? [] : await verbs.refunds(withLegs.map(({ id }) => id));
  const givenBack = Map.groupBy(
    refunds.filter((refund) => refund.accountId === accountId),
    (refund) => refund.paymentId,
  );
  return payments.flatMap((payment) => {
    if (payment.payerId === accountId) return paidBy(viewer, payment);
    const leg = payment.legs.find((each) => each.accountId === accountId);
    if (!leg) return [];
    const given = givenBack.get(payment.id)?.reduce((sum, refund) => sum + refund.amount, 0n) ?? 0n;
    return payment.legs.length === 1 ? paidTo(payment) : paidTo(partOf(payment, leg, given));
  });
}

function paidBy(viewer: Viewer, payment: Payment): Payment {
  const own = payment.createdBy === actorOf(viewer);
  return {
    ...payment,
    createdBy: actorSeen(payment.createdBy),
    termsBy: payment.termsBy.map(actorSeen),
    ...(own ? {} : { reference: null, metadata: null }),
    lastDetail: detailSeen(payment.lastCode, payment.lastDetail),
  };
}

function paidTo(payment: Payment): Payment {
  return {
    ...payment,
    createdBy: payment.createdBy === `user:${payment.payerId}` ? payment.createdBy : TENANT,
    termsBy: [],
    owner: null,
    reference: null,
    metadata: null,
    retry: null,
    lastCode: null,
    lastDetail: null,
  };
}

/** What was captured and released of all legs, as it falls to the leg of one payee. */
function partOf(payment: Payment, leg: Leg, givenBack: bigint): Payment {
  const { legs, captured, released } = payment;
  const n = legs.indexOf(leg);
  const shareOf = (total: bigint): bigint => sharesOf(legs, total)[n]?.amount ?? 0n;
  return {
    ...payment,
    legs: [leg],
    amount: leg.amount,
    captured: shareOf(captured),
    released: shareOf(captured + released) - shareOf(captured),
    refunded: givenBack,
  };
}

/** Words of an operator, or of an exception: the code says what an end user has to know. */
const NOT_FOR_END_USERS: readonly string[] = ['FAILED_BY_OPERATOR', 'UNEXPECTED'];
/** Their details have caps, what was signed for others, the balance of the wallet, and answers of chains. */
const OF_PAYOUTS = /^(?:PAYOUT|ROUTE)_/;

function detailSeen(code: string | null, detail: string | null): string | null {
  if (code === null || !(NOT_FOR_END_USERS.includes(code) || OF_PAYOUTS.test(code))) return detail;
  return CATALOGUE[code as 'UNEXPECTED'].title;
}

/** What an event tells an end user, whoever brought it about. What is not listed here is not shown. */
const FACTS = new Set(
  (
    'old new amount asset released captured capture refund refunded attempt latenessMs nextAttemptAt dueAt code ' +
    'status executeAt expiresAt legs'
  ).split(' '),
);

export function entrySeen(viewer: Viewer, entry: TimelineEntry): TimelineEntry {
  // Its own id is not shown here.
  const data = completeData({ ...entry, resourceId: '' });
  const isOwn = entry.actor === actorOf(viewer);
  const code = typeof data['code'] === 'string' ? data['code'] : null;
  const detail = detailSeen(code, typeof data['detail'] === 'string' ? data['detail'] : null);
  // The engine's reasons (an expiry) are shown, and those of the viewer's own requests; no other caller's.
  const reason = isOwn || entry.actor === 'system' ? data['reason'] : undefined;
  const callerReason = isOwn ? entry.reason : null;
  const shown = {
    ...factsOf(data),
    ...(detail === null ? {} : { detail }),
    ...(reason === undefined ? {} : { reason }),
  };
  const cause = code === null ? (typeof reason === 'string' ? reason : null) : [code, detail ?? []].flat().join(': ');
  return { ...entry, actor: actorSeen(entry.actor), cause, reason: callerReason, data: shown };
}

function factsOf(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const facts = Object.entries(data).filter(([name]) => FACTS.has(name));
  return Object.fromEntries(facts.map(([name, value]) => [name, isSide(name, value) ? factsOf(value) : value]));
}

const isSide = (name: string, value: unknown): value is Record<string, unknown> =>
  (name === 'old' || name === 'new') && typeof value === 'object' && value !== null;
