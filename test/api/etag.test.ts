// ETag, If-None-Match and If-Match: a change is made only of the version that its caller has read.
import { beforeAll, describe, expect, test } from 'vitest';
import { UsanceProblem, etagOf } from '../../src/client/index.ts';
import { ROUTES } from '../../src/contract/index.ts';
import { requireVersion, versionOf } from '../../src/contract/versions.ts';
import { showSubscription } from '../../src/contract/resources/subscriptions.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { Refusal } from '../../src/index.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { AUDIENCE, ISSUER, claimsOf, pair, token } from '../access/tokens.ts';
import { key, open, troubles } from '../support/books.ts';
import { advance, after, testTenant } from '../support/test-clock.ts';
import type { Answer } from './api.ts';
import { problemIn } from './problem.ts';
import { useSurfaces } from './surfaces.ts';

const surfaces = useSurfaces();
const { store } = surfaces;
const ORDER = { from: 'ann', to: 'ben', asset: 'USD/2', amount: '10', delay: '1h' };
const made: Record<string, string> = {};

beforeAll(async () => {
  await open(store.tenant, { ann: 100_000, ben: 100_000, cem: 0 });
  const idOf = async (path: string, body: object): Promise<string> => {
    const answer = await store.send(`POST ${path}`, { body });
    expect(answer.status, answer.text).toBe(201);
    return answer.word('id');
  };
  const plan = { name: 'P', receiver: 'cem', asset: 'USD/2', price: '5', period: { frequency: 'MONTHLY' } };
  made['/payments'] = await idOf('/payments', ORDER);
  made['/holds'] = await idOf('/holds', ORDER);
  made['/schedules'] = await idOf('/schedules', {
    ...ORDER,
    delay: undefined,
    rule: { frequency: 'DAILY' },
    zone: 'UTC',
  });
  made['/subscriptions'] = await idOf('/subscriptions', { plan: await idOf('/plans', plan), payer: 'ben' });
  made['/accounts'] = await idOf('/accounts', { ref: 'dan' });
});

const etag = (answer: Answer): string => answer.headers.get('etag') ?? 'none';
const version = (answer: Answer): string => etag(answer).slice(1, 23);
const CHANGES: readonly (readonly [string, string, object])[] = [
  ['/payments', 'PATCH', { metadata: { n: 1 } }],
  ['/holds', 'PATCH', { metadata: { n: 1 } }],
  ['/schedules', 'PATCH', { metadata: { n: 1 } }],
  ['/subscriptions', 'PATCH', { metadata: { n: 1 } }],
  ['/accounts', 'PATCH', { name: 'Dan' }],
];

