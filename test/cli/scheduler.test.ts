// The scheduler and the calendar, as processes, on one database.
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { asDate, only } from '../../src/db/index.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { addOutage, cronOf, dueSchedule } from '../support/schedules.ts';
import { startUsance, useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (args: string[], variables = {}) =>
  usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl, ...variables });

const due = (reference: string): Promise<string> => dueSchedule(world.owner, world.tenant, { reference });
const made = async (id: string): Promise<number> => (await world.tenant.occurrences(id)).length;

/** A daily subscription, and the payment that is its first charge. */
const subscribe = async (payer: string): Promise<{ id: string; job: string }> => {
  const terms = { name: 'Club', price: 100, asset: 'USD', receiver: 'bob', charges: 12 } as const;
  const plan = await world.tenant.createPlan({ ...terms, period: { everySeconds: 86_400 } });
  const subscribed = await world.tenant.subscribe({ plan: plan.id, payer, idempotencyKey: key() });
  return { id: subscribed.id, job: subscribed.lastPaymentId ?? '' };
};
/** Its second charge fell due so many seconds ago. */
const dueAgain = async (id: string, agoSeconds = 60): Promise<void> => {
  const back = `interval '${86_400 + agoSeconds} s'`;
  await world.owner.query(
    `begin; set local session_replication_role = replica;
     update usance.schedules set timing = jsonb_set(timing, '{start}',
       to_jsonb(to_char((timing ->> 'start')::timestamp - ${back}, 'YYYY-MM-DD"T"HH24:MI:SS.MS')))
     where id = '${id}';
     update usance.schedule_due set due_at = clock_timestamp() - interval '1 ms', passed_slot = passed_slot - ${back}
     where schedule_id = '${id}'; commit`,
  );
};

beforeAll(() => open(world.tenant, { alice: 10_000, bob: 0 }));

describe('scheduler --once', () => {
  test('makes what is due, says so, keeps a record of it, and the processor settles it', async () => {
    const id = await due('rent');
    const { code, out, err } = await run(['scheduler', '--once']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      '⏰ Starting scheduler...',
      '📊 0 subscriptions found',
      '📊 1 other schedule found',
      '✅ 1 job scheduled successfully',
      `📦 Job created for schedule ${toTypeId('schedule', id)} (Payer: alice)`,
      '🎉 Scheduler executed successfully',
      '',
    ]);
    expect(await made(id)).toBe(1);
    expect((await run(['processor', '--once'])).out).toContain('Processed: 1 | Success: 1 | Retry: 0 | Failed: 0\n');
    const [counted, placed, processed] = await world.tenant.cronRuns();
    expect([processed, placed, counted]).toMatchObject([
      { jobName: 'processor', status: 'SUCCESS', processedCount: 1, errorMessage: null },
      { jobName: 'sequencer', status: 'SUCCESS' },
      { jobName: 'metrics', status: 'SUCCESS' },
    ]);
    expect(await world.tenant.cronRuns({ jobName: 'scheduler' })).toMatchObject([
      { jobName: 'scheduler', status: 'SUCCESS', processedCount: 1, counts: { claimed: 1, made: 1 } },
    ]);
  });

  test('that finds nothing is on record too, and says the same to machines', async () => {
    expect((await run(['scheduler', '--once', '--json'])).json()).toMatchObject({ claimed: 0, made: 0 });
    const [newest] = await world.tenant.cronRuns({ jobName: 'scheduler' });
    expect(newest).toMatchObject({ status: 'SUCCESS', processedCount: 0 });
  });
});

