// Codes of a request before any verb sees it, of keys and of our own trouble.
import { createApi } from '../../src/api/index.ts';
import { createEngine } from '../../src/engine.ts';
import { freshKey, sendTo } from '../api/api.ts';
import { TEST_KEY } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import { startProxy } from '../support/proxy.ts';
import type { Cause } from './world.ts';
import { HOLD, hold, spoken, tokenOf } from './world.ts';

/** The server would end a session that stands still before who waits for it has had enough. */
const STANDING = { idleLimitMs: 120_000 };

const raw =
  (body: string): Cause =>
  (store) =>
    store.send('POST /holds', { body });
const get =
  (path: string): Cause =>
  (store) =>
    store.send(`GET ${path}`);

const append =
  (change: object): Cause =>
  (store) =>
    store.send('POST /events', { body: { type: 'posts.created', resource: 'post', resource_id: '1', ...change } });

export const OF_REQUESTS = {
  REQUEST_MALFORMED: get('/accounts/%E0%A4%A'),
  async REQUEST_TIMEOUT({ usance, secret }) {
    const impatient = createApi(usance, { host: '127.0.0.1', port: 0, requestTimeoutMs: 200 });
    const { url } = await impatient.listen();
    const head = `POST /v1/holds HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${secret}\r\nidempotency-key: slow\r\n`;
    const code = await spoken(url, `${head}content-type: application/json\r\ncontent-length: 9\r\n\r\n{`);
    await impatient.close();
    return code;
  },
  HEADERS_TOO_LARGE: ({ url }) => spoken(url, `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`),
  BODY_TOO_LARGE: raw(JSON.stringify({ filler: 'x'.repeat(1_048_576) })),
  CONTENT_TYPE_UNSUPPORTED: (store) =>
    store.send('POST /holds', { body: HOLD, headers: { 'content-type': 'text/plain' } }),
  JSON_TOO_COMPLEX: raw(`[${'[],'.repeat(20_000)}[]]`),
  JSON_MALFORMED: raw('{"from": "alice"'),
  JSON_DUPLICATE_KEY: raw('{"from": "alice", "from": "bob"}'),
  JSON_INTEGER_UNSAFE: raw('{"amount": 9007199254740993}'),
  FIELD_UNKNOWN: hold({ ammount: '100' }),
  FIELD_INVALID: get('/holds?limit=0'),
  ID_INVALID: get('/holds/hold-7'),
  CURSOR_INVALID: get('/holds?cursor=rubbish'),
  CURSOR_DIVERGED: get('/events?after=999999'),
  EVENT_PATTERN_INVALID: get('/events?type=pay*'),
  EVENT_TYPE_INVALID: append({ type: 'Posts' }),
  EVENT_TYPE_RESERVED: append({ type: 'payment.noted' }),
  EVENT_TOO_LARGE: append({ data: { text: 'x'.repeat(65_536) } }),
  async EVENTS_QUOTA_EXCEEDED(store) {
    const { id } = store.tenant;
    await store.owner.query(
      `insert into usance.own_event_counts (tenant_id, day, slot, events)
       select $1::uuid, (now() at time zone 'UTC')::date + n, $1::uuid, 1000000 from generate_series(0, 1) n`,
      [id],
    );
    const answer = await append({})(store);
    await store.owner.query('delete from usance.own_event_counts where tenant_id = $1::uuid', [id]);
    return answer;
  },
  ROUTE_NOT_FOUND: get('/nothing'),
  METHOD_NOT_ALLOWED: (store) => store.send('DELETE /holds'),

  IDEMPOTENCY_KEY_MISSING: (store) => store.send('POST /holds', { body: HOLD, key: null }),
  IDEMPOTENCY_KEY_INVALID: (store) => store.send('POST /holds', { body: HOLD, key: 'x'.repeat(256) }),
  VERSION_UNKNOWN: (store) => store.send('GET /assets', { headers: { 'usance-version': '2020-01-01' } }),
  PRECONDITION_INVALID: (store) => store.send('POST /holds', { body: HOLD, headers: { 'if-match': '*' } }),
  async PRECONDITION_FAILED(store) {
    const hold = await store.send('POST /holds', { body: HOLD });
    const path = `/holds/${hold.word('id')}`;
    const etag = (await store.send(`GET ${path}`)).headers.get('etag') ?? '';
    await store.send(`PATCH ${path.replace('holds', 'payments')}`, { body: { metadata: { changed: true } } });
    return store.send(`POST ${path}/cancel`, { headers: { 'if-match': etag } });
  },
  async IDEMPOTENCY_RESPONSE_ERASED(store) {
    const [key, body] = [freshKey(), { ref: 'gone', name: 'Jane Roe' }];
    await store.send('POST /accounts', { body, key });
    await store.send('POST /accounts/gone/close', { body: { reason: 'left' } });
    await store.send('POST /accounts/gone/erase', { body: { reason: 'asked for' } });
    return store.send('POST /accounts', { body, key });
  },
  async IDEMPOTENCY_MISMATCH(store) {
    const key = freshKey();
    await store.send('POST /holds', { body: HOLD, key });
    return store.send('POST /holds', { body: { ...HOLD, amount: '101' }, key });
  },
  /** Asked again by the very request that is running. */
  async IDEMPOTENCY_RUNNING({ tenant }) {
    const request = { key: freshKey(), fingerprint: '' };
    const outer = await tenant.idempotently(request, () => refusalOf(tenant.idempotently(request, () => never())));
    return outer.answer;
  },

  AUTH_REQUIRED: (store) => store.send('GET /assets', { secret: null }),
  AUTH_INVALID: (store) => store.send('GET /assets', { secret: 'usk_nobodys' }),
  async AUTH_SCOPE_MISSING(store) {
    const { secret } = await store.tenant.createApiKey({ name: 'reader', role: 'viewer' });
    return store.send('POST /holds', { body: HOLD, secret });
  },
  AUTH_FORBIDDEN: (store) => store.send('GET /overview', { secret: tokenOf('alice') }),
  async RATE_LIMITED({ usance, secret }) {
    const strict = createApi(usance, { host: '127.0.0.1', port: 0, rateLimits: { perKey: 1 } });
    const { url } = await strict.listen();
    await sendTo(url, secret, 'GET /assets', {});
    const answer = await sendTo(url, secret, 'GET /assets', {});
    await strict.close();
    return answer;
  },

  /** A table is not where it should be. */
  async INTERNAL_ERROR(store) {
    await store.owner.query('alter table usance.outages rename to outages_elsewhere');
    const answer = await store.send('GET /outages');
    await store.owner.query('alter table usance.outages_elsewhere rename to outages');
    return answer;
  },
  /** The wire to the database is cut. */
  async SERVICE_UNAVAILABLE({ runtimeUrl, secret }) {
    const proxy = await startProxy(runtimeUrl);
    const encryption = { key: TEST_KEY };
    const usance = await createEngine({ databaseUrl: proxy.url, migrate: false, encryption });
    const api = createApi(usance, { host: '127.0.0.1', port: 0 });
    const { url } = await api.listen();
    await proxy.close();
    const answer = await sendTo(url, secret, 'GET /assets', {});
    await api.close();
    await usance.close();
    return answer;
  },
  /** Somebody else holds the payer's balance for longer than a request waits. */
  async BUSY(store) {
    await store.tenant.openAccount({ ref: 'stuck' });
    await store.send('POST /accounts/stuck/deposit', { body: { asset: 'USD/2', amount: 100 } });
    return store.owner.transaction(async (tx) => {
      const stuck = `(select id from usance.accounts where ref = 'stuck')`;
      await tx.query(`select from usance.balances where account_id = ${stuck} for update`);
      return store.send('POST /holds', { body: { ...HOLD, from: 'stuck' } });
    }, STANDING);
  },
} satisfies Record<string, Cause>;

function never(): never {
  throw new Error('expected the second to be refused');
}
