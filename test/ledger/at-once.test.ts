// Many at the same time. Where an order of events matters it is forced: a hook stops one of them at a statement until the
// other has got where it should be.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { gate } from '../support/gate.ts';
import { refusalOf } from '../support/refusal.ts';

const TWENTY = Array.from({ length: 20 }, (_, index) => index);

describe('at once', () => {
  const store = useUsance({ poolSize: 20 });
  const order = (amount: number) => ({ asset: 'USD', amount, idempotencyKey: key() });
  const count = (outcomes: readonly string[], wanted: string): number =>
    outcomes.filter((outcome) => outcome === wanted).length;

  /** The same tenant through an engine whose statements are stopped by a hook. */
  const stopped = async (onStatement: (text: string) => void | Promise<void>): Promise<TenantHandle> => {
    const engine = await createEngine({ databaseUrl: store.runtimeUrl, onStatement });
    onTestFinished(() => engine.close());
    return engine.tenant('shop');
  };

  test('A pays B and B pays A, twenty times, and nobody waits for ever', async () => {
    await open(store.tenant, { a: 1_000, b: 1_000 });
    await Promise.all(
      TWENTY.flatMap(() => [
        store.tenant.transfer({ ...order(3), from: 'a', to: 'b' }),
        store.tenant.transfer({ ...order(5), from: 'b', to: 'a' }),
      ]),
    );
    expect(await held(store.tenant, 'a')).toEqual([1_040n, 0n]);
    expect(await held(store.tenant, 'b')).toEqual([960n, 0n]);
  });

  test('of twenty payments that the payer can afford once, one is made', async () => {
    await open(store.tenant, { poor: 10 });
    const outcomes = await Promise.all(
      TWENTY.map((n) => refusalOf(store.tenant.transfer({ ...order(10), from: 'poor', to: n % 2 ? 'a' : 'b' }))),
    );
    expect([count(outcomes, 'not refused'), count(outcomes, 'FUNDS_INSUFFICIENT')]).toEqual([1, 19]);
    expect(await held(store.tenant, 'poor')).toEqual([0n, 0n]);
  });

  test('twenty requests with one idempotency key move once, and all learn of the same transfer', async () => {
    await open(store.tenant, { once: 100 });
    const pay = { ...order(10), from: 'once', to: 'a' };
    const outcomes = await Promise.all(
      TWENTY.map(async () => {
        for (;;) {
          const outcome = await store.tenant.transfer(pay).catch((error: { code?: string }) => error.code);
          // "Still running" is an answer too: ask again.
          if (outcome !== 'IDEMPOTENCY_RUNNING') return outcome;
        }
      }),
    );
    const receipts = outcomes.filter((outcome) => typeof outcome === 'object');
    expect(receipts).toHaveLength(20);
    expect(new Set(receipts.map((receipt) => receipt.transfer)).size).toBe(1);
    expect(receipts.filter((receipt) => !receipt.replayed)).toHaveLength(1);
    expect(await held(store.tenant, 'once')).toEqual([90n, 0n]);
  });

  test('a request whose twin is still running is told so', async () => {
    const arrived = gate();
    const go = gate();
    const slow = await stopped(async (text) => {
      if (!text.includes('insert into usance.transfers')) return;
      arrived.open();
      await go.passed;
    });
    const pay = { ...order(1), from: 'once', to: 'a' };
    const first = slow.transfer(pay);
    await arrived.passed;
    expect(await refusalOf(store.tenant.transfer(pay))).toBe('IDEMPOTENCY_RUNNING');
    go.open();
    const { transfer } = await first;
    expect(await store.tenant.transfer(pay)).toEqual({ transfer, replayed: true });
  });

  test('captures and releases of one reservation never take more than it holds', async () => {
    await open(store.tenant, { holder: 100 });
    const { reservation } = await store.tenant.reserve({ ...order(100), account: 'holder' });
    await Promise.all(
      TWENTY.map((n) =>
        refusalOf(
          n % 2
            ? store.tenant.capture({ reservation, to: 'a', amount: 11, idempotencyKey: key() })
            : store.tenant.release({ reservation, amount: 7, idempotencyKey: key() }),
        ),
      ),
    );
    await refusalOf(store.tenant.release({ reservation, idempotencyKey: key() }));
    const { captured, released } = await store.tenant.reservation(reservation);
    expect(captured + released).toBe(100n);
    expect(await held(store.tenant, 'holder')).toEqual([released, 0n]);
  });

  test('an account first paid by twenty gets one balance', async () => {
    await open(store.tenant, { fresh: 0 });
    await Promise.all(TWENTY.map(() => store.tenant.deposit({ ...order(1), account: 'fresh' })));
    expect(await held(store.tenant, 'fresh')).toEqual([20n, 0n]);
  });

  test('after a suspension is committed nothing moves, whatever had begun before', async () => {
    await open(store.tenant, { suspect: 1_000, friend: 1_000 });
    let suspended = false;
    const late: string[] = [];
    const paying = TWENTY.map(async (n) => {
      for (let round = 0; round < 10; round += 1) {
        const after = suspended;
        const pay = n % 2 ? { from: 'suspect', to: 'friend' } : { from: 'friend', to: 'suspect' };
        const outcome = await refusalOf(store.tenant.transfer({ ...order(1), ...pay }));
        if (after) late.push(outcome);
      }
    });
    await store.tenant.suspendAccount('suspect', 'now');
    suspended = true;
    const after = await held(store.tenant, 'suspect');
    await Promise.all(paying);
    expect(await held(store.tenant, 'suspect')).toEqual(after);
    expect(late.length).toBeGreaterThan(0);
    expect(new Set(late)).toEqual(new Set(['ACCOUNT_NOT_ACTIVE']));
  });

  test('a payment that holds the balance when the account is suspended is made first', async () => {
    await open(store.tenant, { early: 100 });
    const arrived = gate();
    const go = gate();
    const slow = await stopped(async (text) => {
      if (!text.includes('insert into usance.transfers')) return;
      arrived.open();
      await go.passed;
    });
    const paying = slow.transfer({ ...order(10), from: 'early', to: 'a' });
    await arrived.passed;
    const suspending = store.tenant.suspendAccount('early', 'now');
    await waitingForLock(store.owner);
    go.open();
    await paying;
    await suspending;
    expect(await held(store.tenant, 'early')).toEqual([90n, 0n]);
    expect(await refusalOf(store.tenant.transfer({ ...order(10), from: 'early', to: 'a' }))).toBe('ACCOUNT_NOT_ACTIVE');
  });

  test('a first balance made while the account is being suspended follows the suspension', async () => {
    await open(store.tenant, { 'being-suspended': 0 });
    const arrived = gate();
    const go = gate();
    const suspending = (
      await stopped(async (text) => {
        if (!text.includes('insert into usance.events')) return;
        arrived.open();
        await go.passed;
      })
    ).suspendAccount('being-suspended', 'now');
    await arrived.passed;
    const deposit = refusalOf(store.tenant.deposit({ ...order(1), account: 'being-suspended' }));
    await waitingForLock(store.owner);
    go.open();
    await suspending;
    expect(await deposit).toBe('ACCOUNT_NOT_ACTIVE');
  });

  test('a suspension while a first balance is being made finds it', async () => {
    await open(store.tenant, { 'just-paid': 0 });
    const arrived = gate();
    const go = gate();
    const depositing = (
      await stopped(async (text) => {
        if (!text.includes('insert into usance.transfers')) return;
        arrived.open();
        await go.passed;
      })
    ).deposit({ ...order(5), account: 'just-paid' });
    await arrived.passed;
    const suspending = store.tenant.suspendAccount('just-paid', 'now');
    await waitingForLock(store.owner);
    go.open();
    await depositing;
    await suspending;
    const [balance] = await store.owner.query(
      `select b.available, b.may_debit, b.may_credit from usance.balances b join usance.accounts a on a.id = b.account_id where a.ref = 'just-paid'`,
    );
    expect(balance).toEqual({ available: '5', may_debit: false, may_credit: false });
  });

  test('an account is not closed under money that is arriving', async () => {
    for (const n of TWENTY.slice(0, 5)) {
      const ref = `closing-${n}`;
      await open(store.tenant, { [ref]: 0 });
      const [deposit, close] = await Promise.all([
        refusalOf(store.tenant.deposit({ ...order(1), account: ref })),
        refusalOf(store.tenant.closeAccount(ref, 'bye')),
      ]);
      expect(['not refused,ACCOUNT_NOT_EMPTY', 'ACCOUNT_NOT_ACTIVE,not refused']).toContain(`${deposit},${close}`);
    }
  });

  test('all of it leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});

/** Until some session of this database waits for a lock. Asked again and again, never timed. */
async function waitingForLock(owner: Database): Promise<void> {
  for (;;) {
    const rows = await owner.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return;
  }
}
