// A batch equals executing its payments one by one. The second opinion is a few lines: balances in a map, and the payments
// tried one after the other in the documented order, reserve-funded first, then by priority, due instant and id.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { liveAt } from '../../src/kernel/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import type { Funding, Priority } from '../../src/payments/index.ts';
import { Claimer, settleDue } from '../../src/payments/index.ts';
import { OWNER_RULES } from '../../src/schedules/index.ts';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';

interface Wish {
  readonly from: number;
  readonly to: number;
  readonly second: number | null;
  readonly amount: number;
  readonly funding: Funding;
  readonly priority: Priority;
  readonly dueMs: number;
}

interface World {
  readonly funds: readonly number[];
  readonly suspended: number | null;
  readonly wishes: readonly Wish[];
}

const PRIORITIES = ['high', 'normal', 'low'] as const;
const ACCOUNTS = 4;

class Model {
  readonly available: number[];
  readonly reserved: number[] = Array.from({ length: ACCOUNTS }, () => 0);
  readonly suspended: number | null;

  constructor(world: World) {
    this.available = [...world.funds];
    this.suspended = world.suspended;
  }

  reserve({ from, amount, funding }: Wish): boolean {
    if (funding === 'at_execution') return true;
    if ((this.available[from] ?? 0) < amount) return false;
    this.move(from, -amount, amount);
    return true;
  }

  /** Leg by leg, and back again if one of them is refused. */
  pay({ from, to, second, amount, funding }: Wish): string {
    const legs =
      second === null
        ? [{ to, amount }]
        : [
            { to, amount: amount - 1 },
            { to: second, amount: 1 },
          ];
    const before = [...this.available];
    for (const leg of legs) {
      const refused = this.refusal(from, leg.to, leg.amount, funding);
      if (refused !== null) {
        this.available.splice(0, ACCOUNTS, ...before);
        return refused;
      }
      if (funding === 'at_execution') this.move(from, -leg.amount, 0);
      this.move(leg.to, leg.amount, 0);
    }
    if (funding === 'reserve') this.move(from, 0, -amount);
    return 'settled';
  }

  refusal(from: number, to: number, amount: number, funding: Funding): string | null {
    if (this.suspended === from) return 'ACCOUNT_NOT_ACTIVE';
    if (funding === 'at_execution' && (this.available[from] ?? 0) < amount) return 'FUNDS_INSUFFICIENT';
    return this.suspended === to ? 'ACCOUNT_NOT_ACTIVE' : null;
  }

  move(account: number, available: number, reserved: number): void {
    this.available[account] = (this.available[account] ?? 0) + available;
    this.reserved[account] = (this.reserved[account] ?? 0) + reserved;
  }
}

const account = fc.nat({ max: ACCOUNTS - 1 });
const wish = fc
  .record({
    from: account,
    to: account,
    second: fc.option(account, { freq: 6 }),
    amount: fc.integer({ min: 2, max: 40 }),
    funding: fc.constantFrom<Funding>('reserve', 'at_execution', 'at_execution'),
    priority: fc.constantFrom(...PRIORITIES),
    dueMs: fc.nat({ max: 3 }),
  })
  .filter(({ from, to, second }) => from !== to && from !== second && to !== second);
const worlds: fc.Arbitrary<World> = fc.record({
  funds: fc.array(fc.nat({ max: 60 }), { minLength: ACCOUNTS, maxLength: ACCOUNTS }),
  suspended: fc.option(account, { freq: 4 }),
  wishes: fc.array(wish, { minLength: 1, maxLength: 14 }),
});

