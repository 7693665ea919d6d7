// Token issuers whose keys are at a URL: when it is fetched, what is believed meanwhile, and what a bad URL can do.
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { NAME, authority, here, openSink, useSinks } from '../outbound/sink.ts';
import { useTripwire } from '../outbound/tripwire.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf, refusedFor } from '../support/refusal.ts';
import { claimsOf, pair, token } from './tokens.ts';

useSinks();
const tripwire = useTripwire();
const outbound = { loopback: true, resolve: here, ca: authority.ca };
const store = useUsance({ outbound });
const one = pair('EdDSA', 'one');
const two = pair('EdDSA', 'two');
let count = 0;

/** A URL that answers with these keys, and how often it was asked. */
async function keysAt(...first: readonly { jwk: object }[]) {
  const state = { keys: first, asked: 0, answer: null as RequestListener | null };
  const sink = await openSink((request, response) => {
    state.asked += 1;
    if (state.answer) return state.answer(request, response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: state.keys.map(({ jwk }) => jwk) }));
  });
  return Object.assign(state, { url: `${sink.url}/jwks.json`, close: sink.close });
}

/** An issuer by URL, an account, and the outcome of a sign-in with a token that a pair signed. */
async function issuerAt(jwksUrl: string, tenant: TenantHandle = store.tenant, audience = `aud-${(count += 1)}`) {
  const ref = `user-${(count += 1)}`;
  await tenant.openAccount({ ref });
  const made = await tenant.createTokenIssuer({
    issuer: 'https://login.example.com/',
    audience,
    algorithm: 'EdDSA',
    jwksUrl,
  });
  const signIn = (
    { signer }: typeof one,
    { named, by = store.usance }: { named?: string; by?: typeof store.usance } = {},
  ) => refusedFor(by.authenticate(token(signer, claimsOf(ref, { aud: audience })), undefined, named));
  /** Moves its clocks back: `tried` and `fetched`, in minutes. */
  const age = async (tried: number, fetched: number): Promise<void> => {
    await store.owner.query(
      `update usance.token_issuers set keys_tried_at = keys_tried_at - make_interval(mins => $2::int),
         keys_fetched_at = keys_fetched_at - make_interval(mins => $3::int) where id = $1::uuid`,
      [made.id, tried, fetched],
    );
  };
  const read = async () => {
    const found = (await tenant.tokenIssuers()).find(({ id }) => id === made.id);
    return {
      kids: found?.keys.map(({ kid }) => kid),
      error: found?.keysError,
      isFetched: found?.keysFetchedAt !== null,
    };
  };
  return { ...made, ref, signIn, age, read };
}

const GOOD = 'not refused';
const BAD = 'AUTH_INVALID/unknown_token';

