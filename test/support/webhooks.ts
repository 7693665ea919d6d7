// Webhook endpoints of tests, and their deliveries.
import type { Engine, EngineOptions, TenantHandle, WebhookEndpoint, WebhookEndpointParams } from '../../src/engine.ts';
import { wirePresenterOf } from '../../src/library/present.ts';
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
