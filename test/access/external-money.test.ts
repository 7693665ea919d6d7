// Money from or to `world`, or out of `fees`, moves only for a caller with ledger:money: by every verb there is, on every row.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/access/index.ts';
import { SCOPES } from '../../src/access/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import type { WritingVerb } from '../matrix/axes.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { testProcessor } from '../support/processor.ts';

interface Row {
  readonly from: string;
  readonly to?: string;
  readonly legs?: readonly { readonly to: string; readonly amount: number }[];
}

const FLOWS: Readonly<Record<string, Row>> = {
  'from world': { from: 'world', to: 'bob' },
  'to world': { from: 'alice', to: 'world' },
  'out of fees': { from: 'fees', to: 'bob' },
  'to world by one of its legs': {
    from: 'alice',
    legs: [
      { to: 'bob', amount: 50 },
      { to: 'world', amount: 50 },
    ],
  },
};

/** The rows that a verb is tried on, made by the tenant. */
interface Rows {
  readonly flow: Row;
  readonly ids: Readonly<Record<'hold' | 'paid' | 'failed' | 'awaiting' | 'schedule' | 'paused', string>>;
}

type Attempt = (verbs: TenantHandle, rows: Rows) => Promise<unknown>;

const money = { asset: 'USD', amount: 100 } as const;
const later = { delay: '1h', funding: 'at_execution' } as const;
const rule = { frequency: 'DAILY' } as const;
/** Reads, or lets no money move. */
const harmless = 'harmless';
/** Has a test of its own below, or no row of this kind. */
const elsewhere = 'elsewhere';

/** Every verb: one that is added is a type error until it is decided which it is. */
const VERBS: Readonly<Record<WritingVerb, Attempt | typeof harmless | typeof elsewhere>> = {
  createPayment: (verbs, { flow }) => verbs.createPayment({ ...flow, ...money, ...later, idempotencyKey: key() }),
  createPayments: (verbs, { flow }) =>
    verbs.createPayments([{ ...flow, ...money, ...later }], { idempotencyKey: key() }),
  createPaymentGrouped: (verbs, { flow }) =>
    verbs.createPaymentGrouped({ key: key(), fingerprint: 'x' }, { ...flow, ...money, ...later }, () => null),
  capturePayment: (verbs, { ids }) => verbs.capturePayment(ids.hold, { idempotencyKey: key() }),
  editPayment: (verbs, { ids }) => verbs.editPayment(ids.hold, { executeAt: new Date(Date.now() + 7_200_000) }),
  extendPayment: (verbs, { ids }) => verbs.extendPayment(ids.hold, new Date(Date.now() + 80_000_000)),
  refundPayment: (verbs, { ids }) => verbs.refundPayment(ids.paid, { idempotencyKey: key() }),
  retryPayment: (verbs, { ids }) => verbs.retryPayment(ids.failed),
  runPaymentNow: (verbs, { ids }) => verbs.runPaymentNow(ids.hold),
  approvePayment: (verbs, { ids }) => verbs.approvePayment(ids.awaiting, { termsVersion: 1 }),
  retryDeadLetter: (verbs, { ids }) => verbs.retryDeadLetter(ids.failed),
  createSchedule: (verbs, { flow }) => verbs.createSchedule({ ...flow, ...money, rule, idempotencyKey: key() }),
  editSchedule: (verbs, { ids }) => verbs.editSchedule(ids.schedule, { rule: { frequency: 'WEEKLY' } }),
  resumeSchedule: (verbs, { ids }) => verbs.resumeSchedule(ids.paused),
  triggerSchedule: (verbs, { ids }) => verbs.triggerSchedule(ids.schedule, { idempotencyKey: key() }),
  backfillSchedule: (verbs, { ids }) =>
    verbs.backfillSchedule(ids.schedule, { start: '2026-02-01', end: '2026-02-02', idempotencyKey: key() }),
  transfer: (verbs, { flow }) =>
    verbs.transfer({ ...money, from: flow.from, to: flow.to ?? 'world', idempotencyKey: key() }),
  // Its payee is always `world`: it moves what the chain has moved, or has not.
  resolvePayout: harmless,
  runPaymentsNow: elsewhere,
  retryDeadLetters: elsewhere,
  deposit: elsewhere,
  withdraw: elsewhere,
  reserve: elsewhere,
  capture: elsewhere,
  createPlan: elsewhere,
  editPlan: elsewhere,
  subscribe: elsewhere,
  resumeSubscription: elsewhere,
  editSubscription: elsewhere,
  changeSubscriptionPlan: elsewhere,
  // A guardian and a child are accounts of people.
  createAllowance: elsewhere,
  editAllowance: elsewhere,
  releaseOutage: elsewhere,
  importOpeningBalances: elsewhere,
  importSubscriptions: elsewhere,
  // Gives back or stops.
  cancelPayment: harmless,
  failPayment: harmless,
  rejectPayment: harmless,
  discardDeadLetter: harmless,
  discardDeadLetters: harmless,
  release: harmless,
  pauseSchedule: harmless,
  cancelSchedule: harmless,
  cancelSubscription: harmless,
  pauseSubscription: harmless,
  deleteAllowance: harmless,
  discardOutage: harmless,
  pause: harmless,
  // Moves nothing by itself.
  liftPause: harmless,
  unfreeze: harmless,
  setLimit: harmless,
  setOutageGuard: harmless,
  setDefaultAsset: harmless,
  setExecutionCap: harmless,
  appendEvent: harmless,
  appendEvents: harmless,
  createAsset: harmless,
  openAccount: harmless,
  editAccount: harmless,
  suspendAccount: harmless,
  reactivateAccount: harmless,
  closeAccount: harmless,
  eraseAccount: harmless,
  eraseAuditEvent: harmless,
  createJob: harmless,
  updateJob: harmless,
  deleteJob: harmless,
  retryExecution: harmless,
  cancelExecution: harmless,
  updateEmailSettings: harmless,
  setEmailTemplate: harmless,
  deleteEmailTemplate: harmless,
  createEmailOptOut: harmless,
  deleteEmailOptOut: harmless,
  createNotificationChannel: harmless,
  updateNotificationChannel: harmless,
  deleteNotificationChannel: harmless,
  rotateNotificationSecret: harmless,
  testNotificationChannel: harmless,
  createWebhookEndpoint: harmless,
  updateWebhookEndpoint: harmless,
  deleteWebhookEndpoint: harmless,
  rotateWebhookSecret: harmless,
  testWebhookEndpoint: harmless,
  recoverWebhookEndpoint: harmless,
  redeliver: harmless,
  createApiKey: harmless,
  revokeApiKey: harmless,
  rotateApiKey: harmless,
  createTokenIssuer: harmless,
  updateTokenIssuer: harmless,
  deleteTokenIssuer: harmless,
  revokeTokens: harmless,
  createTenant: harmless,
  createTestClock: harmless,
  advanceTestClock: harmless,
  cancelAdvance: harmless,
  deleteTestClock: harmless,
};