describe('a batch', () => {
  const store = useUsance();
  const base = new Date(Date.now() + 3_600_000);
  const ref = (n: number): string => `a${n}`;
  let runs = 0;

  /** Creates what can be created; returns the payments that were made. */
  const arrange = async (
    world: World,
    model: Model,
  ): Promise<{ tenant: TenantHandle; made: (Wish & { id: string })[] }> => {
    const tenant = await store.usance.createTenant({ name: `world-${(runs += 1)}` });
    await tenant.createAsset('USD/2');
    await open(tenant, Object.fromEntries(world.funds.map((funds, n) => [ref(n), funds])));
    const answers = await tenant.createPayments(
      world.wishes.map(({ from, to, second, amount, funding, priority }) => {
        const terms = { from: ref(from), asset: 'USD', amount, funding, priority, delay: '2h' };
        if (second === null) return { ...terms, to: ref(to) };
        return {
          ...terms,
          legs: [
            { to: ref(to), amount: amount - 1 },
            { to: ref(second), amount: 1 },
          ],
        };
      }),
      { idempotencyKey: key() },
    );
    const made = world.wishes.flatMap((wanted, n) => {
      const answer = answers[n];
      const id = answer && 'payment' in answer ? answer.payment.id : null;
      expect(id !== null, `creating ${JSON.stringify(wanted)}`).toBe(model.reserve(wanted));
      return id === null ? [] : [{ ...wanted, id }];
    });
    await store.owner.query(
      `update usance.due d set due_at = $3::timestamptz + make_interval(secs => v.ms / 1000.0)
       from unnest($1::uuid[], $2::int[]) v (id, ms) where d.payment_id = v.id`,
      [made.map(({ id }) => id), made.map(({ dueMs }) => dueMs), base],
    );
    if (world.suspended !== null) await tenant.suspendAccount(ref(world.suspended), 'for the test');
    return { tenant, made };
  };

  const inOrder = (a: Wish & { id: string }, b: Wish & { id: string }): number =>
    (a.funding === b.funding ? 0 : a.funding === 'reserve' ? -1 : 1) ||
    PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) ||
    a.dueMs - b.dueMs ||
    (a.id < b.id ? -1 : 1);

  test('does what executing its payments one by one would do', async () => {
    const property = fc.asyncProperty(worlds, async (world) => {
      await store.owner.query('delete from usance.due');
      const model = new Model(world);
      const { tenant, made } = await arrange(world, model);
      const readClock = () => Promise.resolve(liveAt(new Date(base.getTime() + 10)));
      await settleDue(store.db, new Claimer(), {
        batchSize: 1_000,
        simulateFailures: 0,
        ownerRules: OWNER_RULES,
        readClock,
      });
      for (const wanted of made.toSorted(inOrder)) {
        const { status, lastCode } = await tenant.payment(wanted.id);
        expect(lastCode ?? status, JSON.stringify(wanted)).toBe(model.pay(wanted));
      }
      for (let n = 0; n < ACCOUNTS; n += 1)
        expect(await held(tenant, ref(n)), ref(n)).toEqual(
          [model.available[n], model.reserved[n]].map((v) => BigInt(v ?? 0)),
        );
    });
    await expect(fc.assert(property, { seed: 20_260_101, numRuns: 40 })).resolves.not.toThrow();
  });

  const chain = async (name: string, funds: Record<string, number>, wishes: [string, string, number][]) => {
    const tenant = await store.usance.createTenant({ name });
    await tenant.createAsset('USD/2');
    await open(tenant, funds);
    await store.owner.query('delete from usance.due');
    const ids: string[] = [];
    for (const [from, to, amount] of wishes) {
      const order = { from, to, asset: 'USD', amount, funding: 'at_execution' as const, idempotencyKey: key() };
      ids.push((await tenant.createPayment(order)).id);
    }
    const readClock = () => Promise.resolve(liveAt(new Date(Date.now() + 60_000)));
    await settleDue(store.db, new Claimer(), {
      batchSize: 100,
      simulateFailures: 0,
      ownerRules: OWNER_RULES,
      readClock,
    });
    return Promise.all(ids.map(async (id) => (await tenant.payment(id)).status));
  };

  test('pays A to B to C to D with what A has', async () => {
    const funds = { a: 10, b: 0, c: 0, d: 0 };
    expect(
      await chain('forward', funds, [
        ['a', 'b', 10],
        ['b', 'c', 10],
        ['c', 'd', 10],
      ]),
    ).toEqual(['settled', 'settled', 'settled']);
  });

  test('pays nothing from a credit that comes later in it', async () => {
    const funds = { a: 10, b: 0, c: 0, d: 0 };
    expect(
      await chain('backward', funds, [
        ['c', 'd', 10],
        ['b', 'c', 10],
        ['a', 'b', 10],
      ]),
    ).toEqual(['scheduled', 'scheduled', 'settled']);
  });

  test('does not net: A to B and B to A without money for either pay nothing', async () => {
    expect(
      await chain('netting', { a: 5, b: 5 }, [
        ['a', 'b', 10],
        ['b', 'a', 10],
      ]),
    ).toEqual(['scheduled', 'scheduled']);
  });

  test('pays the first of two from a payer with money for one', async () => {
    expect(
      await chain('twice', { a: 10, b: 0 }, [
        ['a', 'b', 10],
        ['a', 'b', 10],
      ]),
    ).toEqual(['settled', 'scheduled']);
  });

  test('leaves books that add up', async () => {
    const found = await troubles(store.usance);
    expect(found.filter((line) => !line.startsWith('scheduled-payments-are-due'))).toEqual([]);
  });
});
