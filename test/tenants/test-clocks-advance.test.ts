// An advance: what falls due on its way happens at its own instant, in order.
import { describe, expect, test } from 'vitest';
import { held, key, open, troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { changedBy } from '../support/digest.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';
import { START, advance, after, testTenant } from '../support/test-clock.ts';

describe('an advancing test clock', () => {
  const store = useUsance();
  const pay = { from: 'payer', to: 'payee', asset: 'USD', amount: 100 };

  test('runs what falls due on its way at its own instant, in order, and what that makes due too', async () => {
    const of = await testTenant(store.usance);
    const { tenant } = of;
    await open(tenant, { rich: 10_000, poor: 0, payee: 0 });
    const order = { asset: 'USD', idempotencyKey: '' };
    const make = async (fields: object): Promise<string> =>
      (await tenant.createPayment({ ...order, ...pay, ...fields, idempotencyKey: key() })).id;
    const later = await make({ from: 'rich', delay: '3d' });
    const first = await make({ from: 'rich', delay: '1h' });
    // Waits for a credit between two of its tries, and is then paid at once.
    const waits = await make({ from: 'poor', delay: '2h', funding: 'at_execution' });
    const funds = await make({ from: 'rich', to: 'poor', executeAt: after(2 * HOUR + 90 * SECOND) });
    // Never paid: one fails after five tries, one expires before its third.
    const fails = await make({ from: 'poor', amount: 5_000, delay: '4h', funding: 'at_execution' });
    const expires = await make({
      from: 'poor',
      amount: 5_000,
      delay: '5h',
      funding: 'at_execution',
      expiresAt: after(5 * HOUR + 2 * MINUTE),
    });
    const beyond = await make({ from: 'rich', delay: '5d' });

    const report = await advance(store.usance, of, after(4 * DAY));
    expect(report).toMatchObject({
      status: 'ready',
      now: after(4 * DAY),
      advance: { from: new Date(START), to: after(4 * DAY) },
    });
    const story = async (id: string) =>
      (await tenant.timeline(id)).map(({ type, at }) => [
        type.replace('payment.', ''),
        at.getTime() - Date.parse(START),
      ]);
    expect(await story(first)).toEqual([
      ['created', 0],
      ['settled', HOUR],
    ]);
    expect(await story(later)).toEqual([
      ['created', 0],
      ['settled', 3 * DAY],
    ]);
    expect(await story(funds)).toEqual([
      ['created', 0],
      ['settled', 2 * HOUR + 90 * SECOND],
    ]);
    expect(await story(waits)).toEqual([
      ['created', 0],
      ['attempt_failed', 2 * HOUR],
      ['attempt_failed', 2 * HOUR + MINUTE],
      ['settled', 2 * HOUR + 90 * SECOND],
    ]);
    expect(await story(fails)).toEqual([
      ['created', 0],
      ...[0, 1, 3, 7].map((minutes) => ['attempt_failed', 4 * HOUR + minutes * MINUTE]),
      ['failed', 4 * HOUR + 15 * MINUTE],
    ]);
    expect(await story(expires)).toEqual([
      ['created', 0],
      ['attempt_failed', 5 * HOUR],
      ['attempt_failed', 5 * HOUR + MINUTE],
      ['expired', 5 * HOUR + 2 * MINUTE],
    ]);
    expect(await story(beyond)).toEqual([['created', 0]]);

    expect(report.happened).toMatchObject({
      count: 14,
      byType: { 'payment.settled': 4, 'payment.attempt_failed': 8, 'payment.failed': 1, 'payment.expired': 1 },
      firstAt: after(HOUR),
      lastAt: after(3 * DAY),
    });
    const { afterSeq = 0n, lastSeq = 0n } = report.happened ?? {};
    const told = (await tenant.events({}, { after: afterSeq })).filter((event) => event.seq <= lastSeq);
    expect(told).toHaveLength(14);
    const instants = told.map((event) => event.occurredAt.getTime());
    expect(instants).toEqual(instants.toSorted((a, b) => a - b));
    expect((await tenant.deadLetters()).map(({ id, failedAt }) => [id, failedAt])).toEqual([
      [fails, after(4 * HOUR + 15 * MINUTE)],
    ]);
    expect(await advance(store.usance, of, after(5 * DAY))).toMatchObject({
      happened: { byType: { 'payment.settled': 1 } },
    });
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('moves the window of a daily limit', async () => {
    const of = await testTenant(store.usance);
    const { tenant } = of;
    await open(tenant, { payer: 1_000, payee: 0 });
    await tenant.setLimit({ account: 'payer', asset: 'USD', dailyAmount: 150 });
    const create = () => refusalOf(tenant.createPayment({ ...pay, delay: '1h', idempotencyKey: key() }));
    expect([await create(), await create()]).toEqual(['not refused', 'LIMIT_DAILY_EXCEEDED']);
    await advance(store.usance, of, after(23 * HOUR));
    expect(await create()).toBe('LIMIT_DAILY_EXCEEDED');
    await advance(store.usance, of, after(25 * HOUR));
    expect(await create()).toBe('not refused');
    // Funds are looked for when it is due: over the limit then, and retried until the window has moved.
    const retry = { maxAttempts: 10, initialDelayMs: 6 * HOUR, multiplier: 1, maxDelayMs: 6 * HOUR };
    const { id } = await tenant.createPayment({ ...pay, funding: 'at_execution', retry, idempotencyKey: key() });
    await advance(store.usance, of, after(3 * DAY));
    const tries = (await tenant.timeline(id)).map(({ type, at }) => [type, (at.getTime() - Date.parse(START)) / HOUR]);
    expect(tries.slice(1)).toEqual([
      ...[25, 31, 37, 43, 49].map((hours) => ['payment.attempt_failed', hours]),
      ['payment.settled', 55],
    ]);
  });

  test('does not walk through a pause in small steps', async () => {
    const of = await testTenant(store.usance);
    const { tenant } = of;
    await open(tenant, { payer: 1_000, payee: 0 });
    const { id } = await tenant.createPayment({ ...pay, delay: '1h', idempotencyKey: key() });
    await tenant.pause('tenant', '', 'to see');
    const year = await advance(store.usance, of, after(365 * DAY));
    expect(year).toMatchObject({ status: 'ready', happened: { count: 0, firstAt: null } });
    expect(year.advance?.steps).toBeLessThan(10);
    await tenant.liftPause('tenant', '');
    await advance(store.usance, of, after(365 * DAY + MINUTE));
    expect(await tenant.payment(id)).toMatchObject({ status: 'settled', attempts: 1 });
  });

  test('does not walk schedules and subscriptions through a pause in small steps', async () => {
    const of = await testTenant(store.usance);
    const { tenant } = of;
    await open(tenant, { payer: 100_000, payee: 0 });
    const hourly = { everySeconds: 3_600 };
    await tenant.createSchedule({
      ...pay,
      amount: 1,
      rule: hourly,
      zone: 'UTC',
      missed: 'last',
      idempotencyKey: key(),
    });
    const terms = { name: 'Gold', receiver: 'payee', asset: 'USD', price: 1_000, period: hourly } as const;
    const plan = await tenant.createPlan({ ...terms, charges: 100, missed: 'last' });
    await tenant.subscribe({ plan: plan.id, payer: 'payer', idempotencyKey: key() });
    await advance(store.usance, of, after(MINUTE));
    const [before] = await held(tenant, 'payee');
    await tenant.pause('tenant', '', 'to see');
    const hours = await advance(store.usance, of, after(3.5 * HOUR));
    expect(hours).toMatchObject({ status: 'ready' });
    expect(hours.advance?.steps).toBeLessThan(10);
    await tenant.liftPause('tenant', '');
    await advance(store.usance, of, after(3.5 * HOUR + MINUTE));
    // One of each: the last that was missed.
    expect(await held(tenant, 'payee')).toEqual([(before ?? 0n) + 1_001n, 0n]);
  });

  test('takes more payments of one instant than a batch holds', async () => {
    const of = await testTenant(store.usance);
    await open(of.tenant, { payer: 1_200, payee: 0 });
    const orders = Array.from({ length: 1_200 }, () => ({ ...pay, amount: 1, delay: '1h' }));
    await of.tenant.createPayments(orders, { idempotencyKey: key() });
    expect(await advance(store.usance, of, after(HOUR))).toMatchObject({
      happened: { byType: { 'payment.settled': 1_200 } },
    });
    expect(await held(of.tenant, 'payee')).toEqual([1_200n, 0n]);
  });

  test('is of real time in nothing but its record', async () => {
    const of = await testTenant(store.usance, '2001-02-03T04:05:06.789Z');
    await open(of.tenant, { payer: 100, payee: 0 });
    await of.tenant.createPayment({ ...pay, delay: '1d', idempotencyKey: key() });
    const { advance: done } = await advance(store.usance, of, '2001-02-04T04:05:06.789Z');
    for (const real of [done?.requestedAt, done?.finishedAt])
      expect(Math.abs((real?.getTime() ?? 0) - Date.now())).toBeLessThan(10 * MINUTE);
    const [transfer] = await of.tenant.transfers('payee');
    expect(transfer?.postedAt).toEqual(new Date('2001-02-04T04:05:06.789Z'));
    expect((await of.tenant.balancesAt('payee', new Date('2001-02-04T04:05:06.788Z'))).totals).toEqual([]);
    const recorded = await store.owner.query(
      `select type, actor, recorded_at > now() - interval '10 minutes' as lately from usance.events
       where tenant_id = $1::uuid and type like 'test\\_clock.%' order by id`,
      [of.tenant.id],
    );
    expect(recorded).toEqual([
      { type: 'test_clock.created', actor: 'library', lately: true },
      { type: 'test_clock.advance_requested', actor: 'library', lately: true },
      { type: 'test_clock.advanced', actor: 'system', lately: true },
    ]);
  });

  test('lets no processor of real time wake its payments', async () => {
    const of = await testTenant(store.usance);
    await open(of.tenant, { poor: 0, payee: 0 });
    const { id } = await of.tenant.createPayment({
      ...pay,
      from: 'poor',
      funding: 'at_execution',
      idempotencyKey: key(),
    });
    await advance(store.usance, of, after(SECOND));
    await of.tenant.deposit({ account: 'poor', asset: 'USD', amount: 100, idempotencyKey: key() });
    const processor = store.usance.loops.find((loop) => loop.name === 'processor');
    const runs = async () => expect((await processor?.runOnce())?.counts).toMatchObject({ woken: 0, claimed: 0 });
    expect(await changedBy(store.owner, of.tenant.id, runs)).toEqual([]);
    await advance(store.usance, of, after(2 * SECOND));
    expect(await of.tenant.payment(id)).toMatchObject({ status: 'settled', endedAt: after(SECOND), attempts: 2 });
  });

  test('leaves books that add up', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});
