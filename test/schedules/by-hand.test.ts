// What people do to a schedule that runs: pause, edit, cancel, trigger, backfill; and what each leaves behind.
import { afterEach, describe, expect, test } from 'vitest';
import { held, key, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { refusedUnchanged } from '../support/digest.ts';
import { DAY, HOUR } from '../support/processor.ts';
import { refusalOf, refusedFor } from '../support/refusal.ts';
import { live, scheduleWorld, slotsAhead, stopAll, told } from './world.ts';

const store = useUsance();
afterEach(() => stopAll(store.tenant));
const START = '2027-03-01T00:00:00Z';
const DAILY = { frequency: 'DAILY', time: '09:00' } as const;

describe('pausing', () => {
  test('nothing runs meanwhile, and resuming pays nothing back', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    await live(world, 9 * HOUR);
    await world.verbs.pauseSchedule(id, { reason: 'on holiday' });
    expect(await world.verbs.schedule(id)).toMatchObject({ status: 'paused', statusReason: 'on holiday', next: null });
    await live(world, 5 * DAY);
    expect(await slotsAhead(world, id, 1)).toEqual(['2027-03-07T09:00:00']);
    await world.verbs.resumeSchedule(id);
    expect(await world.tick()).toMatchObject({ claimed: 0 });
    await live(world, DAY);
    expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-01T09:00:00 made', '2027-03-07T09:00:00 made']);
  });

  test('a schedule whose slots are all past cannot be resumed', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY, until: '2027-03-02' });
    await world.verbs.pauseSchedule(id);
    world.time.advance(9 * DAY);
    expect(await refusalOf(world.verbs.resumeSchedule(id))).toBe('RULE_NEVER_FIRES');
  });
});

describe('editing', () => {
  test('never makes a slot at or before the last one made', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    await live(world, 9 * HOUR);
    // Later on the same day, earlier on the same day, and to a zone where it is still the day before.
    await world.verbs.editSchedule(id, { rule: { frequency: 'DAILY', time: '08:00' } });
    expect(await slotsAhead(world, id, 1)).toEqual(['2027-03-02T08:00:00']);
    await world.verbs.editSchedule(id, { rule: { frequency: 'DAILY', time: '18:00' } });
    expect(await slotsAhead(world, id, 1)).toEqual(['2027-03-01T18:00:00']);
    await world.verbs.editSchedule(id, { rule: { cron: '0 * * * *' }, zone: 'Pacific/Honolulu' });
    expect(await slotsAhead(world, id, 1)).toEqual(['2027-03-01T10:00:00']);
    await live(world, 30 * DAY);
    const slots = (await world.verbs.occurrences(id)).map(({ slot }) => slot);
    expect(new Set(slots).size).toBe(slots.length);
  });

  test('changes what comes, and leaves alone what is not named', async () => {
    const world = scheduleWorld(store, START);
    const { id, timing } = await world.schedule({
      rule: DAILY,
      missed: 'all',
      missedCap: 7,
      missedWindow: '48h',
      retry: 'allowance',
    });
    const edited = await world.verbs.editSchedule(id, { amount: 250, overlap: 'skip' });
    expect(edited).toMatchObject({
      amount: 250n,
      overlap: 'skip',
      missed: 'all',
      missedCap: 7,
      missedWindowMs: 48 * HOUR,
      timing,
    });
    expect(edited.retry).toMatchObject({ initialDelayMs: 600_000 });
    const ended = await world.verbs.editSchedule(id, { count: 3, exclude: ['2027-03-02'] });
    expect(await slotsAhead(world, id, 9)).toEqual(['2027-03-01T09:00:00', '2027-03-03T09:00:00']);
    expect(ended.timing).toMatchObject({ count: 3 });
    await world.verbs.editSchedule(id, {
      count: null,
      exclude: null,
      missed: 'last',
      missedCap: null,
      missedWindow: null,
    });
    expect(await slotsAhead(world, id, 4)).toHaveLength(4);
  });

  test.each(['PT90.5S', 'PT0.001S', '999999999', 'P999999WT0.999S'])(
    'leaves a window of %s alone',
    async (missedWindow) => {
      const world = scheduleWorld(store, START);
      const { id, missedWindowMs } = await world.schedule({ rule: DAILY, missed: 'all', missedWindow });
      expect(await world.verbs.editSchedule(id, { amount: 250 })).toMatchObject({ amount: 250n, missedWindowMs });
    },
  );

  test('a slot that was due and not made yet is on record', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    world.time.advance(10 * HOUR);
    await world.verbs.editSchedule(id, { rule: { frequency: 'WEEKLY' } });
    expect(told(await world.verbs.occurrences(id))).toEqual(['2027-03-01T09:00:00 skipped updated']);
  });

  test('an amount that is divided among payees stays, and so does each share', async () => {
    const world = scheduleWorld(store, START);
    await store.tenant.openAccount({ ref: 'shares' });
    const { id, payer, payee } = await world.schedule({ rule: DAILY });
    await world.verbs.cancelSchedule(id);
    const legs = [
      { to: payee, amount: 95 },
      { to: 'shares', amount: 5 },
    ];
    const order = { from: payer, legs, asset: 'USD', amount: 100, rule: DAILY, idempotencyKey: key() };
    const shared = await world.verbs.createSchedule(order);
    const refused = (edit: object) =>
      refusedUnchanged(store.owner, store.tenant.id, () => world.verbs.editSchedule(shared.id, edit));
    expect(await refused({ amount: 200 })).toBe('LEGS_INVALID');
    expect(await refusedFor(world.verbs.editSchedule(shared.id, { amount: 200 }))).toBe(
      'LEGS_INVALID/schedule_amount_fixed',
    );
    expect(await refused({ steps: [{ from: 2, amount: 200 }] })).toBe('STEPS_INVALID');
    await world.verbs.editSchedule(shared.id, { amount: 100, priority: 'high' });
    await live(world, 9 * HOUR);
    expect(told(await world.verbs.occurrences(shared.id))).toEqual(['2027-03-01T09:00:00 made']);
  });

  test('an impossible rule changes nothing', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    const edit = (fields: object) =>
      refusedUnchanged(store.owner, store.tenant.id, () => world.verbs.editSchedule(id, fields));
    expect(await edit({ rule: { cron: '0 0 30 2 *' } })).toBe('RULE_NEVER_FIRES');
    expect(await edit({ until: '2026-01-01' })).toBe('END_BEFORE_START');
    expect(await edit({ amount: 0 })).toBe('AMOUNT_NOT_POSITIVE');
  });
});

