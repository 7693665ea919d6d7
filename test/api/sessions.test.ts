// Sessions of the dashboard: a cookie acts as the API key that opened it, with its scopes and its end, and no other site can use it.
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Api, ApiOptions } from '../../src/api/index.ts';
import { createApi } from '../../src/api/index.ts';
import type { TenantHandle } from '../../src/engine.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { open } from '../support/books.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';
import { newBrowser } from './signed-in.ts';
import type { SignedIn } from './signed-in.ts';

const store = useApi({ api: { rateLimits: { signIns: 0 } } });
let names = 0;
const fresh = (what: string): string => `${what}-${(names += 1)}`;
const HOLD = { from: 'alice', to: 'bob', asset: 'USD/2', amount: '100', delay: '1h' };

beforeAll(() => open(store.tenant, { alice: 1_000_000, bob: 0 }));

const keyOf = (role: 'viewer' | 'operator' | 'admin', tenant: TenantHandle = store.tenant) =>
  tenant.createApiKey({ name: `${role} of the dashboard`, role });

async function signedIn(role: 'viewer' | 'operator' | 'admin' = 'admin', tenant = store.tenant) {
  const { key, secret } = await keyOf(role, tenant);
  const browser = newBrowser(store.url);
  const answer = await browser.signIn({ key: secret });
  expect(answer.status).toBe(201);
  return { browser, key, secret, answer };
}

/** Another process over the same store, for all tests: some of them run at the same time. */
const other: { api?: Api; url: string } = { url: '' };
beforeAll(async () => {
  other.api = createApi(store.usance, { host: '127.0.0.1', port: 0, notesEveryMs: 3_600_000 });
  other.url = (await other.api.listen()).url;
});
afterAll(() => other.api?.close());

/** One with other options, for one test. */
async function serve(options: Partial<ApiOptions> = {}): Promise<string> {
  const api = createApi(store.usance, { host: '127.0.0.1', port: 0, notesEveryMs: 3_600_000, ...options });
  onTestFinished(() => api.close());
  return (await api.listen()).url;
}

/** The clock of sessions is the database's real time: they are aged instead. */
const age = (browser: SignedIn, columns: string) =>
  store.owner.query(
    `update usance.sessions set ${columns} where digest = sha256(convert_to($1::text, 'UTF8')) and ended_at is null`,
    [browser.cookie.split('=')[1] ?? ''],
  );

async function eventually(work: () => Promise<boolean>): Promise<void> {
  // A process remembers a caller for three seconds.
  for (const end = performance.now() + 5_000; performance.now() < end; await after(100)) if (await work()) return;
  throw new Error('not within five seconds');
}

