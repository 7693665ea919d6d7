import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLimiter } from '../../src/api/rate-limit.ts';
import { inSeconds, shared, token } from '../access/tokens.ts';
import { open } from '../support/books.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';

describe('a bucket of requests', () => {
  const start = 1_000;
  const at = (ms: number): void => void vi.spyOn(performance, 'now').mockReturnValue(start + ms);
  afterEach(() => void vi.restoreAllMocks());

  test('holds a minute’s worth and refills evenly', () => {
    const { take } = createLimiter('key', 60);
    at(0);
    for (let n = 59; n >= 0; n -= 1) {
      expect(take('a')).toMatchObject({ headers: { ratelimit: `"key";r=${n};t=${60 - n}` }, retryAfterS: null });
    }
    expect(take('a')).toEqual({
      headers: { 'ratelimit-policy': '"key";q=60;w=60', ratelimit: '"key";r=0;t=60' },
      retryAfterS: 1,
    });
    at(999);
    expect(take('a')?.retryAfterS).toBe(1);
    at(1_000);
    expect(take('a')?.retryAfterS).toBeNull();
    expect(take('a')?.retryAfterS).toBe(1);
    at(61_000);
    expect(take('a')?.headers['ratelimit']).toBe('"key";r=59;t=1');
  });

  test('is everybody’s own', () => {
    const { take } = createLimiter('key', 1);
    at(0);
    expect([take('a'), take('a'), take('b')].map((taken) => taken?.retryAfterS)).toEqual([null, 60, null]);
  });

  test('is not kept for more than ten thousand; who was longest silent is forgotten', () => {
    const { take } = createLimiter('key', 1);
    at(0);
    take('first');
    take('second');
    for (let n = 0; n < 9_999; n += 1) take(`other ${n}`);
    expect(take('second')?.retryAfterS).toBe(60);
    expect(take('first')?.retryAfterS).toBeNull();
  });

  test('of no size is no limit', () => {
    expect(createLimiter('key', 0).take('a')).toBeNull();
  });
});

describe('requests beyond the limit', () => {
  const SECRET = 'the-secret-of-the-environment-0123456789';
  const store = useApi({
    usance: { jwt: { secret: SECRET, audience: 'usance', issuer: null } },
    api: { rateLimits: { perKey: 5, perUser: 2 } },
  });
  beforeAll(() => open(store.tenant, { alice: 100, bob: 100, carol: 100 }));
  // Time stands still: however slow the machine, nothing refills meanwhile. In whole milliseconds, whose sums are exact.
  beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(Math.floor(performance.now())));
  afterEach(() => void vi.restoreAllMocks());
  const tokenOf = (sub: string, jti: number): string =>
    token(shared(SECRET), { aud: 'usance', sub, jti, exp: inSeconds(600) });
  const statuses = async (count: number, secret: (n: number) => string): Promise<number[]> => {
    const answers: number[] = [];
    for (let n = 0; n < count; n += 1) answers.push((await store.send('GET /assets', { secret: secret(n) })).status);
    return answers;
  };

  test('of one key are refused, with when to ask again; another’s are not', async () => {
    const [one, other] = [
      await store.tenant.createApiKey({ name: 'one', role: 'viewer' }),
      await store.tenant.createApiKey({ name: 'other', role: 'viewer' }),
    ];
    expect(await statuses(5, () => one.secret)).toEqual([200, 200, 200, 200, 200]);
    const answer = await store.send('GET /assets', { secret: one.secret });
    expect(problemIn(answer)).toMatchObject({ code: 'RATE_LIMITED' });
    expect(answer.headers.get('ratelimit-policy')).toBe('"key";q=5;w=60');
    expect(answer.headers.get('ratelimit')).toBe('"key";r=0;t=60');
    expect(answer.headers.get('retry-after')).toBe('12');
    const fine = await store.send('GET /assets', { secret: other.secret });
    expect([fine.status, fine.headers.get('ratelimit')]).toEqual([200, '"key";r=4;t=12']);
  });

  test('are reached sooner by dry runs: a list counts as its payments, and that of an end user as ten', async () => {
    const dry = { from: 'alice', to: 'bob', amount: '1', asset: 'USD', delay: '1h' };
    const { secret } = await store.tenant.createApiKey({ name: 'three', role: 'admin' });
    const list = { payments: [dry, dry, dry], dry_run: true };
    const left = async (request: string, body: object, as: string): Promise<unknown[]> => {
      const answer = await store.send(request, { body, secret: as });
      return [answer.status, /r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]];
    };
    expect(await left('POST /holds', { ...dry, dry_run: true }, secret)).toEqual([200, '4']);
    expect(await left('POST /payments/bulk', list, secret)).toEqual([200, '1']);
    expect(await left('POST /payments/bulk', list, secret)).toEqual([429, '0']);
    const { from: _own, ...hold } = dry;
    const carol = tokenOf('carol', 1);
    expect(await left('POST /holds', { ...hold, dry_run: true }, carol)).toEqual([200, '0']);
    expect(await left('POST /holds', { ...hold, dry_run: true }, carol)).toEqual([429, '0']);
  });

  test('of one end user are counted together, whichever token they come with', async () => {
    expect(await statuses(4, (n) => tokenOf('alice', n))).toEqual([200, 200, 429, 429]);
    expect(await statuses(1, (n) => tokenOf('bob', n))).toEqual([200]);
    const answer = await store.send('GET /assets', { secret: tokenOf('bob', 9) });
    expect(answer.headers.get('ratelimit-policy')).toBe('"user";q=2;w=60');
  });

  test('count although they are refused for another reason, and nothing outside /v1 is counted', async () => {
    const { secret } = await store.tenant.createApiKey({ name: 'poor', scopes: ['events:read'] });
    expect(await statuses(7, () => secret)).toEqual([403, 403, 403, 403, 403, 429, 429]);
    const health = await store.fetch('/health');
    expect([health.status, health.headers.get('ratelimit')]).toEqual([200, null]);
  });
});

