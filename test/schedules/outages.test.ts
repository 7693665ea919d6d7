// More overdue at once, over all schedules of a tenant, than was foreseen: it waits for a person.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { key, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import type { ScheduleWorld } from './world.ts';
import { scheduleWorld, stopAll, told } from './world.ts';

const store = useUsance();
const START = '2027-03-01T00:00:00Z';
const DAILY = { frequency: 'DAILY', time: '09:00' } as const;

// What was decided holds for everything of that time, so every test has a tenant of its own.
const state: { tenant?: TenantHandle } = {};
const own = (): TenantHandle => state.tenant ?? store.tenant;
let tenants = 0;
const newTenant = async (): Promise<TenantHandle> => {
  const tenant = await store.usance.createTenant({ name: `shop-${(tenants += 1)}` });
  await tenant.createAsset('USD/2');
  return tenant;
};
const newWorld = (tenant = own()): ScheduleWorld => scheduleWorld({ db: store.db, tenant }, START);
beforeEach(async () => {
  state.tenant = await newTenant();
  await own().setOutageGuard({ count: 2 });
});
afterEach(() => stopAll(own()));

/** So many daily schedules. */
async function daily(world: ScheduleWorld, count: number, terms: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await world.schedule({ rule: DAILY, ...terms })).id);
  return ids;
}

/** Three schedules were due and nobody came for an hour. */
async function outage(): Promise<{ world: ScheduleWorld; ids: string[]; id: string }> {
  const world = newWorld();
  const ids = await daily(world, 3);
  world.time.advance(10 * HOUR);
  expect(await world.tick()).toMatchObject({ claimed: 0, made: 0, held: 3 });
  const [found] = await own().outages({ status: 'waiting' });
  return { world, ids, id: found?.id ?? '' };
}

const story = async (world: ScheduleWorld, ids: readonly string[]): Promise<string[]> =>
  (await Promise.all(ids.map(async (id) => told(await world.verbs.occurrences(id))))).flat();