describe('a key without ledger:money', () => {
  const store = useUsance();
  const keys: { without?: TenantHandle } = {};
  const without = (): TenantHandle => keys.without ?? store.tenant;
  const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, store.tenant.id, work);
  const rows: Record<string, Rows> = {};
  const handleOf = async (scopes: readonly Scope[]): Promise<TenantHandle> => {
    const { secret } = await store.tenant.createApiKey({ name: 'a key', scopes });
    const found = await store.usance.authenticate(secret);
    if (!found) throw new Error('expected a key that works');
    return found.handle;
  };
  const EVERYTHING_ELSE = (Object.keys(SCOPES) as Scope[]).filter(
    (scope) => !['ledger:money', 'admin'].includes(scope),
  );

  beforeAll(async () => {
    const { tenant } = store;
    await open(tenant, { alice: 1_000_000, bob: 0, poor: 0 });
    await tenant.transfer({ ...money, amount: 10_000, from: 'alice', to: 'fees', idempotencyKey: key() });
    keys.without = await handleOf(EVERYTHING_ELSE);
    await tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
    for (const [name, flow] of Object.entries(FLOWS)) {
      const expiresAt = new Date(Date.now() + 40_000_000);
      const make = async (order: object = {}) =>
        (await tenant.createPayment({ ...flow, ...money, ...later, expiresAt, ...order, idempotencyKey: key() })).id;
      const reserved = flow.from === 'alice' ? { funding: 'reserve' as const } : {};
      const failed = await make();
      await tenant.failPayment(failed, 'a mistake');
      const schedule = async () =>
        (await tenant.createSchedule({ ...flow, ...money, rule, start: '2026-01-01', idempotencyKey: key() })).id;
      const paused = await schedule();
      await tenant.pauseSchedule(paused);
      const large = flow.legs ? { legs: flow.legs.map(({ to }) => ({ to, amount: 300 })) } : {};
      rows[name] = {
        flow,
        ids: {
          hold: await make(reserved),
          paid: await make({ delay: 0 }),
          awaiting: await make({ amount: 600, ...large }),
          schedule: await schedule(),
          failed,
          paused,
        },
      };
    }
    await testProcessor(store.db).drain();
  });

  const TRIED = Object.entries(VERBS).filter((entry): entry is [string, Attempt] => typeof entry[1] === 'function');
  for (const flow of Object.keys(FLOWS)) {
    test.each(TRIED)(`moves no money ${flow} by %s`, async (_verb, attempt) => {
      const own = rows[flow];
      if (!own) throw new Error('expected rows');
      expect(await refused(() => attempt(without(), own))).toBe('AUTH_SCOPE_MISSING');
    });
  }

  test('leaves such payments out where a filter finds many', async () => {
    const inside = await without().createPayment({
      from: 'alice',
      to: 'bob',
      ...money,
      ...later,
      idempotencyKey: key(),
    });
    const ran = await without().runPaymentsNow({ account: 'alice' }, { limit: 1_000 });
    expect(ran.payments.map(({ id }) => id)).toEqual([inside.id]);
    expect(ran.refused.map(({ code }) => code)).toContain('AUTH_SCOPE_MISSING');
    const done = await without().retryDeadLetters({ kind: 'payment' });
    expect(done).toMatchObject({ retried: [] });
  });

  test('neither brings money in nor takes it out by a verb of the ledger', async () => {
    const { reservation } = await store.tenant.reserve({ ...money, account: 'alice', idempotencyKey: key() });
    const works: (() => Promise<unknown>)[] = [
      () => without().deposit({ ...money, account: 'bob', idempotencyKey: key() }),
      () => without().withdraw({ ...money, account: 'alice', idempotencyKey: key() }),
      () => without().reserve({ ...money, account: 'fees', idempotencyKey: key() }),
      () => without().capture({ reservation, to: 'world', amount: 1, idempotencyKey: key() }),
      () => without().importOpeningBalances({ name: 'old', format: 'csv', open: () => [] } as never),
    ];
    for (const work of works) expect(await refused(work)).toBe('AUTH_SCOPE_MISSING');
    await without().capture({ reservation, to: 'fees', amount: 1, idempotencyKey: key() });
    await without().transfer({ ...money, from: 'alice', to: 'fees', idempotencyKey: key() });
  });

  /** A file with one subscription. */
  async function* imported(plan: string, payer: string): AsyncGenerator<string> {
    yield 'reference,plan,payer,next_due_at';
    yield `one,${plan},${payer},2099-01-01T00:00:00Z`;
  }

  test('makes and edits no plan that pays world, and subscribes nobody to one', async () => {
    const terms = { name: 'tea', receiver: 'world', asset: 'USD', price: 100, period: rule, charges: 3 } as const;
    const plan = await store.tenant.createPlan(terms);
    const works: (() => Promise<unknown>)[] = [
      () => without().createPlan(terms),
      () => without().editPlan(plan.id, { price: 9_999 }),
      () => without().subscribe({ plan: plan.id, payer: 'alice', idempotencyKey: key() }),
      () => without().importSubscriptions({ format: 'csv', open: () => imported(plan.id, 'alice') }),
    ];
    for (const work of works) expect(await refused(work)).toBe('AUTH_SCOPE_MISSING');
    const inside = await without().createPlan({ ...terms, receiver: 'bob' });
    const paysIn = () => without().subscribe({ plan: inside.id, payer: 'world', idempotencyKey: key() });
    expect(await refused(paysIn)).toBe('AUTH_SCOPE_MISSING');
    await without().subscribe({ plan: inside.id, payer: 'alice', idempotencyKey: key() });
  });

  test('releases no outage while a schedule of external money is among those that wait', async () => {
    const [row] = await store.owner.query(
      `insert into usance.outages (tenant_id, id, status, since, through, overdue)
       values ($1::uuid, gen_random_uuid(), 'waiting', now() - interval '1 day', now(), '[]') returning id`,
      [store.tenant.id],
    );
    const id = String(row?.['id']);
    expect(await refused(() => without().releaseOutage(id))).toBe('AUTH_SCOPE_MISSING');
    expect(await store.tenant.releaseOutage(id)).toMatchObject({ status: 'released' });
  });

  test('pays a fee, and refunds the payee’s part of it, but not out of fees', async () => {
    const legs = [
      { to: 'bob', amount: 90 },
      { to: 'fees', amount: 10 },
    ];
    const { id } = await without().createPayment({ from: 'alice', legs, ...money, idempotencyKey: key() });
    await testProcessor(store.db).drain();
    expect(await refused(() => without().refundPayment(id, { idempotencyKey: key() }))).toBe('AUTH_SCOPE_MISSING');
    expect(await refused(() => without().refundPayment(id, { from: 'fees', idempotencyKey: key() }))).toBe(
      'AUTH_SCOPE_MISSING',
    );
    expect((await without().refundPayment(id, { from: 'bob', idempotencyKey: key() })).refunds).toHaveLength(1);
  });

  test('notes in the metadata of what it cannot move, stops it and gives it back', async () => {
    for (const { ids } of Object.values(rows)) {
      await without().editPayment(ids.hold, { metadata: { seen: true } });
      await without().editSchedule(ids.schedule, { metadata: { seen: true } });
      await without().pauseSchedule(ids.schedule);
      await without().cancelPayment(ids.hold);
      await without().cancelSchedule(ids.paused);
    }
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('moves money inside by all the same verbs', async () => {
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: null });
    const order = { from: 'alice', to: 'bob', ...money } as const;
    const { id } = await without().createPayment({ ...order, delay: '1h', idempotencyKey: key() });
    await without().editPayment(id, { amount: 50 });
    await without().runPaymentNow(id);
    const schedule = await without().createSchedule({ ...order, rule, idempotencyKey: key() });
    await without().triggerSchedule(schedule.id, { idempotencyKey: key() });
    await testProcessor(store.db).drain();
    await without().refundPayment(id, { idempotencyKey: key() });
    expect((await held(store.tenant, 'bob'))[0]).toBeGreaterThan(0n);
  });
});
