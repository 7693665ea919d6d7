// A test clock: whose it is, what it refuses, and whose time it is.
import { describe, expect, test } from 'vitest';
import type { ClockStatus } from '../../src/tenants/index.ts';
import { CLOCK_MOVES } from '../../src/tenants/index.ts';
import { key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { changedBy, refusedUnchanged } from '../support/digest.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import { START, advance, after, drive, testTenant } from '../support/test-clock.ts';

describe('a test clock', () => {
  const store = useUsance();
  const pay = { from: 'payer', to: 'payee', asset: 'USD', amount: 100 };

  test('is of a test tenant, which has one', async () => {
    const { tenant, clock } = await testTenant(store.usance);
    expect(await tenant.testClocks()).toMatchObject([
      { id: clock, name: 'clock', status: 'ready', now: new Date(START), advance: null, happened: null },
    ]);
    expect(await store.tenant.testClocks()).toEqual([]);
    const refused = (tenantId: string, work: () => Promise<unknown>) => refusedUnchanged(store.owner, tenantId, work);
    const again = () => tenant.createTestClock({ name: 'another', now: START });
    expect(await refused(tenant.id, again)).toBe('CLOCK_EXISTS');
    const live = () => store.tenant.createTestClock({ name: 'live', now: START });
    expect(await refused(store.tenant.id, live)).toBe('CLOCK_TENANT_LIVE');
    const twenty = await store.usance.createTenant({ name: 'twenty', kind: 'test' });
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => refusalOf(twenty.createTestClock({ name: `${n}`, now: START }))),
    );
    expect(made.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'CLOCK_EXISTS'), 'not refused']);
  });

  test.each([
    ['', START, 'FIELD_INVALID'],
    ['x'.repeat(101), START, 'FIELD_INVALID'],
    ['nul\0', START, 'FIELD_INVALID'],
    ['clock', '1969-12-31T23:59:59Z', 'DELAY_INVALID'],
    ['clock', '9995-01-01T00:00:00Z', 'FIELD_INVALID'],
    ['clock', 'tomorrow', 'DELAY_INVALID'],
  ])('called %o at %s is refused with %s', async (name, now, code) => {
    expect(await refusalOf(store.tenant.createTestClock({ name, now }))).toBe(code);
  });

  test('is asked for by whatever needs the time, and by nothing else', async () => {
    const tenant = await store.usance.createTenant({ name: 'timeless', kind: 'test' });
    const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, tenant.id, work);
    expect(await refused(() => tenant.openAccount({ ref: 'payer' }))).toBe('CLOCK_MISSING');
    expect(await refused(() => tenant.createPayment({ ...pay, idempotencyKey: key() }))).toBe('CLOCK_MISSING');
    await tenant.createApiKey({ name: 'test', role: 'admin' });
    expect(await tenant.accounts()).toHaveLength(3);
  });

  test('cannot be had by a live tenant, nor taken from a test tenant, even by the owner of the database', async () => {
    const { tenant, clock } = await testTenant(store.usance);
    const { owner } = store;
    const live = owner.query(
      `insert into usance.test_clocks (tenant_id, id, timeline_id, name, stands_at) values ($1, $2, $2, 'x', '2027-01-01')`,
      [store.tenant.id, clock],
    );
    await expect(live).rejects.toMatchObject({ constraint: 'test_clocks_of_test_tenants' });
    const becomesLive = owner.query(`update usance.tenants set kind = 'live' where id = $1`, [tenant.id]);
    await expect(becomesLive).rejects.toThrow('only its settings change');
    await expect(owner.query('delete from usance.test_clocks')).rejects.toThrow('append-only');
    await expect(store.db.query('delete from usance.test_clocks')).rejects.toThrow('permission denied');
    for (const change of [
      `stands_at = stands_at - interval '1 second'`,
      `stands_at = stands_at + interval '1 second'`,
      'fence = fence - 1',
      `status = 'failed', code = 'x'`,
    ]) {
      const changed = owner.query(`update usance.test_clocks set ${change} where id = $1`, [clock]);
      await expect(changed, change).rejects.toThrow(/would not go forward/);
    }
  });

  test('moves only as its table says, in the database too', async () => {
    const { clock } = await testTenant(store.usance);
    const between = `advance_from = stands_at, advance_to = stands_at, requested_at = now(), began_event_id = id`;
    const ended = `${between}, finished_at = now(), ended_event_id = id`;
    const becoming = {
      ready: `${ended}, code = null`,
      advancing: `${between}, finished_at = null, ended_event_id = null, code = null`,
      failed: `${ended}, code = 'x'`,
    };
    const become = (status: ClockStatus) =>
      store.owner.query(`update usance.test_clocks set status = '${status}', ${becoming[status]} where id = $1`, [
        clock,
      ]);
    const statuses = Object.keys(CLOCK_MOVES) as ClockStatus[];
    for (const from of statuses) {
      for (const to of statuses.filter((status) => status !== from)) {
        await become('advancing');
        await become(from);
        const legal = CLOCK_MOVES[from].includes(to);
        const moved = await become(to).then(
          () => true,
          () => false,
        );
        expect(moved, `${from} to ${to}`).toBe(legal);
      }
    }
    await become('advancing');
    await become('ready');
  });

  test('goes forward only, to an instant that is not too far, and to where it stands', async () => {
    const of = await testTenant(store.usance);
    const refused = (to: Date) =>
      refusedUnchanged(store.owner, of.tenant.id, () => of.tenant.advanceTestClock(of.clock, to));
    expect(await refused(after(-1))).toBe('CLOCK_BACKWARDS');
    expect(await refused(after(731 * DAY + 1))).toBe('CLOCK_TOO_FAR');
    expect(await refusalOf(of.tenant.advanceTestClock(of.clock, 'soon'))).toBe('DELAY_INVALID');
    expect(await refusalOf(of.tenant.advanceTestClock(of.tenant.id, START))).toBe('CLOCK_NOT_FOUND');
    expect(await refusalOf(store.tenant.advanceTestClock(of.clock, START))).toBe('CLOCK_NOT_FOUND');
    expect(await refusalOf(store.tenant.testClock(of.clock))).toBe('CLOCK_NOT_FOUND');

    await open(of.tenant, { payer: 100, payee: 0 });
    const { id } = await of.tenant.createPayment({ ...pay, idempotencyKey: key() });
    expect(await advance(store.usance, of, START)).toMatchObject({ status: 'ready', now: new Date(START) });
    expect(await of.tenant.payment(id)).toMatchObject({ status: 'settled', endedAt: new Date(START) });
    expect(await advance(store.usance, of, after(731 * DAY))).toMatchObject({ now: after(731 * DAY) });
  });

  test('makes of the real present another time', async () => {
    // Where it will never be true by chance.
    const { tenant } = await testTenant(store.usance, '2099-01-01T00:00:00Z');
    await open(tenant, { payer: 1_000, payee: 0 });
    expect(await refusalOf(tenant.createPayment({ ...pay, executeAt: new Date(), idempotencyKey: key() }))).toBe(
      'DELAY_OUT_OF_RANGE',
    );
  });

  test('is the time of every verb of its tenant', async () => {
    const { tenant, clock } = await testTenant(store.usance);
    await open(tenant, { payer: 1_000, payee: 0 });
    const payment = await tenant.createPayment({ ...pay, delay: '48h', idempotencyKey: key() });
    expect(payment).toMatchObject({ createdAt: new Date(START), executeAt: after(48 * HOUR), clockId: clock });
    const grouped = { key: key(), fingerprint: 'x' };
    const { answer } = await tenant.createPaymentGrouped(grouped, { ...pay, delay: '1h' }, ({ executeAt }) =>
      executeAt.toISOString(),
    );
    expect(answer).toBe(after(HOUR).toISOString());
    expect(await tenant.createPaymentGrouped(grouped, pay, () => '')).toMatchObject({ answer, replayed: true });
    const cancelled = await tenant.cancelPayment(payment.id);
    expect(cancelled.endedAt).toEqual(new Date(START));
    await drive(store.usance);
    const told = await tenant.events();
    const since = told.findIndex((event) => event.type === 'test_clock.created');
    expect(told.length - since).toBeGreaterThan(5);
    for (const event of told.slice(since)) {
      expect(event.occurredAt).toEqual(new Date(START));
      expect(Math.abs(event.recordedAt.getTime() - Date.now())).toBeLessThan(10 * MINUTE);
    }
    const opened = await tenant.importOpeningBalances({
      name: 'old',
      format: 'csv',
      open: async function* () {
        yield* ['account,asset,amount', 'imported,USD/2,5'];
      },
    });
    expect(opened.booked).toBe(1);
    expect((await tenant.balancesAt('imported', new Date(START))).totals).toEqual([{ asset: 'USD/2', total: 5n }]);
  });

  test('that is on its way refuses every other write, answers every read, and then goes on', async () => {
    const of = await testTenant(store.usance);
    const { tenant, clock } = of;
    await open(tenant, { payer: 1_000, payee: 0 });
    const { id } = await tenant.createPayment({ ...pay, delay: '1h', idempotencyKey: key() });
    const request = { key: key(), fingerprint: 'advance' };
    const ask = () =>
      tenant.idempotently(request, async (verbs) => (await verbs.advanceTestClock(clock, after(HOUR))).status);
    expect(await ask()).toEqual({ answer: 'advancing', replayed: false });
    expect(await ask()).toEqual({ answer: 'advancing', replayed: true });
    const refused = (work: () => Promise<unknown>) => refusedUnchanged(store.owner, tenant.id, work);
    for (const write of [
      () => tenant.createPayment({ ...pay, idempotencyKey: key() }),
      () => tenant.createPaymentGrouped({ key: key(), fingerprint: '' }, pay, () => ''),
      () => tenant.cancelPayment(id),
      () => tenant.openAccount({ ref: 'late' }),
      () => tenant.deposit({ account: 'payer', asset: 'USD', amount: 1, idempotencyKey: key() }),
      () => tenant.pause('tenant', '', 'stop'),
      () => tenant.advanceTestClock(clock, after(DAY)),
      () =>
        tenant.importOpeningBalances({
          name: 'late',
          format: 'csv',
          open: async function* () {
            yield* ['account,asset,amount', 'late,USD/2,5'];
          },
        }),
    ])
      expect(await refused(write), String(write)).toBe('CLOCK_ADVANCING');
    expect(await tenant.payment(id)).toMatchObject({ status: 'scheduled' });
    expect(await tenant.testClock(clock)).toMatchObject({ status: 'advancing', now: new Date(START), happened: null });
    await tenant.createApiKey({ name: 'meanwhile', role: 'admin' });
    await drive(store.usance);
    expect(await tenant.payment(id)).toMatchObject({ status: 'settled' });
    expect(await refusalOf(tenant.createPayment({ ...pay, idempotencyKey: key() }))).toBe('not refused');
  });

  test('asked by twenty at once is advanced by one of them', async () => {
    const of = await testTenant(store.usance);
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, n) => refusalOf(of.tenant.advanceTestClock(of.clock, after(n * HOUR)))),
    );
    expect(asked.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'CLOCK_ADVANCING'), 'not refused']);
    await drive(store.usance);
    expect(await of.tenant.testClock(of.clock)).toMatchObject({
      status: 'ready',
      now: after(asked.indexOf('not refused') * HOUR),
    });
  });

  test('of a tenant is no business of another’s, nor of live payments', async () => {
    const [one, other] = [await testTenant(store.usance), await testTenant(store.usance)];
    for (const tenant of [one.tenant, other.tenant]) {
      await open(tenant, { payer: 100, payee: 0 });
      await tenant.createPayment({ ...pay, delay: '1h', idempotencyKey: key() });
    }
    await open(store.tenant, { payer: 200, payee: 0 });
    await store.tenant.createPayment({ ...pay, idempotencyKey: key() });
    await store.tenant.createPayment({ ...pay, delay: '1h', idempotencyKey: key() });
    const advanced = () => advance(store.usance, one, after(DAY));
    expect(
      await changedBy(store.owner, other.tenant.id, () =>
        changedBy(store.owner, store.tenant.id, advanced).then((tables) => expect(tables).toEqual(['event_blocks'])),
      ),
    ).toEqual(['event_blocks']);
    const processor = store.usance.loops.find((loop) => loop.name === 'processor');
    const settles = async () => expect((await processor?.runOnce())?.counts).toMatchObject({ claimed: 1, settled: 1 });
    expect(await changedBy(store.owner, other.tenant.id, settles)).toEqual([]);
  });

  test('leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
