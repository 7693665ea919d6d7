// The scheduler's batches: everybody's turn comes, and one that cannot be run holds up nobody.
import { afterEach, describe, expect, test } from 'vitest';
import { DEFAULT_BOUNDS } from '../../src/payments/index.ts';
import type { Visited } from '../../src/schedules/index.ts';
import { SCHEDULE_CHECKS, ScheduleClaimer, runDueSchedules } from '../../src/schedules/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import { scheduleWorld, stopAll, told } from './world.ts';

const store = useUsance();
afterEach(() => stopAll(store.tenant));
const START = '2027-03-01T00:00:00Z';
const DAILY = { frequency: 'DAILY', time: '09:00' } as const;

test('what is due in one instant is made in batches', async () => {
  const world = scheduleWorld(store, START, { batchSize: 10 });
  await open(store.tenant, { 'batch-payer': 1_000, 'batch-payee': 0 });
  for (let count = 0; count < 35; count += 1) {
    await world.verbs.createSchedule({
      from: 'batch-payer',
      to: 'batch-payee',
      asset: 'USD',
      amount: 1,
      rule: DAILY,
      idempotencyKey: key(),
    });
  }
  world.time.advance(9 * HOUR);
  expect(await world.tick()).toMatchObject({ claimed: 35, made: 35 });
  expect(await world.tick()).toMatchObject({ claimed: 0 });
});

test('another tenant does not wait for one that has a thousand due', async () => {
  const other = await store.usance.createTenant({ name: 'other' });
  await other.createAsset('USD/2');
  const world = scheduleWorld(store, START);
  const small = scheduleWorld({ db: store.db, tenant: other }, START);
  for (let count = 0; count < 12; count += 1) await world.schedule({ rule: DAILY });
  const { id } = await small.schedule({ rule: { frequency: 'DAILY', time: '09:01' } });
  world.time.advance(9 * HOUR + MINUTE);
  const options = { batchSize: 4, bounds: DEFAULT_BOUNDS, readClock: world.time.readClock };
  expect(await runDueSchedules(store.db, new ScheduleClaimer(), options)).toMatchObject({ claimed: 3 });
  expect(await small.verbs.occurrences(id)).toHaveLength(1);
  await world.tick();
});

test('a batch that lost a race tells what its second try did, once', async () => {
  const world = scheduleWorld(store, START);
  const { id } = await world.schedule({ rule: DAILY });
  world.time.advance(9 * HOUR);
  const seen: string[] = [];
  let lost = false;
  const db = store.pool({
    onStatement(text) {
      if (lost || text !== 'commit') return;
      lost = true;
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    },
  });
  const onVisited = (visited: readonly Visited[]) => void seen.push(...visited.map(({ schedule }) => schedule.id));
  const options = { batchSize: 10, bounds: DEFAULT_BOUNDS, readClock: world.time.readClock, onVisited };
  const claimer = new ScheduleClaimer();
  while (seen.length === 0) await runDueSchedules(db, claimer, options);
  expect(seen).toEqual([id]);
  expect(await world.verbs.occurrences(id)).toHaveLength(1);
});

describe('a schedule that cannot be run', () => {
  test('is reported and set aside, and the others of its batch are run', async () => {
    const poisoned: string[] = [];
    const world = scheduleWorld(store, START, { onPoisoned: (id) => poisoned.push(id) });
    const first = await world.schedule({ rule: DAILY });
    const bad = await world.schedule({ rule: DAILY });
    const last = await world.schedule({ rule: DAILY });
    // A row that no program of ours would write.
    await store.owner.query(`update usance.schedules set timing = '{"zone": "UTC"}' where id = $1::uuid`, [bad.id]);
    world.time.advance(9 * HOUR);
    expect(await world.tick()).toMatchObject({ claimed: 3, made: 2 });
    expect(poisoned).toEqual([bad.id]);
    for (const { id } of [first, last])
      expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-01T09:00:00 made']);
    world.time.advance(MINUTE);
    expect(await world.tick()).toMatchObject({ claimed: 0 });
    const timing = JSON.stringify(first.timing);
    await store.owner.query(`update usance.schedules set timing = $2::jsonb where id = $1::uuid`, [bad.id, timing]);
    world.time.advance(20 * MINUTE);
    expect(await world.tick()).toMatchObject({ made: 1, late: 1 });
  });
});

