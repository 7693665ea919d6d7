// What is refused before any verb sees it, and by which name.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import type { Api } from '../../src/api/index.ts';
import { open } from '../support/books.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';

const ORDER = { from: 'alice', to: 'bob', amount: '100', asset: 'USD/2', delay: '1h' };
const errors = vi.fn<(error: unknown) => void>();

describe('a request', () => {
  const store = useApi({ api: { onError: errors } });
  beforeAll(() => open(store.tenant, { alice: 10_000, bob: 0 }));

  const refusal = async (request: string, options: Parameters<typeof store.send>[1] = {}) =>
    problemIn(await store.send(request, options));
  const with_ = (change: object): object => ({ ...ORDER, ...change });

  describe('whose JSON is ambiguous or inexact', () => {
    test.each([
      ['breaks off', '{"from": "alice"', 'JSON_MALFORMED', undefined],
      ['has a comma too many', '{"from": "alice",}', 'JSON_MALFORMED', undefined],
      ['is no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'JSON_MALFORMED', undefined],
      ['is nested without end', '['.repeat(100_000) + ']'.repeat(100_000), 'JSON_MALFORMED', undefined],
      ['names a field twice', '{"from": "alice", "from": "bob"}', 'JSON_DUPLICATE_KEY', 'from'],
      ['names a field twice in other letters', '{"from": "alice", "fr\\u006fm": "bob"}', 'JSON_DUPLICATE_KEY', 'from'],
      [
        'names an inner field twice',
        '{"metadata": {"a": [{"b": 1, "b": 2}]}}',
        'JSON_DUPLICATE_KEY',
        'metadata.a[0].b',
      ],
      ['has an integer that is rounded', '{"amount": 9007199254740993}', 'JSON_INTEGER_UNSAFE', 'amount'],
      ['has an integer in disguise', '{"amount": 9.007199254740993e15}', 'JSON_INTEGER_UNSAFE', 'amount'],
      ['has a number beyond all', '{"metadata": {"a": [1, 1e400]}}', 'JSON_INTEGER_UNSAFE', 'metadata.a[1]'],
      [
        'has a fraction that is rounded, however deep',
        '{"metadata": {"a": {"b": [0.1000000000000000055]}}}',
        'JSON_INTEGER_UNSAFE',
        'metadata.a.b[0]',
      ],
      ['has NUL in a text', '{"metadata": {"a": "\\u0000"}}', 'FIELD_INVALID', 'metadata.a'],
      ['has half a character', '{"metadata": {"a": "\\ud800"}}', 'FIELD_INVALID', 'metadata.a'],
      ['is a list', '[]', 'FIELD_INVALID', undefined],
      ['is null', 'null', 'FIELD_INVALID', undefined],
      ['is empty', '', 'FIELD_INVALID', 'amount'],
    ])('because it %s', async (_title, body, code, param) => {
      const headers = { 'content-type': 'application/json' };
      expect(await refusal('POST /holds', { body, headers })).toMatchObject({ code, param });
    });
  });

  test.each([
    ['a field nobody reads', with_({ tip: 1 }), 'FIELD_UNKNOWN', 'tip', /the fields are from, to, to_user, amount/],
    ['no amount', { from: 'alice', to: 'bob' }, 'FIELD_INVALID', 'amount', /amount is required/],
    ['no payer', { to: 'bob', amount: 1, asset: 'USD' }, 'FIELD_INVALID', 'from', /has no account/],
    ['no payee', { from: 'alice', amount: 1, asset: 'USD' }, 'FIELD_INVALID', 'to', /to is required/],
    ['two payees', with_({ to_user: 'bob' }), 'FIELD_INVALID', 'to_user', /not both/],
    [
      'no asset, where there is no default',
      { from: 'alice', to: 'bob', amount: 1 },
      'FIELD_INVALID',
      'asset',
      /default/,
    ],
    ['an amount with a fraction', with_({ amount: 1.5 }), 'AMOUNT_INVALID', 'amount', /whole number/],
    ['an amount with a point', with_({ amount: '1.50' }), 'AMOUNT_INVALID', 'amount', /"1250"/],
    ['a negative amount', with_({ amount: -1 }), 'AMOUNT_INVALID', 'amount', /whole number/],
    ['an amount that is a list', with_({ amount: [1] }), 'AMOUNT_INVALID', 'amount', /whole number/],
    ['an amount beyond bigint', with_({ amount: '9'.repeat(30) }), 'AMOUNT_TOO_LARGE', 'amount', /larger/],
    [
      'an instant without a zone',
      with_({ delay: undefined, execute_at: '2026-01-01T00:00:00' }),
      'DELAY_INVALID',
      'execute_at',
      /instant/,
    ],
    [
      'a day that is not in the calendar',
      with_({ delay: undefined, execute_at: '2027-02-30T00:00:00Z' }),
      'DELAY_INVALID',
      'execute_at',
      /instant/,
    ],
    [
      'an instant before time',
      with_({ delay: undefined, execute_at: '0000-01-01T00:00:00Z' }),
      'DELAY_INVALID',
      'execute_at',
      /instant/,
    ],
    [
      'an instant after time',
      with_({ expires_at: '9999-12-31T23:59:59-23:00' }),
      'DELAY_INVALID',
      'expires_at',
      /instant/,
    ],
    [
      'a past instant',
      with_({ delay: undefined, execute_at: '2001-01-01T00:00:00Z' }),
      'DELAY_OUT_OF_RANGE',
      'execute_at',
      /past/,
    ],
    [
      'a delay and an instant',
      with_({ execute_at: '2026-01-01T00:00:00Z' }),
      'FIELD_INVALID',
      'delay',
      /either execute_at or delay/,
    ],
    ['a delay in words', with_({ delay: 'tomorrow' }), 'DELAY_INVALID', 'delay', /48h/],
    ['a delay of a month', with_({ delay: 'P1M' }), 'DELAY_INVALID', 'delay', /48h/],
    ['an endless delay', with_({ delay: '999999999d' }), 'DELAY_OUT_OF_RANGE', 'delay', /ahead/],
    [
      'a hold beyond seven days',
      with_({ delay: '8d' }),
      'DELAY_OUT_OF_RANGE',
      'delay',
      /at most 7 days ahead .*"at_execution"/,
    ],
    [
      'an expiry before the hour',
      with_({ expires_at: '2001-01-01T00:00:00Z' }),
      'EXPIRY_BEFORE_EXECUTION',
      'expires_at',
      /expires_at/,
    ],
    ['a reference with a line break', with_({ reference: 'a\nb' }), 'FIELD_INVALID', 'reference', /printable/],
    ['metadata that is a text', with_({ metadata: 'x' }), 'FIELD_INVALID', 'metadata', /an object/],
    ['metadata without end', with_({ metadata: { a: 'x'.repeat(20_000) } }), 'FIELD_INVALID', 'metadata', /16384/],
  ])('for a hold with %s names the field and the reason', async (_title, body, code, param, detail) => {
    const found = await refusal('POST /holds', { body });
    expect(found).toMatchObject({ code, param });
    expect(found.detail).toMatch(detail);
  });

  test.each([
    ['legs that do not add up', { legs: [{ to: 'bob', amount: 1 }] }, 'LEGS_INVALID', 'legs'],
    ['a leg without an amount', { legs: [{ to: 'bob' }] }, 'FIELD_INVALID', 'legs[0].amount'],
    ['eleven legs', { legs: Array.from({ length: 11 }, () => ({ to: 'bob', amount: 1 })) }, 'FIELD_INVALID', 'legs'],
    ['a leg with a field nobody reads', { legs: [{ to: 'bob', amount: 1, tip: 2 }] }, 'FIELD_UNKNOWN', 'legs[0].tip'],
    ['a retry policy of another name', { retry: 'never' }, 'RETRY_INVALID', 'retry'],
    ['a retry policy without attempts', { retry: { max_attempts: 0 } }, 'RETRY_INVALID', 'retry'],
    ['an urgency of another name', { priority: 'urgent' }, 'FIELD_INVALID', 'priority'],
    ['a rail without a destination on it', { rail: 'pigeon' }, 'PAYOUT_INVALID', 'destinations'],
  ])('for a payment with %s is refused', async (_title, change, code, param) => {
    const { to, ...order } = ORDER;
    const body = { ...order, ...('legs' in change ? {} : { to }), ...change };
    expect(await refusal('POST /payments', { body })).toMatchObject({ code, param });
  });

  test.each([
    ['another type', { 'content-type': 'text/plain' }],
    ['form fields', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['compression', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ])('with a body of %s is refused', async (_title, headers) => {
    expect(await refusal('POST /holds', { body: JSON.stringify(ORDER), headers })).toMatchObject({
      code: 'CONTENT_TYPE_UNSUPPORTED',
    });
  });

  test('is understood however a client spells JSON and UTF-8', async () => {
    const headers = { 'content-type': 'Application/JSON;charset="UTF-8"' };
    expect((await store.send('POST /holds', { body: JSON.stringify(ORDER), headers })).status).toBe(201);
  });

  test('is at most a quarter of a megabyte, a bulk one four', async () => {
    const bytes = (length: number): string => JSON.stringify({ filler: 'x'.repeat(length) });
    expect(await refusal('POST /holds', { body: bytes(262_144) })).toMatchObject({ code: 'BODY_TOO_LARGE' });
    expect(await refusal('POST /holds', { body: bytes(250_000) })).toMatchObject({ code: 'FIELD_UNKNOWN' });
    expect(await refusal('POST /payments/bulk', { body: bytes(4_000_000) })).toMatchObject({ code: 'FIELD_UNKNOWN' });
    expect(await refusal('POST /payments/bulk', { body: bytes(4_200_000) })).toMatchObject({ code: 'BODY_TOO_LARGE' });
  });

  test('for an unknown path is refused, and for another method lists the allowed ones', async () => {
    expect(await refusal('GET /nothing')).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    expect(problemIn(await store.fetch('/v2/holds'))).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    expect(problemIn(await store.fetch('/holds')).detail).toMatch(/routes are below \/v1; see \/docs/);
    expect((await store.fetch('/docs')).text).toContain('<title>usance API reference</title>');
    const answer = await store.send('DELETE /holds');
    expect(problemIn(answer)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
    expect(answer.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
    expect(await refusal('PUT /accounts/alice', { body: 'not even JSON' })).toMatchObject({
      code: 'METHOD_NOT_ALLOWED',
    });
  });

  test.each([
    ['GET /holds?limit=0', 'FIELD_INVALID', 'limit'],
    ['GET /holds?limit=101', 'FIELD_INVALID', 'limit'],
    ['GET /holds?limit=many', 'FIELD_INVALID', 'limit'],
    ['GET /holds?limit=1&limit=2', 'FIELD_INVALID', 'limit'],
    ['GET /holds?colour=red', 'FIELD_UNKNOWN', 'colour'],
    ['GET /holds?status=DONE', 'FIELD_INVALID', 'status'],
    ['GET /holds?account=nobody', 'ACCOUNT_NOT_FOUND', 'account'],
    ['GET /holds?account=a%00b', 'FIELD_INVALID', 'account'],
    ['GET /holds?cursor=rubbish', 'CURSOR_INVALID', 'cursor'],
    ['GET /holds?execute_from=yesterday', 'DELAY_INVALID', 'execute_from'],
    ['GET /events?type=%25', 'EVENT_PATTERN_INVALID', 'type'],
    ['GET /events?type=a.b,', 'EVENT_PATTERN_INVALID', 'type'],
    [`GET /events?type=a.b,${'c'.repeat(99)}.d`, 'EVENT_PATTERN_INVALID', 'type'],
    ['GET /events?resource_id=7', 'ID_INVALID', 'resource_id'],
    ['GET /holds/hold-7', 'ID_INVALID', 'id'],
    ['GET /holds/pay_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'PAYMENT_NOT_FOUND', undefined],
    ['GET /holds/pay_00000000000000000000000iii', 'ID_INVALID', 'id'],
    ['GET /accounts/%E0%A4%A', 'REQUEST_MALFORMED', undefined],
    [`GET /accounts/${'x'.repeat(700)}`, 'REQUEST_MALFORMED', undefined],
    ['GET /accounts/nobody', 'ACCOUNT_NOT_FOUND', 'account'],
    ['GET /accounts/alice/statement', 'FIELD_INVALID', 'from'],
    ['GET /accounts/alice/balances?at=noon', 'DELAY_INVALID', 'at'],
  ])('%s is refused with %s', async (request, code, param) => {
    expect(await refusal(request)).toMatchObject({ code, param });
  });

  test('keeps the id it came with, where it is fit to be logged', async () => {
    const echo = async (id: string) =>
      (await store.send('GET /assets', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await echo('order-17:a.b_c')).toBe('order-17:a.b_c');
    expect(await echo('<script>')).toMatch(/^req_[0-7][0-9a-z]{25}$/);
    expect(await echo('x'.repeat(129))).toMatch(/^req_/);
  });

  test('that meets trouble of ours is told so, and no more', async () => {
    await store.owner.query('alter table usance.pauses rename to pauses_elsewhere');
    const answer = await store.send('GET /pauses');
    await store.owner.query('alter table usance.pauses_elsewhere rename to pauses');
    expect(problemIn(answer)).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(answer.text).not.toMatch(/pauses|relation|select/i);
    expect(errors).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: '42P01' }),
      expect.objectContaining({ method: 'GET', route: '/v1/pauses', requestId: answer.get('request_id') }),
    );
  });
});

describe('a resource that does not exist', () => {
  const store = useApi();

  test.each([
    ['payments', 'pay_7zzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['schedules', 'sch_7zzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['plans', 'plan_7zzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['subscriptions', 'sub_7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ])('of /%s is named by the id of the request', async (path, id) => {
    const named = path === 'payments' ? id : `"${id}"`;
    expect(problemIn(await store.send(`GET /${path}/${id}`)).detail).toBe(`there is no ${path.slice(0, -1)} ${named}`);
  });
});

describe('bytes on the wire', () => {
  const store = useApi();
  let impatient: Api;
  let impatientUrl: string;
  beforeAll(async () => {
    impatient = createApi(store.usance, { host: '127.0.0.1', port: 0, requestTimeoutMs: 200 });
    ({ url: impatientUrl } = await impatient.listen());
  });
  afterAll(() => impatient.close());

  /** Everything that comes back until the server hangs up. */
  /** `later` is sent when the first answer has come. */
  const speak = (url: string, bytes: string, later = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      let heard = '';
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (data) => (heard += data.toString()));
      if (later !== '') socket.once('data', () => socket.write(later));
      socket.on('error', reject).on('close', () => resolve(heard));
    });

  test.each([
    ['that are no HTTP', () => store.url, 'HELLO\r\n\r\n', 400, 'REQUEST_MALFORMED'],
    [
      'with headers without end',
      () => store.url,
      `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'without a Host',
      () => store.url,
      'GET /v1/assets HTTP/1.1\r\nconnection: close\r\n\r\n',
      400,
      'REQUEST_MALFORMED',
    ],
    [
      'that expect what there is not',
      () => store.url,
      'GET /v1/assets HTTP/1.1\r\nhost: a\r\nexpect: tea\r\nconnection: close\r\n\r\n',
      400,
      'REQUEST_MALFORMED',
    ],
    [
      'that come too slowly',
      () => impatientUrl,
      'POST /v1/holds HTTP/1.1\r\nhost: a\r\n$KEY\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
      408,
      'REQUEST_TIMEOUT',
    ],
  ])('%s are answered with a problem', async (_title, url, bytes, status, code) => {
    const key = `authorization: Bearer ${store.secret}\r\nidempotency-key: slow`;
    const [head = '', body = ''] = (await speak(url(), bytes.replace('$KEY', key))).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/application\/problem\+json/i);
    expect(/^retry-after: \d+$/im.test(head)).toBe(status === 408);
    expect(JSON.parse(body)).toMatchObject({ code, status });
  });

  test('a HEAD that cannot be read is answered without a body', async () => {
    const heard = await speak(store.url, 'HEAD /v1/assets HTTP/1.1\r\nhost: a\r\nbad name: x\r\n\r\n');
    const [head = '', body = ''] = heard.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 400 /);
    expect(head).toMatch(/^content-length: [1-9]\d+$/im);
    expect(body).toBe('');
  });

  test.each(['OPTIONS /v1/assets', 'POST /v1/nothing'])(
    '%s, answered before its body, is answered once',
    async (line) => {
      const heard = await speak(
        store.url,
        `${line} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\n`,
        'zz\r\n\r\n',
      );
      expect(heard.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    },
  );
});