describe('unauthenticated clients', () => {
  let looked = 0;
  const store = useApi({
    usance: { onStatement: (text) => void (looked += text.includes('usance.api_keys where digest') ? 1 : 0) },
    api: { rateLimits: { perAddress: 3 }, trustedProxies: ['127.0.0.1'] },
  });
  beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(Math.floor(performance.now())));
  afterEach(() => void vi.restoreAllMocks());
  const ask = (from: string, secret: string | null) =>
    store.send('GET /assets', { secret, headers: { 'x-forwarded-for': from } });
  const statuses = async (asked: readonly (readonly [string, string | null])[]): Promise<number[]> => {
    const answers: number[] = [];
    for (const [from, secret] of asked) answers.push((await ask(from, secret)).status);
    return answers;
  };
  const wrong = (n: number): string => `usk_${String(n).padStart(40, 'x')}`;
  const good = async (): Promise<string> => (await store.tenant.createApiKey({ name: 'good', role: 'viewer' })).secret;

  test('from one address without a valid key are refused before the key is looked up', async () => {
    const from = '192.0.2.1';
    const first = await ask(from, wrong(0));
    expect([first.status, first.headers.get('ratelimit')]).toEqual([401, '"address";r=2;t=20']);
    expect(await statuses([1, 2, 3].map((n) => [from, n === 1 ? null : wrong(n)]))).toEqual([401, 401, 429]);
    const answer = await ask(from, wrong(9));
    expect(problemIn(answer)).toMatchObject({ code: 'RATE_LIMITED' });
    expect(answer.headers.get('ratelimit-policy')).toBe('"address";q=3;w=60');
    expect(answer.headers.get('retry-after')).toBe('20');
    expect((await ask('192.0.2.2', wrong(9))).status).toBe(401);
    const before = looked;
    expect(before).toBeGreaterThan(0);
    await ask(from, wrong(10));
    expect(looked).toBe(before);
  });

  test('of one network of 64 bits are one', async () => {
    const addresses = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4', '2001:db8:0:1::1'];
    expect(await statuses(addresses.map((from) => [from, null]))).toEqual([401, 401, 401, 429, 401]);
  });

  test('no longer count as unauthenticated once their key is found: valid keys are not limited', async () => {
    const from = '192.0.2.3';
    const keys = await Promise.all(Array.from({ length: 5 }, good));
    expect(await statuses(keys.map((secret) => [from, secret]))).toEqual([200, 200, 200, 200, 200]);
    expect(await statuses([1, 2, 3, 4].map((n) => [from, wrong(n)]))).toEqual([401, 401, 401, 429]);
    expect((await ask(from, keys[0] ?? '')).status).toBe(200);
    // Hours later too; a new one waits, or comes from elsewhere.
    vi.mocked(performance.now).mockReturnValue(performance.now() + 10_000);
    expect((await ask(from, keys[0] ?? '')).status).toBe(200);
    const fresh = await good();
    expect(await statuses([[from, fresh]])).toEqual([429]);
    expect(
      await statuses([
        ['192.0.2.4', fresh],
        [from, fresh],
      ]),
    ).toEqual([200, 200]);
  });

  test('are those whose key was revoked', async () => {
    const from = '192.0.2.5';
    const { key, secret } = await store.tenant.createApiKey({ name: 'revoked', role: 'viewer' });
    expect((await ask(from, secret)).status).toBe(200);
    await store.tenant.revokeApiKey(key.id);
    vi.mocked(performance.now).mockReturnValue(performance.now() + 4_000);
    expect(await statuses(Array.from({ length: 5 }, () => [from, secret]))).toEqual([401, 401, 401, 401, 429]);
  });
});