describe('cancelling', () => {
  test('stops it for good; with its payment, the retries too', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY }, 0);
    await live(world, 9 * HOUR);
    const [made] = await world.verbs.occurrences(id);
    await world.verbs.cancelSchedule(id, { cancelPayment: true, reason: 'moved out' });
    expect(await store.tenant.payment(made?.paymentId ?? '')).toMatchObject({ status: 'cancelled' });
    expect(await world.verbs.schedule(id)).toMatchObject({ status: 'cancelled', statusReason: 'moved out' });
    await live(world, 3 * DAY);
    expect(await world.verbs.occurrences(id)).toHaveLength(1);
  });
});

describe('triggering', () => {
  test('pays once more, once a key, and moves no slot', async () => {
    const world = scheduleWorld(store, START);
    const { id, payee } = await world.schedule({ rule: DAILY });
    const ahead = await slotsAhead(world, id, 2);
    const again = { idempotencyKey: key() };
    const first = await world.verbs.triggerSchedule(id, again);
    expect(await world.verbs.triggerSchedule(id, again)).toEqual(first);
    await world.verbs.triggerSchedule(id, { idempotencyKey: key() });
    expect(await slotsAhead(world, id, 2)).toEqual(ahead);
    await world.processor.drain();
    expect(await held(store.tenant, payee)).toEqual([200n, 0n]);
    expect((await world.verbs.occurrences(id)).map(({ kind }) => kind)).toEqual(['trigger', 'trigger']);
  });

  test('takes no slot of the rule, though it comes at that very moment', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY });
    world.time.advance(9 * HOUR);
    await world.verbs.triggerSchedule(id, { idempotencyKey: key() });
    expect(await world.tick()).toMatchObject({ made: 1 });
    expect(await world.verbs.occurrences(id)).toHaveLength(2);
  });

  test('finds its place at once where slots were skipped for longer than it is now there', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: { cron: '0 * * * *' }, zone: 'Pacific/Kiritimati', missed: 'skip' });
    world.time.advance(40 * HOUR);
    await world.tick();
    // There it is a day later: what was skipped lies ahead of the clocks of Honolulu.
    await world.verbs.editSchedule(id, { zone: 'Pacific/Honolulu' });
    const { slot } = await world.verbs.triggerSchedule(id, { idempotencyKey: key() });
    expect(new Date(slot).toISOString()).toBe('2027-03-02T06:00:00.001Z');
  });

  test('a refusal is told, and nothing is left behind', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY, funding: 'reserve' }, 0);
    const trigger = () => world.verbs.triggerSchedule(id, { idempotencyKey: key() });
    expect(await refusedUnchanged(store.owner, store.tenant.id, trigger)).toBe('FUNDS_INSUFFICIENT');
  });
});

