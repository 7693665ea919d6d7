// Every payment has its story: what happened, when, by whom, why, and how long after the thing before.
import { describe, expect, test } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR, MINUTE, testProcessor } from '../support/processor.ts';
import { refusalOf } from '../support/refusal.ts';

describe('the timeline of a payment', () => {
  const store = useUsance();
  const create = (fields: object = {}) =>
    store.tenant.createPayment({
      from: 'payer',
      to: 'payee',
      asset: 'USD',
      amount: 100,
      ...fields,
      idempotencyKey: key(),
    });
  const types = async (id: string) => (await store.tenant.timeline(id)).map(({ type }) => type);

  test('shows failed attempts with their causes and the time between them', async () => {
    await open(store.tenant, { payer: 50, payee: 0 });
    const { id } = await create({ funding: 'at_execution', retry: 'subscription' });
    const processor = testProcessor(store.db);
    await processor.drain();
    await processor.drainAfter(MINUTE);
    await store.tenant.deposit({ account: 'payer', asset: 'USD', amount: 50, idempotencyKey: key() });
    await processor.drain();
    const story = await store.tenant.timeline(id);
    const payer = toTypeId('account', (await store.tenant.account('payer')).id);
    const cause = `FUNDS_INSUFFICIENT: account "${payer}" has 0.50 USD available; 1.00 USD is required`;
    expect(story.map((entry) => [entry.type, entry.cause, entry.actor])).toEqual([
      ['payment.created', null, 'library'],
      ['payment.attempt_failed', cause, 'system'],
      ['payment.attempt_failed', cause, 'system'],
      ['payment.settled', null, 'system'],
    ]);
    expect(story[0]?.afterMs).toBe(0);
    expect(story[2]?.afterMs).toBeGreaterThanOrEqual(MINUTE);
    for (const [n, entry] of story.entries())
      expect(entry.afterMs).toBe(entry.at.getTime() - (story[n - 1] ?? entry).at.getTime());
    expect(story.at(-1)?.data).toMatchObject({ attempt: 3, old: { status: 'scheduled' }, status: 'settled' });
  });

  test('tells how late a payment was settled', async () => {
    await open(store.tenant, { 'late-payer': 100 });
    const { id } = await create({ from: 'late-payer', delay: 60 });
    await testProcessor(store.db).drainAfter(3 * MINUTE);
    const latenessMs = Number((await store.tenant.timeline(id)).at(-1)?.data['latenessMs']);
    expect(latenessMs).toBeGreaterThanOrEqual(2 * MINUTE);
    expect(latenessMs).toBeLessThan(3 * MINUTE);
  });

  test('tells of every deed, who did it and why', async () => {
    await open(store.tenant, { busy: 1_000 });
    const operator = await store.usance.tenant('shop', { actor: 'operator' });
    const { id } = await create({ from: 'busy', delay: '1h' });
    await operator.editPayment(id, { amount: 200 });
    await operator.extendPayment(id, new Date(Date.now() + 5 * HOUR));
    await operator.capturePayment(id, { amount: 50, idempotencyKey: key() });
    await operator.runPaymentNow(id);
    await operator.failPayment(id, 'the seller is on holiday');
    await operator.retryPayment(id, { reason: 'back again' });
    await operator.cancelPayment(id, { reason: 'too late' });
    await operator.refundPayment(id, { amount: 20, reason: 'a gesture', idempotencyKey: key() });
    const story = await operator.timeline(id);
    expect(story.map(({ type, cause, actor }) => `${actor} ${type} ${cause ?? ''}`.trim())).toEqual([
      'library payment.created',
      'operator payment.updated',
      'operator payment.extended',
      'operator payment.captured',
      'operator payment.run_now',
      'operator payment.failed FAILED_BY_OPERATOR: the seller is on holiday',
      'operator payment.retried back again',
      'operator payment.released too late',
      'operator payment.settled',
      'operator payment.refunded a gesture',
    ]);
    expect(story[1]?.data).toMatchObject({ old: { amount: '100' }, new: { amount: '200' } });
    expect(story[3]?.data).toMatchObject({ capture: { number: 1, amount: '50' }, amount: '200', captured: '50' });
  });

  test('tells how it ended', async () => {
    await open(store.tenant, { ender: 1_000, poor: 0 });
    const expiring = { from: 'poor', funding: 'at_execution', delay: 1, expiresAt: new Date(Date.now() + MINUTE) };
    const [captured, expired, failed] = [
      await create({ from: 'ender', delay: '1h' }),
      await create(expiring),
      await create({ from: 'poor', funding: 'at_execution', retry: { maxAttempts: 1 } }),
    ];
    await store.tenant.capturePayment(captured.id, { idempotencyKey: key() });
    await testProcessor(store.db).drainAfter(2 * MINUTE);
    expect(await types(captured.id)).toEqual(['payment.created', 'payment.captured', 'payment.settled']);
    expect(await types(expired.id)).toEqual(['payment.created', 'payment.expired']);
    expect((await store.tenant.timeline(expired.id)).at(-1)?.cause).toBe('expires_at');
    expect(await types(failed.id)).toEqual(['payment.created', 'payment.failed']);
  });

  test('tells nothing of a refusal, and every event has its place in the inbox', async () => {
    const { id } = await create({ from: 'ender', delay: '1h' });
    await refusalOf(store.tenant.editPayment(id, { amount: 100_000 }));
    expect(await types(id)).toEqual(['payment.created']);
    const [row] = await store.owner.query(
      `select count(*)::int as events, (select sum(c)::int from usance.event_inbox i, unnest(i.counts) c) as inbox from usance.events`,
    );
    expect(row?.['inbox']).toBe(row?.['events']);
  });

  test('of a payment that does not exist is refused', async () => {
    expect(await refusalOf(store.tenant.timeline('nonsense'))).toBe('PAYMENT_NOT_FOUND');
  });
});
