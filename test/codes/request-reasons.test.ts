// Every reason that a request or a caller is refused with before a verb runs, and the shortest way to it. A reason with a longer way
// is listed with the file that tries it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { beforeAll, expect, test } from 'vitest';
import { problemOf } from '../../src/api/problem.ts';
import { checkOf, textsOf } from '../../src/contract/index.ts';
import { ACCESS_ERRORS } from '../../src/kernel/errors/access.ts';
import {
  CATALOGUE,
  RETRY_PRESETS,
  Refusal,
  callerOf,
  fromTypeId,
  inUnchangedChunks,
  namedCaller,
  oneOf,
  parseAmount,
  parseDecimal,
  parsePositiveAmount,
  parseRetryPolicy,
  parseStrictJson,
  toJson,
} from '../../src/kernel/index.ts';
import { createOutbound } from '../../src/outbound/index.ts';
import { inSeconds, pair, shared, token } from '../access/tokens.ts';
import type { Answer, SendOptions, TestApi } from '../api/api.ts';
import { useApi } from '../api/api.ts';
import { isCode, readTree } from '../architecture/source.ts';
import { open } from '../support/books.ts';
import { HOLD, SECRET, tokenOf } from './world.ts';

const store = useApi({ usance: { jwt: { secret: SECRET, audience: 'usance', issuer: null } } });
beforeAll(() => open(store.tenant, { alice: 1_000_000, bob: 0 }));

/** `CODE/reason` of what is thrown or answered. */
type Way = (store: TestApi) => unknown;

async function keyOf(way: Way): Promise<string> {
  try {
    return keyIn(await way(store));
  } catch (error) {
    return keyIn(error);
  }
}

function keyIn(found: unknown): string {
  if (found instanceof Refusal) return `${found.code}/${found.reason}`;
  if (Array.isArray(found)) return keyIn(new Refusal(found[0] as Refusal['refused']));
  const { body } = found as Answer;
  const { code, reason } = (body ?? {}) as Record<string, unknown>;
  return typeof code === 'string' ? `${code}/${String(reason)}` : JSON.stringify(found);
}

const send =
  (request: string, options: SendOptions = {}): Way =>
  (api) =>
    api.send(request, options);
const hold = (change: object): Way => send('POST /holds', { body: { ...HOLD, ...change } });
const POST = { type: 'posts.created', resource: 'post', resourceId: '1' };
const append = (change: object): Way =>
  send('POST /events', { body: { type: 'posts.created', resource: 'post', resource_id: '1', ...change } });
const misfit =
  (field: TSchema, value: unknown): Way =>
  () =>
    checkOf(Type.Object({ field: Type.Optional(field) }), 'the body')({ field: value });
const retry =
  (policy: unknown): Way =>
  () =>
    parseRetryPolicy(policy, RETRY_PRESETS.hold);
const json =
  (text: string | Uint8Array): Way =>
  () =>
    parseStrictJson(text);
const key =
  (order: object): Way =>
  ({ tenant }) =>
    tenant.createApiKey({ name: 'one', role: 'viewer', ...order } as never);
const issuer =
  (order: object): Way =>
  ({ tenant }) =>
    tenant.createTokenIssuer({ issuer: 'https://r.example/', audience: 'r', algorithm: 'EdDSA', ...order } as never);
const ed = pair('EdDSA', 'one');
const rsa = pair('RS256');
const bearer =
  (claims: object): Way =>
  ({ usance }) =>
    usance.authenticate(token(shared(SECRET), { aud: 'usance', sub: 'alice', exp: inSeconds(600), ...claims }));
/** A file whose second reading has another digest than the first. */
const reread =
  (items: { line: number }[]): Way =>
  async () => {
    const chunks = async function* () {
      yield { items, digest: 'another' };
    };
    for await (const _chunk of inUnchangedChunks(chunks(), ['one'])) expect.fail('not refused');
  };
