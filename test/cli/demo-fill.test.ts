// The fill of the demo world in this process: what it costs, and what it must not miss on a slow machine.
import { afterEach, expect, test } from 'vitest';
import { createEndpoints, pointEndpoints, reopenReceiver } from '../../src/cli/demo-world/endpoints.ts';
import { subscribeJobs } from '../../src/cli/demo-world/operations.ts';
import { openReceiver } from '../../src/cli/demo-world/receiver.ts';
import { openStage } from '../../src/cli/demo-world/stage.ts';
import { ensureDemoWorld, fillDemoWorld } from '../../src/cli/demo-world/world.ts';
import type { EngineOptions } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { presenterOf } from '../../src/library/present.ts';
import { libraryOf } from '../../src/library/usance.ts';
import { TEST_KEY, useUsance } from '../support/database.ts';
import { START, testTenant } from '../support/test-clock.ts';
import { DELIVERING } from '../support/webhooks.ts';

const STEP = 'set stands_at = greatest(';
/** About twice what a fill needs. A loop that waits for its poll sends a statement or two each time. */
const MOST_STEPS = 250;
const MOST_STATEMENTS = 20_000;

const counts = { steps: 0, statements: 0 };
const OPTIONS: EngineOptions = { ...DELIVERING, presenter: presenterOf, chains: { sandbox: true } };
const NEVER = new AbortController().signal;
const store = useUsance({
  ...OPTIONS,
  onStatement(text) {
    counts.statements += 1;
    if (text.includes(STEP)) counts.steps += 1;
  },
});
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

// Else the clock passes the last orders before a worker is there, and their executions are tried again after its end.
test('its jobs and endpoints have workers before the clock goes on', async () => {
  const { tenant } = await testTenant(store.usance);
  const engine = await createEngine({
    ...OPTIONS,
    databaseUrl: store.runtimeUrl,
    migrate: false,
    encryption: { key: TEST_KEY },
  });
  closing.push(() => engine.close());
  const library = libraryOf(engine, { closes: false });
  const receiver = await openReceiver();
  closing.push(receiver.close);
  const stage = await openStage(engine, library, tenant.name, { began: new Date(START), stop: NEVER });
  await subscribeJobs(stage);
  await createEndpoints(stage, receiver);
  await stage.workers();
  const rows = await store.owner.query(
    'select unnest(processors) as name from usance.job_workers where leased_until > clock_timestamp() order by 1',
  );
  expect(rows.map(({ name }) => name)).toEqual([
    `${tenant.name}: release-stock`,
    `${tenant.name}: send-receipt`,
    'webhook-delivery',
  ]);
});

test('the endpoints of a receiver that ended are sent to the next one, on its port if it is free', async () => {
  const { tenant } = await testTenant(store.usance);
  const library = libraryOf(store.usance, { closes: false });
  const stage = await openStage(store.usance, library, tenant.name, { began: new Date(START), stop: NEVER });
  const first = await openReceiver();
  await createEndpoints(stage, first);
  const own = 'http://127.0.0.1:9000/hooks';
  const { endpoint } = await tenant.createWebhookEndpoint({ url: own, eventPattern: 'payment.*' });
  const urls = async (): Promise<string[]> => (await tenant.webhookEndpoints()).map(({ url }) => url);
  const updates = async (): Promise<number> => (await tenant.events({ type: 'webhook_endpoint.updated' })).length;
  expect(await urls()).toEqual([own, first.brokenUrl, first.url]);
  await first.close();

  const second = await reopenReceiver(tenant);
  expect(second.url).toBe(first.url);
  expect(await updates()).toBe(0);

  // As if the port went to another program: the second one still listens on it.
  const third = await reopenReceiver(tenant);
  closing.push(second.close, third.close);
  expect(third.url).not.toBe(second.url);
  expect(await urls()).toEqual([own, third.brokenUrl, third.url]);
  const statuses = await Promise.all(
    (await urls()).slice(1).map(async (url) => (await fetch(url, { method: 'POST' })).status),
  );
  expect(statuses).toEqual([503, 200]);
  // One that an operator has given another URL keeps it.
  const [, , storefront] = await tenant.webhookEndpoints();
  await tenant.updateWebhookEndpoint(storefront?.id ?? '', { url: own });
  await pointEndpoints(tenant, second);
  expect(await urls()).toEqual([own, second.brokenUrl, own]);
  expect((await tenant.webhookEndpoint(endpoint.id)).url).toBe(own);
});

test('the demo world is filled in a bounded number of statements, and waits for deliveries and executions', async () => {
  const library = libraryOf(store.usance, { closes: false });
  library.start();
  const receiver = await openReceiver();
  closing.push(receiver.close);
  const world = await ensureDemoWorld(store.usance);
  if (!world) throw new Error('expected a test tenant');
  Object.assign(counts, { steps: 0, statements: 0 });
  expect(await fillDemoWorld(store.usance, library, world, { receiver, stop: NEVER })).toBe(true);
  expect(counts.steps).toBeGreaterThan(0);
  expect(counts.steps).toBeLessThan(MOST_STEPS);
  expect(counts.statements).toBeLessThan(MOST_STATEMENTS);

  const shop = await library.tenant(world.tenant.name);
  const job = await shop.jobs.get('release-stock');
  expect((await shop.executions.list({ jobId: job.id, status: 'failed' }).page()).data).not.toEqual([]);
  expect((await shop.executions.list({ status: 'completed' }).page()).data).not.toEqual([]);
  expect((await shop.deliveries.list({ status: 'failed' }).page()).data).not.toEqual([]);
  expect((await shop.deliveries.list({ status: 'completed' }).page()).data).not.toEqual([]);
}, 180_000);