describe('a token issuer with a URL', () => {
  test('is created without a request, and its keys are fetched by the first token, once for twenty at once', async () => {
    const idp = await keysAt(one, two);
    const issuer = await issuerAt(idp.url);
    expect(issuer).toMatchObject({ jwksUrl: idp.url, keys: [], keysFetchedAt: null, keysError: null });
    expect(idp.asked).toBe(0);
    expect(await Promise.all(Array.from({ length: 20 }, () => issuer.signIn(one)))).toEqual(Array(20).fill(GOOD));
    expect(await issuer.signIn(two)).toBe(GOOD);
    expect(idp.asked).toBe(1);
    expect(await issuer.read()).toEqual({ kids: ['one', 'two'], error: null, isFetched: true });
  });

  test('fetches for an unknown key at most once a minute, over all processes', async () => {
    const idp = await keysAt(one);
    const issuer = await issuerAt(idp.url);
    expect(await issuer.signIn(one)).toBe(GOOD);
    const other = await createEngine({ databaseUrl: store.runtimeUrl, outbound });
    try {
      await issuer.age(2, 2);
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, n) => issuer.signIn(pair('EdDSA', `no-${n}`), n % 2 === 0 ? {} : { by: other })),
      );
      expect(outcomes).toEqual(Array(10).fill(BAD));
      expect(idp.asked).toBe(2);
      expect(await issuer.signIn(one, { by: other })).toBe(GOOD);
      await issuer.age(2, 2);
      expect(await issuer.signIn(pair('EdDSA', 'again'))).toBe(BAD);
      expect(idp.asked).toBe(3);
    } finally {
      await other.close();
    }
  });

  test('follows a rotation of its keys, and each change is audited', async () => {
    const idp = await keysAt(one);
    const issuer = await issuerAt(idp.url);
    expect(await issuer.signIn(one)).toBe(GOOD);
    idp.keys = [two];
    await issuer.age(2, 2);
    expect([await issuer.signIn(one), await issuer.signIn(two), await issuer.signIn(one)]).toEqual([GOOD, GOOD, BAD]);
    const events = await store.owner.query(
      `select type, actor, data -> 'keys' as keys from usance.events where resource_id = $1::uuid order by id`,
      [issuer.id],
    );
    expect(events).toMatchObject([
      { type: 'token_issuer.created', keys: [] },
      { type: 'token_issuer.keys_fetched', actor: 'system', keys: ['one'] },
      { type: 'token_issuer.keys_fetched', actor: 'system', keys: ['two'] },
    ]);
    const told = (await store.usance.verify()).find(({ name }) => name === 'issuers-are-told');
    expect(told?.offenders).toEqual([]);
  });

  test('is refreshed in the background after ten minutes; a change there ends an old key', async () => {
    const idp = await keysAt(one, two);
    const issuer = await issuerAt(idp.url);
    await issuer.signIn(one);
    idp.keys = [two];
    await issuer.age(11, 11);
    expect(await issuer.signIn(one)).toBe(GOOD);
    await expect.poll(issuer.read).toMatchObject({ kids: ['two'] });
    expect(await issuer.signIn(one)).toBe(BAD);
  });

  test('keeps its keys for a day while the URL does not answer, and says why', async () => {
    const idp = await keysAt(one);
    const issuer = await issuerAt(idp.url);
    await issuer.signIn(one);
    await idp.close();
    await issuer.age(60, 60);
    expect(await issuer.signIn(one)).toBe(GOOD);
    await expect.poll(issuer.read).toMatchObject({
      kids: ['one'],
      error: `CONNECT_FAILED: ${NAME} could not be connected to (ECONNREFUSED)`,
    });
    await issuer.age(60, 24 * 60);
    expect(await issuer.signIn(one)).toBe(BAD);
  });

  test('delays a sign-in by three seconds at most', async () => {
    const held: ServerResponse[] = [];
    const idp = await keysAt(one);
    idp.answer = (_request, response) => void held.push(response);
    const issuer = await issuerAt(idp.url);
    const began = performance.now();
    expect(await Promise.all([issuer.signIn(one), issuer.signIn(one)])).toEqual([BAD, BAD]);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(await issuer.signIn(one)).toBe(BAD);
    expect(idp.asked).toBe(1);
    expect(await issuer.read()).toMatchObject({ error: `TIMED_OUT: ${NAME} did not answer within 3000 ms` });
  });

  test.each<[string, RequestListener, RegExp]>([
    ['no JSON', (_request, response) => response.end('<html>'), /^JSON_MALFORMED: the text is not JSON$/],
    ['no key set', (_request, response) => response.end('[]'), /^FIELD_INVALID: jwks must be a JWK Set/],
    [
      'a private key',
      (_request, response) => response.end(JSON.stringify({ keys: [one.privateKey.export({ format: 'jwk' })] })),
      /^FIELD_INVALID/,
    ],
    [
      'keys of another kind',
      (_request, response) => response.end(JSON.stringify({ keys: [pair('RS256', 'r').jwk] })),
      /no key for EdDSA/,
    ],
    ['too many bytes', (_request, response) => response.end(Buffer.alloc(300_000, ' ')), /longer than 262144 bytes/],
    ['an error', (_request, response) => response.writeHead(500).end(), /status 500/],
    [
      'a redirect',
      (_request, response) => response.writeHead(302, { location: `http://127.0.0.1:${tripwire.port}/` }).end(),
      /status 302/,
    ],
    [
      'half a response',
      (_request, response) => response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy()),
      /^RESET/,
    ],
  ])('keeps its keys if the URL answers with %s', async (_title, answer, error) => {
    const idp = await keysAt(one);
    const issuer = await issuerAt(idp.url);
    await issuer.signIn(one);
    idp.answer = answer;
    await issuer.age(2, 2);
    tripwire.reset();
    expect(await issuer.signIn(two)).toBe(BAD);
    expect(await issuer.signIn(one)).toBe(GOOD);
    expect(await issuer.read()).toMatchObject({ kids: ['one'], error: expect.stringMatching(error) as string });
    expect(tripwire.seen).toBe(0);
  });

  test('is not created with a URL that no request can be sent to', async () => {
    const strict = await createEngine({ databaseUrl: store.runtimeUrl });
    try {
      const tenant = await strict.tenant(store.tenant.id);
      for (const url of [
        'http://example.com/',
        'https://127.0.0.1/',
        'https://localhost/',
        'https://[::ffff:a00:1]/',
        'x',
      ]) {
        expect(await refusalOf(issuerAt(url, tenant)), url).toBe('URL_REFUSED');
      }
    } finally {
      await strict.close();
    }
  });

  test('whose name leads to a private address is not fetched', async () => {
    const guarded = await createEngine({ databaseUrl: store.runtimeUrl, outbound: { resolve: here } });
    try {
      tripwire.reset();
      const issuer = await issuerAt(`https://keys.example:${tripwire.port}/`, await guarded.tenant(store.tenant.id));
      expect(await issuer.signIn(one, { by: guarded })).toBe(BAD);
      expect(await issuer.read()).toMatchObject({ error: 'BLOCKED_ADDRESS: keys.example leads to a loopback address' });
      expect(tripwire.seen).toBe(0);
    } finally {
      await guarded.close();
    }
  });

  test('that gets other keys, or is removed, while its URL is fetched keeps nothing of it', async () => {
    for (const change of ['keys', 'removed'] as const) {
      const asked = Promise.withResolvers<ServerResponse>();
      const idp = await keysAt(one);
      idp.answer = (_request, response) => asked.resolve(response);
      const issuer = await issuerAt(idp.url);
      const signingIn = issuer.signIn(one);
      const response = await asked.promise;
      if (change === 'keys') await store.tenant.updateTokenIssuer(issuer.id, { jwks: { keys: [two.jwk] } });
      else await store.tenant.deleteTokenIssuer(issuer.id);
      response.end(JSON.stringify({ keys: [one.jwk] }));
      expect(await signingIn).toBe(BAD);
      expect(await issuer.signIn(one)).toBe(BAD);
      if (change === 'keys') expect(await issuer.read()).toMatchObject({ kids: ['two'], isFetched: false });
    }
  });

  test('changes from uploaded keys to a URL and back', async () => {
    const idp = await keysAt(two);
    const issuer = await issuerAt(idp.url);
    await issuer.signIn(two);
    const back = await store.tenant.updateTokenIssuer(issuer.id, { publicKey: one.pem });
    expect(back).toMatchObject({ jwksUrl: null, keysFetchedAt: null });
    expect([await issuer.signIn(one), await issuer.signIn(two)]).toEqual([GOOD, BAD]);
    expect(await store.tenant.updateTokenIssuer(issuer.id, { jwksUrl: idp.url })).toMatchObject({ keys: [] });
    expect([await issuer.signIn(two), await issuer.signIn(one)]).toEqual([GOOD, BAD]);
  });
});

