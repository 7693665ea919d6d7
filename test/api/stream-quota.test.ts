// One key cannot take all event streams of its tenant: the keys of a rotation lineage and their sessions share one quota.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { useApi } from './api.ts';
import { newBrowser } from './signed-in.ts';

const store = useApi();

/** A server with two streams for each key and five for a tenant, and what opens streams there. */
async function serve() {
  const api = createApi(store.usance, {
    host: '127.0.0.1',
    port: 0,
    notesEveryMs: 3_600_000,
    rateLimits: { signIns: 0 },
    stream: { pollMs: 10, mostPerTenant: 5, mostPerKey: 2 },
  });
  onTestFinished(() => api.close());
  const { url } = await api.listen();
  // Kept until the end: a response that is collected as garbage ends its stream.
  const kept: Response[] = [];
  const leaves: AbortController[] = [];
  onTestFinished(() => leaves.forEach((leave) => leave.abort()));
  const follow = async (headers: Record<string, string>): Promise<Response> => {
    const leave = new AbortController();
    leaves.push(leave);
    const response = await fetch(`${url}/v1/events/stream`, { headers, signal: leave.signal });
    kept.push(response);
    return response;
  };
  const by = (secret: string): Promise<Response> => follow({ authorization: `Bearer ${secret}` });
  return { url, follow, by, leaves };
}

const viewer = () => store.tenant.createApiKey({ name: 'viewer', role: 'viewer' });

describe('streams of one key', () => {
  test('have a quota: its next one is refused with Retry-After, another key of the tenant is served, and a closed one frees a place', async () => {
    const { by, leaves } = await serve();
    const [one, other] = [await viewer(), await viewer()];
    const statuses = [];
    for (const { secret } of [one, one, one, other]) statuses.push((await by(secret)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
    const refused = await by(one.secret);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await refused.json()).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
      detail: 'the API key has 2 event streams open on this server already; end one first',
    });
    leaves[0]?.abort();
    await expect.poll(async () => (await by(one.secret)).status, { timeout: 10_000 }).toBe(200);
  });

  test('are counted together for the keys of a rotation and their sessions', async () => {
    const { url, by, follow } = await serve();
    const { key, secret } = await viewer();
    const browser = newBrowser(url);
    await browser.signIn({ key: secret });
    expect((await follow({ cookie: browser.cookie })).status).toBe(200);
    expect((await by(secret)).status).toBe(200);
    const rotated = await store.tenant.rotateApiKey(key.id, { overlapMs: 60_000 });
    expect((await by(rotated.secret)).status).toBe(429);
  });
});
