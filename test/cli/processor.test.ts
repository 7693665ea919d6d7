// The commands that work in the background, as processes, on one database.
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { asDate, only } from '../../src/db/index.ts';
import { held, key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { cronOf } from '../support/schedules.ts';
import { startUsance, useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (args: string[], variables = {}) =>
  usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl, ...variables });
const pay = (amount: number, delay = '0s') =>
  world.tenant.createPayment({ from: 'alice', to: 'bob', asset: 'USD/2', amount, delay, idempotencyKey: key() });

/** A subscription's charge that fell due so long ago. */
const charge = async (ago: string): Promise<string> => {
  const terms = { name: 'Club', price: 7, asset: 'USD', receiver: 'bob', charges: 12 } as const;
  const plan = await world.tenant.createPlan({ ...terms, period: { everySeconds: 86_400 } });
  const { lastPaymentId } = await world.tenant.subscribe({ plan: plan.id, payer: 'alice', idempotencyKey: key() });
  await world.owner.query(
    `update usance.due set due_at = due_at - interval '${ago}' where payment_id = '${lastPaymentId}'`,
  );
  return lastPaymentId ?? '';
};

beforeAll(() => open(world.tenant, { alice: 1_000, bob: 0 }));

describe('processor --once', () => {
  test('settles what is due, leaves what is not, orders the events, and says so', async () => {
    await pay(100);
    await pay(50);
    const later = await pay(25, '1h');
    const { code, out, err } = await run(['processor', '--once']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.trimEnd().split('\n').at(-1)).toBe(
      '📊 Worker completed - Processed: 2 | Success: 2 | Retry: 0 | Failed: 0',
    );
    expect(await held(world.tenant, 'bob')).toEqual([150n, 0n]);
    expect((await world.tenant.payment(later.id)).status).toBe('scheduled');
    expect(await world.tenant.events({ type: 'payment.settled' })).toHaveLength(2);
  });

  test('says the same to machines', async () => {
    await pay(10);
    expect((await run(['processor', '--once', '--json'])).json()).toMatchObject({ claimed: 1, settled: 1, due: 0 });
    expect((await run(['processor', '--once', '--json'])).json()).toMatchObject({ claimed: 0, events: 0, due: 0 });
  });

  test('fails on purpose where it is asked to', async () => {
    await pay(10);
    const { out } = await run(['processor', '--once'], { USANCE_SIMULATE_FAILURES: '1' });
    expect(out).toContain('(attempt 1/5)\n');
    expect(out).toContain('Success: 0 | Retry: 1 | Failed: 0\n');
  });
});

describe('processor', () => {
  test('stays, settles at the hour, of subscriptions when its cron comes by, and ends when asked to', async () => {
    // The cron came by ten minutes ago, between the two charges, and next comes tomorrow.
    const { cron, next } = cronOf(10);
    const [passed, waits] = [await charge('15 minutes'), await charge('5 minutes')];
    const variables = { DATABASE_URL: world.runtimeUrl, PROCESSOR_CRON: cron };
    const { child, screen, ended } = await startUsance(folder, ['processor'], 'running', variables);
    expect(screen).toMatch(/running processor, sequencer, metrics on usance_app@.* \(PostgreSQL \d+/);
    const { id } = await pay(5, '1s');
    await vi.waitUntil(async () => (await world.tenant.payment(id)).status === 'settled', 30_000);
    await vi.waitUntil(async () => (await world.tenant.events({ resourceId: id })).length === 2, 30_000);
    await vi.waitUntil(async () => (await world.tenant.payment(passed)).status === 'settled', 30_000);
    const triedAt = async (): Promise<Date> =>
      asDate(only(await world.db.query(`select due_at from usance.due where payment_id = '${waits}'`))['due_at']);
    await vi.waitUntil(async () => (await triedAt()) > new Date(), 30_000);
    expect(await triedAt()).toEqual(next);
    expect(await world.tenant.payment(waits)).toMatchObject({ status: 'scheduled', attempts: 0 });
    child.kill('SIGTERM');
    const { code, out, err } = await ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/processor: settled 1 \(\d+ ms\)\n/);
    expect(out).toMatch(/stopping\n.*stopped\n$/);
  });

  test('logs for machines, an object a line', async () => {
    const variables = { DATABASE_URL: world.runtimeUrl, LOG_FORMAT: 'json' };
    const { child, ended } = await startUsance(folder, ['worker', '--only', 'integrity'], 'running', variables);
    child.kill('SIGINT');
    const lines = (await ended).out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { time: expect.stringMatching(/^\d{4}-.*Z$/), level: 'info', message: expect.any(String), loops: 'integrity' },
      expect.objectContaining({ message: 'stopping' }),
      expect.objectContaining({ message: 'stopped' }),
    ]);
  });
});

describe('worker', () => {
  test('runs everything but the processor, and tells machines when', async () => {
    const variables = { DATABASE_URL: world.runtimeUrl };
    const { child, ended } = await startUsance(folder, ['worker', '--json'], '"ready": true', variables);
    child.kill('SIGTERM');
    const { code, json } = await ended;
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      ready: true,
      loops: [
        'scheduler',
        'sequencer',
        'matcher',
        'jobs',
        'webhooks',
        'notifications',
        'emails',
        'rescuer',
        'seal-check',
        'anchors',
        'integrity',
        'clocks',
        'forecast',
        'partitions',
        'retention',
        'encrypt',
        'health',
        'treasury',
        'alerts',
        'metrics',
        'payouts',
        'confirmations',
      ],
    });
  });

  test('knows every loop there is, and no other', async () => {
    const names = world.usance.loops.map((loop) => loop.name);
    const { err } = await run(['worker', '--only', 'sequencer,nonsense']);
    const listed = /use one of (.*)\.\n/.exec(err)?.[1]?.split(', ');
    expect(listed?.toSorted()).toEqual(names.toSorted());
  });
});

test('production does not start them without a database of its own', async () => {
  const { code, err } = await usanceHere(folder, ['processor'], { NODE_ENV: 'production' });
  expect({ code, err }).toEqual({
    code: 3,
    err: 'usance: DATABASE_URL is not set, and NODE_ENV=production does not start "usance processor" without it\n',
  });
});
