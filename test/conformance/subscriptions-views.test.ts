// The tables of the document on subscriptions, as views: a real row of every status, and its four monitoring queries as it
// writes them, to the character.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/db/index.ts';
import { asDate, asDateOrNull } from '../../src/db/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY, HOUR, MINUTE } from '../support/processor.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, testTenant } from '../support/test-clock.ts';

const QUERIES = readFileSync(new URL('subscription-queries.sql', import.meta.url), 'utf8');
const [pending = '', failed = '', retried = '', rate = ''] = QUERIES.split(';');

const PLAN = { name: 'Club', price: 1_000, asset: 'USD', receiver: 'club', months: 12 } as const;
const PERIODS = [
  { period: { frequency: 'MONTHLY' }, zone: 'America/New_York' },
  { period: { frequency: 'MONTHLY', every: 3 }, zone: 'Asia/Kolkata' },
  { period: { frequency: 'YEARLY' } },
  { period: { frequency: 'WEEKLY', every: 2 }, zone: 'Europe/Berlin' },
  { period: { frequency: 'DAILY' } },
  { period: { everySeconds: 5_000 }, months: null, charges: 1_000 },
] as const;

describe('the tables of the subscriptions design', () => {
  const store = useUsance();
  const docs = (text: string): Promise<Row[]> =>
    store.db.transaction(async (tx) => {
      await tx.query('set local search_path = usance_docs_test');
      return tx.query(text);
    });
  const subscribe = async ({ tenant }: TestTenant, payer: string, terms: object = {}) => {
    const { id } = await tenant.createPlan({ ...PLAN, period: { frequency: 'MONTHLY' }, ...terms });
    return tenant.subscribe({ plan: id, payer, idempotencyKey: key() });
  };
  const jobs = { success: '', first: '', waiting: '', failed: '', cancelled: '', refused: '', subscriptionOfFirst: '' };
  const subscriptions: Record<string, string> = {};

  test('are filled by an ordinary life', async () => {
    const own = await testTenant(store.usance, '2027-01-31T08:00:00Z');
    await open(own.tenant, { rich: 100_000, poor: 0, late: 0, leaves: 0, small: 100_000, saves: 0, club: 0 });
    const to = (ms: number) => advance(store.usance, own, new Date(Date.parse('2027-01-31T08:00:00Z') + ms));
    const active = await subscribe(own, 'rich');
    const expired = await subscribe(own, 'poor');
    const pastDue = await subscribe(own, 'late', { afterFailure: 'pause' });
    const cancelled = await subscribe(own, 'leaves');
    const saving = await subscribe(own, 'saves');
    const refused = await subscribe(own, 'small');
    await to(2 * MINUTE);
    await own.tenant.cancelSubscription(cancelled.id);
    await own.tenant.deposit({ account: 'saves', asset: 'USD', amount: 1_000, idempotencyKey: key() });
    await own.tenant.setLimit({ account: 'small', asset: 'USD', maxAmount: 10 });
    await to(HOUR);
    await to(29 * DAY);
    const waiting = await subscribe(own, 'poor');
    await to(29 * DAY + 4 * MINUTE);
    const fresh = await subscribe(own, 'rich');
    Object.assign(subscriptions, {
      [active.id]: 'ACTIVE',
      [fresh.id]: 'ACTIVE',
      [waiting.id]: 'ACTIVE',
      [expired.id]: 'EXPIRED',
      // Who saved for one charge only could not pay the second.
      [saving.id]: 'EXPIRED',
      [pastDue.id]: 'PAST_DUE',
      [cancelled.id]: 'CANCELLED',
      [refused.id]: 'EXPIRED',
    });
    jobs.success = saving.lastPaymentId ?? '';
    jobs.first = fresh.lastPaymentId ?? '';
    jobs.subscriptionOfFirst = fresh.id;
    jobs.waiting = waiting.lastPaymentId ?? '';
    jobs.failed = expired.lastPaymentId ?? '';
    jobs.cancelled = cancelled.lastPaymentId ?? '';
    jobs.refused = (await own.tenant.deadLetters({ kind: 'occurrence' }))[0]?.id ?? '';
  });

  test('subscriptions has a row of every status', async () => {
    const rows = await docs('select id, status from subscriptions');
    expect(Object.fromEntries(rows.map((row) => [row['id'], row['status']]))).toEqual(subscriptions);
    expect(new Set(rows.map((row) => row['status']))).toEqual(new Set(['ACTIVE', 'PAST_DUE', 'CANCELLED', 'EXPIRED']));
  });

  test('relayer_jobs has a row of every status', async () => {
    const rows =
      await docs(`select id, subscription_id, next_retry_at is not null as timed, executed_at is not null as ended, status,
                                    retry_count, error_message is not null as explained from relayer_jobs`);
    const job = (id: string) => rows.find((row) => row['id'] === id);
    const done = { timed: true, ended: true };
    expect(job(jobs.success)).toMatchObject({ ...done, status: 'SUCCESS', retry_count: 2 });
    expect(job(jobs.failed)).toMatchObject({ ...done, status: 'FAILED', retry_count: 5, explained: true });
    expect(job(jobs.cancelled)).toMatchObject({ ...done, status: 'FAILED', retry_count: 2 });
    expect(job(jobs.refused)).toMatchObject({ ...done, status: 'FAILED', retry_count: 0, explained: true });
    expect(job(jobs.first)).toMatchObject({ status: 'PENDING', retry_count: 0, ended: false, explained: false });
    expect(job(jobs.waiting)).toMatchObject({ status: 'PENDING', retry_count: 3, ended: false, explained: true });
  });

  test('a job names its subscription, is due at an instant from its start on, and says the last error', async () => {
    const rows =
      await docs(`select j.id, j.subscription_id, j.next_retry_at, j.status, j.error_message, s.price, p.execute_at,
        (select e.data ->> 'detail' from usance.events e where e.resource_id = j.id and e.type = 'payment.attempt_failed'
         order by e.occurred_at desc, e.id desc limit 1) as last_error
      from relayer_jobs j join subscriptions s on s.id = j.subscription_id left join usance.all_payments p on p.id = j.id`);
    const [all] = await docs('select count(*)::int as jobs from relayer_jobs');
    expect(rows.length).toBe(all?.['jobs']);
    expect(rows.every((row) => row['next_retry_at'] !== null && row['price'] !== null)).toBe(true);
    const job = (id: string) => rows.find((row) => row['id'] === id);
    const [first, waiting] = [job(jobs.first), job(jobs.waiting)];
    expect(jobs.subscriptionOfFirst).toBe(first?.['subscription_id']);
    expect(first).toMatchObject({ status: 'PENDING', error_message: null });
    // A new job is due at once, one that failed later than that.
    expect(asDate(first?.['next_retry_at'])).toEqual(asDate(first?.['execute_at']));
    expect(asDate(waiting?.['next_retry_at']).getTime()).toBeGreaterThan(asDate(waiting?.['execute_at']).getTime());
    expect(waiting?.['last_error']).toEqual(expect.any(String));
    expect(waiting?.['error_message']).toBe(waiting?.['last_error']);
  });

  test('its query of pending jobs runs as written', async () => {
    expect((await docs(pending)).map((row) => row['id'])).toEqual([jobs.first, jobs.waiting]);
  });

  test('its query of failed jobs runs as written', async () => {
    const found = await docs(failed);
    expect(found.map((row) => row['id'])).toEqual(expect.arrayContaining([jobs.failed, jobs.cancelled, jobs.refused]));
    const times = found.map((row) => asDate(row['executed_at']).getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test('its query of jobs with retries runs as written', async () => {
    const [row, ...others] = await docs(retried);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ id: jobs.waiting, retry_count: 3 });
    expect(row?.['error_message']).toContain('0');
  });

  test('its success rate runs as written', async () => {
    const rows = await docs(rate);
    expect(new Set(rows.map((row) => row['status']))).toEqual(new Set(['PENDING', 'SUCCESS', 'FAILED']));
    const [all] = await docs('select count(*)::int as jobs from relayer_jobs');
    expect(rows.reduce((sum, row) => sum + Number(row['count']), 0)).toBe(all?.['jobs']);
    expect(Math.abs(rows.reduce((sum, row) => sum + Number(row['percentage']), 0) - 100)).toBeLessThan(0.05);
  });

  test('its success rate is also given for ended jobs only', async () => {
    const [row, ...others] = await docs('select success::int, failed::int, percentage from relayer_job_success');
    expect(others).toEqual([]);
    const ended = await docs(`select status from relayer_jobs where status <> 'PENDING'`);
    const success = ended.filter(({ status }) => status === 'SUCCESS').length;
    expect(row).toMatchObject({ success, failed: ended.length - success });
    expect(Number(row?.['percentage'])).toBeCloseTo((success * 100) / ended.length, 1);
  });

  test.each(PERIODS)('next_due_at is when the next charge is due: %j', async (terms) => {
    const own = await testTenant(store.usance, '2027-01-31T08:00:00.500Z');
    await open(own.tenant, { rich: 1_000_000_000, club: 0 });
    const { id } = await subscribe(own, 'rich', terms);
    for (const to of [MINUTE, 40 * DAY, 89 * DAY]) {
      await advance(
        store.usance,
        own,
        new Date(Date.parse('2027-01-31T08:00:00.500Z') + Math.min(to, 'everySeconds' in terms.period ? DAY : to)),
      );
      const [row] = await docs(`select next_due_at from subscriptions where id = '${id}'`);
      expect(asDateOrNull(row?.['next_due_at'])).toEqual((await own.tenant.subscription(id)).nextDueAt);
    }
  });
});
