// Every reason for which a verb on payments is refused, with the sentence that the library shows. Ids and instants differ from run to
// run and are written as <id> and <instant>.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import type { Code, Entry, RefusalKey } from '../../src/kernel/index.ts';
import { CATALOGUE, Refusal, newId } from '../../src/kernel/index.ts';
import type { PaymentOrder } from '../../src/payments/index.ts';
import { PAYEE } from '../payouts/world.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY } from '../support/processor.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';

const store = useUsance({ chains: { sandbox: true } });
const ORDER: PaymentOrder = { from: 'alice', to: 'bob', asset: 'USD', amount: 100, delay: '1h' };
const LEGS = {
  to: undefined,
  legs: [
    { to: 'bob', amount: 60 },
    { to: 'carl', amount: 40 },
  ],
} as const;

const create = (change: object = {}, tenant: TenantHandle = store.tenant) =>
  tenant.createPayment({ ...ORDER, ...change, idempotencyKey: key() });
const made = async (change: object = {}): Promise<string> => (await create(change)).id;
const capture = (id: string, amount?: number) =>
  store.tenant.capturePayment(id, { ...(amount === undefined ? {} : { amount }), idempotencyKey: key() });
const refund = (id: string, options: { amount?: number; from?: string } = {}) =>
  store.tenant.refundPayment(id, { ...options, idempotencyKey: key() });
const settled = async (change: object = {}): Promise<string> => (await capture(await made(change))).id;
/** Needs the approval of a second person. */
const awaiting = (): Promise<string> => made({ from: 'watched' });
const colleague = (): Promise<TenantHandle> => store.usance.tenant('shop', { actor: 'colleague' });
const withdraw = (account: string, amount: number) =>
  store.tenant.withdraw({ account, asset: 'USD', amount, idempotencyKey: key() });

type Case = readonly [cause: () => Promise<unknown>, sentence: string];
const lacking =
  (field: object): (() => Promise<unknown>) =>
  () =>
    create(field);

