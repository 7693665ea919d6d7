// Another session holds a balance, or a row, that some schedules need: the schedules of everybody else are run on time.
import { afterEach, describe, expect, test } from 'vitest';
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
