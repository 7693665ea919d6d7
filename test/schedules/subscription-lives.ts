// Random lives of subscriptions on a test clock. Whatever is done to one, and whenever: no charge beyond what was approved, none more
// than the price, none twice for a slot, none after the end; every paid charge has one event, numbered without a gap; the books verify;
// and no money appears or is lost: what the payer paid, less refunds, is the value of the periods that were used plus the open credit.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import type { Occurrence } from '../../src/schedules/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';
import { eventsOf } from './world.ts';

const PRICE = 1_000n;
const DEARER = 2_500n;
const CHEAPER = 300n;

const PLANS = fc.record({
  charges: fc.constantFrom(null, 1, 3, 6),
  trialDays: fc.constantFrom(0, 0, 10, 40),
  afterFailure: fc.constantFrom('expire', 'pause'),
  missed: fc.constantFrom('all', 'last', 'skip'),
  retry: fc.constantFrom(null, { maxAttempts: 2 }, { maxAttempts: 3, initialDelayMs: DAY / 4, maxDelayMs: DAY }),
} as const);

/** Charges before an import, null where the payer subscribes here. */
const IMPORTED = fc.constantFrom(null, null, 0, 2);

const STEPS = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ act: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 45 }) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        act: fc.constantFrom(
          'pause',
          'resume',
          'cancel at the end',
          'edit',
          'dearer, at once',
          'cheaper, at once',
          'dearer, at once',
          'cheaper, at once',
          'dearer, later',
          'fund',
          'drain',
          'retry',
          'fail',
          'refund a little',
          'refund the last',
          'refund the first',
          'refuse charges',
          'allow charges',
          'retry what was refused',
          'cancel',
        ),
      } as const),
    },
  ),
  { minLength: 6, maxLength: 18 },
);

type Step = typeof STEPS extends fc.Arbitrary<(infer S)[]> ? S : never;
type Act = Exclude<Step['act'], 'wait'>;
type Tenant = Awaited<ReturnType<typeof testTenant>>['tenant'];

/** What may come of a step beside its success. */
const REFUSALS = [
  'not refused',
  'SCHEDULE_STATE_CONFLICT',
  'SCHEDULE_OF_SUBSCRIPTION',
  'SUBSCRIPTION_APPROVAL_EXCEEDED',
  'RULE_NEVER_FIRES',
  'PAYMENT_STATE_CONFLICT',
  'PAYMENT_NOT_FOUND',
  'PAYMENT_OWNED',
  'REFUND_EXCEEDS_PAYMENT',
  'LIMIT_AMOUNT_EXCEEDED',
];

interface Life {
  readonly tenant: Tenant;
  readonly id: string;
  readonly dearer: string;
  readonly cheaper: string;
}

function doing({ tenant, id, dearer, cheaper }: Life, act: Act): Promise<unknown> {
  const goOver = (plan: string, proration: 'none' | 'charge') =>
    tenant.changeSubscriptionPlan(id, { plan, proration, idempotencyKey: key() });
  const last = async (): Promise<string> => (await tenant.subscription(id)).lastPaymentId ?? '';
  const refund = (payment: string, amount?: number) =>
    tenant.refundPayment(payment, { ...(amount === undefined ? {} : { amount }), idempotencyKey: key() });
  const limit = (maxAmount: number | null) => tenant.setLimit({ account: 'ann', asset: 'USD', maxAmount });
  const acts: Record<Act, () => Promise<unknown>> = {
    pause: () => tenant.pauseSubscription(id),
    resume: () => tenant.resumeSubscription(id),
    'cancel at the end': () => tenant.cancelSubscription(id, { at: 'period_end' }),
    cancel: () => tenant.cancelSubscription(id),
    edit: () => tenant.editSubscription(id, { priority: 'high', retry: { maxAttempts: 1 } }),
    'dearer, at once': () => goOver(dearer, 'charge'),
    'cheaper, at once': () => goOver(cheaper, 'charge'),
    'dearer, later': () => goOver(dearer, 'none'),
    fund: () => tenant.deposit({ account: 'ann', asset: 'USD', amount: 2_500, idempotencyKey: key() }),
    async drain() {
      const { balances } = await tenant.accountWithBalances('ann');
      const amount = balances[0]?.available ?? 0n;
      if (amount > 0n) await tenant.withdraw({ account: 'ann', asset: 'USD', amount, idempotencyKey: key() });
    },
    retry: async () => tenant.retryPayment(await last()),
    fail: async () => tenant.failPayment(await last(), 'by hand'),
    'refund a little': async () => refund(await last(), 7),
    'refund the last': async () => refund(await last()),
    async 'refund the first'() {
      const made = await tenant.occurrences(id, { status: 'made' });
      return refund(made.at(-1)?.paymentId ?? '');
    },
    'refuse charges': () => limit(10),
    'allow charges': () => limit(null),
    async 'retry what was refused'() {
      for (const { id: letter } of await tenant.deadLetters({ kind: 'occurrence' }))
        await tenant.retryDeadLetter(letter);
    },
  };
  return acts[act]();
}

