import { describe, expect, test } from 'vitest';
import type { IdempotencyScope, Once } from '../../src/tenants/index.ts';
import { deleteKeyRecordsBefore, once } from '../../src/tenants/index.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import { refusalOf } from '../support/refusal.ts';

describe('an idempotency key', () => {
  const store = useUsance();
  const scope = (key: string, more: Partial<IdempotencyScope> = {}): IdempotencyScope => ({
    tenantId: store.tenant.id,
    actor: 'alice',
    key,
    fingerprint: 'f',
    ...more,
  });
  let runs = 0;
  const run = (given: IdempotencyScope, answer = 'done'): Promise<Once<{ answer: string }>> =>
    store.db.transaction((tx) =>
      once(tx, given, async () => {
        runs += 1;
        return { answer };
      }),
    );

  test('runs the work once and gives its first answer again', async () => {
    runs = 0;
    expect(await run(scope('k'))).toEqual({ answer: { answer: 'done' }, replayed: false });
    expect(await run(scope('k'), 'another answer')).toEqual({ answer: { answer: 'done' }, replayed: true });
    expect(runs).toBe(1);
  });

  test('of another actor or another tenant is another key', async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    expect(await run(scope('k', { actor: 'bob' }))).toMatchObject({ replayed: false });
    expect(await run(scope('k', { tenantId: other.id }))).toMatchObject({ replayed: false });
  });

  test('for another request is refused', async () => {
    expect(await refusalOf(run(scope('k', { fingerprint: 'g' })))).toBe('IDEMPOTENCY_MISMATCH');
  });

  test.each(['', 'x'.repeat(256)])('of the wrong length is refused: %o', async (key) => {
    expect(await refusalOf(run(scope(key)))).toBe('IDEMPOTENCY_KEY_INVALID');
  });

  test('remembers nothing of work that failed', async () => {
    const failing = store.db.transaction((tx) =>
      once(tx, scope('failing'), async () => {
        throw new Error('no');
      }),
    );
    await expect(failing).rejects.toThrow('no');
    expect(await run(scope('failing'))).toMatchObject({ replayed: false });
  });

  test('that is being worked on is said to be, and nobody waits', async () => {
    const arrived = gate();
    const go = gate();
    const first = store.db.transaction((tx) =>
      once(tx, scope('slow'), async () => {
        arrived.open();
        await go.passed;
        return 'slowly';
      }),
    );
    await arrived.passed;
    expect(await refusalOf(run(scope('slow')))).toBe('IDEMPOTENCY_RUNNING');
    // Also for a request that will turn out to be another one: what runs is not known yet.
    expect(await refusalOf(run(scope('slow', { fingerprint: 'g' })))).toBe('IDEMPOTENCY_RUNNING');
    expect(await run(scope('quick'))).toMatchObject({ replayed: false });
    go.open();
    await first;
    expect(await run(scope('slow'))).toEqual({ answer: 'slowly', replayed: true });
  });

  test('gives the answer back as it was, to the last character', async () => {
    const answer = { z: 1, a: ['ü💶', null, true, { nested: '"\\' }], big: '9007199254740993' };
    const ask = (): Promise<Once<typeof answer>> =>
      store.db.transaction((tx) => once(tx, scope('exact'), async () => answer));
    await ask();
    const again = await ask();
    expect(again).toEqual({ answer, replayed: true });
    expect(JSON.stringify(again.answer)).toBe(JSON.stringify(answer));
  });
});

describe('keys whose time is over', () => {
  const store = useUsance();

  test('are forgotten in bites, and no younger one is', async () => {
    await store.tenant.openAccount({ ref: 'ann' });
    const deposit = (idempotencyKey: string) =>
      store.tenant.deposit({ account: 'ann', asset: 'USD', amount: 1, idempotencyKey });
    for (const name of ['a', 'b', 'c', 'd']) await deposit(name);
    await store.owner.query(
      `update usance.idempotency_keys set created_at = created_at - interval '30 days 1 minute' where key <> 'd'`,
    );
    const before = new Date(Date.now() - 30 * 86_400_000);
    expect([
      await deleteKeyRecordsBefore(store.db, before, 2),
      await deleteKeyRecordsBefore(store.db, before, 2),
      await deleteKeyRecordsBefore(store.db, before, 2),
    ]).toEqual([2, 1, 0]);
    expect(await deposit('d')).toMatchObject({ replayed: true });
    expect(await deposit('a')).toMatchObject({ replayed: false });
  });
});