describe('the subscriptions design', () => {
  const retryAt = async (job: string): Promise<string> => {
    const [row] = await world.db.query(`select next_retry_at from usance_docs.relayer_jobs where id = '${job}'`);
    return asDate(row?.['next_retry_at']).toISOString();
  };
  const lines = (out: string): string[] => out.trimEnd().split('\n');
  const STARTED = '🔄 Worker started - processing all pending jobs...';

  test('has these lines of a scheduler and a processor: attempt n of 6, retry n of 5', async () => {
    const { id, job } = await subscribe('alice');
    const [sub, pay] = [toTypeId('subscription', id), toTypeId('payment', job)];
    const failed = await run(['processor', '--once'], { USANCE_SIMULATE_FAILURES: '1' });
    expect(lines(failed.out)).toEqual([
      STARTED,
      '📊 Found 1 pending job to process',
      `📦 Processing job ${pay} for subscription ${sub} (attempt 1/6)`,
      `❌ Job ${pay} failed: Simulated failure for testing`,
      `🔄 Job ${pay} scheduled for retry 1/5 at ${await retryAt(job)}`,
      '📊 Worker completed - Processed: 1 | Success: 0 | Retry: 1 | Failed: 0',
    ]);
    const [attempt] = await world.db.query(
      `select occurred_at from usance.events where resource_id = '${job}' and type = 'payment.attempt_failed'`,
    );
    // The first wait of the preset is a minute.
    expect(Date.parse(await retryAt(job)) - asDate(attempt?.['occurred_at']).getTime()).toBe(60_000);
    await world.tenant.runPaymentNow(job);
    expect(lines((await run(['processor', '--once'])).out)).toEqual([
      STARTED,
      '📊 Found 1 pending job to process',
      `📦 Processing job ${pay} for subscription ${sub} (attempt 2/6)`,
      `✅ Job ${pay} completed successfully`,
      '📊 Worker completed - Processed: 1 | Success: 1 | Retry: 0 | Failed: 0',
    ]);
    await dueAgain(id);
    expect(lines((await run(['scheduler', '--once'])).out)).toEqual([
      '⏰ Starting scheduler...',
      '📊 1 subscription found',
      '✅ 1 job scheduled successfully',
      `📦 Job created for subscription ${sub} (Payer: alice)`,
      '🎉 Scheduler executed successfully',
    ]);
    await world.tenant.cancelSubscription(id);
  });

  test('has a line for one that failed for good; machines get the words without pictures, and fields', async () => {
    const { id, job } = await subscribe('alice');
    await world.owner.query(`update usance.payments set attempts = 5 where id = '${job}'`);
    const variables = { USANCE_SIMULATE_FAILURES: '6', LOG_FORMAT: 'json' };
    const { out } = await run(['processor', '--once'], variables);
    const [subscription, name] = [toTypeId('subscription', id), toTypeId('payment', job)];
    const about = { job: name, subscription };
    const said = lines(out).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(said).toMatchObject([
      { level: 'info', message: 'Worker started - processing all pending jobs...' },
      { message: 'Found 1 pending job to process' },
      { message: `Processing job ${name} for subscription ${subscription} (attempt 6/6)`, attempt: 6, ...about },
      { level: 'warn', message: `Job ${name} failed: Simulated failure for testing`, code: 'SIMULATED_FAILURE' },
      { level: 'error', message: `Job ${name} permanently failed`, ...about },
      { message: 'Worker completed - Processed: 1 | Success: 0 | Retry: 0 | Failed: 1', counts: { failed: 1 } },
    ]);
    // Looked at now, rather than in a while.
    await world.owner.query(
      `update usance.schedule_due set due_at = clock_timestamp() - interval '1 ms' where schedule_id = '${id}'`,
    );
    const quiet = await run(['scheduler', '--once'], { LOG_LEVEL: 'warn' });
    expect({ code: quiet.code, out: quiet.out, err: quiet.err }).toEqual({ code: 0, out: '', err: '' });
    expect((await world.tenant.subscription(id)).status).toBe('expired');
  });
});

test('a cron that cannot be is refused by name, and nothing is left open', async () => {
  const { code, err } = await run(['scheduler'], { SCHEDULER_CRON: '61 0 * * *' });
  expect(code).toBe(3);
  expect(err).toMatch(/^usance: SCHEDULER_CRON cannot be used: .*minute "61"/);
});