const CASES: Partial<Record<RefusalKey, Case>> = {
  'PAYMENT_STATE_CONFLICT/payout_not_captured': [
    async () => capture(await made({ to: undefined, asset: 'USDC', rail: 'sandbox', destination: PAYEE })),
    'payment <id> is a payout: its chain pays the whole amount, and no part early',
  ],
  'DELAY_INVALID/not_an_instant': [
    lacking({ delay: undefined, executeAt: 'tomorrow' }),
    'executeAt must be an instant such as 2026-11-15T09:30:00Z',
  ],
  'DELAY_INVALID/not_a_duration': [
    lacking({ delay: 'soon' }),
    'delay must be seconds, or a duration such as 48h or PT48H',
  ],
  'DELAY_OUT_OF_RANGE/in_past': [
    lacking({ delay: undefined, executeAt: '2001-01-01T00:00:00Z' }),
    'the payment would run at <instant>, which is in the past',
  ],
  'DELAY_OUT_OF_RANGE/negative': [lacking({ delay: -1 }), 'delay must not be negative'],
  'DELAY_OUT_OF_RANGE/too_far': [
    lacking({ funding: 'at_execution', delay: '999999999d' }),
    'the payment may run at most 1830 days ahead',
  ],
  'DELAY_OUT_OF_RANGE/hold_too_far': [
    lacking({ delay: '30d' }),
    'a payment that reserves its funds may run at most 7 days ahead (USANCE_MAX_HOLD_DELAY, in the library bounds.maxHoldDelayMs); with funding "at_execution" it reserves nothing and may run later',
  ],
  'EXPIRY_BEFORE_EXECUTION/before_execution': [
    lacking({ expiresAt: new Date() }),
    'expiresAt must be after <instant>, the instant at which the payment runs',
  ],
  'EXPIRY_BEFORE_EXECUTION/in_past': [
    async () => {
      const { id, executeAt } = await create({ delay: 0 });
      await sleep(5);
      return store.tenant.extendPayment(id, new Date(executeAt.getTime() + 1));
    },
    'expiresAt must be in the future',
  ],
  'LEGS_INVALID/to_and_legs': [lacking({ ...LEGS, to: 'bob' }), 'give either to or legs, not both'],
  'LEGS_INVALID/wrong_count': [lacking({ to: undefined, legs: [] }), 'legs must be a list of 1 to 10 payees'],
  'LEGS_INVALID/wrong_sum': [
    lacking({ ...LEGS, amount: 101 }),
    'the amounts of legs add up to 100 minor units; the payment has 101',
  ],
  'LEGS_INVALID/duplicate_account': [
    lacking({ to: undefined, legs: ['bob', 'bob'].map((to) => ({ to, amount: 50 })) }),
    'legs names an account twice; add its amounts to one leg',
  ],
  'LEGS_INVALID/amount_fixed': [
    async () => store.tenant.editPayment(await made(LEGS), { amount: 90 }),
    'the amount of a payment with several legs cannot be edited; cancel the payment and create another',
  ],
  'LEGS_INVALID/not_a_payee': [
    async () => refund(await settled(), { from: 'carl' }),
    'from must be an account that payment <id> paid',
  ],
  'LEGS_INVALID/payee_required': [
    async () => refund(await settled(LEGS), { amount: 1 }),
    'payment <id> has several payees; name the payee of a partial refund with from',
  ],
  BULK_TOO_LARGE: [
    () => store.tenant.createPayments([], { idempotencyKey: key() }),
    'a request has 1 to 10000 payments',
  ],
  'APPROVAL_NEEDS_ANOTHER/decision': [
    async () => store.tenant.approvePayment(await awaiting(), { termsVersion: 1 }),
    'the caller set the terms of payment <id>; another person must approve or reject it',
  ],
  'APPROVAL_NEEDS_ANOTHER/early_execution': [
    async () => {
      const { id } = await (await colleague()).approvePayment(await awaiting(), { termsVersion: 1 });
      return store.tenant.runPaymentNow(id);
    },
    'the caller set the terms of payment <id>, which was approved for <instant>; until then another person must run or capture it',
  ],
  PAYMENT_NOT_FOUND: [() => store.tenant.payment(newId()), 'there is no payment <id>'],
  'PAYMENT_STATE_CONFLICT/wrong_status': [
    async () => store.tenant.cancelPayment(await settled()),
    'payment <id> is settled and cannot be cancelled',
  ],
  'PAYMENT_STATE_CONFLICT/with_chain': [
    async () => {
      const run = (name: string) => store.usance.loops.find((loop) => loop.name === name)?.runOnce();
      await store.tenant.deposit({ account: 'alice', asset: 'USDC', amount: 100, idempotencyKey: key() });
      await run('health');
      const id = await made({ to: undefined, asset: 'USDC', rail: 'sandbox', destination: PAYEE, delay: 0 });
      await run('payouts');
      return store.tenant.cancelPayment(id);
    },
    'payment <id> has the status "submitted" and cannot be cancelled: from "processing" on its chain decides; one in review can be resolved',
  ],
  'PAYMENT_STATE_CONFLICT/being_executed': [
    async () => {
      const id = await made();
      await store.owner.query(`delete from usance.due where payment_id = '${id}'`);
      return store.tenant.cancelPayment(id);
    },
    'payment <id> is being executed and cannot be cancelled; read it again',
  ],
  'PAYMENT_STATE_CONFLICT/expired': [
    async () => {
      const id = await made({ delay: 0, expiresAt: new Date(Date.now() + 50) });
      await sleep(100);
      return store.tenant.runPaymentNow(id);
    },
    'payment <id> expired at <instant> and cannot be run now; create a new payment',
  ],
  'PAYMENT_STATE_CONFLICT/approval_expired': [
    async () => {
      const engine = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, approvalWithinMs: 1 });
      const { id } = await create({ from: 'watched' }, await engine.tenant('shop'));
      await engine.close();
      await sleep(5);
      return store.tenant.runPaymentNow(id);
    },
    'payment <id> expired at <instant> without approval and cannot be run now; create a new payment',
  ],
  'PAYMENT_STATE_CONFLICT/not_refundable': [
    async () => refund(await made()),
    'payment <id> is scheduled; only a settled payment, or the captured part of a failed one, can be refunded',
  ],
  'PAYMENT_STATE_CONFLICT/not_failed': [
    async () => store.tenant.retryPayment(await made()),
    'payment <id> is scheduled; only a failed payment can be retried',
  ],
  'PAYMENT_STATE_CONFLICT/no_reserved_funds': [
    async () => capture(await made({ funding: 'at_execution' })),
    'payment <id> has reserved no funds; only a payment with funding "reserve" can be captured',
  ],
  'PAYMENT_STATE_CONFLICT/partly_captured': [
    async () => store.tenant.editPayment((await capture(await made(), 1)).id, { amount: 90 }),
    'part of payment <id> is captured, so its amount can no longer be changed',
  ],
  'PAYMENT_STATE_CONFLICT/not_awaiting_approval': [
    async () => store.tenant.approvePayment(await made(), { termsVersion: 1 }),
    'payment <id> does not await approval',
  ],
  PAYMENT_COUNT_MISMATCH: [
    () => store.tenant.runPaymentsNow({ reference: 'nothing has it' }, { expect: 2 }),
    'the filter finds 0 payments, 2 were expected; nothing was changed',
  ],
  'PAYMENT_OWNED/subscription': [
    async () => {
      const terms = { name: 'Club', price: 100, asset: 'USD', receiver: 'bob', months: 12 } as const;
      const plan = await store.tenant.createPlan({ ...terms, period: { frequency: 'MONTHLY' } });
      const order = { plan: plan.id, payer: 'alice', idempotencyKey: key() };
      const { lastPaymentId } = await store.tenant.subscribe(order);
      return store.tenant.editPayment(lastPaymentId ?? '', { amount: 1 });
    },
    'the payment is a charge of subscription <id>, which decides its amount and instant; cancel the charge, or cancel the subscription and create another',
  ],
  'PAYMENT_OWNED/allowance': [
    async () => {
      const of = await testTenant(store.usance);
      await open(of.tenant, { poor: 0 });
      await of.tenant.openAccount({ ref: 'kid', guardian: 'poor' });
      const terms = { asset: 'USD', amount: 300, frequency: 'DAILY', status: 'ON' } as const;
      await of.tenant.createAllowance({ guardian: 'poor', junior: 'kid', ...terms });
      await advance(store.usance, of, after(DAY));
      const [credit] = await of.tenant.payments({ status: 'scheduled' });
      return of.tenant.editPayment(credit?.id ?? '', { amount: 1 });
    },
    'the payment is a credit of allowance <id>, which decides its amount and instant; cancel the credit, or change the allowance',
  ],
  'REFERENCE_EXISTS/payment': [
    async () => [await create({ reference: 'invoice "7"' }), await create({ reference: 'invoice "7"' })],
    'there is already a payment with the reference "invoice "7""',
  ],
  APPROVAL_AWAITED: [
    async () => store.tenant.runPaymentNow(await awaiting()),
    'payment <id> awaits the approval of a second person',
  ],
  APPROVAL_TERMS_CHANGED: [
    async () => (await colleague()).approvePayment(await awaiting(), { termsVersion: 3 }),
    'payment <id> is at termsVersion 1 (1.00 USD at <instant>), not 3; read it again and approve that version',
  ],
  LIMIT_AMOUNT_EXCEEDED: [
    lacking({ from: 'limited', amount: 301 }),
    'one payment may be at most 3.00 USD; 3.01 USD was requested',
  ],
  'LIMIT_DAILY_EXCEEDED/account': [
    async () => [await create({ from: 'limited', amount: 250 }), await create({ from: 'limited', amount: 251 })],
    'the daily limit of account "limited" is 5.00 USD, of which 2.50 USD is used; 2.51 USD more would exceed it',
  ],
  'LIMIT_DAILY_EXCEEDED/tenant': [
    async () => {
      const tenant = await store.usance.createTenant({ name: 'capped' });
      await tenant.createAsset('USD/2');
      await open(tenant, { alice: 1_000, bob: 0 });
      await tenant.setLimit({ asset: 'USD', tenantDailyAmount: 99 });
      return create({}, tenant);
    },
    "1.00 USD would exceed the tenant's daily total for the last 24 hours; retry later, or raise tenantDailyAmount",
  ],
  APPROVAL_REQUIRED: [
    () => withdraw('watched', 100),
    'this would bring outgoing money without approval in 24 hours above 0.00 USD; create a payment instead (to "world" for a withdrawal), which a second person can approve',
  ],
  'REFUND_EXCEEDS_PAYMENT/already_refunded': [
    async () => refund((await refund(await settled())).payment.id),
    'payment <id> is already refunded in full',
  ],
  'REFUND_EXCEEDS_PAYMENT/too_much': [
    async () => refund(await settled(), { amount: 101 }),
    '1.00 USD of payment <id> can still be refunded; 1.01 USD was requested',
  ],
  CAPTURE_EXCEEDS_HOLD: [
    async () => capture(await made(), 101),
    '1.00 USD of hold <id> is left to capture; 1.01 USD was requested',
  ],

  'FIELD_INVALID/empty_filter': [
    () => store.tenant.runPaymentsNow({}, { expect: 1 }),
    'filter must have at least one field, because an empty one would match every payment',
  ],
  'FIELD_INVALID/not_confirmed': [
    () => store.tenant.runPaymentsNow({ retries: true }, {}),
    'expect is required: confirm how many payments the filter finds, as a dry run shows, or give limit',
  ],
  'FIELD_INVALID/not_whole_number_from': [
    () => store.tenant.runPaymentsNow({ retries: true }, { expect: -1 }),
    'expect must be a whole number of at least 0',
  ],
  'FIELD_INVALID/not_whole_number': [
    () => store.tenant.runPaymentsNow({ retries: true }, { limit: 1_001 }),
    'limit must be a whole number from 1 to 1000',
  ],
  'FIELD_INVALID/needs_reason': [
    async () => store.tenant.failPayment(await made(), ' '),
    'reason is required: say why, for the audit log',
  ],
  'FIELD_INVALID/one_of': [lacking({ priority: 'urgent' }), 'priority must be high, normal or low'],
  'FIELD_INVALID/both_given': [lacking({ executeAt: new Date() }), 'give either executeAt or delay, not both'],
  'FIELD_INVALID/none_given': [lacking({ to: undefined }), 'give to or legs'],
  'FIELD_INVALID/not_printable': [
    lacking({ reference: '' }),
    'reference must have 1 to 255 printable ASCII characters',
  ],
  'FIELD_INVALID/not_json': [
    lacking({ metadata: { a: 'nul \0' } }),
    'metadata must be an object of at most 16384 characters of JSON, 100 levels deep, without NUL; integers beyond 2^53 - 1 are written as strings',
  ],
  'FIELD_INVALID/wrong_length': [
    async () => store.tenant.cancelPayment(await made(), { reason: 'x'.repeat(1_001) }),
    'reason must have 0 to 1000 characters, without NUL',
  ],
  'FIELD_INVALID/limit_of_account': [
    () => store.tenant.setLimit({ asset: 'USD', dailyAmount: 1 }),
    'dailyAmount is the limit of one account: give account, defaultDailyAmount or tenantDailyAmount',
  ],
  'FIELD_INVALID/limit_of_tenant': [
    () => store.tenant.setLimit({ account: 'alice', asset: 'USD', tenantDailyAmount: 1 }),
    'tenantDailyAmount is a limit of the tenant, not of one account: leave out account',
  ],
  'ACCOUNT_STATE_CONFLICT/no_daily_limit': [
    () => store.tenant.setLimit({ account: 'fees', asset: 'USD', dailyAmount: 1 }),
    'the system account "fees" cannot have a daily limit',
  ],
};