describe('two tenants with the same issuer and audience', () => {
  test('a later URL that hangs delays no token of the first', async () => {
    const other = await store.usance.createTenant({ name: `later-${(count += 1)}` });
    const first = await keysAt(one);
    const hanging = await keysAt(one);
    hanging.answer = () => undefined;
    const issuer = await issuerAt(first.url);
    await issuerAt(hanging.url, other, issuer.audience);
    expect(await issuer.signIn(one, { named: store.tenant.id })).toBe(GOOD);
    expect(await issuer.signIn(one)).toBe(GOOD);
    expect(hanging.asked).toBe(0);
  });

  test('a token counts for no later tenant because the keys of the first are away', async () => {
    const first = await keysAt(one);
    await first.close();
    const issuer = await issuerAt(first.url);
    const other = await store.usance.createTenant({ name: `copy-${(count += 1)}` });
    await other.openAccount({ ref: issuer.ref });
    const { audience } = issuer;
    const copied = { issuer: issuer.issuer, audience, algorithm: 'EdDSA', jwks: { keys: [one.jwk] } } as const;
    await other.createTokenIssuer(copied);
    expect(await issuer.signIn(one)).toBe('AUTH_INVALID/tenant_not_named');
    expect(await issuer.signIn(one)).toBe('AUTH_INVALID/tenant_not_named');
    expect(await issuer.signIn(one, { named: other.id })).toBe(GOOD);
  });

  test('a token that both verify has to name its tenant', async () => {
    const idp = await keysAt(one);
    const issuer = await issuerAt(idp.url);
    const other = await store.usance.createTenant({ name: `both-${(count += 1)}` });
    const second = await issuerAt(idp.url, other, issuer.audience);
    await issuer.signIn(one, { named: store.tenant.id });
    await second.signIn(one, { named: other.id });
    expect(await issuer.signIn(one)).toBe('AUTH_INVALID/tenant_not_named');
  });
});