/** An error of Fastify or Node, before a route sees the request. */
const ofServer =
  (code: string, more: object = {}): Way =>
  () => ({ body: problemOf(Object.assign(new Error(code), { code, ...more }), 'req_1') });
const asKey =
  (order: object, work: (mine: TestApi['tenant']) => Promise<unknown>): Way =>
  async ({ tenant, usance }) => {
    const { secret } = await tenant.createApiKey({ name: 'limited', ...order });
    const found = await usance.authenticate(secret);
    return found ? work(found.handle) : null;
  };
const asUser = (request: string, options: SendOptions = {}): Way =>
  send(request, { ...options, secret: tokenOf('alice') });

const endpoint =
  (params: object): Way =>
  ({ tenant }) =>
    tenant.createWebhookEndpoint({ url: 'https://shop.example.com/', eventPattern: 'payment.*', ...params });

const WAYS: Readonly<Record<string, Way>> = {
  'EVENT_PATTERN_INVALID/form': endpoint({ eventPattern: 'payment settled' }),
  'FIELD_INVALID/webhook_secret': endpoint({ secret: 'whsec_short' }),
  'AMOUNT_INVALID/not_minor_units': () => parseAmount('x'),
  'AMOUNT_INVALID/not_decimal': () => parseDecimal('x', 2),
  'AMOUNT_INVALID/too_many_decimals': () => parseDecimal('1.555', 2),
  'AMOUNT_NOT_POSITIVE/zero': () => parsePositiveAmount('0'),
  'AMOUNT_NOT_POSITIVE/negative': () => parseAmount(-1n),
  'AMOUNT_TOO_LARGE/one': () => parseAmount('9'.repeat(30)),
  'ID_INVALID/wrong_form': () => fromTypeId('payment', 'x'),
  'ID_INVALID/not_a_cursor': ({ tenant }) => tenant.apiKeys({ before: 'x' }),
  'RETRY_INVALID/not_a_policy': retry('x'),
  'RETRY_INVALID/unknown_field': retry({ attempts: 1 }),
  'RETRY_INVALID/out_of_range': retry({ maxAttempts: 0 }),
  'RETRY_INVALID/max_below_initial': retry({ initialDelayMs: 7_200_000, maxDelayMs: 3_600_000 }),

  'FIELD_INVALID/required': () => checkOf(Type.Object({ field: Type.String() }), 'the body')({}),
  'FIELD_INVALID/one_of': () => oneOf('x', ['a', 'b'], 'field'),
  'FIELD_INVALID/wrong_type': misfit(Type.String(), 7),
  'FIELD_INVALID/wrong_form': misfit(Type.String({ pattern: '^a$' }), 'b'),
  'FIELD_INVALID/not_an_object': () => checkOf(Type.Object({}), 'the body')(null),
  'FIELD_INVALID/nothing_given': () => checkOf(Type.Object({}, { minProperties: 1 }), 'the body')({}),
  'FIELD_INVALID/no_fields': misfit(Type.Object({}, { minProperties: 1 }), {}),
  'FIELD_INVALID/too_small': misfit(Type.Integer({ minimum: 1 }), 0),
  'FIELD_INVALID/too_large': misfit(Type.Integer({ maximum: 1 }), 2),
  'FIELD_INVALID/too_short': misfit(Type.String({ minLength: 1 }), ''),
  'FIELD_INVALID/too_long': misfit(Type.String({ maxLength: 1 }), 'ab'),
  'FIELD_INVALID/too_few_items': misfit(Type.Array(Type.String(), { minItems: 1 }), []),
  'FIELD_INVALID/too_many_items': misfit(Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b']),
  'FIELD_INVALID/wrong_length': () => callerOf({ actor: '' }),
  'FIELD_INVALID/not_percent_encoded': send('POST /holds', { body: HOLD, headers: { 'usance-reason': '50 % off' } }),
  'FIELD_INVALID/actor_reserved': () => namedCaller({ actor: 'key:one' }),
  'FIELD_INVALID/not_storable': json('{"a": "\\u0000"}'),
  'FIELD_INVALID/has_nul': () => toJson('\0'),
  'FIELD_INVALID/given_twice': () => textsOf(Type.Object({ a: Type.String() }))({ a: ['1', '2'] }),
  'FIELD_INVALID/both_given': hold({ amount_decimal: '1.00' }),
  'FIELD_INVALID/amount_required': hold({ amount: undefined }),
  'FIELD_INVALID/from_required': hold({ from: undefined }),
  'FIELD_INVALID/metadata_filter': send(`GET /payments?metadata[a]=${'x'.repeat(501)}`),
  'FIELD_INVALID/not_an_action': send('GET /audit-events?action=nothing'),
  'FIELD_INVALID/not_a_resource': append({ resource: 'Post' }),
  'ID_INVALID/needs_resource': send('GET /events?resource_id=post-1'),
  'EVENT_TYPE_RESERVED/type': append({ type: 'webhook.sent' }),
  'EVENT_TYPE_RESERVED/resource': append({ resource: 'payment' }),
  'EVENT_TYPE_RESERVED/action': append({ type: 'payment_run.now' }),
  'EVENT_TOO_LARGE/data': append({ data: { text: 'x'.repeat(65_536) } }),
  'EVENT_TOO_LARGE/together': ({ tenant }) =>
    tenant.appendEvents(Array.from({ length: 65 }, () => ({ ...POST, data: { text: 'x'.repeat(65_000) } }))),
  'FIELD_INVALID/not_an_event_id': send('GET /events/stream', { headers: { 'last-event-id': 'x' } }),
  'FIELD_INVALID/account_ref': send('POST /accounts', { body: { ref: 'a b' } }),
  'FIELD_INVALID/tenant_name': send('POST /tenants', { body: { name: 'A B' } }),
  'FIELD_INVALID/not_whole_number_or_null': send('PATCH /execution-cap', { body: { per_second: 0 } }),
  'FIELD_INVALID/not_visible': key({ name: ' ' }),
  'FIELD_INVALID/not_a_role': key({ role: 'king' }),
  'FIELD_INVALID/not_a_scope': key({ scopes: ['everything'] }),
  'FIELD_INVALID/role_or_scopes': key({ role: null }),
  'FIELD_INVALID/in_the_past': key({ expiresAt: new Date(0) }),
  'FIELD_INVALID/not_printable': key({ secret: 'x' }),
  'FIELD_INVALID/overlap_too_long': async ({ tenant }) =>
    tenant.rotateApiKey((await tenant.createApiKey({ name: 'old', role: 'viewer' })).key.id, { overlapMs: 1e12 }),
  'FIELD_INVALID/not_printable_word': issuer({ issuer: 'a b', publicKey: ed.pem }),
  'FIELD_INVALID/issuer_reserved': issuer({ audience: 'usance', publicKey: ed.pem }),
  'FIELD_INVALID/not_a_key_set': issuer({ jwks: [] }),
  'FIELD_INVALID/no_fitting_key': issuer({ jwks: { keys: [rsa.jwk] } }),
  'FIELD_INVALID/kid_missing': issuer({ jwks: { keys: [ed.jwk, { ...pair('EdDSA').jwk, kid: 'one' }] } }),
  'FIELD_INVALID/not_a_public_key': issuer({ publicKey: 'hello' }),
  'FIELD_INVALID/unreadable_key': issuer({ jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AA' }] } }),
  'FIELD_INVALID/none_of_given': issuer({}),
  'URL_REFUSED/not_a_url': issuer({ jwksUrl: 'login.example.com' }),
  'URL_REFUSED/scheme': issuer({ jwksUrl: 'http://login.example.com/' }),
  'URL_REFUSED/scheme_of_development': () => createOutbound({ loopback: true }).checkUrl('ftp://localhost/', 'url'),
  'URL_REFUSED/credentials': issuer({ jwksUrl: 'https://jo:secret@login.example.com/' }),
  'URL_REFUSED/port': issuer({ jwksUrl: 'https://login.example.com:25/' }),
  'URL_REFUSED/host': issuer({ jwksUrl: 'https://login..example.com/' }),
  'URL_REFUSED/local_name': issuer({ jwksUrl: 'https://localhost/' }),
  'URL_REFUSED/address': issuer({ jwksUrl: 'https://10.0.0.1/' }),
  'FIELD_INVALID/private_key': issuer({ jwks: { keys: [ed.privateKey.export({ format: 'jwk' })] } }),

  'FIELD_INVALID/me_needs_token': send('GET /guardians/me/allowances'),
  'PLAN_INVALID/not_a_period': send('POST /plans', {
    body: { name: 'premium', price: '1', asset: 'USD/2', receiver: 'bob', period: 7 },
  }),
  'DELAY_INVALID/not_an_instant': hold({ delay: undefined, execute_at: 'soon' }),
  'DELAY_INVALID/not_a_duration': hold({ delay: 'soon' }),
  'IMPORT_INVALID/file_changed': reread([]),
  'IMPORT_INVALID/file_changed_from': reread([{ line: 2 }]),

  'FIELD_UNKNOWN/similar': hold({ ammount: '1' }),
  'FIELD_UNKNOWN/unknown': hold({ tip: '1' }),
  'FIELD_UNKNOWN/no_fields': send('GET /execution-cap?tip=1'),
  'CURSOR_INVALID/malformed': send('GET /holds?cursor=rubbish'),
  'CURSOR_INVALID/another_list': send(`GET /holds?cursor=${Buffer.from('c1:12').toString('base64url')}`),
  'IDEMPOTENCY_KEY_INVALID/wrong_form': send('POST /holds', { body: HOLD, key: 'x'.repeat(256) }),

  'CONTENT_TYPE_UNSUPPORTED/not_json': send('POST /holds', { body: HOLD, headers: { 'content-type': 'text/plain' } }),
  'CONTENT_TYPE_UNSUPPORTED/not_utf8': send('POST /holds', {
    body: HOLD,
    headers: { 'content-type': 'application/json; charset=latin1' },
  }),
  'JSON_MALFORMED/not_json': json('secret'),
  'JSON_MALFORMED/not_utf8': json(Uint8Array.of(255)),
  'JSON_MALFORMED/breaks': json('{"a": 1 x}'),
  'JSON_MALFORMED/ends_early': json(''),
  'JSON_MALFORMED/too_deep': json('['.repeat(33) + ']'.repeat(33)),
  'REQUEST_MALFORMED/content_length': ofServer('FST_ERR_CTP_INVALID_CONTENT_LENGTH'),
  'REQUEST_MALFORMED/body_ended': ofServer('ECONNRESET', { statusCode: 400 }),
  'REQUEST_MALFORMED/path': send('GET /accounts/%E0%A4%A'),
  'ROUTE_NOT_FOUND/unknown': send('GET /nothing'),
  'ROUTE_NOT_FOUND/trailing_slash': send('GET /assets/'),
  'ROUTE_NOT_FOUND/outside': ({ fetch }) => fetch('/nothing'),

  'AUTH_INVALID/not_bearer': ({ send: ask }) =>
    ask('GET /assets', { headers: { authorization: 'Basic x' }, secret: null }),
  'AUTH_INVALID/unknown_key': send('GET /assets', { secret: 'usk_nobodys' }),
  'AUTH_INVALID/unknown_token': ({ usance }) =>
    usance.authenticate(token(shared('another-secret-of-the-environment-01'), { aud: 'usance', sub: 'alice' })),
  'AUTH_INVALID/tenant_unknown': ({ usance }) => usance.authenticate(tokenOf('alice'), undefined, 'nobody'),
  'AUTH_INVALID/exp_missing': bearer({ exp: 'soon' }),
  'AUTH_INVALID/expired': bearer({ exp: inSeconds(-600) }),
  'AUTH_INVALID/not_valid_yet': bearer({ nbf: inSeconds(300) }),
  'AUTH_INVALID/iat_missing': bearer({ iat: 'then' }),
  'AUTH_INVALID/issued_in_the_future': bearer({ iat: inSeconds(300) }),
  'AUTH_INVALID/lasts_too_long': bearer({ exp: inSeconds(1e7) }),
  'AUTH_INVALID/sub_missing': bearer({ sub: '' }),
  'AUTH_INVALID/account_not_open': bearer({ sub: 'nobody' }),
  'AUTH_INVALID/revoked': async ({ tenant, usance }) => {
    await tenant.openAccount({ ref: 'left' });
    await tenant.revokeTokens('left');
    return usance.authenticate(tokenOf('left'));
  },
  'AUTH_SCOPE_MISSING/operation': async ({ tenant, send: ask }) =>
    ask('POST /holds', { body: HOLD, secret: (await tenant.createApiKey({ name: 'r', role: 'viewer' })).secret }),
  'AUTH_SCOPE_MISSING/grant': asKey({ scopes: ['keys:write'] }, (mine) =>
    mine.createApiKey({ name: 'more', scopes: ['payments:write'] }),
  ),
  'AUTH_SCOPE_MISSING/revoke': asKey({ scopes: ['keys:write'] }, async (mine) => {
    const { key: strong } = await store.tenant.createApiKey({ name: 'strong', role: 'admin' });
    return mine.revokeApiKey(strong.id);
  }),
  'AUTH_SCOPE_MISSING/issuer': asKey({ scopes: ['keys:write'] }, (mine) =>
    mine.createTokenIssuer({ issuer: 'https://k.example/', audience: 'k', algorithm: 'EdDSA', publicKey: ed.pem }),
  ),
  'AUTH_SCOPE_MISSING/outlives': asKey({ scopes: ['keys:write'], expiresAt: new Date(Date.now() + 600_000) }, (mine) =>
    mine.createApiKey({ name: 'longer', scopes: ['keys:write'], expiresAt: new Date(Date.now() + 9_000_000) }),
  ),
  'AUTH_FORBIDDEN/not_your_payment': async ({ send: ask }) => {
    const id = (await ask('POST /payments', { body: HOLD })).word('id');
    return ask(`POST /payments/${id}/cancel`, { body: {}, secret: tokenOf('alice') });
  },
  'AUTH_FORBIDDEN/not_the_payer': async ({ send: ask }) => {
    const id = (
      await ask('POST /payments', { body: { ...HOLD, from: 'bob', to: 'alice', funding: 'at_execution' } })
    ).word('id');
    return ask(`GET /payments/${id}/timeline`, { secret: tokenOf('alice') });
  },
  'AUTH_FORBIDDEN/first_tenant_only': async ({ usance, send: ask }) => {
    const second = await usance.createTenant({ name: 'second' });
    const { secret } = await second.createApiKey({ name: 'its admin', role: 'admin' });
    return ask('GET /tenants', { secret });
  },
  'AUTH_FORBIDDEN/needs_api_key': asUser('GET /overview'),
  'AUTH_FORBIDDEN/option_needs_api_key': asUser('GET /payments?metadata[a]=1'),
  'AUTH_FORBIDDEN/not_your_account': asUser('POST /holds', { body: { ...HOLD, from: 'bob', to: 'alice' } }),
  'TENANT_NOT_FOUND/unknown': ({ usance }) => usance.tenant('nobody'),
};

/** Tried where its verb is, because the way there is longer. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'CSRF_INVALID/token': 'test/api/sessions.test.ts',
  'CSRF_INVALID/origin': 'test/api/sessions.test.ts',
  'FIELD_INVALID/asset_required': 'test/api/requests.test.ts',
  'FIELD_INVALID/rsa_size': 'test/access/issuers.test.ts',
  'FIELD_INVALID/rsa_exponent': 'test/access/token-tenants.test.ts',
  'IDEMPOTENCY_KEY_INVALID/sent_twice': 'test/api/http.test.ts',
  'PRECONDITION_INVALID/unsupported': 'test/api/etag.test.ts',
  'PRECONDITION_INVALID/malformed': 'test/api/etag.test.ts',
  'BUSY/lock_timeout': 'test/codes/requests.ts',
  'BUSY/your_lock_timeout': 'test/payments/within-deadlock.test.ts',
  'BUSY/deadlock': 'test/payments/within-deadlock.test.ts',
  'REQUEST_MALFORMED/not_http': 'test/api/requests.test.ts',
  'REQUEST_MALFORMED/host': 'test/api/http.test.ts',
  'REQUEST_MALFORMED/expect': 'test/api/requests.test.ts',
  'REQUEST_MALFORMED/repeated_header': 'test/api/http.test.ts',
  'ROUTE_NOT_FOUND/metrics': 'test/api/metrics.test.ts',
  'RATE_LIMITED/requests': 'test/codes/requests.ts',
  'RATE_LIMITED/streams': 'test/api/stream.test.ts',
  'RATE_LIMITED/streams_of_key': 'test/api/stream-quota.test.ts',
  'RATE_LIMITED/receipts': 'test/audit/receipt.test.ts',
  'SERVICE_UNAVAILABLE/database': 'test/codes/requests.ts',
  'SERVICE_UNAVAILABLE/streams': 'test/api/stream.test.ts',
  'SERVICE_UNAVAILABLE/receipts': 'test/audit/receipt.test.ts',
  'RECEIPT_ANCHOR_UNKNOWN/unknown': 'test/codes/payments.ts',
  'RECEIPT_ANCHOR_UNKNOWN/too_early': 'test/audit/receipt.test.ts',
  'AUTH_INVALID/tenant_not_named': 'test/access/token-tenants.test.ts',
  'AUTH_INVALID/issued_before_account': 'test/access/token-tenants.test.ts',
  'CLOCK_NOT_FOUND/no_clock': 'test/cli/test-clocks.test.ts',
  'AUTH_FORBIDDEN/eraser_role': 'test/audit/runtime-role.test.ts',
  'TENANT_NOT_FOUND/creatable': 'test/cli/import.test.ts',
  'API_KEYS_TOO_MANY/active': 'test/access/key-quota.test.ts',
  'API_KEYS_TOO_MANY/ancestors': 'test/access/key-quota.test.ts',
};

/** The folders that refuse before a verb runs. Reasons of the verbs themselves are tried beside this file, or with the verb. */
const FOLDERS = ['kernel', 'db', 'audit', 'access', 'contract', 'api', 'cli'];
const sources = (await Promise.all(FOLDERS.map((folder) => readTree(`src/${folder}`))))
  .flat()
  .filter((file) => isCode(file) && !file.path.startsWith('src/kernel/errors/'))
  .map((file) => file.text)
  .join('\n');
const KEYS = [
  ...new Set([
    ...[...sources.matchAll(/'([A-Z_]+\/[a-z_0-9]+)'/g)].map(([, each = '']) => each),
    ...Object.keys(ACCESS_ERRORS.AUTH_INVALID.detail).map((reason) => `AUTH_INVALID/${reason}`),
  ]),
].filter((each) => (each.split('/')[0] ?? '') in CATALOGUE);

test('every reason is tried here, or in the file that is listed', () => {
  expect(KEYS.length).toBeGreaterThan(80);
  expect(KEYS.filter((each) => !(each in WAYS) && !(each in ELSEWHERE))).toEqual([]);
  const root = join(import.meta.dirname, '../..');
  expect(Object.values(ELSEWHERE).filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test.each(Object.entries(WAYS))('%s', async (expected, way) => {
  expect(await keyOf(way)).toBe(expected);
});
