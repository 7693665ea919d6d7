// Another session holds a balance, or a row, that some schedules need: the schedules of everybody else are run on time.
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, SECOND } from '../support/processor.ts';
import type { ScheduleWorld } from './world.ts';
import { scheduleWorld, stopAll } from './world.ts';

const store = useUsance();
afterEach(() => stopAll(store.tenant));
const START = '2027-03-01T00:00:00Z';
const DAILY = { frequency: 'DAILY', time: '09:00' } as const;

/** Holds what the statement locks until the work has ended. */
async function holding(
  db: Database,
  lock: string,
  values: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    expect(await tx.query(lock, values)).not.toEqual([]);
    await work();
  });
}

const BALANCE = `select 1 from usance.balances b join usance.accounts a on a.tenant_id = b.tenant_id and a.id = b.account_id
                 where a.tenant_id = $1::uuid and a.ref = $2::text for update of b`;
const ACCOUNT = `select 1 from usance.accounts where tenant_id = $1::uuid and ref = $2::text for update`;
const SCHEDULE = `select 1 from usance.schedules s join usance.accounts a on a.tenant_id = s.tenant_id and a.id = s.payer_id
                  where a.tenant_id = $1::uuid and a.ref = $2::text for update of s`;

const TOTAL = `select 1 from usance.payment_limits where tenant_id = $1::uuid and account_id is null for no key update`;

/** The sums of all that schedules of this tenant count for. */
const MAKERS = `select pg_advisory_xact_lock(hashtextextended(concat_ws(chr(31), tenant_id, payer_id, asset, maker), 13))::text as held
                from usance.schedules, jsonb_array_elements_text(counts_for) maker where tenant_id = $1::uuid`;

let count = 0;
async function neighbour(): Promise<ScheduleWorld> {
  const tenant = await store.usance.createTenant({ name: `neighbour-${(count += 1)}` });
  await tenant.createAsset('USD/2');
  return scheduleWorld({ db: store.db, tenant }, START);
}

describe.each([
  ['a payer’s balance', BALANCE, 'payer'],
  ['a payee’s balance', BALANCE, 'payee'],
  ['a payer’s account', ACCOUNT, 'payer'],
  ['a payee’s account', ACCOUNT, 'payee'],
  ['a schedule', SCHEDULE, 'payer'],
] as const)('while %s is held', (_, lock, whose) => {
  test('all 50 schedules of another tenant are run', async () => {
    const world = scheduleWorld(store, START);
    const other = await neighbour();
    const held = [
      await world.schedule({ rule: DAILY, funding: 'reserve' }),
      await world.schedule({ rule: DAILY, funding: 'reserve', count: 1, start: '2027-03-01' }),
    ];
    const [payer, payee] = ['many-payer', 'many-payee'].map((name) => `${name}-${whose}-${count}`) as [string, string];
    await open(await store.usance.tenant(`neighbour-${count}`), { [payer]: 100_000, [payee]: 0 });
    const order = {
      from: payer,
      to: payee,
      asset: 'USD',
      amount: 1,
      rule: DAILY,
      funding: 'reserve',
      overlap: 'allow',
    } as const;
    const others: string[] = [];
    for (let n = 0; n < 50; n += 1)
      others.push((await other.verbs.createSchedule({ ...order, idempotencyKey: key() })).id);
    world.time.advance(9 * HOUR);
    const made = async (ids: readonly string[]): Promise<number> =>
      (await Promise.all(ids.map((id) => other.verbs.occurrences(id)))).flat().length;

    const [first] = held;
    await holding(store.owner, lock, [store.tenant.id, first?.[whose] ?? ''], async () => {
      await world.tick();
      expect(await made(others)).toBe(50);
      // What is held does not make the next batch wait either.
      world.time.advance(24 * HOUR);
      const began = performance.now();
      await world.tick();
      expect(performance.now() - began).toBeLessThan(20_000);
      expect(await made(others)).toBe(100);
    });
    world.time.advance(3 * SECOND);
    await world.tick();
    for (const { id } of held) expect(await world.verbs.occurrences(id)).not.toEqual([]);
  });
});

test.each([
  ['a tenant’s daily total', { tenantDailyAmount: 1_000_000 }, TOTAL],
  ['the sum of a maker’s payments', { approvalAbove: 1_000_000 }, MAKERS],
] as const)(
  'while %s is held, a batch waits for it once and other tenants’ schedules are run',
  async (_, limit, lock) => {
    let undone = 0;
    const onStatement = (text: string): void => void (undone += text === 'rollback' ? 1 : 0);
    const db = store.pool({ onStatement });
    const world = scheduleWorld({ db, tenant: store.tenant }, START);
    const tenant = await store.usance.createTenant({ name: `neighbour-${(count += 1)}` });
    await tenant.createAsset('USD/2');
    const other = scheduleWorld({ db, tenant }, START);
    await store.tenant.setLimit({ asset: 'USD', ...limit });
    onTestFinished(async () => {
      await store.tenant.setLimit({ asset: 'USD', tenantDailyAmount: null, approvalAbove: null });
    });
    const order = { start: '2027-03-01', funding: 'reserve', overlap: 'allow' } as const;
    const held = await world.schedule({ ...order, rule: { everySeconds: 3_600 } });
    const free = await other.schedule({ ...order, rule: { everySeconds: 60 } }, 100_000);
    const made = async ({ verbs }: ScheduleWorld, { id }: { id: string }): Promise<number> =>
      (await verbs.occurrences(id)).length;
    const before = [await made(world, held), await made(other, free)] as const;
    await store.owner.transaction(
      async (tx) => {
        expect(await tx.query(lock, [store.tenant.id])).not.toEqual([]);
        world.time.advance(HOUR + SECOND);
        await world.tick();
        expect(undone).toBe(1);
        for (let n = 1; n <= 3; n += 1) {
          world.time.advance(60 * SECOND);
          const last = await made(other, free);
          await world.tick();
          expect(await made(other, free)).toBeGreaterThan(last);
        }
        expect(undone).toBe(1);
        expect(await made(world, held)).toBe(before[0]);
      },
      { idleLimitMs: 120_000 },
    );
    world.time.advance(3 * SECOND);
    await world.tick();
    expect(await made(world, held)).toBeGreaterThan(before[0]);
    expect(await made(other, free)).toBeGreaterThan(before[1]);
  },
);