/** Reasons of the same codes that other tests bring about. */
const ELSEWHERE: readonly RefusalKey[] = [
  // test/payments/reset-at-once.test.ts: needs a race.
  'PAYMENT_STATE_CONFLICT/changed_since_found',
  // test/schedules/by-hand.test.ts: an edit of a schedule.
  'LEGS_INVALID/schedule_amount_fixed',
  // test/payouts/resolve.test.ts: needs a payout in review.
  'APPROVAL_NEEDS_ANOTHER/resolution',
  // test/payouts/guards.test.ts: an address of the list that waits for a second person.
  'APPROVAL_NEEDS_ANOTHER/destination',
  // test/codes/payments.ts: values of a bulk answer, or of a failed attempt.
  'BATCH_ABORTED',
  'FAILED_BY_OPERATOR',
  'UNEXPECTED/error',
];
/** Codes whose every reason is of payments. Others have reasons of schedules too. */
const WHOLE = Object.keys(CATALOGUE).filter((code) =>
  /^(DELAY|EXPIRY|LEGS|BULK|APPROVAL|PAYMENT_STATE|LIMIT)_/.test(code),
);

beforeAll(async () => {
  const { tenant } = store;
  await open(tenant, { alice: 100_000, bob: 0, carl: 0, limited: 10_000, watched: 10_000 });
  await tenant.createAsset('USDC/6');
  await tenant.deposit({ account: 'alice', asset: 'USDC', amount: 100, idempotencyKey: key() });
  await tenant.setLimit({ account: 'limited', asset: 'USD', maxAmount: 300, dailyAmount: 500 });
  await tenant.setLimit({ account: 'watched', asset: 'USD', approvalAbove: 0 });
});

const normal = (text: string): string =>
  text.replaceAll(/\b[a-z]+_[0-9a-z]{26}\b/g, '<id>').replaceAll(/\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z/g, '<instant>');

describe('a payment is refused with its reason and sentence', () => {
  test.each(Object.entries(CASES))('%s', async (name, [cause, sentence]) => {
    const error: unknown = await cause().then(
      () => 'not refused',
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof Refusal)) throw new Error(`expected a refusal, got ${String(error)}`, { cause: error });
    expect([error.code, error.reason ?? []].flat().join('/')).toBe(name);
    expect(normal(error.message)).toBe(sentence);
  });

  test('for every reason that the catalogue has of them', () => {
    const reasons = WHOLE.flatMap((code) => {
      const { detail }: Entry = CATALOGUE[code as Code];
      return typeof detail === 'object' ? Object.keys(detail).map((reason) => `${code}/${reason}`) : [code];
    });
    expect(reasons.filter((name) => !(name in CASES) && !ELSEWHERE.some((other) => other === name))).toEqual([]);
  });
});
