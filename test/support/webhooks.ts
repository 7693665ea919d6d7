// Webhook endpoints of tests, and their deliveries.
import { afterAll, beforeAll } from 'vitest';
import type { Engine, EngineOptions, TenantHandle, WebhookEndpoint, WebhookEndpointParams } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { wirePresenterOf } from '../../src/library/present.ts';
import type { Sql } from '../../src/db/index.ts';
import type { TestDatabase } from './database.ts';
import { TEST_KEY } from './database.ts';
import { matchAll, order } from '../jobs/matcher.ts';

/** Nothing is sent to it: no test runs its deliveries. */
export const NOWHERE = 'https://shop.example.com/hooks';

export async function addEndpoint(
  tenant: TenantHandle,
  params: Partial<WebhookEndpointParams> = {},
): Promise<WebhookEndpoint> {
  const terms = { url: NOWHERE, eventPattern: 'payment.*', ...params };
  return (await tenant.createWebhookEndpoint(terms)).endpoint;
}

/** An engine that delivers, also to receivers on loopback. */
export const DELIVERING: EngineOptions = { outbound: { loopback: true }, webhooks: { presenter: wirePresenterOf } };

/** One run of the loop `webhooks`: every delivery that is due is sent and has ended. */
export async function send(engine: Engine): Promise<Readonly<Record<string, number>>> {
  const run = await engine.loops.find(({ name }) => name === 'webhooks')?.runOnce();
  return run?.counts ?? {};
}

/** Orders and matches the events so far, and sends what is due. */
export async function deliver(engine: Engine): Promise<Readonly<Record<string, number>>> {
  await order(engine);
  await matchAll(engine);
  return send(engine);
}

/** Every delivery that waits for its next attempt is due; blocked ones of an order stay blocked. */
export async function makeDue(owner: Sql): Promise<void> {
  await owner.query(
    `update usance.execution_queue set due_at = now() - interval '1 ms' where worker_id is null and due_at < now() + interval '10 years'`,
  );
}

/** A second engine on the store of a test file, with the key of tests. */
export function useEngine(
  store: Pick<TestDatabase, 'runtimeUrl'>,
  options: EngineOptions,
): { readonly engine: Engine } {
  let opened: Engine | undefined;
  beforeAll(async () => {
    const usual = { ...DELIVERING, databaseUrl: store.runtimeUrl, migrate: false, encryption: { key: TEST_KEY } };
    opened = await createEngine({ ...usual, ...options });
  });
  afterAll(() => opened?.close());
  return {
    get engine() {
      if (!opened) throw new Error('the engine exists inside tests only');
      return opened;
    },
  };
}
