// What an end user has of a tenant. Over HTTP every route is walked in test/api/locks.test.ts; here is what each may see and
// change, and that nothing more can be reached through the handle they are given.
import { beforeAll, describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { newId, toTypeId } from '../../src/kernel/index.ts';
import { open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { allRefused, refusedUnchanged } from '../support/digest.ts';
import { refusalOf } from '../support/refusal.ts';
import { inSeconds, shared, token } from './tokens.ts';

const SECRET = 'the-secret-of-the-environment-0123456789';
const HOLD = { to: 'bob', asset: 'USD', amount: 100, delay: '1h' };

describe('an end user', () => {
  const store = useUsance({ jwt: { secret: SECRET, audience: 'usance', issuer: null } });
  beforeAll(() => open(store.tenant, { alice: 10_000, bob: 0, carol: 500 }));

  const as = async (sub: string): Promise<TenantHandle> => {
    const shown = await store.usance.authenticate(token(shared(SECRET), { aud: 'usance', sub, exp: inSeconds(600) }));
    if (!shown) throw new Error('expected somebody');
    return shown.handle;
  };
  let keys = 0;
  const hold = async (payer: TenantHandle, order: object = {}): Promise<string> => {
    const request = { key: `own ${(keys += 1)}`, fingerprint: 'f' };
    const made = { ...HOLD, from: payer.subject ?? 'alice', ...order };
    return (await payer.createPaymentGrouped(request, made, (payment) => payment.id)).answer as string;
  };
  const refused = (work: () => Promise<unknown>): Promise<string> =>
    refusedUnchanged(store.owner, store.tenant.id, work);
  const expectRefused = async (works: readonly (() => Promise<unknown>)[], code: string): Promise<void> =>
    expect(await allRefused(store.owner, store.tenant.id, works), works.join('\n')).toEqual(works.map(() => code));

  test('sees their own account, by id or ref, and no other', async () => {
    const alice = await as('alice');
    const bob = await store.tenant.account('bob');
    expect((await alice.accounts()).map(({ ref }) => ref)).toEqual(['alice']);
    expect(await alice.accounts({ after: alice.subject ?? '' })).toEqual([]);
    for (const name of ['alice', alice.subject ?? '']) {
      expect((await alice.account(name)).ref).toBe('alice');
      expect((await alice.accountWithBalances(name)).account.ref).toBe('alice');
      expect(await alice.balances(name)).toHaveLength(1);
      expect((await alice.forecast(name)).assets).toHaveLength(1);
    }
    const period = { asset: 'USD', from: new Date('2020-01-01'), to: new Date('2020-02-01') };
    for (const name of ['bob', bob.id, 'world', 'nobody', newId()]) {
      const looks = [
        () => alice.account(name),
        () => alice.accountWithBalances(name),
        () => alice.balances(name),
        () => alice.balancesAt(name, new Date()),
        () => alice.statement(name, period),
        () => alice.transfers(name),
        () => alice.reservations(name),
        () => alice.forecast(name),
        () => alice.payments({ account: name }),
        () => alice.payments({ from: name }),
      ];
      await expectRefused(looks, 'ACCOUNT_NOT_FOUND');
    }
  });

  test('gets the same refusal for resources of others as for those that do not exist', async () => {
    const [alice, carol] = [await as('alice'), await as('carol')];
    const theirs = await hold(alice);
    const nowhere = newId();
    const told = (id: string) =>
      carol.payment(id).catch((error: unknown) => String(error).replace(toTypeId('payment', id), 'X'));
    expect(await told(theirs)).toBe(await told(nowhere));
    for (const change of [
      () => carol.payment(theirs),
      () => carol.timeline(theirs),
      () => carol.whyPayment(theirs),
      () => carol.cancelPayment(theirs),
      () => carol.capturePayment(theirs, { idempotencyKey: 'x' }),
      () => carol.editPayment(theirs, { amount: 1 }),
      () => carol.extendPayment(theirs, '2999-01-01T00:00:00Z'),
    ]) {
      expect(await refused(change), String(change)).toBe('PAYMENT_NOT_FOUND');
    }
    expect((await carol.payments()).map(({ id }) => id)).not.toContain(theirs);
  });

  test('pays out of their own account only, to people and not to the outside', async () => {
    const carol = await as('carol');
    for (const from of ['alice', (await store.tenant.account('alice')).id, 'nobody', 'world']) {
      expect(await refused(() => hold(carol, { from })), from).toBe('AUTH_FORBIDDEN');
    }
    const world = store.tenant.id.slice(0, -4) + '0001';
    for (const order of [
      { to: 'world' },
      { to: 'fees' },
      { to: world },
      { to: undefined, legs: [{ to: 'suspense', amount: 100 }] },
    ]) {
      expect(await refused(() => hold(carol, order)), JSON.stringify(order)).toBe('ACCOUNT_NOT_FOUND');
    }
    const order = { ...HOLD, from: 'alice', idempotencyKey: 'not hers' };
    expect(await refused(() => carol.createPayment(order))).toBe('AUTH_FORBIDDEN');
    const made = await carol.payment(await hold(carol));
    expect(made).toMatchObject({ payerId: carol.subject, createdBy: `user:${carol.subject}` });
  });

  test('as a payee sees incoming payments without their payer', async () => {
    const bob = await as('bob');
    const order = {
      reference: 'r-1',
      metadata: { note: 'private' },
      funding: 'at_execution',
      from: 'alice',
      asset: 'USD',
    };
    const legs = [
      { to: 'bob', amount: 60 },
      { to: 'carol', amount: 40 },
    ];
    const { id } = await store.tenant.createPayment({
      ...order,
      legs,
      amount: 100,
      delay: '1h',
      idempotencyKey: 'p',
    } as never);
    await store.owner.query(
      `update usance.payments set last_code = 'FUNDS_INSUFFICIENT', last_detail = 'the account holds 7' where id = $1::uuid`,
      [id],
    );
    expect(await bob.payment(id)).toMatchObject({
      legs: [{ accountId: bob.subject, amount: 60n }],
      reference: null,
      metadata: null,
      lastCode: null,
      lastDetail: null,
    });
    expect(
      JSON.stringify(await bob.payments(), (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toMatch(/holds 7|private|r-1/);
    expect(await refused(() => bob.timeline(id))).toBe('AUTH_FORBIDDEN');
    expect(await refused(() => bob.whyPayment(id))).toBe('AUTH_FORBIDDEN');
    expect(await refused(() => bob.cancelPayment(id))).toBe('AUTH_FORBIDDEN');
    expect((await (await as('alice')).payment(id)).lastDetail).toBe('the account holds 7');
  });

  test('changes what they made, and not what the tenant made in their name', async () => {
    const alice = await as('alice');
    const own = await hold(alice);
    expect((await alice.editPayment(own, { amount: 90 })).amount).toBe(90n);
    expect((await alice.capturePayment(own, { amount: 10, idempotencyKey: 'c' })).captured).toBe(10n);
    expect((await alice.cancelPayment(own)).status).toBe('settled');
    const { id } = await store.tenant.createPayment({ ...HOLD, from: 'alice', idempotencyKey: 'theirs' });
    expect((await alice.payment(id)).payerId).toBe(alice.subject);
    expect((await alice.timeline(id)).length).toBeGreaterThan(0);
    expect(await refused(() => alice.cancelPayment(id))).toBe('AUTH_FORBIDDEN');
    expect(await refused(() => alice.editPayment(id, { amount: 1 }))).toBe('AUTH_FORBIDDEN');
  });

  test('is held to it inside a request under a key too', async () => {
    const carol = await as('carol');
    const request = { key: 'k', fingerprint: 'f' };
    const own = carol.idempotently(request, async (verbs) => (await verbs.accounts()).length);
    expect((await own).answer).toBe(1);
    expect(
      await refusalOf(
        carol.idempotently({ ...request, key: 'l' }, async (verbs) => (await verbs.account('alice')).ref),
      ),
    ).toBe('ACCOUNT_NOT_FOUND');
    expect(await refusalOf(carol.from({ ip: null, userAgent: null, requestId: null }).account('alice'))).toBe(
      'ACCOUNT_NOT_FOUND',
    );
  });

  // What is not in this list is refused, whoever adds it: an end user gets a verb by being given it.
  test('gives allowances out of their own account only, to their own children', async () => {
    await store.tenant.openAccount({ ref: 'carols', guardian: 'carol' });
    const terms = { junior: 'carols', asset: 'USD', amount: 1, frequency: 'DAILY', status: 'ON' } as const;
    const [alice, carol] = [await as('alice'), await as('carol')];
    for (const guardian of ['carol', carol.subject ?? '', 'nobody']) {
      for (const work of [
        () => alice.createAllowance({ ...terms, guardian }),
        () => alice.allowance(guardian, 'carols'),
        () => alice.allowanceCredits(guardian, 'carols'),
        () => alice.allowances(guardian),
        () => alice.editAllowance(guardian, 'carols', { status: 'OFF' }),
        () => alice.deleteAllowance(guardian, 'carols'),
      ])
        expect(await refused(work), `${guardian}: ${String(work)}`).toBe('ACCOUNT_NOT_FOUND');
    }
    expect(await refused(() => alice.createAllowance({ ...terms, guardian: 'alice' }))).toBe('ALLOWANCE.NOT_GUARDIAN');
    expect((await carol.createAllowance({ ...terms, guardian: 'carol' })).guardianId).toBe(carol.subject);
    expect(await refused(() => alice.allowance('alice', 'carols'))).toBe('ALLOWANCE.NOT_FOUND');
  });

  test('as a child sees the allowance that their guardian gives them, and can change nothing of it', async () => {
    const terms = { junior: 'kid', asset: 'USD', amount: 3, frequency: 'DAILY', status: 'ON' } as const;
    await store.tenant.openAccount({ ref: 'kid', guardian: 'alice' });
    await store.tenant.createAllowance({ ...terms, guardian: 'alice' });
    const [kid, alice] = [await as('kid'), await as('alice')];
    for (const guardian of ['alice', alice.subject ?? '']) {
      expect(await kid.allowance(guardian, 'kid')).toMatchObject({ juniorId: kid.subject, amount: 3n });
    }
    for (const guardian of ['carol', 'nobody', 'world', 'kid']) {
      expect(await refused(() => kid.allowance(guardian, 'kid')), guardian).toBe('ACCOUNT_NOT_FOUND');
    }
    expect(await refused(() => kid.allowance('carol', 'carols'))).toBe('ACCOUNT_NOT_FOUND');
    for (const change of [
      () => kid.allowances('alice'),
      () => kid.editAllowance('alice', 'kid', { status: 'OFF' }),
      () => kid.deleteAllowance('alice', 'kid'),
      () => kid.createAllowance({ ...terms, guardian: 'alice' }),
    ]) {
      expect(await refused(change), String(change)).toBe('ACCOUNT_NOT_FOUND');
    }
    // Somebody without a guardian is told no more.
    expect(await refused(async () => (await as('bob')).allowance('alice', 'bob'))).toBe('ACCOUNT_NOT_FOUND');
  });

  test('sees the subscriptions that they pay, and nobody else’s', async () => {
    const terms = { name: 'gold', receiver: 'bob', asset: 'USD', price: 1, charges: 2 } as const;
    const { id: plan } = await store.tenant.createPlan({ ...terms, period: { frequency: 'MONTHLY' } });
    const subscribe = (payer: string) => store.tenant.subscribe({ plan, payer, idempotencyKey: `gold ${payer}` });
    const [hers, theirs] = [await subscribe('alice'), await subscribe('carol')];
    const alice = await as('alice');
    expect((await alice.subscriptions()).map(({ id }) => id)).toEqual([hers.id]);
    expect((await alice.subscriptions({ plan, payer: 'alice' })).map(({ id }) => id)).toEqual([hers.id]);
    expect((await alice.subscription(hers.id)).payerId).toBe(alice.subject);
    const told = (id: string) =>
      alice.subscription(id).catch((error: unknown) => String(error).replace(toTypeId('subscription', id), 'X'));
    expect(await told(theirs.id)).toBe(await told(newId()));
    for (const payer of ['carol', 'nobody']) {
      expect(await refused(() => alice.subscriptions({ payer })), payer).toBe('ACCOUNT_NOT_FOUND');
    }
    expect((await (await as('bob')).subscriptions()).length).toBe(0);
  });

  test('cancels the subscriptions that they pay, and changes nothing else about them', async () => {
    const terms = { name: 'silver', receiver: 'bob', asset: 'USD', price: 1, charges: 2 } as const;
    const { id: plan } = await store.tenant.createPlan({ ...terms, period: { frequency: 'MONTHLY' } });
    const subscribe = (payer: string) =>
      store.tenant.subscribe({ plan, payer, metadata: { note: 'ours' }, idempotencyKey: `silver ${payer}` });
    const [hers, theirs] = [await subscribe('alice'), await subscribe('carol')];
    const alice = await as('alice');
    // The receiver of the charges is no payer either.
    for (const other of [alice, await as('bob')])
      expect(await refused(() => other.cancelSubscription(theirs.id))).toBe('SUBSCRIPTION_NOT_FOUND');
    expect(await store.tenant.subscription(theirs.id)).toMatchObject({ status: 'active' });
    for (const change of [
      () => alice.resumeSubscription(hers.id),
      () => alice.pauseSubscription(hers.id),
      () => alice.changeSubscriptionPlan(hers.id, { plan, idempotencyKey: 'silver to silver' }),
      () => alice.editSubscription(hers.id, { priority: 'high' }),
      () => alice.subscribe({ plan, payer: 'alice', idempotencyKey: 'silver again' }),
    ])
      expect(await refused(change), String(change)).toBe('AUTH_FORBIDDEN');
    const cancelled = await alice.cancelSubscription(hers.id, { reason: 'no longer needed' });
    expect(cancelled).toMatchObject({ status: 'cancelled', metadata: null });
    expect(await store.tenant.payment(hers.lastPaymentId ?? '')).toMatchObject({ status: 'cancelled' });
    expect(await store.tenant.subscription(hers.id)).toMatchObject({ statusReason: 'no longer needed' });
  });

  const GIVEN = new Set(
    (
      'assets defaultAsset account accounts accountWithBalances balances balancesAt statement transfers reservations forecast ' +
      'accountsPage accountsById accountRefs lockPayment lockSubscription payment shownPayment nextAttemptAt payments paymentsPage timeline whyPayment createPayment cancelPayment capturePayment editPayment extendPayment ' +
      'juniors createAllowance allowance allowanceCredits allowances allowancesOf editAllowance deleteAllowance ' +
      'subscription subscriptions subscriptionsPage cancelSubscription ' +
      'from within idempotently inTransaction createPaymentGrouped dryRun'
    ).split(' '),
  );

  test('has no other verb', async () => {
    const alice = await as('alice');
    const verbs = Object.entries(alice).filter(([name, field]) => typeof field === 'function' && !GIVEN.has(name));
    expect(verbs.length).toBeGreaterThan(20);
    const calls = verbs.map(
      ([, verb]) =>
        () =>
          (verb as (...given: unknown[]) => Promise<unknown>)('alice', 'x'),
    );
    const codes = await allRefused(store.owner, store.tenant.id, calls);
    const named = verbs.map(([name], index) => `${name}: ${codes[index]}`);
    expect(named).toEqual(verbs.map(([name]) => `${name}: AUTH_FORBIDDEN`));
    expect(codes).toHaveLength(verbs.length);
  });

  test('within a transaction of somebody else’s is still an end user', async () => {
    const alice = await as('alice');
    await store.db.transaction(async (tx) => {
      const foreign = {
        query: async (text: string, values: unknown[]) => ({ rows: await tx.query(text, values as never) }),
      };
      expect(await refusalOf(alice.within(foreign as never).account('bob'))).toBe('ACCOUNT_NOT_FOUND');
    });
  });
});
