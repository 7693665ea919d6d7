import { describe, expect, test, vi } from 'vitest';
import { createApi, ROUTES } from '../../src/api/index.ts';
import { createIdentify } from '../../src/api/auth.ts';
import type { Authenticated } from '../../src/engine.ts';
import { requireScopes } from '../../src/api/server.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { open } from '../support/books.ts';
import { sendTo, useApi } from './api.ts';
import { problemIn } from './problem.ts';

describe('the caller of a request', () => {
  const store = useApi();
  const newKeyOf = (role: 'viewer') => store.tenant.createApiKey({ name: 'short-lived', role });
  const newKey = async (): Promise<{ id: string; secret: string }> => {
    const { key, secret } = await store.tenant.createApiKey({ name: 'short-lived', role: 'admin' });
    return { id: key.id, secret };
  };

  test('must authenticate', async () => {
    const answer = await store.send('GET /assets', { secret: null });
    expect(problemIn(answer)).toMatchObject({ code: 'AUTH_REQUIRED', param: 'Authorization' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test.each([
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['a key that is none', `Bearer ${'x'.repeat(40)}`],
    ['a short one', 'Bearer x'],
    ['two words', 'Bearer one two'],
    ['nothing', 'Bearer '],
  ])('must have a key, not %s', async (_title, authorization) => {
    const answer = await store.send('GET /assets', { secret: null, headers: { authorization } });
    expect(problemIn(answer)).toMatchObject({ code: 'AUTH_INVALID' });
  });

  test('is authenticated before the body is read', async () => {
    const answer = await store.send('POST /holds', { secret: 'x'.repeat(40), body: '{"from' });
    expect(problemIn(answer)).toMatchObject({ code: 'AUTH_INVALID' });
  });

  test('is cached for a few seconds only: a revoked key is refused within five', async () => {
    const { id, secret } = await newKey();
    expect((await store.send('GET /assets', { secret })).status).toBe(200);
    await store.owner.query('update usance.api_keys set revoked_at = now() where id = $1::uuid', [id]);
    const start = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => start + 5_000);
    const answer = await store.send('GET /assets', { secret });
    clock.mockRestore();
    expect(problemIn(answer)).toMatchObject({ code: 'AUTH_INVALID' });
  });

  test('is refused with an expired key', async () => {
    const { id, secret } = await newKey();
    await store.owner.query(`update usance.api_keys set expires_at = now() - interval '1 second' where id = $1::uuid`, [
      id,
    ]);
    expect(problemIn(await store.send('GET /assets', { secret }))).toMatchObject({ code: 'AUTH_INVALID' });
  });

  test('needs the scope of the route; a refusal names the missing one', async () => {
    const { secret } = await store.tenant.createApiKey({ name: 'reader', role: 'viewer' });
    expect((await store.send('GET /assets', { secret })).status).toBe(200);
    const answer = await store.send('POST /holds', { secret, body: '{"from' });
    expect(problemIn(answer)).toMatchObject({
      code: 'AUTH_SCOPE_MISSING',
      detail: 'this operation requires the scope payments:write, which your key lacks',
    });
  });

  test('is not believed beyond the end of its key', async () => {
    const found = { ...(await store.usance.authenticate(store.secret)), validForMs: 500 } as Authenticated;
    let asked = 0;
    const identify = createIdentify(async () => ((asked += 1), found));
    const start = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => start);
    const ask = async (ms: number): Promise<number> => {
      clock.mockImplementation(() => start + ms);
      await identify('Bearer the-same-key-each-time');
      return asked;
    };
    const counts = [await ask(0), await ask(499), await ask(500), await ask(999)];
    clock.mockRestore();
    expect(counts).toEqual([1, 1, 2, 2]);
  });

  test('leaves a note when its key was used, which no request waits for', async () => {
    const { key, secret } = await newKeyOf('viewer');
    const api = createApi(store.usance, { host: '127.0.0.1', port: 0 });
    const { url } = await api.listen();
    expect((await sendTo(url, secret, 'GET /assets', {})).status).toBe(200);
    const lastUsed = async (): Promise<unknown> => {
      const keys = (await store.send('GET /api-keys')).list('data') as { id: string; last_used_at: unknown }[];
      return keys.find(({ id }) => id === toTypeId('apiKey', key.id))?.last_used_at;
    };
    expect(await lastUsed()).toBeNull();
    await api.close();
    expect(await lastUsed()).toEqual(expect.any(String));
  });

  test('sees nothing of another tenant', async () => {
    await open(store.tenant, { alice: 100, bob: 0 });
    const hold = await store.send('POST /holds', { body: { from: 'alice', to: 'bob', amount: 1, asset: 'USD' } });
    const account = (await store.send('GET /accounts/alice')).word('id');
    const other = await store.usance.createTenant({ name: 'other' });
    const { secret } = await other.createApiKey({ name: 'theirs', role: 'admin' });
    await other.createAsset('USD/2');
    await store.run('sequencer');

    const refusals = [
      'GET /accounts/alice',
      `GET /accounts/${account}`,
      `GET /accounts/${account}/transfers`,
      `GET /holds/${hold.word('id')}`,
      `GET /holds/${hold.word('id')}/events`,
      `GET /payments/${hold.word('id')}/timeline`,
      `GET /payments/${hold.word('id')}/why`,
      `POST /holds/${hold.word('id')}/cancel`,
      `POST /payments/${hold.word('id')}/run-now`,
    ];
    for (const request of refusals) {
      expect(problemIn(await store.send(request, { secret })).code, request).toMatch(/^(ACCOUNT|PAYMENT)_NOT_FOUND$/);
    }
    expect((await store.send('GET /holds', { secret })).list('data')).toEqual([]);
    const told = (await store.send('GET /events', { secret })).list('data');
    expect(told).toMatchObject([{ type: 'tenant.created' }, { type: 'api_key.created' }, { type: 'asset.created' }]);
    const refs = (await store.send('GET /accounts', { secret })).list('data');
    expect(refs).toMatchObject([{ ref: 'world' }, { ref: 'fees' }, { ref: 'suspense' }]);
  });

  test('is not told on anywhere', async () => {
    const { secret } = store;
    const told = [
      await store.send('GET /assets'),
      await store.send('GET /nothing'),
      await store.send('POST /holds', { body: {} }),
      await store.fetch('/docs'),
      await store.fetch('/ready'),
    ];
    for (const answer of told) expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(secret);
  });
});

test('a route without a scope, or with an unknown one, is not served', () => {
  expect(() => requireScopes(ROUTES)).not.toThrow();
  expect(() => requireScopes({ ...ROUTES, newRoute: {} })).toThrow('the route newRoute asks for no scope');
  expect(() => requireScopes({ newRoute: { scope: 'toString' } })).toThrow('the route newRoute asks for toString');
});