describe('a sign-in', () => {
  test('answers with the caller, its scopes and tenants, and sets a cookie that scripts cannot read', async () => {
    const { key, answer } = await signedIn('operator');
    expect(answer.headers.get('set-cookie')).toMatch(
      /^usance_session=uss_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({
      tenant: { id: toTypeId('tenant', store.tenant.id), name: store.tenant.name, kind: 'live' },
      tenants: [{ id: toTypeId('tenant', store.tenant.id) }],
      key: { id: toTypeId('apiKey', key.id), role: 'operator', name: key.name, person: null },
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    const scopes = answer.list('key.scopes');
    expect(scopes).toContain('payments:write');
    expect(scopes).not.toContain('keys:write');
    const [atLatest, idle] = [answer.word('expires_at'), answer.word('idle_expires_at')].map((at) => Date.parse(at));
    expect((atLatest ?? 0) - Date.now()).toBeGreaterThan(11.9 * 3_600_000);
    expect((idle ?? 0) - Date.now()).toBeLessThanOrEqual(30 * 60_000 + 1_000);
  });

  test('is audited with its address, and so is the sign-out', async () => {
    const { browser, key } = await signedIn();
    await browser.send('DELETE /session');
    await store.run('sequencer');
    const id = toTypeId('apiKey', key.id);
    const answer = await store.send(`GET /audit-events?actor=${id}`);
    expect(answer.list('data')).toMatchObject([
      { action: 'SESSION_ENDED', actor: id, ip: '127.0.0.1', details: { key: id } },
      { action: 'SESSION_CREATED', actor: id, ip: '127.0.0.1', details: { key: id, via: 'key' } },
    ]);
  });

  test.each([
    ['neither a key nor a link', {}],
    ['both', { key: 'usk_1', link: 'usl_1' }],
    ['a number', { key: 1 }],
    ['a long text', { key: 'x'.repeat(5_000) }],
    ['a field that does not exist', { key: 'usk_1', next: 'https://evil.example' }],
  ])('with %s in its body is refused', async (_title, body) => {
    const answer = await newBrowser(store.url).send('POST /session', { body });
    expect([400, 422]).toContain(answer.status);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('with an unknown key, a revoked key or a token is refused, and the refusal of a known key is audited', async () => {
    const { key, secret } = await keyOf('viewer');
    await store.tenant.revokeApiKey(key.id);
    for (const each of ['usk_nobody_has_this_key_0123456789', secret, 'eyJhbGciOiJub25lIn0.e30.']) {
      const answer = await newBrowser(store.url).signIn({ key: each });
      expect(problemIn(answer)).toMatchObject({ code: 'AUTH_INVALID', param: 'key' });
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    const url = await serve({ notesEveryMs: 20 });
    await newBrowser(url).signIn({ key: secret });
    await eventually(async () => {
      const refused = await store.send(
        `GET /audit-events?action=SIGN_IN_REFUSED&resource_id=${toTypeId('apiKey', key.id)}`,
      );
      return refused.list('data').length > 0;
    });
  });

  test('never sends the browser elsewhere: no answer has a Location', async () => {
    const { secret } = await keyOf('viewer');
    for (const path of ['/session?next=//evil.example', '/session?return_to=https://evil.example']) {
      const answer = await newBrowser(store.url).send(`POST ${path}`, { body: { key: secret } });
      expect(answer.headers.get('location')).toBeNull();
    }
    for (const path of ['//evil.example', '/%2F%2Fevil.example', '/\\evil.example', '/.//evil.example']) {
      const answer = await fetch(store.url + path, { redirect: 'manual' });
      expect(answer.headers.get('location') ?? '', path).not.toContain('evil');
    }
  });

  test('more than ten times a minute from one address is refused before the key is looked up', async () => {
    const browser = newBrowser(await serve());
    const statuses: number[] = [];
    for (let times = 0; times < 11; times += 1) statuses.push((await browser.signIn({ key: 'usk_wrong' })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    const { secret } = await keyOf('viewer');
    const late = await browser.signIn({ key: secret });
    expect(problemIn(late).code).toBe('RATE_LIMITED');
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('over https sets a Secure cookie, also where the proxy does not tell', async () => {
    const { secret } = await keyOf('viewer');
    const host = new URL(store.url).host;
    const answer = await newBrowser(store.url).signIn({ key: secret }, { origin: `https://${host}` });
    expect(answer.headers.get('set-cookie')).toContain('; Secure');
    const behind = newBrowser(await serve({ trustedProxies: ['127.0.0.1'] }));
    const told = await behind.signIn({ key: secret }, { 'x-forwarded-proto': 'https' });
    expect(told.headers.get('set-cookie')).toContain('; Secure');
  });
});

describe('over https', () => {
  const https = { 'x-forwarded-proto': 'https' };
  async function behindProxy() {
    const browser = newBrowser(await serve({ trustedProxies: ['127.0.0.1'] }));
    const { secret } = await keyOf('viewer');
    const answer = await browser.signIn({ key: secret }, https);
    return { browser, answer, get: (cookie: string) => ask(browser.url, cookie) };
  }
  const ask = async (url: string, cookie: string): Promise<number> =>
    (await fetch(`${url}/session`, { headers: { ...https, cookie } })).status;

  test('the name of the cookie keeps other hosts of the domain from setting it', async () => {
    const { answer, browser, get } = await behindProxy();
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-usance_session=uss_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(await get(browser.cookie)).toBe(200);
    const out = await browser.send('DELETE /session', { headers: https });
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-usance_session=; .*; Secure; Max-Age=0$/);
  });

  test('a cookie that another host of the domain has planted neither opens a session nor ends one', async () => {
    const { browser, get } = await behindProxy();
    const value = browser.cookie.split('=')[1] ?? '';
    // Another host can set a cookie of any name without the prefix, for the whole domain.
    expect(await get(`usance_session=${value}`)).toBe(401);
    expect(await get(`usance_session=uss_${'A'.repeat(43)}; ${browser.cookie}`)).toBe(200);
  });
});

describe.concurrent('a session', () => {
  test.each(['viewer', 'operator', 'admin'] as const)('of a %s may do exactly what its key may', async (role) => {
    const { browser, secret } = await signedIn(role);
    for (const [request, body] of [
      ['GET /overview', undefined],
      ['POST /holds', HOLD],
      ['GET /api-keys', undefined],
      ['POST /api-keys', { name: 'another', role: 'viewer' }],
      ['POST /pauses', { scope: 'tenant', reason: 'a test', dry_run: true }],
    ] as const) {
      const asKey = await store.send(request, { secret, body });
      const [method, path] = request.split(' ');
      const asSession = await browser.send(`${method} /v1${path}`, { body });
      expect([asSession.status, asSession.get('code')], request).toEqual([asKey.status, asKey.get('code')]);
    }
  });

  test('shares idempotency keys and the name in the audit log with its key', async () => {
    const { browser, key, secret } = await signedIn('operator');
    const headers = { 'idempotency-key': fresh('page') };
    const first = await browser.send('POST /v1/holds', { body: HOLD, headers });
    const again = await store.send('POST /holds', { body: HOLD, secret, key: headers['idempotency-key'] });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    const audited = await store.send(`GET /audit-events?actor=${toTypeId('apiKey', key.id)}&action=PAYMENT_CREATED`);
    expect(audited.list('data')).toHaveLength(1);
  });

  test('ends in every process within five seconds of the revocation of its key', async () => {
    const { browser, key } = await signedIn('viewer');
    const second = newBrowser(other.url);
    second.cookie = browser.cookie;
    expect((await second.send('GET /v1/overview')).status).toBe(200);
    await store.tenant.revokeApiKey(key.id);
    for (const each of [browser, second])
      await eventually(async () => (await each.send('GET /v1/overview')).status === 401);
    expect(problemIn(await browser.send('GET /session')).code).toBe('SESSION_ENDED');
  });

  test('lasts as long as its key after a rotation, and the new key needs a sign-in', async () => {
    const { browser, key } = await signedIn('viewer');
    const { secret } = await store.tenant.rotateApiKey(key.id, { overlapMs: 60_000 });
    expect((await browser.send('GET /v1/overview')).status).toBe(200);
    await store.owner.query(`update usance.api_keys set expires_at = clock_timestamp() where id = $1::uuid`, [key.id]);
    await eventually(async () => (await browser.send('GET /v1/overview')).status === 401);
    expect((await browser.signIn({ key: secret })).status).toBe(201);
    expect((await browser.send('GET /v1/overview')).status).toBe(200);
  });

  test('ends 30 minutes after its last request, and 12 hours after the sign-in', async () => {
    const [idle, old] = [await signedIn(), await signedIn()];
    await age(idle.browser, `last_used_at = clock_timestamp() - interval '29 minutes 59 seconds'`);
    expect((await idle.browser.send('GET /session', { headers: { 'x-usance-background': '1' } })).status).toBe(200);
    await age(idle.browser, `last_used_at = clock_timestamp() - interval '30 minutes'`);
    // The trigger of the table forbids to change the expiry.
    await store.owner.query(`alter table usance.sessions disable trigger sessions_only_end`);
    await age(
      old.browser,
      `created_at = created_at - interval '13 hours', expires_at = expires_at - interval '13 hours'`,
    );
    await store.owner.query(`alter table usance.sessions enable trigger sessions_only_end`);
    for (const { browser } of [idle, old]) {
      await eventually(async () => (await browser.send('GET /session')).status === 401);
      expect(problemIn(await browser.send('GET /v1/overview')).code).toBe('SESSION_ENDED');
    }
  });

  test('is extended by a request of a person, and not by one that a page repeats by itself', async () => {
    const { browser } = await signedIn();
    const lastUsed = async (): Promise<number> => {
      const [row] = await store.owner.query(
        `select extract(epoch from clock_timestamp() - last_used_at)::float8 as ago from usance.sessions
         where digest = sha256(convert_to($1::text, 'UTF8'))`,
        [browser.cookie.split('=')[1] ?? ''],
      );
      return Number(row?.['ago']);
    };
    await age(browser, `last_used_at = clock_timestamp() - interval '10 minutes'`);
    await browser.send('GET /v1/overview', { headers: { 'x-usance-background': '1' } });
    expect(await lastUsed()).toBeGreaterThan(590);
    await browser.send('GET /v1/overview');
    await eventually(async () => (await lastUsed()) < 30);
  });

  test('ends at once with a sign-out here, and in other processes within five seconds', async () => {
    const { browser } = await signedIn();
    const second = newBrowser(other.url);
    second.cookie = browser.cookie;
    expect((await second.send('GET /v1/overview')).status).toBe(200);
    const stolen = newBrowser(store.url);
    stolen.cookie = browser.cookie;
    const out = await browser.send('DELETE /session');
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect(problemIn(await stolen.send('GET /v1/overview')).code).toBe('SESSION_ENDED');
    await eventually(async () => (await second.send('GET /v1/overview')).status === 401);
    // Without a cookie there is nothing to end.
    expect((await newBrowser(store.url).send('DELETE /session')).status).toBe(204);
  });

  test('of an unknown or odd cookie does not exist', async () => {
    for (const cookie of [
      `usance_session=uss_${'A'.repeat(43)}`,
      'usance_session=',
      `usance_session=uss_${'A'.repeat(43)}; usance_session=uss_${'B'.repeat(43)}`,
      `usance_session='; drop table usance.sessions; --`,
    ]) {
      const answer = await store.send('GET /overview', { secret: null, headers: { cookie } });
      expect(['SESSION_ENDED', 'AUTH_REQUIRED'], cookie).toContain(problemIn(answer).code);
    }
  });

  test('does not count where a request has an Authorization header', async () => {
    const { browser } = await signedIn('admin');
    const { secret } = await keyOf('viewer');
    const answer = await browser.send('POST /v1/holds', {
      body: HOLD,
      headers: { authorization: `Bearer ${secret}`, 'x-usance-csrf': 'none' },
    });
    expect(problemIn(answer).code).toBe('AUTH_SCOPE_MISSING');
  });

  test('follows the event stream without being extended, and the stream ends with it', async () => {
    const { browser, key } = await signedIn('viewer');
    const response = await fetch(`${store.url}/v1/events/stream`, { headers: { cookie: browser.cookie } });
    expect(response.status).toBe(200);
    await store.tenant.revokeApiKey(key.id);
    // It ends, or this waits until the test times out.
    await response.text();
  });
});

describe('a sign-out everywhere', () => {
  /** Another browser of the same key. */
  const again = async (secret: string, url = store.url): Promise<SignedIn> => {
    const browser = newBrowser(url);
    expect((await browser.signIn({ key: secret })).status).toBe(201);
    return browser;
  };
  const isEnded = async (browser: SignedIn): Promise<boolean> =>
    (await browser.send('GET /session')).get('code') === 'SESSION_ENDED';

  test('ends every session of the key and of its rotations within five seconds in every process, and of no other key', async () => {
    const { browser, key, secret } = await signedIn('viewer');
    const [here, there] = [await again(secret), await again(secret, other.url)];
    const rotated = await again((await store.tenant.rotateApiKey(key.id, { overlapMs: 60_000 })).secret);
    const stranger = await signedIn('viewer');
    for (const each of [here, there, rotated]) expect((await each.send('GET /v1/overview')).status).toBe(200);
    const out = await browser.send('DELETE /session?everywhere=true');
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    for (const each of [here, there, rotated]) await eventually(() => isEnded(each));
    expect((await stranger.browser.send('GET /v1/overview')).status).toBe(200);
    // The key itself still works.
    expect((await (await again(secret)).send('GET /v1/overview')).status).toBe(200);

    await store.run('sequencer');
    const id = toTypeId('apiKey', key.id);
    const ended = (await store.send(`GET /audit-events?actor=${id}&action=SESSION_ENDED`)).list('data') as {
      details: { key: string; everywhere?: true };
    }[];
    expect(ended).toHaveLength(4);
    expect(ended.every(({ details }) => details.everywhere === true)).toBe(true);
    expect(ended.filter(({ details }) => details.key === id)).toHaveLength(3);
  });

  test('ends the session of each tenant of the cookie, and leaves the other tenants of other browsers', async () => {
    const tenant = await store.usance.createTenant({ name: fresh('everywhere') });
    const { browser, secret } = await signedIn('viewer');
    const others = await keyOf('viewer', tenant);
    const wide = await again(secret);
    await wide.signIn({ key: others.secret });
    await browser.send('DELETE /session?everywhere=true');
    await eventually(async () => (await wide.send('GET /session')).get('tenant.name') === tenant.name);
    await browser.signIn({ key: secret });
    await browser.signIn({ key: others.secret });
    await browser.send('DELETE /session?everywhere=true');
    await eventually(() => isEnded(wide));
  });

  test('is refused without the CSRF token, from another origin, without a session, and misspelled', async () => {
    const { browser, secret } = await signedIn('viewer');
    const beside = await again(secret);
    const refused = async (request: string, headers = {}): Promise<unknown> =>
      problemIn(await browser.send(request, { headers })).code;
    const request = 'DELETE /session?everywhere=true';
    expect(await refused(request, { 'x-usance-csrf': 'x' })).toBe('CSRF_INVALID');
    expect(await refused(request, { origin: 'https://evil.example' })).toBe('CSRF_INVALID');
    expect(await refused('DELETE /session?everywhere=yes')).toBe('FIELD_INVALID');
    expect(await refused('DELETE /session?everywere=true')).toBe('FIELD_UNKNOWN');
    expect((await browser.send('GET /v1/overview')).status).toBe(200);
    expect((await beside.send('GET /v1/overview')).status).toBe(200);
    // Nobody is told that all sessions have ended if none was.
    const ended = newBrowser(store.url);
    expect(problemIn(await ended.send(request)).code).toBe('AUTH_REQUIRED');
    ended.cookie = `usance_session=uss_${'A'.repeat(43)}`;
    expect(problemIn(await ended.send(request)).code).toBe('SESSION_ENDED');
  });

  test('ends the sessions of the key also if a copied cookie moves to another browser meanwhile', async () => {
    const { browser, key, secret } = await signedIn('viewer');
    const beside = await again(secret);
    const foreign = await keyOf('viewer', await store.usance.createTenant({ name: fresh('foreign') }));
    const thief = newBrowser(store.url);
    thief.cookie = browser.cookie;
    const { sessions } = store.usance;
    const { closeEverywhere } = sessions;
    vi.spyOn(sessions, 'closeEverywhere').mockImplementation(async (keys, origin) => {
      expect((await thief.signIn({ key: foreign.secret })).status).toBe(201);
      return closeEverywhere(keys, origin);
    });
    expect((await browser.send('DELETE /session?everywhere=true')).status).toBe(204);
    const live = await store.owner.query(
      'select id from usance.sessions where ended_at is null and key_id = $1::uuid',
      [key.id],
    );
    expect(live).toEqual([]);
    await eventually(() => isEnded(beside));
  });

  test('with a cookie whose key was revoked ends no session of the key that followed it', async () => {
    const { browser: thief, key } = await signedIn('viewer');
    const successor = await store.tenant.rotateApiKey(key.id, { overlapMs: 60_000 });
    await store.tenant.revokeApiKey(key.id);
    const victim = await again(successor.secret);
    await eventually(() => isEnded(thief));
    // A key of the thief's own tenant keeps the cookie alive.
    const own = await keyOf('viewer', await store.usance.createTenant({ name: fresh('own') }));
    expect((await thief.signIn({ key: own.secret })).status).toBe(201);
    expect((await thief.send('DELETE /session?everywhere=true')).status).toBe(204);
    const live = await store.owner.query(
      'select key_id from usance.sessions where ended_at is null and key_id = $1::uuid',
      [successor.key.id],
    );
    expect(live).toHaveLength(1);
    expect((await victim.send('GET /v1/overview')).status).toBe(200);
  });

  test('by every browser of a key at once ends each session once', async () => {
    const { browser, key, secret } = await signedIn('viewer');
    const all = [browser, ...(await Promise.all(Array.from({ length: 9 }, () => again(secret))))];
    const answers = await Promise.all(all.map((each) => each.send('DELETE /session?everywhere=true')));
    expect(answers.map(({ status }) => status)).toContain(204);
    for (const { status } of answers) expect([204, 401]).toContain(status);
    await store.run('sequencer');
    const listed = await store.send(
      `GET /audit-events?actor=${toTypeId('apiKey', key.id)}&action=SESSION_ENDED&limit=100`,
    );
    expect(listed.list('data')).toHaveLength(10);
  });
});

describe('another site', () => {
  test.each(['POST', 'PATCH', 'DELETE'])('%s with the cookie and without the token is refused', async (method) => {
    const { browser } = await signedIn();
    const path = method === 'POST' ? '/v1/holds' : '/v1/accounts/alice';
    const target = method === 'DELETE' ? '/v1/jobs/job_01k9zt3q8sxa4e6r1t9v2w5y7z' : path;
    for (const token of ['', 'x', browser.csrf.slice(0, -1), `${browser.csrf}A`, 'ü'.repeat(43)]) {
      const answer = await browser.send(`${method} ${target}`, {
        ...(method === 'DELETE' ? {} : { body: HOLD }),
        headers: { 'x-usance-csrf': encodeURI(token) },
      });
      expect(problemIn(answer)).toMatchObject({ code: 'CSRF_INVALID', param: 'x-usance-csrf' });
    }
  });

  test('cannot use the token of another session', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    one.browser.csrf = other.browser.csrf;
    expect(problemIn(await one.browser.send('POST /v1/holds', { body: HOLD })).code).toBe('CSRF_INVALID');
    expect(problemIn(await one.browser.send('DELETE /session')).code).toBe('CSRF_INVALID');
  });

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'not a url'])(
    'Origin: %s can neither sign in nor change anything',
    async (origin) => {
      const { browser, secret } = await signedIn();
      const signIn = await newBrowser(store.url).signIn({ key: secret }, { origin });
      expect(problemIn(signIn)).toMatchObject({ code: 'CSRF_INVALID', param: 'Origin' });
      const change = await browser.send('POST /v1/holds', { body: HOLD, headers: { origin } });
      expect(problemIn(change)).toMatchObject({ code: 'CSRF_INVALID', param: 'Origin' });
    },
  );

  test('cannot sign a browser in with a form: only JSON is read', async () => {
    const { secret } = await keyOf('viewer');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const response = await fetch(`${store.url}/session`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: JSON.stringify({ key: secret }),
      });
      expect(response.status, type).toBe(415);
    }
  });

  test('cannot read an answer or frame a page: no CORS for credentials, no frames', async () => {
    const { browser } = await signedIn();
    for (const path of ['/session', '/v1/overview', '/', '/docs', '/nothing']) {
      const { headers } = await browser.send(`GET ${path}`, { headers: { origin: 'https://evil.example' } });
      expect(headers.get('access-control-allow-credentials'), path).toBeNull();
      expect(headers.get('x-frame-options'), path).toBe('DENY');
      expect(headers.get('content-security-policy'), path).toContain(`frame-ancestors 'none'`);
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toBe('no-referrer');
    }
  });
});

describe.concurrent('several tenants', () => {
  const second = async (): Promise<TenantHandle> => store.usance.createTenant({ name: fresh('second') });

  test('are added by further sign-ins, and a request names one', async () => {
    const other = await second();
    const { browser } = await signedIn('viewer');
    const before = browser.cookie;
    const { secret } = await keyOf('admin', other);
    const both = await browser.signIn({ key: secret });
    expect(both.list('tenants')).toMatchObject([{ name: store.tenant.name }, { name: other.name }]);
    // The cookie of before is worth nothing: it could have been planted.
    expect(browser.cookie).not.toBe(before);
    const planted = newBrowser(store.url);
    planted.cookie = before;
    expect((await planted.send('GET /v1/overview')).status).toBe(401);

    await other.openAccount({ ref: 'only-here' });
    for (const named of [other.name, toTypeId('tenant', other.id), other.id]) {
      const there = await browser.send('GET /v1/accounts/only-here', { headers: { 'usance-tenant': named } });
      expect(there.status, named).toBe(200);
    }
    expect((await browser.send('GET /v1/accounts/only-here')).status).toBe(404);
    const shown = await browser.send('GET /session', { headers: { 'usance-tenant': other.name } });
    expect(shown.get('key.role')).toBe('admin');
    expect((await browser.send('GET /session')).get('key.role')).toBe('viewer');
    const unknown = await browser.send('GET /v1/overview', { headers: { 'usance-tenant': 'nobody' } });
    expect(problemIn(unknown)).toMatchObject({ code: 'SESSION_TENANT_UNKNOWN' });
  });

  test('have a CSRF token each: what a page of one tenant sends changes no other, also when its own key has ended', async () => {
    const other = await second();
    const { browser, key } = await signedIn('admin');
    const { secret } = await keyOf('admin', other);
    await browser.signIn({ key: secret });
    // As a tab does: the token of the tenant that it shows, which is the first.
    browser.csrf = (await browser.send('GET /session')).word('csrf');
    const open = (headers: Record<string, string> = {}) =>
      browser.send('POST /v1/accounts', { body: { ref: fresh('practice'), kind: 'user' }, headers });
    expect((await open()).status).toBe(201);
    expect(problemIn(await open({ 'usance-tenant': other.name }))).toMatchObject({ code: 'CSRF_INVALID' });
    await store.tenant.revokeApiKey(key.id);
    await eventually(async () => (await browser.send('GET /session')).get('tenant.name') === other.name);
    expect(problemIn(await open())).toMatchObject({ code: 'CSRF_INVALID', param: 'x-usance-csrf' });
    expect(await other.accounts()).not.toContainEqual(expect.objectContaining({ kind: 'user' }));
    browser.csrf = (await browser.send('GET /session')).word('csrf');
    expect((await open()).status).toBe(201);
    expect((await browser.send('DELETE /session')).status).toBe(204);
    expect((await browser.send('GET /session')).status).toBe(401);
  });

  test('end one by one: a revoked key takes only its tenant from the session', async () => {
    const other = await second();
    const { browser, key } = await signedIn('viewer');
    const { secret } = await keyOf('viewer', other);
    await browser.signIn({ key: secret });
    await store.tenant.revokeApiKey(key.id);
    await eventually(async () => (await browser.send('GET /session')).get('tenant.name') === other.name);
    const gone = await browser.send('GET /v1/overview', { headers: { 'usance-tenant': store.tenant.name } });
    expect(problemIn(gone).code).toBe('SESSION_TENANT_UNKNOWN');
  });

  test('have one key each: a second key of a tenant replaces the first', async () => {
    const { browser } = await signedIn('admin');
    const { secret } = await keyOf('viewer');
    const answer = await browser.signIn({ key: secret });
    expect(answer.list('tenants')).toHaveLength(1);
    expect(problemIn(await browser.send('POST /v1/holds', { body: HOLD })).code).toBe('AUTH_SCOPE_MISSING');
  });

  test('twenty sign-ins of one browser at once leave one working cookie for each answer, and no session of two keys', async () => {
    const other = await second();
    const { browser } = await signedIn('viewer');
    const secrets = [(await keyOf('viewer')).secret, (await keyOf('viewer', other)).secret];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const tab = newBrowser(store.url);
        tab.cookie = browser.cookie;
        return tab.signIn({ key: secrets[index % 2] ?? '' }).then((answer) => ({ tab, answer }));
      }),
    );
    for (const { tab, answer } of answers) {
      expect(answer.status).toBe(201);
      const names = ((await tab.send('GET /session')).list('tenants') as { name: string }[]).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});

describe('a sign-in link', () => {
  test('opens its tenants once, is audited, and leaves no secret in the database', async () => {
    const other = await store.usance.createTenant({ name: fresh('linked') });
    const keys = [(await keyOf('admin')).key, (await keyOf('viewer', other)).key];
    const link = await store.usance.sessions.createLink(keys);
    const browsers = Array.from({ length: 5 }, () => newBrowser(store.url));
    const answers = await Promise.all(browsers.map((browser) => browser.signIn({ link })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401, 401, 401, 401]);
    const won = answers.find(({ status }) => status === 201);
    expect(won?.list('tenants')).toMatchObject([{ name: store.tenant.name }, { name: other.name }]);
    const lost = answers.find(({ status }) => status === 401);
    expect(lost?.get('code')).toBe('SESSION_LINK_INVALID');
    const audited = (await other.auditEvents()).filter(({ action }) => action === 'SESSION_CREATED');
    expect(audited).toMatchObject([{ details: { via: 'link' } }]);
    const [row] = await store.owner.query(`select string_agg(l::text, ' ') as rows from usance.sign_in_links l`);
    expect(String(row?.['rows'])).not.toContain(link);
  });

  test('works for an hour, and not with a revoked key', async () => {
    const { key } = await keyOf('viewer');
    const late = await store.usance.sessions.createLink([key]);
    await store.owner.query(
      `update usance.sign_in_links set expires_at = clock_timestamp() where digest = sha256(convert_to($1::text, 'UTF8'))`,
      [late],
    );
    expect(problemIn(await newBrowser(store.url).signIn({ link: late })).code).toBe('SESSION_LINK_INVALID');
    const revoked = await store.usance.sessions.createLink([key]);
    await store.tenant.revokeApiKey(key.id);
    expect(problemIn(await newBrowser(store.url).signIn({ link: revoked })).code).toBe('SESSION_LINK_INVALID');
    expect(problemIn(await newBrowser(store.url).signIn({ link: 'usl_unknown' })).code).toBe('SESSION_LINK_INVALID');
  });
});
