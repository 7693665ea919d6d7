// Executions of a test tenant: they follow its clock, retries included, and a processor can write to the tenant while the clock waits.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobProcessor, TenantHandle, Usance } from '../../src/index.ts';
import { createUsance } from '../../src/index.ts';
import { asDate, asNumber, asText } from '../../src/db/index.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const state: { usance?: Usance; shop?: TenantHandle } = {};
const handlers = new Map<string, JobProcessor>();
const run =
  (name: string): JobProcessor =>
  (...given) =>
    handlers.get(name)?.(...given) ?? Promise.resolve();

beforeAll(async () => {
  const processors = ['retry', 'write', 'hang'].map((name) => ({ name, description: '', processor: run(name) }));
  state.usance = await createUsance({ databaseUrl: database.runtimeUrl, processors, jobs: { drainMs: 100 } });
  state.usance.start(['clocks', 'sequencer', 'matcher', 'jobs', 'rescuer']);
});
afterAll(() => state.usance?.close());

const START = '2027-01-01T00:00:00.000Z';
const after = (ms: number): Date => new Date(Date.parse(START) + ms);

async function testShop(): Promise<{ shop: TenantHandle; advance: (ms: number) => Promise<string> }> {
  const shop = await (state.usance as Usance).tenants.create({ name: `clock-${(shops += 1)}`, kind: 'test' });
  const clock = await shop.testClocks.create({ name: 'clock', now: START });
  return {
    shop,
    advance: async (ms) => {
      await shop.testClocks.advance(clock.id, { to: after(ms) });
      return (await shop.testClocks.wait(clock.id)).now;
    },
  };
}
let shops = 0;

test('retries are made at the instants of the tenant’s clock', async () => {
  handlers.set('retry', async (_event, { attemptNumber }) => {
    if (attemptNumber < 3) throw new Error(`attempt ${attemptNumber}`);
    return { attempts: attemptNumber };
  });
  const { shop, advance } = await testShop();
  const retryConfig = { initialDelayMs: 600_000, maxDelayMs: 3_600_000 };
  await shop.jobs.create({ name: 'retries', eventPattern: 'account.created', processorName: 'retry', retryConfig });
  await shop.accounts.create({ ref: 'alice' });
  expect(await advance(86_400_000)).toBe(after(86_400_000).toISOString());
  const attempts = await database.db.query(
    `select v.attempt, v.started_at, v.ended_at, v.code from usance.invocations v order by v.attempt`,
  );
  expect(attempts.map((row) => [asNumber(row['attempt']), asDate(row['started_at']), asText(row['code'])])).toEqual([
    [1, after(0), 'PROCESSOR_FAILED'],
    [2, after(600_000), 'PROCESSOR_FAILED'],
  ]);
  const [ended] = await database.db.query('select status, attempt, attempted_at, ended_at from usance.executions');
  expect(ended).toMatchObject({ status: 'completed', attempt: 3 });
  expect([asDate(ended?.['attempted_at']), asDate(ended?.['ended_at'])]).toEqual([after(1_800_000), after(1_800_000)]);
});

test('a processor can write to its tenant while the clock advances, at the instant of the clock', async () => {
  const { shop, advance } = await testShop();
  handlers.set('write', async (event, { id }) => {
    await shop.accounts.create({ ref: `made-for-${event.seq}` }, { idempotencyKey: id });
  });
  await shop.assets.create({ asset: 'USD/2' });
  await shop.accounts.create({ ref: 'alice' });
  await shop.accounts.create({ ref: 'bob' });
  await shop.accounts.deposit('alice', { asset: 'USD', amount: 500n }, { idempotencyKey: 'fund' });
  await shop.jobs.create({ name: 'writes', eventPattern: 'payment.settled', processorName: 'write' });
  const order = { from: 'alice', to: 'bob', asset: 'USD', amount: 5n, delay: '1h' };
  await shop.payments.create(order, { idempotencyKey: 'pay' });
  await advance(86_400_000);
  const created: string[] = [];
  for await (const { occurredAt } of shop.events.list({ type: 'account.created' })) created.push(occurredAt);
  expect(created).toEqual([START, START, after(3_600_000).toISOString()]);
  for await (const { status, error } of shop.executions.list()) expect([status, error]).toEqual(['completed', null]);
});

test('an advance does not wait for jobs that no worker can run', async () => {
  const { shop, advance } = await testShop();
  await database.db.query(`insert into usance.processors (name, description) values ('nowhere', '')`);
  await shop.jobs.create({ name: 'unserved', eventPattern: 'account.created', processorName: 'nowhere' });
  await shop.accounts.create({ ref: 'carol' });
  expect(await advance(3_600_000)).toBe(after(3_600_000).toISOString());
});