test('scheduler keeps running, creates due payments, those of subscriptions at its cron, and stops on request', async () => {
  const before = (await world.tenant.cronRuns()).length;
  const [passed, waits] = [await subscribe('alice'), await subscribe('alice')];
  await world.usance.loops.find(({ name }) => name === 'processor')?.runOnce();
  // The cron came by ten minutes ago, between the two, and next comes tomorrow.
  const { cron, next } = cronOf(10);
  await dueAgain(passed.id, 15 * 60);
  await dueAgain(waits.id, 5 * 60);
  const variables = { DATABASE_URL: world.runtimeUrl, SCHEDULER_CRON: cron };
  const { child, ended } = await startUsance(folder, ['scheduler'], 'running', variables);
  const id = await due('salary');
  await vi.waitUntil(async () => (await made(id)) === 1 && (await made(passed.id)) === 2, 30_000);
  const looksAt = async (): Promise<Date> =>
    asDate(
      only(await world.db.query(`select due_at from usance.schedule_due where schedule_id = '${waits.id}'`))['due_at'],
    );
  await vi.waitUntil(async () => (await looksAt()) > new Date(), 30_000);
  expect(await looksAt()).toEqual(next);
  expect(await made(waits.id)).toBe(1);
  await vi.waitUntil(async () => (await world.tenant.cronRuns()).length > before, 30_000);
  child.kill('SIGTERM');
  const { code, err } = await ended;
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test('outages shows what is held, and a person decides', async () => {
  const shown = toTypeId('outage', await addOutage(world.owner, world.tenant.id));
  expect((await run(['outages'])).out).toContain(`${shown}  waiting  due 2020-01-01T00:00:00.000Z to `);
  const { code, out } = await run(['outages', 'discard', shown, '--reason', 'paid in cash']);
  expect({ code, out }).toEqual({ code: 0, out: 'Done: 3 schedules, 3.00 USD discarded.\n' });
  expect((await run(['outages', 'release', shown])).code).toBe(1);
});

describe('upcoming', () => {
  test('is a calendar, in the time of each zone and in UTC', async () => {
    await world.tenant.createSchedule({
      from: 'alice',
      to: 'bob',
      asset: 'USD/2',
      amount: 12_50,
      rule: { frequency: 'DAILY', time: '23:30' },
      zone: 'Asia/Kolkata',
      reference: 'lunch',
      idempotencyKey: key(),
    });
    const { code, out } = await run(['upcoming', '--days', '3']);
    expect(code).toBe(0);
    expect(out).toMatch(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} [A-Z][a-z]+ 20\d\d$/m);
    expect(out).toMatch(/23:30 Asia\/Kolkata {2}20\d\d-\d\d-\d\dT18:00Z {2}12\.50 USD {2}alice → bob {2}lunch/);
    expect(out).toMatch(/\d+ upcoming payments\.\n$/);
  });

  test('has the UTC instant with its date, which may be another day than the local one', async () => {
    await world.tenant.createSchedule({
      from: 'alice',
      to: 'bob',
      asset: 'USD/2',
      amount: 12_50,
      rule: { frequency: 'DAILY', time: '02:00' },
      zone: 'Asia/Kolkata',
      reference: 'night',
      idempotencyKey: key(),
    });
    const { runs } = (await run(['upcoming', '--days', '2', '--json'])).json<{
      runs: { local: string; at: string }[];
    }>();
    const night = runs.find(({ local }) => local.includes('T02:00'));
    const day = night?.local.slice(0, 10) ?? '';
    expect(night?.at.slice(0, 10)).not.toBe(day);
    const { out } = await run(['upcoming', '--days', '2']);
    expect(out).toContain(`02:00 Asia/Kolkata  ${night?.at.slice(0, 16)}Z`);
  });

  test('says so when nothing comes, and what it cannot do', async () => {
    await world.tenant.openAccount({ ref: 'carol' });
    expect((await run(['upcoming', '--account', 'carol'])).out).toBe(
      'No schedule pays anything in the next 14 days.\n',
    );
    expect((await run(['upcoming', '--days', '0'])).code).toBe(2);
    expect((await run(['upcoming', '--account', 'nobody'])).code).toBe(1);
    expect((await run(['upcoming', '--days', '3', '--json'])).json()).toMatchObject({ days: 3 });
  });
});
