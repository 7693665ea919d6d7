// One key → one fingerprint → one result, whatever happens to the wire.
import { beforeAll, describe, expect, test } from 'vitest';
import type { EngineOptions } from '../../src/engine.ts';
import { held, open, troubles } from '../support/books.ts';
import { gate } from '../support/gate.ts';
import type { Answer } from './api.ts';
import { freshKey, useApi } from './api.ts';
import { problemIn } from './problem.ts';

describe('an idempotency key', () => {
  // Called before the next COMMIT of the engine, once.
  let atCommit: (() => Promise<void>) | null = null;
  const onStatement: EngineOptions['onStatement'] = async (text) => {
    const called = text === 'commit' ? atCommit : null;
    if (called) atCommit = null;
    await called?.();
  };
  const store = useApi({ usance: { onStatement } });
  beforeAll(() => open(store.tenant, { alice: 100_000, bob: 0 }));

  const order = { from: 'alice', to: 'bob', amount: 1, asset: 'USD', delay: '1h' };
  const hold = (key: string | null, change: object = {}, signal?: AbortSignal): Promise<Answer> =>
    store.send('POST /holds', { key, body: { ...order, ...change }, ...(signal ? { signal } : {}) });
  const deposit = (key: string, amount = 5): Promise<Answer> =>
    store.send('POST /accounts/bob/deposit', { key, body: { amount, asset: 'USD' } });
  const count = async (table: string): Promise<number> =>
    Number((await store.owner.query(`select count(*) as n from usance.${table}`))[0]?.['n']);

  test.each(['POST /holds', 'POST /payments', 'POST /payments/bulk', 'POST /accounts/bob/deposit'])(
    'is required by %s',
    async (request) => {
      expect(problemIn(await store.send(request, { key: null, body: {} }))).toMatchObject({
        code: 'IDEMPOTENCY_KEY_MISSING',
        param: 'Idempotency-Key',
      });
      expect(problemIn(await store.send(request, { key: 'x'.repeat(256), body: {} }))).toMatchObject({
        code: 'IDEMPOTENCY_KEY_INVALID',
      });
    },
  );

  test('used again gives the first answer, to the byte', async () => {
    const key = freshKey();
    const first = await hold(key, { metadata: { z: 1, a: [null, 'ü'], 7: true } });
    const again = await hold(key, { metadata: { z: 1, a: [null, 'ü'], 7: true } });
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    // Written in another order it is the same request; the answer stays the first one although time has passed.
    await store.send(`POST /holds/${first.word('id')}/cancel`);
    const other = {
      delay: '1h',
      amount: 1,
      asset: 'USD',
      to: 'bob',
      from: 'alice',
      metadata: { 7: true, z: 1, a: [null, 'ü'] },
    };
    expect((await store.send('POST /holds', { key, body: other })).text).toBe(first.text);
  });

  test('used for another body, path or method is refused', async () => {
    const key = freshKey();
    await hold(key);
    for (const refused of [
      () => hold(key, { amount: 2 }),
      () => store.send('POST /payments', { key, body: order }),
      () => deposit(key),
      () => store.send('PATCH /accounts/bob', { key, body: { name: 'Bob' } }),
    ]) {
      expect(problemIn(await refused())).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    }
  });

  test('belongs to who sent it', async () => {
    const key = freshKey();
    const { secret } = await store.tenant.createApiKey({ name: 'other', role: 'admin' });
    const mine = await hold(key);
    const theirs = await store.send('POST /holds', { key, secret, body: order });
    expect(theirs.status).toBe(201);
    expect(theirs.get('id')).not.toBe(mine.get('id'));
  });

  test('of a refusal is free: only what was done is remembered', async () => {
    const key = freshKey();
    expect(problemIn(await hold(key, { from: 'bob', to: 'alice', amount: 40 }))).toMatchObject({
      code: 'FUNDS_INSUFFICIENT',
    });
    await deposit(freshKey(), 40);
    const now = await hold(key, { from: 'bob', to: 'alice', amount: 40 });
    expect(now.status).toBe(201);
    expect(now.headers.get('idempotent-replayed')).toBeNull();
  });

  test('sent 50 times at once makes one payment, and 50 equal answers', async () => {
    const before = await count('payments');
    const key = freshKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => hold(key)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await count('payments')).toBe(before + 1);
  });

  test('sent 50 times at once moves money once: the others get IDEMPOTENCY_RUNNING or the first response', async () => {
    const [before, transfers] = [await held(store.tenant, 'bob'), await count('transfers')];
    const key = freshKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => deposit(key, 7)));
    const done = answers.filter((answer) => answer.status === 201);
    expect(new Set(done.map((answer) => answer.text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(problemIn(answer).code).toBe('IDEMPOTENCY_RUNNING');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect((await deposit(key, 7)).text).toBe(done[0]?.text);
    expect(await count('transfers')).toBe(transfers + 1);
    expect(await held(store.tenant, 'bob')).toEqual([before[0] + 7n, before[1]]);
  });

  test('of a request that is still running is refused for now', async () => {
    const key = freshKey();
    const [reached, release] = [gate(), gate()];
    atCommit = async () => {
      reached.open();
      await release.passed;
    };
    const first = deposit(key);
    await reached.passed;
    expect(problemIn(await deposit(key))).toMatchObject({ code: 'IDEMPOTENCY_RUNNING' });
    release.open();
    const { text } = await first;
    expect((await deposit(key)).text).toBe(text);
  });

  test.each(['hold', 'deposit'] as const)('finds a %s again whose answer never arrived', async (what) => {
    const key = freshKey();
    const [table, send] = what === 'hold' ? (['payments', hold] as const) : (['transfers', deposit] as const);
    const before = await count(table);
    const gone = new AbortController();
    atCommit = async () => gone.abort();
    const lost = store.send(what === 'hold' ? 'POST /holds' : 'POST /accounts/bob/deposit', {
      key,
      body: what === 'hold' ? order : { amount: 5, asset: 'USD' },
      signal: gone.signal,
    });
    await expect(lost).rejects.toThrow(/abort/i);
    await expect.poll(() => count(table)).toBe(before + 1);
    const found = await send(key);
    expect(found.status).toBe(201);
    expect(found.headers.get('idempotent-replayed')).toBe('true');
    expect(await count(table)).toBe(before + 1);
  });

  test('is taken by changes that do not need one', async () => {
    const key = freshKey();
    const body = { ref: 'dora' };
    const first = await store.send('POST /accounts', { key, body });
    expect(first.status).toBe(201);
    expect((await store.send('POST /accounts', { key, body })).text).toBe(first.text);
    expect(problemIn(await store.send('POST /accounts', { key: null, body }))).toMatchObject({
      code: 'ACCOUNT_EXISTS',
    });
  });

  test('never remembers a secret', async () => {
    const key = freshKey();
    const send = (): Promise<Answer> =>
      store.send('POST /api-keys', { key, body: { name: 'checkout', role: 'viewer' } });
    const first = await send();
    expect(first.word('secret')).toMatch(/^usk_/);
    expect((await store.send('GET /assets', { secret: first.word('secret') })).status).toBe(200);
    const again = await send();
    expect(again.body).toEqual({ ...(first.body as object), secret: null });
    const kept = await store.owner.query(`select answer from usance.idempotency_keys where answer like '%usk\\_%'`);
    expect(kept.filter((row) => String(row['answer']).includes(first.word('secret')))).toEqual([]);
  });

  test('leaves the books right', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
