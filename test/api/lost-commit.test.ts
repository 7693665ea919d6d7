// The wire between the API and its database is cut while it commits, or altogether.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../../src/api/index.ts';
import { createApi } from '../../src/api/index.ts';
import type { Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { held, open, troubles } from '../support/books.ts';
import type { Proxy } from '../support/proxy.ts';
import { startProxy } from '../support/proxy.ts';
import { useUsance } from '../support/database.ts';
import type { Answer } from './api.ts';
import { freshKey, sendTo } from './api.ts';
import { problemIn } from './problem.ts';

describe('an API whose database goes away', () => {
  const store = useUsance();
  const state: { proxy?: Proxy; usance?: Engine; api?: Api; url?: string; secret?: string } = {};
  beforeAll(async () => {
    await open(store.tenant, { alice: 1_000, bob: 0 });
    state.secret = (await store.tenant.createApiKey({ name: 'test', role: 'admin' })).secret;
    state.proxy = await startProxy(store.runtimeUrl);
    state.usance = await createEngine({ databaseUrl: state.proxy.url, migrate: false });
    state.api = createApi(state.usance, { host: '127.0.0.1', port: 0 });
    state.url = (await state.api.listen()).url;
  });
  afterAll(async () => {
    await state.api?.close();
    await state.usance?.close();
    await state.proxy?.close();
  });
  const send = (request: string, key: string, body: object): Promise<Answer> =>
    sendTo(state.url ?? '', state.secret ?? '', request, { key, body });
  const proxy = (): Proxy => state.proxy ?? expect.unreachable();

  test.each([
    ['hold', 'before', 'POST /holds', { from: 'alice', to: 'bob', amount: 10, asset: 'USD', delay: '1h' }, [990n, 10n]],
    ['hold', 'after', 'POST /holds', { from: 'alice', to: 'bob', amount: 10, asset: 'USD', delay: '1h' }, [980n, 20n]],
    ['deposit', 'before', 'POST /accounts/alice/deposit', { amount: 5, asset: 'USD' }, [985n, 20n]],
    ['deposit', 'after', 'POST /accounts/alice/deposit', { amount: 5, asset: 'USD' }, [990n, 20n]],
  ] as const)('makes one %s, the wire cut %s the commit', async (_what, when, request, body, balance) => {
    const key = freshKey();
    await send('PATCH /accounts/bob', freshKey(), { name: 'warm' });
    const cut = proxy().cutAtCommit(when);
    const answer = await send(request, key, body);
    await cut;
    expect(answer.status, answer.text).toBe(201);
    expect((await send(request, key, body)).text).toBe(answer.text);
    expect(await held(store.tenant, 'alice')).toEqual(balance);
  });

  test('answers that it is unavailable, and turns /ready red', async () => {
    await proxy().close();
    const answer = await send('POST /accounts', freshKey(), { ref: 'carol' });
    expect(problemIn(answer)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONN|postgres/);
    expect((await fetch(`${state.url}/ready`)).status).toBe(503);
    expect((await fetch(`${state.url}/health`)).status).toBe(200);
    expect(await troubles(store.usance)).toEqual([]);
  });
});
