// The destinations of endpoints, from the request that creates one to the socket that is not opened: spellings, names, redirects, a setting that was
// taken back, and the egress proxy. The guard itself is tested in test/outbound.
import { afterAll, describe, expect, test } from 'vitest';
import type { Engine, EngineOptions, TenantHandle, WebhookEndpoint } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { wirePresenterOf } from '../../src/library/present.ts';
import { freshTenant } from '../jobs/matcher.ts';
import {
  LOOPBACK_IPV6,
  REFUSED_IPV4,
  REFUSED_IPV6,
  REFUSED_NAMES,
  REFUSED_URLS,
  spellings,
} from '../outbound/corpus.ts';
import { openProxy, useProxies } from '../outbound/egress-proxy.ts';
import { NAME, authority, here, openSink, useSinks } from '../outbound/sink.ts';
import { useTripwire } from '../outbound/tripwire.ts';
import { TEST_KEY, useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

const store = useUsance();
const tripwire = useTripwire();
useSinks();
useProxies();
const engines: Engine[] = [];
afterAll(() => Promise.all(engines.map((engine) => engine.close())));

const literals = REFUSED_IPV4.flatMap((address) => Object.values(spellings(address)));
const hosts = [...literals, ...[...LOOPBACK_IPV6, ...REFUSED_IPV6].map((address) => `[${address}]`)];
const urls = () =>
  [...hosts.map((host) => `https://${host}:PORT/hook`), ...REFUSED_URLS].map((url) =>
    url.replaceAll('PORT', String(tripwire.port)),
  );

async function engineWith(outbound: NonNullable<EngineOptions['outbound']>): Promise<Engine> {
  const engine = await createEngine({
    databaseUrl: store.runtimeUrl,
    migrate: false,
    encryption: { key: TEST_KEY },
    outbound,
    webhooks: { presenter: wirePresenterOf },
  });
  engines.push(engine);
  return engine;
}

/** Sends a test event to each endpoint, and returns the only attempt of each delivery. */
async function attemptsOf(engine: Engine, tenant: TenantHandle, endpoints: readonly WebhookEndpoint[]) {
  for (const { id } of endpoints) await tenant.testWebhookEndpoint(id);
  for (const name of ['sequencer', 'matcher', 'webhooks']) {
    const loop = engine.loops.find((one) => one.name === name);
    while ((await loop?.runOnce())?.more);
  }
  return Promise.all(
    endpoints.map(async ({ id, url }) => {
      const [newest] = (await tenant.deliveries({ endpointId: id })).deliveries;
      const { attempts } = await tenant.delivery(newest?.id ?? '');
      const { failure, response } = attempts.at(-1) ?? { failure: 'none', response: null };
      return { url, failure, status: response?.status ?? null };
    }),
  );
}

describe('the destination of an endpoint', () => {
  test('is refused in every spelling, at its creation and in an update', { timeout: 120_000 }, async () => {
    const tenant = await freshTenant(store.usance);
    const { endpoint } = await tenant.createWebhookEndpoint({ url: 'https://shop.example.com/', eventPattern: '*' });
    const through: string[] = [];
    tripwire.reset();
    for (const url of urls()) {
      const codes = [
        await refusalOf(tenant.createWebhookEndpoint({ url, eventPattern: '*' })),
        await refusalOf(tenant.updateWebhookEndpoint(endpoint.id, { url })),
      ];
      if (codes.some((code) => code !== 'URL_REFUSED')) through.push(`${url}: ${codes.join()}`);
    }
    expect(through).toEqual([]);
    expect(urls().length).toBeGreaterThan(300);
    expect(await tenant.webhookEndpoints()).toEqual([endpoint]);
    expect(tripwire.seen).toBe(0);
  });

  test('that is a name is judged when it is sent to: no refused address is connected to', async () => {
    const asked = new Map<string, number>();
    const engine = await engineWith({
      resolve: async (name) => {
        const times = asked.get(name) ?? 0;
        asked.set(name, times + 1);
        const answers = REFUSED_NAMES[name] ?? [];
        return answers[Math.min(times, answers.length - 1)] ?? [];
      },
    });
    const tenant = await engine.tenant((await freshTenant(store.usance)).name);
    const endpoints: WebhookEndpoint[] = [];
    for (const name of Object.keys(REFUSED_NAMES)) {
      const url = `https://${name}:${tripwire.port}/hook`;
      const code = await tenant.createWebhookEndpoint({ url, eventPattern: '*' }).then(
        ({ endpoint }) => endpoints.push(endpoint),
        (error: { code?: string }) => error.code,
      );
      // Some names say what they are.
      if (typeof code !== 'number') expect(code, name).toBe('URL_REFUSED');
    }
    expect(endpoints.length).toBeGreaterThan(20);
    tripwire.reset();
    const attempts = await attemptsOf(engine, tenant, endpoints);
    const others = attempts.filter(({ failure }) => failure !== 'BLOCKED_ADDRESS');
    expect(others.map(({ url, failure }) => [new URL(url).hostname, failure])).toEqual([
      ['empty.example', 'DNS_FAILED'],
    ]);
    expect(tripwire.seen).toBe(0);
  });

  test('is judged again for each new connection, and a redirect leads nowhere', async () => {
    const sink = await openSink((_request, response) => {
      const location = `http://127.0.0.1:${tripwire.port}/`;
      response.writeHead(307, { location, connection: 'close' }).end();
    });
    let address = '127.0.0.1';
    const engine = await engineWith({ loopback: true, ca: authority.ca, resolve: async () => [address] });
    const tenant = await engine.tenant((await freshTenant(store.usance)).name);
    const { endpoint } = await tenant.createWebhookEndpoint({ url: `${sink.url}/hook`, eventPattern: '*' });
    tripwire.reset();
    expect(await attemptsOf(engine, tenant, [endpoint])).toMatchObject([{ failure: null, status: 307 }]);
    // The name leads to the inner network now.
    address = '10.0.0.1';
    expect(await attemptsOf(engine, tenant, [endpoint])).toMatchObject([{ failure: 'BLOCKED_ADDRESS', status: null }]);
    expect(sink.connections()).toBe(1);
    expect(tripwire.seen).toBe(0);
  });

  test('that was admitted for development is refused by a worker without the setting', async () => {
    const developing = await engineWith({ loopback: true });
    const tenant = await developing.tenant((await freshTenant(store.usance)).name);
    const { endpoint } = await tenant.createWebhookEndpoint({
      url: `http://127.0.0.1:${tripwire.port}/hook`,
      eventPattern: '*',
    });
    const producing = await engineWith({ resolve: here });
    tripwire.reset();
    expect(await attemptsOf(producing, tenant, [endpoint])).toMatchObject([{ failure: 'BLOCKED_URL' }]);
    expect(tripwire.seen).toBe(0);
  });

  test('is reached through the egress proxy by the address that was judged, never by its name', async () => {
    const bodies: string[] = [];
    const sink = await openSink((request, response) => {
      bodies.push(String(request.headers['webhook-signature']));
      request.resume().once('end', () => response.writeHead(204).end());
    });
    const proxy = await openProxy(sink.port);
    const PUBLIC = '93.184.216.34';
    const resolve = async (name: string) => [name === NAME ? PUBLIC : '10.0.0.1'];
    const engine = await engineWith({ proxy: proxy.url, ca: authority.ca, resolve });
    const tenant = await engine.tenant((await freshTenant(store.usance)).name);
    const made = [];
    for (const host of [NAME, 'inner.example'])
      made.push((await tenant.createWebhookEndpoint({ url: `https://${host}/hook`, eventPattern: '*' })).endpoint);
    expect(await attemptsOf(engine, tenant, made)).toMatchObject([
      { failure: null, status: 204 },
      { failure: 'BLOCKED_ADDRESS', status: null },
    ]);
    expect(bodies).toEqual([expect.stringMatching(/^v1,/)]);
    expect(proxy.asked).toEqual([`${PUBLIC}:443`]);
    expect(JSON.stringify(proxy.headers)).not.toContain(NAME);
  });
});