describe.each(CHANGES)('a resource of %s', (path, method, body) => {
  const at = (): string => `${path}/${made[path]}`;
  // A hold is edited as the payment that it is.
  const change = (): string => `${method} ${at().replace('/holds', '/payments')}`;

  test('has an ETag, and is not sent again while it is the same', async () => {
    const first = await store.send(`GET ${at()}`);
    expect(etag(first)).toMatch(/^"[\w-]{22}-[\w-]{22}"$/);
    for (const known of [etag(first), `W/${etag(first)}`, `"other", ${etag(first)}`, '*']) {
      const again = await store.send(`GET ${at()}`, { headers: { 'if-none-match': known } });
      expect([again.status, again.text, etag(again)], known).toEqual([304, '', etag(first)]);
    }
    const other = await store.send(`GET ${at()}`, { headers: { 'if-none-match': '"other"' } });
    expect([other.status, other.text]).toEqual([200, first.text]);
  });

  test('is changed only in the version that was read', async () => {
    const read = etag(await store.send(`GET ${at()}`));
    const changed = await store.send(change(), { body, headers: { 'if-match': read } });
    expect(changed.status, changed.text).toBe(200);
    expect(version(await store.send(`GET ${at()}`))).toBe(version(changed));
    expect(version(changed)).not.toBe(read.slice(1, 23));
    for (const key of [undefined, null]) {
      const stale = await store.send(change(), {
        body,
        headers: { 'if-match': read },
        ...(key === null ? { key } : {}),
      });
      expect(problemIn(stale)).toMatchObject({ code: 'PRECONDITION_FAILED', param: 'If-Match' });
      expect(stale.text).toContain(version(changed));
    }
    expect(version(await store.send(`GET ${at()}`))).toBe(version(changed));
    // The version that the change answered, another in the list, or any.
    const again = { ...body, ...(path === '/accounts' ? { name: 'Daniel' } : { metadata: { n: 2 } }) };
    const listed = await store.send(change(), {
      body: again,
      headers: { 'if-match': `${read}, ${etag(changed)}` },
      key: null,
    });
    expect(listed.status, listed.text).toBe(200);
    expect((await store.send(change(), { body, headers: { 'if-match': '*' } })).status).toBe(200);
  });

  test('of two changes of one version that come at once, makes one', async () => {
    const read = etag(await store.send(`GET ${at()}`));
    const bodies = [1, 2, 3, 4, 5, 6].map((n) => (path === '/accounts' ? { name: `n${n}` } : { metadata: { at: n } }));
    const answers = await Promise.all(
      bodies.map((each, n) =>
        store.send(change(), { body: each, headers: { 'if-match': read }, ...(n % 2 === 0 ? { key: null } : {}) }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412, 412, 412]);
  });
});

test('an account read again after a deposit is another text of the same version', async () => {
  const before = await store.send('GET /accounts/cem');
  await store.tenant.deposit({ account: 'cem', amount: 5, asset: 'USD', idempotencyKey: key() });
  const after = await store.send('GET /accounts/cem', { headers: { 'if-none-match': etag(before) } });
  expect(after.status).toBe(200);
  expect(version(after)).toBe(version(before));
  const edit = { body: { name: 'Cem' }, headers: { 'if-match': etag(before) } };
  expect((await store.send('PATCH /accounts/cem', edit)).status).toBe(200);
});

test('a payment that settled meanwhile is not cancelled, refunded or retried by a caller that has not seen it', async () => {
  const id = (await store.send('POST /payments', { body: { ...ORDER, delay: undefined } })).word('id');
  const read = etag(await store.send(`GET /payments/${id}`));
  await store.run('processor');
  const stale = { headers: { 'if-match': read } };
  expect(problemIn(await store.send(`POST /payments/${id}/cancel`, stale))).toMatchObject({
    code: 'PRECONDITION_FAILED',
  });
  expect(problemIn(await store.send(`POST /payments/${id}/refund`, { ...stale, body: {} }))).toMatchObject({
    code: 'PRECONDITION_FAILED',
  });
  const fresh = { headers: { 'if-match': etag(await store.send(`GET /payments/${id}`)) } };
  expect((await store.send(`POST /payments/${id}/refund`, { ...fresh, body: { amount: '4' } })).status).toBe(201);
  expect(problemIn(await store.send(`POST /payments/${id}/refund`, { ...fresh, body: { amount: '4' } }))).toMatchObject(
    {
      code: 'PRECONDITION_FAILED',
    },
  );
  expect((await store.send(`GET /payments/${id}`)).get('refunded')).toBe('4');
});

describe('a charge that is paid after If-Match was compared', () => {
  const TERMS = { name: 'P', receiver: 'club', asset: 'USD', price: 5, period: { frequency: 'MONTHLY' } } as const;
  const subscribed = async (tenant: TenantHandle): Promise<string> => {
    await open(tenant, { member: 100, club: 0 });
    const { id: plan } = await tenant.createPlan(TERMS);
    return (await tenant.subscribe({ plan, payer: 'member', idempotencyKey: key() })).id;
  };
  /** The handler of a cancellation with If-Match, in its order, and something between the comparison and the change. */
  const cancelWhile = async (tenant: TenantHandle, id: string, between: () => Promise<unknown>) => {
    const read = versionOf(showSubscription(await tenant.subscription(id)));
    return tenant.inTransaction(async (verbs) => {
      const params = { id: toTypeId('subscription', id) };
      await requireVersion(ROUTES['subscriptions.cancel'], verbs, params, { versions: [read], param: 'If-Match' });
      await between();
      return { read, cancelled: await verbs.cancelSubscription(id) };
    });
  };

  test('goes back until the change is committed: the version that was compared is the one that is changed', async () => {
    // Only its own charge is due then.
    await store.run('processor');
    const id = await subscribed(store.tenant);
    const { cancelled } = await cancelWhile(store.tenant, id, async () => {
      expect(await store.run('processor')).toMatchObject({ settled: 0, deferred: 1 });
    });
    expect(cancelled).toMatchObject({ status: 'cancelled', chargesPaid: 0, paid: 0n });
    expect(await store.tenant.subscription(id)).toMatchObject({ chargesPaid: 0 });
  });

  test('waits with its test clock, and neither waits for the other for ever', async () => {
    const own = await testTenant(store.usance);
    const id = await subscribed(own.tenant);
    let advancing: Promise<unknown> = Promise.resolve();
    const { cancelled } = await cancelWhile(own.tenant, id, async () => {
      advancing = advance(store.usance, own, after(1_000));
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    await advancing;
    expect(cancelled).toMatchObject({ status: 'cancelled', chargesPaid: 0 });
    expect(await own.tenant.subscription(id)).toMatchObject({ chargesPaid: 0 });
    expect(await troubles(store.usance)).toEqual([]);
  });
});

test('a replay is the first answer again, although the resource has changed since', async () => {
  const id = (await store.send('POST /payments', { body: ORDER })).word('id');
  const read = etag(await store.send(`GET /payments/${id}`));
  const request = { body: { metadata: { a: 1 } }, headers: { 'if-match': read }, key: key() };
  const first = await store.send(`PATCH /payments/${id}`, request);
  const again = await store.send(`PATCH /payments/${id}`, request);
  expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
});

test('an ETag that is none, and one with an operation that takes none, is refused before anything happens', async () => {
  const path = `/payments/${made['/payments']}`;
  for (const given of ['x', '"x"', `"${'a'.repeat(22)}" x`])
    expect(
      problemIn(await store.send(`PATCH ${path}`, { body: { metadata: {} }, headers: { 'if-match': given } })),
      given,
    ).toMatchObject({ code: 'PRECONDITION_INVALID', param: 'If-Match' });
  const create = { body: ORDER, headers: { 'if-match': `"${'a'.repeat(22)}"` } };
  expect(problemIn(await store.send('POST /payments', create))).toMatchObject({ code: 'PRECONDITION_INVALID' });
  expect(
    problemIn(await store.send('POST /payments/run-now', { body: { filter: {} }, headers: create.headers })),
  ).toMatchObject({
    code: 'PRECONDITION_INVALID',
  });
});

test('an end user compares what they see', async () => {
  const { signer, jwk } = pair('EdDSA');
  await store.tenant.createTokenIssuer({
    issuer: ISSUER,
    audience: AUDIENCE,
    algorithm: 'EdDSA',
    jwks: { keys: [jwk] },
  });
  const secret = token(signer, claimsOf('ann'));
  const id = (await store.send('POST /holds', { body: ORDER, secret })).word('id');
  const read = etag(await store.send(`GET /holds/${id}`, { secret }));
  const seenByKey = etag(await store.send(`GET /holds/${id}`));
  const edit = (ifMatch: string) =>
    store.send(`PATCH /payments/${id}`, { body: { amount: '7' }, secret, headers: { 'if-match': ifMatch } });
  expect((await edit(read)).status).toBe(200);
  expect((await edit(seenByKey)).status).toBe(412);
  const theirs = await store.send('POST /holds', { body: { ...ORDER, from: 'ben', to: 'cem' } });
  expect(
    problemIn(await store.send(`POST /holds/${theirs.word('id')}/cancel`, { secret, headers: { 'if-match': read } })),
  ).toMatchObject({ code: 'PAYMENT_NOT_FOUND' });
});

test('the client and the library know the ETag of what they read, and take it as ifMatch', async () => {
  // Their signatures are the same but for the options.
  for (const source of [surfaces.client, surfaces.library as unknown as typeof surfaces.client]) {
    const { id } = await source.payments.create(ORDER, { idempotencyKey: key() });
    const read = await source.payments.get(id);
    const ifMatch = etagOf(read);
    expect(() => etagOf({ ...read })).toThrow('this object has no ETag');
    expect(Object.keys(read)).not.toContain('etag');
    const changed = await source.payments.update(id, { metadata: { n: 1 } }, { ifMatch });
    const error = await source.payments.cancel(id, {}, { ifMatch }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error instanceof UsanceProblem || error instanceof Refusal).toBe(true);
    expect(error).toMatchObject({ code: 'PRECONDITION_FAILED' });
    const cancelled = await source.payments.cancel(id, {}, { ifMatch: etagOf(changed) });
    expect(cancelled.status).toBe('cancelled');
    await expect(source.payments.create(ORDER, { idempotencyKey: key(), ifMatch })).rejects.toMatchObject({
      code: 'PRECONDITION_INVALID',
    });
  }
});

test('a change whose ifMatch is undefined is refused, and etagOf throws for an object without an ETag', async () => {
  for (const source of [surfaces.client, surfaces.library as unknown as typeof surfaces.client]) {
    const created = await source.payments.create(ORDER, { idempotencyKey: key() });
    const { data } = await source.payments.list({ limit: 1 }).page();
    for (const without of [created, data[0] ?? expect.fail('no payment'), { id: created.id }])
      expect(() => etagOf(without)).toThrow('read the resource with `get`');
    for (const ifMatch of [undefined, null]) {
      const options = { ifMatch } as unknown as { ifMatch: string };
      await expect(source.payments.update(created.id, { metadata: { v: 'mine' } }, options)).rejects.toThrow(
        /^ifMatch must be an ETag/,
      );
      await expect(source.payments.cancel(created.id, {}, { ...options, dryRun: true })).rejects.toThrow('ifMatch');
    }
    expect((await source.payments.get(created.id)).metadata).toBeNull();
  }
});
