// Verbs that are stopped half way: at every statement they send, and on the wire after the last. Nothing is ever half done,
// and asking again under the same key does it once.
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CommitUnknown } from '../../src/db/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { Refusal } from '../../src/kernel/index.ts';
import { booksOf, held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { startProxy } from '../support/proxy.ts';

class Stopped extends Error {}

describe('a verb stopped half way', () => {
  const store = useUsance();

  const VERBS = {
    deposit: (tenant: TenantHandle, idempotencyKey: string) =>
      tenant.deposit({ account: 'fresh', asset: 'USD', amount: 5, idempotencyKey }),
    withdraw: (tenant: TenantHandle, idempotencyKey: string) =>
      tenant.withdraw({ account: 'a', asset: 'USD', amount: 5, idempotencyKey }),
    transfer: (tenant: TenantHandle, idempotencyKey: string) =>
      tenant.transfer({ from: 'a', to: 'b', asset: 'USD', amount: 5, idempotencyKey }),
    reserve: (tenant: TenantHandle, idempotencyKey: string) =>
      tenant.reserve({ account: 'a', asset: 'USD', amount: 5, idempotencyKey }),
    capture: async (tenant: TenantHandle, idempotencyKey: string) =>
      tenant.capture({ reservation: await standing(), to: 'b', amount: 1, idempotencyKey }),
    release: async (tenant: TenantHandle, idempotencyKey: string) =>
      tenant.release({ reservation: await standing(), amount: 1, idempotencyKey }),
    'payment of fees': (tenant: TenantHandle, idempotencyKey: string) =>
      tenant.transfer({ from: 'fees', to: 'b', asset: 'USD', amount: 5, idempotencyKey }),
  } as const;
  const standing = async (): Promise<string> => (await store.tenant.reservations('holder'))[0]?.id ?? '';

  test('starts with money in every place', async () => {
    await open(store.tenant, { a: 1_000, b: 1_000, holder: 1_000, fresh: 0 });
    await store.tenant.deposit({ account: 'fees', asset: 'USD', amount: 1_000, idempotencyKey: key() });
    await store.tenant.reserve({ account: 'holder', asset: 'USD', amount: 500, idempotencyKey: key() });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test.each(Object.entries(VERBS))('changes nothing, wherever it is: a %s', async (_name, verb) => {
    let stopAt = Infinity;
    let sent = 0;
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      poolSize: 1,
      onStatement: () => {
        sent += 1;
        if (sent === stopAt) throw new Stopped();
      },
    });
    onTestFinished(() => engine.close());
    const tenant = await engine.tenant('shop');
    const idempotencyKey = key();
    const before = await booksOf(store.owner);
    for (stopAt = 1; ; stopAt += 1) {
      sent = 0;
      const outcome = await verb(tenant, idempotencyKey).catch((error: unknown) => error);
      if (!(outcome instanceof Error)) break;
      // After a stop at COMMIT the session is left, and the server may not have noticed yet: the same point again.
      if (outcome instanceof Refusal && outcome.code === 'IDEMPOTENCY_RUNNING') {
        stopAt -= 1;
        await setTimeout(20);
        continue;
      }
      // Stopped at COMMIT it cannot know that the server never heard of it.
      expect(outcome instanceof Stopped || outcome instanceof CommitUnknown).toBe(true);
      expect(await booksOf(store.owner)).toEqual(before);
    }
    expect(stopAt).toBeGreaterThan(6);
    expect(await booksOf(store.owner)).not.toEqual(before);
    expect(await verb(store.tenant, idempotencyKey)).toMatchObject({ replayed: true });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test.each([
    ['after', true],
    ['before', false],
  ] as const)('by a cut just %s its COMMIT arrived is settled by asking again', async (when, happened) => {
    const proxy = await startProxy(store.runtimeUrl);
    const engine = await createEngine({ databaseUrl: proxy.url, poolSize: 1 });
    onTestFinished(async () => {
      await engine.close();
      await proxy.close();
    });
    const tenant = await engine.tenant('shop');
    const pay = { from: 'a', to: 'b', asset: 'USD', amount: 7, idempotencyKey: key() };
    const [before, reserved] = await held(store.tenant, 'a');
    const cut = proxy.cutAtCommit(when);
    await expect(tenant.transfer(pay)).rejects.toBeInstanceOf(CommitUnknown);
    await cut;
    expect(await tenant.transfer(pay)).toMatchObject({ replayed: happened });
    expect(await held(store.tenant, 'a')).toEqual([before - 7n, reserved]);
  });
});