/** A subscription of another system, next due in five days. */
async function imported(tenant: Tenant, plan: string, chargesMade: number): Promise<string> {
  const row = { reference: 'old', plan, payer: 'ann', next_due_at: after(5 * DAY).toISOString() };
  async function* lines(): AsyncGenerator<string> {
    yield await Promise.resolve(JSON.stringify({ ...row, charges_made: chargesMade }));
  }
  expect(await tenant.importSubscriptions({ format: 'jsonl', open: lines })).toMatchObject({ created: 1 });
  const [found] = await tenant.subscriptions({ reference: 'old' });
  return found?.id ?? '';
}

/** Each paid charge has its event and its number, in the order in which they were paid. */
async function requireTold(db: Database, { tenant, id }: Life, before: number): Promise<void> {
  const made = await tenant.occurrences(id, { status: 'made', limit: 1_000 });
  const payments = await Promise.all(made.map(({ paymentId }) => tenant.payment(paymentId ?? '')));
  const paid = payments.filter(({ status }) => status === 'settled');
  const told = (await eventsOf(db, id, 'subscription.charged')) as { charge: number; paymentId: string }[];
  expect(told.map(({ charge }) => charge)).toEqual(paid.map((_, n) => before + n + 1));
  expect(told.map(({ paymentId }) => paymentId).toSorted()).toEqual(paid.map((payment) => payment.id).toSorted());
  expect(await tenant.subscription(id)).toMatchObject({ chargesPaid: before + paid.length });
}

/** The prices that were agreed, by the slot from which each holds: kept by the test, from what was asked for. */
interface Agreed {
  readonly price: bigint;
  readonly from: number;
}

/** A period that was ended early: how much of its value was unused. */
interface Ended {
  readonly occurrence: string;
  readonly paymentId: string | null;
  readonly unused: bigint;
}

/** What is seen of a subscription before a change at once, to say what the change is worth. */
async function runningPeriod({ tenant, id }: Life, agreed: readonly Agreed[]) {
  const [last = null] = await tenant.occurrences(id, { limit: 1 });
  const { nextDueAt } = await tenant.subscription(id);
  const value = last ? await valueOf(tenant, last, priceAt(agreed, last)) : 0n;
  return { last, endMs: nextDueAt?.getTime() ?? Infinity, value };
}

const priceAt = (agreed: readonly Agreed[], { runAt }: Pick<Occurrence, 'runAt'>): bigint =>
  agreed.findLast(({ from }) => from <= runAt.getTime())?.price ?? 0n;

/** The value of the period of a slot: its price, less what was refunded; nothing where it was not paid. */
async function valueOf(tenant: Tenant, slot: Occurrence, price: bigint): Promise<bigint> {
  if (slot.status === 'skipped') return slot.reason === 'credit' ? price : 0n;
  const payment = slot.paymentId === null ? null : await tenant.payment(slot.paymentId);
  return payment?.status === 'settled' ? price - payment.refunded : 0n;
}

/** What the club has is what the periods are worth, less what was credited of them, plus the credit that is open. */
async function requireConserved(
  { tenant, id }: Life,
  agreed: readonly Agreed[],
  ended: readonly Ended[],
): Promise<void> {
  const { credit } = await tenant.subscription(id);
  expect(credit).toBeGreaterThanOrEqual(0n);
  const { balances } = await tenant.accountWithBalances('club');
  const received = balances[0]?.available ?? 0n;
  let [worth, openOnCredit] = [0n, 0n];
  for (const slot of await tenant.occurrences(id, { limit: 1_000 })) {
    const price = priceAt(agreed, slot);
    const payment = slot.paymentId === null ? null : await tenant.payment(slot.paymentId);
    worth += await valueOf(tenant, slot, price);
    // A charge that is open has its credit, and no money yet.
    if (payment?.endedAt === null) openOnCredit += price - payment.amount;
    // The credit is part of what is refunded beyond the used part of the charge: it was taken back, not given away.
    const early = ended.find(({ occurrence }) => occurrence === slot.id);
    if (early) worth -= early.unused;
    if (early && payment && payment.refunded > 0n) {
      const fromPaid = early.unused < payment.captured ? early.unused : payment.captured;
      const beyond = payment.refunded - (payment.captured - fromPaid);
      if (beyond > 0n) worth += beyond;
    }
  }
  expect({ received }).toEqual({ received: worth + credit + openOnCredit });
}