describe('what piled up', () => {
  test('waits, is told of, and is shown with what it comes to', async () => {
    const { world, id } = await outage();
    expect(await own().outages()).toMatchObject([
      {
        id,
        status: 'waiting',
        since: new Date('2027-03-01T09:00:00Z'),
        through: new Date('2027-03-01T10:00:00Z'),
        overdue: [{ asset: 'USD/2', count: 3, amount: 300n }],
      },
    ]);
    expect((await own().overview()).outages).toMatchObject([{ id }]);
    const rows = await store.owner.query(
      `select type, data -> 'overdue' -> 0 ->> 'count' as count from usance.events where resource_id = $1::uuid`,
      [id],
    );
    expect(rows).toEqual([{ type: 'outage.held', count: '3' }]);
    world.time.advance(HOUR);
    expect(await world.anotherTick()).toMatchObject({ claimed: 0, held: 0 });
  });

  test('holds up nothing that is due later', async () => {
    const { world, ids } = await outage();
    const { id: later } = await world.schedule({ rule: { frequency: 'DAILY', time: '10:30' } });
    world.time.advance(31 * MINUTE);
    expect(await world.anotherTick()).toMatchObject({ made: 1, held: 0 });
    expect(told(await world.verbs.occurrences(later))).toEqual(['2027-03-01T10:30:00 made']);
    expect(await story(world, ids)).toEqual([]);
  });

  test('released is made, and not asked about again', async () => {
    const { world, ids, id } = await outage();
    expect(await own().releaseOutage(id, { reason: 'all of it is meant' })).toMatchObject({
      status: 'released',
      reason: 'all of it is meant',
      decidedBy: 'library',
    });
    expect(await world.anotherTick()).toMatchObject({ made: 3, late: 3, held: 0 });
    expect(await story(world, ids)).toEqual(Array(3).fill('2027-03-01T09:00:00 made late'));
  });

  test('discarded is skipped, on record, and the next slots come; a backfill can still pay it', async () => {
    const { world, ids, id } = await outage();
    await own().discardOutage(id, { reason: 'paid in cash' });
    world.time.advance(MINUTE);
    expect(await world.anotherTick()).toMatchObject({ claimed: 3, made: 0, skipped: 3 });
    expect(await story(world, ids)).toEqual(Array(3).fill('2027-03-01T09:00:00 skipped outage'));
    world.time.to('2027-03-02T09:00:00Z');
    expect(await world.anotherTick()).toMatchObject({ made: 3, skipped: 0 });
    const [first = ''] = ids;
    const order = { start: '2027-03-01', end: '2027-03-01', idempotencyKey: key() };
    expect(await world.verbs.backfillSchedule(first, order)).toHaveLength(1);
  });

  test('discarded is skipped although one of the schedules throws, which is set aside and reported once', async () => {
    const reported: string[] = [];
    const onPoisoned = (id: string): void => {
      if (reported.push(id) > 20) throw new Error('expected it to be set aside');
    };
    const world = scheduleWorld({ db: store.db, tenant: own() }, START, { onPoisoned });
    const [broken = '', ...others] = await daily(world, 3);
    world.time.advance(10 * HOUR);
    expect(await world.tick()).toMatchObject({ held: 3 });
    const [found] = await own().outages({ status: 'waiting' });
    await own().discardOutage(found?.id ?? '', { reason: 'paid in cash' });
    await store.owner.query(
      `update usance.schedules set timing = timing || '{"zone": "Nowhere/None"}' where id = $1::uuid`,
      [broken],
    );
    for (let n = 0; n < 3; n += 1) {
      world.time.advance(MINUTE);
      await world.tick();
    }
    expect(reported).toEqual([broken]);
    expect(await story(world, others)).toEqual(Array(2).fill('2027-03-01T09:00:00 skipped outage'));
    // Not moved past what was discarded: mended, it skips the slot, which is not paid.
    await store.owner.query(`update usance.schedules set timing = timing || '{"zone": "UTC"}' where id = $1::uuid`, [
      broken,
    ]);
    world.time.advance(15 * MINUTE);
    await world.tick();
    expect(await story(world, [broken])).toEqual(['2027-03-01T09:00:00 skipped outage']);
  });

  test('what fell due since then is not discarded with it', async () => {
    const world = newWorld();
    const ids = await daily(world, 3, { rule: { everySeconds: 3_600 }, start: '2027-03-01T01:00', missed: 'all' });
    world.time.advance(2 * HOUR + 30 * MINUTE);
    expect(await world.tick()).toMatchObject({ held: 3 });
    const [found] = await own().outages({ status: 'waiting' });
    world.time.advance(33 * MINUTE);
    await own().discardOutage(found?.id ?? '', { reason: 'not these' });
    expect(await world.anotherTick()).toMatchObject({ skipped: 6, made: 3 });
    expect(await story(world, ids.slice(0, 1))).toEqual([
      '2027-03-01T01:00:00 skipped outage 2',
      '2027-03-01T03:00:00 made late',
    ]);
  });
});

describe('two in a row', () => {
  /** Decides about an outage, and before any scheduler comes by three more schedules are overdue. */
  async function second(decide: (id: string) => Promise<unknown>): Promise<{
    world: ScheduleWorld;
    first: string[];
    later: string[];
    id: string;
  }> {
    const { world, ids: first, id } = await outage();
    await decide(id);
    const later = await daily(world, 3, { rule: { frequency: 'DAILY', time: '11:00' } });
    world.time.advance(2 * HOUR);
    expect(await world.anotherTick()).toMatchObject({ made: 0, held: 3 });
    const [found] = await own().outages({ status: 'waiting' });
    return { world, first, later, id: found?.id ?? '' };
  }

  test('what the first one discarded is not paid when the second is released', async () => {
    const { world, first, later, id } = await second((one) => own().discardOutage(one, { reason: 'paid in cash' }));
    await own().releaseOutage(id);
    expect(await world.anotherTick()).toMatchObject({ made: 3, skipped: 3 });
    expect(await story(world, first)).toEqual(Array(3).fill('2027-03-01T09:00:00 skipped outage'));
    expect(await story(world, later)).toEqual(Array(3).fill('2027-03-01T11:00:00 made late'));
  });

  test('what the first one released is paid when the second is discarded', async () => {
    const { world, first, later, id } = await second((one) => own().releaseOutage(one));
    await own().discardOutage(id, { reason: 'paid in cash' });
    expect(await world.anotherTick()).toMatchObject({ made: 3, skipped: 3 });
    expect(await story(world, first)).toEqual(Array(3).fill('2027-03-01T09:00:00 made late'));
    expect(await story(world, later)).toEqual(Array(3).fill('2027-03-01T11:00:00 skipped outage'));
  });
});

