import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { open } from '../support/books.ts';
import { gate } from '../support/gate.ts';
import type { Answer } from './api.ts';
import { freshKey, sendTo, useApi } from './api.ts';

describe('closing', () => {
  let atCommit: (() => Promise<void>) | null = null;
  const store = useApi({
    usance: {
      onStatement: async (text) => {
        const called = text === 'commit' ? atCommit : null;
        if (called) atCommit = null;
        await called?.();
      },
    },
  });
  beforeAll(() => open(store.tenant, { alice: 100, bob: 0 }));

  const deposit = (url: string, key = freshKey(), to = 'alice'): Promise<Answer> =>
    sendTo(url, store.secret, `POST /accounts/${to}/deposit`, { key, body: { amount: 1, asset: 'USD' } });
  const held = (): { reached: Promise<void>; release: () => void } => {
    const [reached, released] = [gate(), gate()];
    atCommit = async () => {
      reached.open();
      await released.passed;
    };
    return { reached: reached.passed, release: released.open };
  };

  /** A while that lasts until it is ended by hand: no machine is too slow for it. */
  const aWhile = (ms: number): { end: () => void } => {
    const { setTimeout } = globalThis;
    const over = gate();
    const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ...rest: number[]) => {
      if (rest[0] !== ms) return setTimeout(work, ...rest);
      void over.passed.then(work);
      return setTimeout(() => undefined, 0);
    }) as typeof setTimeout);
    onTestFinished(() => timer.mockRestore());
    return { end: over.open };
  };

  test('turns /ready red first, and lets what is in flight finish', async () => {
    const drainMs = 3_600_123;
    const drain = aWhile(drainMs);
    const api = createApi(store.usance, { host: '127.0.0.1', port: 0, drainMs });
    const { url } = await api.listen();
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    const commit = held();
    const inFlight = deposit(url);
    await commit.reached;

    const closed = api.close();
    const red = await fetch(`${url}/ready`);
    expect([red.status, await red.json()]).toEqual([503, { status: 'stopping' }]);
    // Whoever has not yet heard of it is still served.
    expect((await deposit(url, freshKey(), 'bob')).status).toBe(201);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    commit.release();
    expect((await inFlight).status).toBe(201);
    drain.end();
    await closed;
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
    expect(api.close()).toBe(closed);
  });

  test('finishes what began before nothing new was accepted', async () => {
    const api = createApi(store.usance, { host: '127.0.0.1', port: 0 });
    const { url } = await api.listen();
    const commit = held();
    const inFlight = deposit(url);
    await commit.reached;
    const closed = api.close();
    await expect
      .poll(() =>
        fetch(`${url}/health`).then(
          () => 'answered',
          () => 'refused',
        ),
      )
      .toBe('refused');
    commit.release();
    const answer = await inFlight;
    expect(answer.status).toBe(201);
    expect(answer.headers.get('connection')).toBe('close');
    await closed;
  });

  test('waits no longer than its limit; a request that was cut off is found by its idempotency key', async () => {
    const api = createApi(store.usance, { host: '127.0.0.1', port: 0, closeTimeoutMs: 50 });
    const { url } = await api.listen();
    const commit = held();
    const key = freshKey();
    const cutOff = deposit(url, key).then(
      () => 'answered',
      () => 'cut off',
    );
    await commit.reached;
    await api.close();
    expect(await cutOff).toBe('cut off');
    commit.release();
    await expect.poll(async () => (await deposit(store.url, key)).headers.get('idempotent-replayed')).toBe('true');
  });
});