/** Declares the test for this many random lives. */
export function subscriptionLives(size: { readonly numRuns: number; readonly seed?: number }): void {
  const store = useUsance();

  test(
    'a subscription is never charged beyond what was approved, and no money is lost, whatever happens in its life',
    { timeout: size.numRuns * 20_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(PLANS, IMPORTED, STEPS, async (terms, old, steps) => {
          const own = await testTenant(store.usance);
          const { tenant } = own;
          await open(tenant, { ann: 6_000, club: 0 });
          const order = {
            name: 'Club',
            price: PRICE,
            asset: 'USD',
            receiver: 'club',
            period: { frequency: 'MONTHLY' },
          } as const;
          const { id: plan } = await tenant.createPlan({ ...order, ...terms });
          const chargesBefore = terms.charges === 1 ? null : old;
          const life = {
            tenant,
            dearer: (await tenant.createPlan({ ...order, price: DEARER, charges: 4, afterFailure: 'pause' })).id,
            cheaper: (await tenant.createPlan({ ...order, price: CHEAPER, afterFailure: 'pause' })).id,
            id:
              chargesBefore === null
                ? (await tenant.subscribe({ plan, payer: 'ann', idempotencyKey: key() })).id
                : await imported(tenant, plan, chargesBefore),
          };
          const { id } = life;
          let days = 0;
          let changes = 0;
          let cancelled: number | null = null;
          const agreed: Agreed[] = [{ price: PRICE, from: 0 }];
          const ended: Ended[] = [];
          for (const step of steps) {
            if (step.act === 'wait') {
              days += step.days;
              await advance(store.usance, own, after(days * DAY));
            } else {
              const now = after(days * DAY).getTime();
              const before = await runningPeriod(life, agreed);
              const code = await refusalOf(doing(life, step.act));
              expect(REFUSALS).toContain(code);
              const isChange = code === 'not refused' && /^(dearer|cheaper)/.test(step.act);
              if (isChange) changes += 1;
              const price = step.act.startsWith('dearer') ? DEARER : CHEAPER;
              if (isChange && step.act.endsWith('later')) agreed.push({ price, from: before.endMs });
              if (isChange && step.act.endsWith('at once')) {
                agreed.push({ price, from: now });
                const { last, endMs, value } = before;
                if (last) {
                  const startMs = last.runAt.getTime();
                  const unused = (value * BigInt(endMs - now)) / BigInt(endMs - startMs);
                  ended.push({ occurrence: last.id, paymentId: last.paymentId, unused });
                }
              }
            }
            await requireConserved(life, agreed, ended);
            const { status, chargesMade, paid, approved, cancelAt } = await tenant.subscription(id);
            if (approved !== null) expect(paid).toBeLessThanOrEqual(approved);
            // One that is cancelled, or past the instant at which it ends, is not charged again.
            if (cancelled !== null) expect([status, chargesMade]).toEqual(['cancelled', cancelled]);
            if (status === 'cancelled') cancelled = chargesMade;
            if (cancelAt !== null && status === 'active')
              expect(cancelAt.getTime()).toBeGreaterThan(after(days * DAY).getTime());
          }
          await requireTold(store.db, life, chargesBefore ?? 0);
          const made = await tenant.occurrences(id, { status: 'made', limit: 1_000 });
          const { approved, charges } = await tenant.subscription(id);
          expect(new Set(made.map(({ slot }) => slot)).size).toBe(made.length);
          expect(made.every((slot) => slot.amount !== null && slot.amount <= priceAt(agreed, slot))).toBe(true);
          if (charges !== null) expect(made.length).toBeLessThanOrEqual(charges);
          if (approved !== null)
            expect(made.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)).toBeLessThanOrEqual(approved);
          // Every approved charge is accounted for. A retried dead letter of earlier terms is one more that was made.
          const end = await tenant.subscription(id);
          const refused = (await tenant.occurrences(id, { status: 'failed', limit: 1_000 })).length;
          const over = end.chargesMade + end.chargesSkipped + end.chargesCredited + refused;
          if (changes === 0 && end.charges !== null) expect(over).toBeLessThanOrEqual(end.charges);
          if (changes === 0 && ['approval_used_up', 'term_ended'].includes(end.statusReason ?? '')) {
            expect(over).toBe(end.charges);
            expect(end.statusReason).toBe(end.chargesMade === end.charges ? 'approval_used_up' : 'term_ended');
          }
          // At most one charge a month, and one for each change.
          expect(made.length).toBeLessThanOrEqual(Math.floor(days / 28) + 1 + changes);
          if (cancelled === null) await refusalOf(tenant.cancelSubscription(id));
        }),
        { ...size, endOnFailure: true },
      );
      expect(await troubles(store.usance)).toEqual([]);
    },
  );
}