describe('a payment that needs a second person', () => {
  test('is not decided by who made the schedule, last changed what it pays, or asked for the run', async () => {
    // Later than any day on which this is run: the persons change it in real time.
    const world = scheduleWorld(store, '2099-03-01T00:00:00Z');
    const { id, payer } = await world.schedule({ rule: DAILY, amount: 501 });
    await store.tenant.setLimit({ account: payer, asset: 'USD', approvalAbove: 500 });
    const person = (name: string) => store.usance.tenant('shop', { actor: `cli:${name}` });
    const [jo, kim] = [await person('jo'), await person('kim')];
    const made = async (): Promise<string> => {
      const [last] = await world.verbs.occurrences(id);
      return last?.paymentId ?? '';
    };
    const decides = (who: typeof jo, payment: string) => refusalOf(who.approvePayment(payment, { termsVersion: 1 }));

    await live(world, 9 * HOUR);
    const first = await made();
    expect(await decides(store.tenant, first)).toBe('APPROVAL_NEEDS_ANOTHER');
    expect(await decides(kim, first)).toBe('not refused');

    await kim.editSchedule(id, { amount: 600 });
    await store.tenant.editSchedule(id, { metadata: { seen: 'by the shop' } });
    await world.processor.drain();
    await live(world, DAY);
    const second = await made();
    expect(await decides(kim, second)).toBe('APPROVAL_NEEDS_ANOTHER');
    expect(await decides(store.tenant, second)).toBe('APPROVAL_NEEDS_ANOTHER');
    expect(await decides(jo, second)).toBe('not refused');

    const { paymentId } = await jo.triggerSchedule(id, { idempotencyKey: key() });
    expect(await decides(jo, paymentId ?? '')).toBe('APPROVAL_NEEDS_ANOTHER');
    expect(await decides(kim, paymentId ?? '')).toBe('APPROVAL_NEEDS_ANOTHER');
    expect(await decides(await person('lee'), paymentId ?? '')).toBe('not refused');
  });
});

describe('backfilling', () => {
  test('pays what was skipped, once, and what is left of a run of slots is still on record', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: { frequency: 'DAILY' }, start: '2027-03-02' });
    world.time.to('2027-03-06T12:00:00Z');
    await world.tick();
    const order = { start: '2027-03-02', end: '2027-03-03', idempotencyKey: key() };
    const planned = await world.verbs.backfillSchedule(id, { ...order, dryRun: true, idempotencyKey: key() });
    expect(planned).toHaveLength(2);
    expect(await world.verbs.occurrences(id)).toHaveLength(2);
    const made = await world.verbs.backfillSchedule(id, order);
    expect(await world.verbs.backfillSchedule(id, order)).toEqual(made);
    expect(told(await world.verbs.occurrences(id))).toEqual([
      '2027-03-02 made late',
      '2027-03-03 made late',
      '2027-03-04 skipped missed 2',
      '2027-03-06 made late',
    ]);
    await world.verbs.backfillSchedule(id, { start: '2027-03-01', end: '2027-04-01', idempotencyKey: key() });
    expect(told(await world.verbs.occurrences(id)).map((line) => line.slice(11))).toEqual(Array(5).fill('made late'));
    expect(
      await world.verbs.backfillSchedule(id, { start: '2027-03-01', end: '2027-04-01', idempotencyKey: key() }),
    ).toEqual([]);
  });

  test('goes on in the middle of a run of slots, whichever was paid first', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY, missed: 'skip' });
    world.time.advance(5 * DAY);
    await world.tick();
    const fill = (start: string, end: string) =>
      world.verbs.backfillSchedule(id, { start, end, idempotencyKey: key() });
    expect(await fill('2027-03-03', '2027-03-03')).toHaveLength(1);
    expect(await fill('2027-03-01', '2027-03-01')).toHaveLength(1);
    expect(told(await world.verbs.occurrences(id))).toEqual([
      '2027-03-01T09:00:00 made late',
      '2027-03-02T09:00:00 skipped missed 3',
      '2027-03-03T09:00:00 made late',
    ]);
    expect(await fill('2027-03-01', '2027-03-05')).toHaveLength(3);
    expect(told(await world.verbs.occurrences(id))).toEqual(
      [1, 2, 3, 4, 5].map((day) => `2027-03-0${day}T09:00:00 made late`),
    );
  });

  test('reaches behind the day the schedule was made, and never ahead of where it stands', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: { frequency: 'MONTHLY' }, start: '2026-12-01T09:00' });
    const made = await world.verbs.backfillSchedule(id, {
      start: '2026-01-01',
      end: '2028-01-01',
      idempotencyKey: key(),
    });
    expect(made.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3]);
    expect(await slotsAhead(world, id, 1)).toEqual(['2027-03-01T09:00:00']);
  });

  test('too much, the wrong way round, or not a date, is refused', async () => {
    const world = scheduleWorld(store, START);
    const { id } = await world.schedule({ rule: DAILY, start: '2026-01-01' });
    const backfill = (start: string, end: string) =>
      refusedUnchanged(store.owner, store.tenant.id, () =>
        world.verbs.backfillSchedule(id, { start, end, idempotencyKey: key() }),
      );
    expect(await backfill('2026-01-01', '2027-01-01')).toBe('BACKFILL_TOO_LARGE');
    expect(await backfill('2026-02-01', '2026-01-01')).toBe('END_BEFORE_START');
    expect(await backfill('yesterday', '2026-01-01')).toBe('LOCAL_TIME_INVALID');
  });
});

test('the books add up after all of it', async () => {
  expect(await troubles(store.usance)).toEqual([]);
});