describe('a guard', () => {
  test('of a sum looks at what is due in its asset, by the amount of the step that is next', async () => {
    await own().setOutageGuard({ count: null, amounts: [{ asset: 'USD', amount: 209 }] });
    const world = newWorld();
    await daily(world, 2, { amount: 5, start: '2027-02-28', steps: [{ from: 2, amount: 105 }] });
    world.time.advance(10 * HOUR);
    expect(await world.tick()).toMatchObject({ made: 0, held: 2 });
  });

  test('that is not exceeded holds nothing, and neither does work that is merely due', async () => {
    const world = newWorld();
    await daily(world, 3);
    world.time.advance(9 * HOUR + 4 * MINUTE);
    expect(await world.tick()).toMatchObject({ made: 3, held: 0 });
    await stopAll(own());
    await daily(world, 2);
    world.time.advance(DAY + HOUR);
    expect(await world.tick()).toMatchObject({ made: 2, held: 0 });
  });

  test('is one tenant’s own', async () => {
    const other = await newTenant();
    const world = newWorld();
    await daily(world, 3);
    await daily(newWorld(other), 3);
    world.time.advance(10 * HOUR);
    expect(await world.tick()).toMatchObject({ made: 3, held: 3 });
    expect(await other.outages()).toEqual([]);
    const [ours] = await own().outages({ status: 'waiting' });
    const theft = () => other.discardOutage(ours?.id ?? '', { reason: 'not ours' });
    expect(await refusedUnchanged(store.owner, own().id, theft)).toBe('OUTAGE_NOT_FOUND');
    await stopAll(other);
  });

  test('is changed bound by bound, and refuses what is none', async () => {
    await own().setOutageGuard({ amounts: [{ asset: 'USD', amount: 500 }] });
    const guard = { count: 2, amounts: [{ asset: 'USD/2', amount: 500n }] };
    expect(await own().outageGuard()).toEqual(guard);
    expect(await own().setOutageGuard({ count: null })).toEqual({ ...guard, count: null });
    const refused = (order: object) => refusedUnchanged(store.owner, own().id, () => own().setOutageGuard(order));
    expect(await refused({ count: 0 })).toBe('FIELD_INVALID');
    expect(await refused({ count: 100_000 })).toBe('FIELD_INVALID');
    expect(await refused({ amounts: [{ asset: 'XYZ', amount: 1 }] })).toBe('ASSET_NOT_FOUND');
    const twice = { amounts: ['USD', 'USD/2'].map((asset) => ({ asset, amount: 1 })) };
    expect(await refused(twice)).toBe('FIELD_INVALID');
    expect(await refused({ amounts: [{ asset: 'USD', amount: 0 }] })).toBe('AMOUNT_NOT_POSITIVE');
  });
});

describe('a decision', () => {
  test('is made once, with a reason where it discards', async () => {
    const { id } = await outage();
    const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, own().id, work);
    expect(await refused(() => own().discardOutage(id, { reason: ' ' }))).toBe('FIELD_INVALID');
    expect(await refused(() => own().releaseOutage('rubbish'))).toBe('OUTAGE_NOT_FOUND');
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        refusalOf(n % 2 ? own().releaseOutage(id) : own().discardOutage(id, { reason: 'looked at' })),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array(5).fill('OUTAGE_STATE_CONFLICT'), 'not refused']);
  });

  test('is needed once, however many schedulers notice', async () => {
    const world = newWorld();
    await daily(world, 3);
    world.time.advance(10 * HOUR);
    await Promise.all(Array.from({ length: 5 }, () => world.anotherTick()));
    expect(await own().outages({ status: 'waiting' })).toHaveLength(1);
  });
});

test('all of it leaves the books right', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
