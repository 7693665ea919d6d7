// Refs beside ids, and accounts beside them with `expand`: over HTTP, in the client and in the library.
import { beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/contract/index.ts';
import type { Route } from '../../src/contract/index.ts';
import { walletKey } from '../../src/rails/index.ts';
import { libraryOf } from '../../src/library/usance.ts';
import { AUDIENCE, ISSUER, claimsOf, pair, token } from '../access/tokens.ts';
import { key, open } from '../support/books.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';
import { all, useSurfaces } from './surfaces.ts';

const surfaces = useSurfaces();
const { store } = surfaces;
const ORDER = { from: 'ann', to: 'ben', asset: 'USD/2', amount: '10', delay: '1h' };
const PAYOUT = { from: 'ann', rail: 'sandbox', asset: 'USDC/6', destination: walletKey('payee').address };
const LEGS = {
  from: 'ann',
  legs: [
    { to: 'ben', amount: '6' },
    { to: 'cem', amount: '4' },
  ],
  asset: 'USD/2',
  amount: '10',
};
const state = { user: '' };

beforeAll(async () => {
  await open(store.tenant, { ann: 100_000, ben: 100_000, cem: 0 });
  const { signer, jwk } = pair('EdDSA');
  await store.tenant.createTokenIssuer({
    issuer: ISSUER,
    audience: AUDIENCE,
    algorithm: 'EdDSA',
    jwks: { keys: [jwk] },
  });
  state.user = token(signer, claimsOf('ann'));
});

type Node = Readonly<Record<string, unknown>>;
/** Every object of an answer that shows ids of accounts, with the names of its fields. */
function* objectsWithAccounts(schema: Node, path: string): Generator<[string, string, readonly string[]]> {
  const properties = (schema['properties'] ?? {}) as Record<string, Node>;
  for (const [name, field] of Object.entries(properties)) {
    const parts = [field, field['items'] as Node | undefined, ...((field['anyOf'] as Node[] | undefined) ?? [])];
    if (name !== 'id' && parts.some((part) => part?.['x-id'] === 'account'))
      yield [path, name, Object.keys(properties)];
    yield* objectsWithAccounts(field, `${path}.${name}`);
  }
  if (schema['items']) yield* objectsWithAccounts(schema['items'] as Node, path);
  for (const branch of (schema['anyOf'] as Node[] | undefined) ?? []) yield* objectsWithAccounts(branch, path);
}

test('every object of an answer that shows the id of an account has its ref beside it', () => {
  const found = Object.entries(ROUTES).flatMap(([name, route]) => [
    ...objectsWithAccounts((route as Route).answer as unknown as Node, name),
  ]);
  expect(found.length).toBeGreaterThan(50);
  for (const [path, field, names] of found) {
    const refs = [`${field}_ref`, `${field.replace(/_id$/, '')}_ref`, `${field.replace(/s$/, '')}_refs`];
    expect(
      refs.some((ref) => names.includes(ref)),
      `${path}.${field}`,
    ).toBe(true);
  }
});

describe('a payment shows refs', () => {
  const REFS = { from_ref: 'ann', to_ref: 'ben', legs: [{ to_ref: 'ben' }] };
  const SPLIT = { from_ref: 'ann', to: null, to_ref: null, legs: [{ to_ref: 'ben' }, { to_ref: 'cem' }] };

  test('when it is created, replayed, read, listed and changed', async () => {
    const request = { body: ORDER, key: key() };
    const made = await store.send('POST /payments', request);
    expect(made.body).toMatchObject(REFS);
    expect((await store.send('POST /payments', request)).text).toBe(made.text);
    const id = made.word('id');
    expect((await store.send('POST /payments', { body: { ...ORDER, ...LEGS, to: undefined } })).body).toMatchObject(
      SPLIT,
    );
    expect((await store.send('POST /holds', { body: ORDER })).body).toMatchObject(REFS);
    expect((await store.send(`GET /payments/${id}`)).body).toMatchObject(REFS);
    expect((await store.send('GET /payments')).list('data')).toMatchObject([REFS, SPLIT, REFS]);
    expect((await store.send(`POST /payments/${id}/capture`, { body: {} })).body).toMatchObject(REFS);
    const refund = await store.send(`POST /payments/${id}/refund`, { body: {} });
    expect(refund.body).toMatchObject({ payment: REFS, refunds: [{ from_ref: 'ben' }] });
  });

  test.each(['live', 'test'] as const)('of a payout of a %s tenant: it is paid to world', async (kind) => {
    const tenant = await store.usance.createTenant({ name: `payouts-${kind}`, kind });
    if (kind === 'test') await tenant.createTestClock({ name: 'payouts', now: '2030-01-01T00:00:00Z' });
    await tenant.createAsset(PAYOUT.asset);
    await open(tenant, { ann: 100_000_000 }, PAYOUT.asset);
    const { secret } = await tenant.createApiKey({ name: 'payouts', role: 'admin' });
    await store.usance.loops.find(({ name }) => name === 'health')?.runOnce();
    const library = await libraryOf(store.usance, { closes: false }).tenant(tenant.name);
    const TO_WORLD = { from_ref: 'ann', to_ref: 'world', legs: [{ to_ref: 'world' }] };
    const byAny = { rail: 'any', destination: undefined, destinations: { sandbox: PAYOUT.destination } };
    for (const order of [
      { ...PAYOUT, amount: '1000000', delay: '1h' },
      { ...PAYOUT, ...byAny, amount: '1000000', delay: '1h' },
    ]) {
      const request = { body: order, key: key(), secret };
      const made = await store.send('POST /payments', request);
      expect(made.body).toMatchObject(TO_WORLD);
      const replayed = await store.send('POST /payments', request);
      expect([replayed.text, replayed.headers.get('idempotent-replayed')]).toEqual([made.text, 'true']);
      const { next_attempt_at, ...read } = (await store.send(`GET /payments/${made.word('id')}`, { secret }))
        .body as Node;
      expect(next_attempt_at).toBe(made.get('execute_at'));
      expect(read).toEqual(made.body);
      const shown = await library.payments.get(made.word('id'));
      expect(shown).toMatchObject({ fromRef: 'ann', toRef: 'world', legs: [{ toRef: 'world' }] });
    }
    const payments = [
      { ...PAYOUT, amount: '1000000', delay: '1h' },
      { ...PAYOUT, amount: '2000000', delay: '1h' },
    ];
    const bulk = await store.send('POST /payments/bulk', { body: { payments }, secret });
    for (const id of bulk.list('data').map((_, index) => bulk.word(`data.${index}.id`)))
      expect((await store.send(`GET /payments/${id}`, { secret })).body).toMatchObject(TO_WORLD);
    const quote = await store.send('POST /quotes', {
      body: { asset: PAYOUT.asset, amount: '1000000', destinations: { sandbox: PAYOUT.destination } },
      secret,
    });
    const accepted = await store.send(`POST /quotes/${quote.word('id')}/accept`, { body: { from: 'ann' }, secret });
    expect(accepted.body).toMatchObject(TO_WORLD);
  });

  test('named by id, and in the client and the library', async () => {
    const [from, to] = [
      (await surfaces.library.accounts.get('ann')).id,
      (await surfaces.library.accounts.get('ben')).id,
    ];
    const { client, library } = surfaces;
    const order = { ...ORDER, from, to };
    for (const [source, create] of [
      [client, () => client.payments.create(order, { idempotencyKey: key() })],
      [library, () => library.payments.create(order, { idempotencyKey: key() })],
    ] as const) {
      const made = await create();
      expect(made).toMatchObject({ from, fromRef: 'ann', to, toRef: 'ben' });
      expect(await source.payments.get(made.id)).toMatchObject({ fromRef: 'ann', legs: [{ toRef: 'ben' }] });
    }
  });

  test('of a test tenant, in the transaction of the create', async () => {
    const tenant = await store.usance.createTenant({ name: 'lab', kind: 'test' });
    await tenant.createTestClock({ name: 'lab', now: '2030-01-01T00:00:00Z' });
    await tenant.createAsset('USD/2');
    await open(tenant, { ann: 1_000, ben: 0 });
    const { secret } = await tenant.createApiKey({ name: 'lab', role: 'admin' });
    expect((await store.send('POST /payments', { body: ORDER, secret })).body).toMatchObject(REFS);
  });

  test('to an end user their own only', async () => {
    const secret = state.user;
    const made = await store.send('POST /holds', { body: ORDER, secret });
    expect(made.status, made.text).toBe(201);
    const seen = { from_ref: 'ann', to_ref: null, legs: [{ to_ref: null }] };
    expect(made.body).toMatchObject(seen);
    const got = await store.send(`GET /payments/${made.word('id')}?expand=from,to`, { secret });
    expect(got.body).toMatchObject({ ...seen, from_account: { ref: 'ann' }, to_account: null });
    const incoming = await store.send('POST /payments', { body: { ...ORDER, from: 'ben', to: 'ann' } });
    expect((await store.send(`GET /payments/${incoming.word('id')}`, { secret })).body).toMatchObject({
      from_ref: null,
      to_ref: 'ann',
    });
  });
});

test('schedules, plans, subscriptions, allowances, limits, guardians, transfers and statements show refs', async () => {
  const schedule = await store.send('POST /schedules', {
    body: { ...ORDER, delay: undefined, rule: { frequency: 'DAILY' }, zone: 'UTC' },
  });
  expect(schedule.body).toMatchObject({ from_ref: 'ann', to_ref: 'ben', legs: [{ to_ref: 'ben' }] });
  const plan = await store.send('POST /plans', {
    body: { name: 'P', receiver: 'cem', asset: 'USD/2', price: '5', period: { frequency: 'MONTHLY' } },
  });
  expect(plan.body).toMatchObject({ receiver_ref: 'cem' });
  const subscription = await store.send('POST /subscriptions', { body: { plan: plan.get('id'), payer: 'ben' } });
  expect(subscription.body).toMatchObject({ payer_ref: 'ben', receiver_ref: 'cem' });
  const child = await store.send('POST /accounts', { body: { ref: 'tim', guardians: ['ann', 'ben'] } });
  expect(child.body).toMatchObject({ ref: 'tim', guardian_ref: 'ann', guardian_refs: ['ann', 'ben'] });
  const allowance = await store.send('POST /guardians/ann/allowances/tim', {
    body: { amount: '5', asset: 'USD/2', frequency: 'WEEKLY', status: 'ON' },
  });
  expect(allowance.body).toMatchObject({ guardian_ref: 'ann', junior_ref: 'tim' });
  await store.send('POST /limits', { body: { account: 'ann', asset: 'USD/2', daily_amount: '100000' } });
  expect((await store.send('GET /limits')).list('data')).toMatchObject([{ account_ref: 'ann' }]);
  const transfers = (await store.send('GET /accounts/ann/transfers')).list('data');
  expect(transfers).toContainEqual(expect.objectContaining({ from_ref: 'world', to_ref: 'ann' }));
});

describe('expand', () => {
  test('shows the account beside its id, in reads of payments, holds, schedules and subscriptions', async () => {
    const id = (await store.send('POST /payments', { body: { ...ORDER, ...LEGS, to: undefined } })).word('id');
    const both = {
      from_account: { ref: 'ann', kind: 'user' },
      legs: [{ to_account: { ref: 'ben' } }, { to_account: { ref: 'cem' } }],
    };
    for (const query of [
      'expand=from,to',
      'expand=from&expand=to',
      'expand[]=from&expand[]=to',
      'expand%5B%5D=from,to',
    ])
      expect((await store.send(`GET /payments/${id}?${query}`)).body, query).toMatchObject(both);
    expect((await store.send(`GET /holds/${id}?expand=from,to`)).body).toMatchObject(both);
    const from = await store.send(`GET /payments/${id}?expand=from`);
    expect(from.body).toMatchObject({ from_account: { ref: 'ann' } });
    expect(from.text).not.toContain('to_account');
    expect((await store.send(`GET /payments/${id}`)).text).not.toContain('_account');
    expect((await store.send('GET /payments?expand=from&limit=2')).list('data')).toMatchObject([
      { from_account: { ref: 'ann' } },
      { from_account: { ref: expect.any(String) } },
    ]);
    const schedules = await store.send('GET /schedules?expand=to');
    expect(schedules.list('data')[0]).toMatchObject({
      to_account: expect.objectContaining({ ref: expect.any(String) }),
    });
    const subscriptions = await store.send('GET /subscriptions?expand=payer,receiver');
    expect(subscriptions.list('data')).toMatchObject([
      { payer_account: { ref: 'ben' }, receiver_account: { ref: 'cem' } },
    ]);
  });

  test('is typed in the client and the library', async () => {
    for (const source of [surfaces.client, surfaces.library]) {
      const [payment] = await all(source.payments.list({ expand: ['from', 'to'], limit: 1 }));
      expect(payment?.fromAccount?.ref).toBe(payment?.fromRef);
      const one = await source.payments.get(payment?.id ?? '', { expand: 'from' });
      expect(one.fromAccount?.id).toBe(one.from);
      const [subscription] = await all(source.subscriptions.list({ expand: 'payer' }));
      expect(subscription?.payerAccount?.ref).toBe('ben');
    }
  });

  test('shows the refs of the guardians of an account that it shows', async () => {
    const id = (await store.send('POST /payments', { body: { ...ORDER, to: 'tim' } })).word('id');
    expect((await store.send(`GET /payments/${id}?expand=to`)).body).toMatchObject({
      to_account: { ref: 'tim', guardian_ref: 'ann', guardian_refs: ['ann', 'ben'] },
    });
  });

  test('takes only fields that there are, and the scope to read accounts', async () => {
    expect(problemIn(await store.send('GET /payments?expand=payer'))).toMatchObject({ code: 'FIELD_INVALID' });
    expect(problemIn(await store.send('GET /plans?expand=receiver'))).toMatchObject({ code: 'FIELD_UNKNOWN' });
    const { secret } = await store.tenant.createApiKey({ name: 'reader', scopes: ['payments:read'] });
    expect((await store.send('GET /payments', { secret })).status).toBe(200);
    expect(problemIn(await store.send('GET /payments?expand=from', { secret }))).toMatchObject({
      code: 'AUTH_SCOPE_MISSING',
    });
  });
});

describe('refs that cost no statement', () => {
  const statements: string[] = [];
  const counted = useApi({ usance: { onStatement: (text: string) => void statements.push(text) } });
  const during = async (work: () => Promise<unknown>): Promise<number> => {
    const before = statements.length;
    await work();
    return statements.length - before;
  };
  test('are those of a payment, a hold and a page of them', async () => {
    await open(counted.tenant, { cat: 1_000, dan: 0 });
    const body = { ...ORDER, from: 'cat', to: 'dan' };
    const { id } = (await counted.send('POST /holds', { body })).body as { id: string };
    for (const path of [`/payments/${id}`, `/holds/${id}`, '/payments', '/holds?account=cat']) {
      // The first request reads the key.
      await counted.send(`GET ${path}`);
      const heard = await counted.send(`GET ${path}`);
      expect(heard.text, path).toContain('"from_ref":"cat"');
      expect(heard.text, path).toContain('"to_ref":"dan"');
      expect(await during(() => counted.send(`GET ${path}`)), path).toBe(path.includes('account=') ? 2 : 1);
    }
  });
  test('are those of a create', async () => {
    await open(counted.tenant, { ann: 1_000, ben: 0 });
    await counted.send('POST /holds', { body: ORDER });
    const shown = await during(() => counted.send('POST /holds', { body: ORDER }));
    const order = { ...ORDER, funding: 'reserve' as const };
    const bare = await during(() =>
      counted.tenant.createPaymentGrouped({ key: key(), fingerprint: 'x' }, order, ({ id }) => id),
    );
    expect(bare).toBeGreaterThan(3);
    expect(shown).toBe(bare);
  });
});