describe('the database itself', () => {
  const refused = async (text: string, values: readonly string[]): Promise<string> =>
    store.owner.query(text, values).then(
      () => 'not refused',
      (error: Error) => error.message,
    );

  test('lets no slot be made twice, and no schedule go back', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    world.time.advance(9 * HOUR);
    await world.tick();
    const again = `insert into usance.occurrences (tenant_id, id, schedule_id, slot, kind, status, run_at, payment_id, created_at, updated_at)
                   select tenant_id, gen_random_uuid(), schedule_id, slot, kind, status, run_at, payment_id, created_at, updated_at
                   from usance.occurrences where schedule_id = $1::uuid`;
    expect(await refused(again, [id])).toContain('occurrences_slot_once');
    const back = `update usance.schedule_due set passed_slot = passed_slot - interval '1 day' where schedule_id = $1::uuid`;
    expect(await refused(back, [id])).toContain('would go back');
    const unmake = `update usance.occurrences set status = 'skipped', reason = 'x', payment_id = null where schedule_id = $1::uuid`;
    expect(await refused(unmake, [id])).toContain('is made');
    expect(await refused(`delete from usance.occurrences where schedule_id = $1::uuid`, [id])).toContain('append-only');
    expect(await refused(`delete from usance.schedules where id = $1::uuid`, [id])).toContain('append-only');
    const revive = `update usance.schedules set status = 'expired', passed_slot = '2027-03-02', passed = 1, ended_at = now() where id = $1::uuid`;
    await store.owner.query(`delete from usance.schedule_due where schedule_id = $1::uuid`, [id]);
    expect(await refused(revive, [id])).toBe('not refused');
    expect(
      await refused(revive.replace('expired', 'paused').replace('ended_at = now()', 'ended_at = null'), [id]),
    ).toContain('may not go');
  });

  test.each([
    [
      'schedules-follow-their-clock',
      `update usance.schedule_due set clock_id = gen_random_uuid() where schedule_id = :id`,
    ],
    [
      'slot-letters-have-failed',
      `insert into usance.occurrence_dead_letters
         select o.tenant_id, o.id, o.schedule_id, 'USD/2', 1, 'X', 'x', now() from usance.occurrences o where o.schedule_id = :id`,
    ],
    [
      'slots-are-paid-once',
      `update usance.payments p set payer_id = p.payee_id, payee_id = p.payer_id
       from usance.occurrences o where o.schedule_id = :id and p.id = o.payment_id`,
    ],
  ])('breaks for a superuser alone, and %s finds it', async (check, damage) => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    world.time.advance(9 * HOUR);
    await world.tick();
    const found: string[] = [];
    await store.owner
      .transaction(async (tx) => {
        await tx.query(`set local session_replication_role = replica; ${damage.replaceAll(':id', `'${id}'`)}`);
        for (const { name, offenders } of SCHEDULE_CHECKS) {
          if ((await tx.query(`select from (${offenders}) o`, [null])).length > 0) found.push(name);
        }
        throw new Error('undone');
      })
      .catch((error: unknown) => expect(error).toMatchObject({ message: 'undone' }));
    expect(found).toEqual([check]);
  });

  test('verify finds a payment without its slot, and a schedule without its due row', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    world.time.advance(9 * HOUR);
    await world.tick();
    expect(await troubles(store.usance)).toEqual([]);
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       create table public.kept_occurrences as select * from usance.occurrences where schedule_id = '${id}';
       delete from usance.occurrences where schedule_id = '${id}';
       create table public.kept_due as select * from usance.schedule_due where schedule_id = '${id}';
       delete from usance.schedule_due where schedule_id = '${id}'; commit`,
    );
    const found = (await troubles(store.usance)).map((line) => line.split(':')[0]);
    expect(new Set(found)).toEqual(new Set(['active-schedules-are-due', 'slots-are-paid-once']));
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       insert into usance.occurrences table public.kept_occurrences; insert into usance.schedule_due table public.kept_due; commit`,
    );
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       update usance.schedule_due set passed_slot = passed_slot - interval '1 day' where schedule_id = '${id}'; commit`,
    );
    expect((await troubles(store.usance)).map((line) => line.split(':')[0])).toEqual(['positions-are-passed']);
    world.time.advance(DAY);
    await store.owner.query(
      `begin; set local session_replication_role = replica;
       update usance.schedule_due set passed_slot = passed_slot + interval '1 day' where schedule_id = '${id}'; commit`,
    );
    expect(await troubles(store.usance)).toEqual([]);
  });
});
