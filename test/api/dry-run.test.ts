// Every operation that writes, with its example of the reference: first as a dry run, then for real. The dry run answers what the real
// call answers, with its postings and events, and leaves every table as it was. Then both again, where most are refused.
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/api/index.ts';
import { ROUTES, createApi } from '../../src/api/index.ts';
import { DRY_RUN_EXAMPLE, DRY_RUN_MEDIA_TYPE, DryRunAnswer, dryRunPlace, writes } from '../../src/contract/index.ts';
import { inSeconds, shared, token } from '../access/tokens.ts';
import { open, troubles } from '../support/books.ts';
import { added, contents, ledgerNow, moved } from '../support/contents.ts';
import type { Answer } from './api.ts';
import { freshKey, sendTo, useApi } from './api.ts';
import type { ExampleRequest } from './example-requests.ts';
import { MAIL_SERVER, exampleRequests } from './example-requests.ts';
import { balancesIn, transfersIn } from './postings.ts';
import { problemIn } from './problem.ts';

const routes = Object.entries(ROUTES) as [keyof typeof ROUTES, Route][];
const writing = routes.filter(([, route]) => writes(route));

test('every operation but reads and previews can be run dry', () => {
  const others = routes.filter(([, { method }]) => method !== 'GET').filter(([, route]) => !writes(route));
  expect(others.map(([name]) => name)).toEqual(['schedules.preview']);
  expect(writing.length).toBeGreaterThan(65);
});

test('its example of the reference fits its schema', () => {
  expect(misfits(DryRunAnswer, DRY_RUN_EXAMPLE)).toEqual([]);
  expect(misfits(ROUTES['holds.create'].answer, DRY_RUN_EXAMPLE.result)).toEqual([]);
});

describe('a dry run', () => {
  const store = useApi({
    usance: { notifications: { smtp: MAIL_SERVER } },
    api: { rateLimits: { perKey: 100_000, perUser: 100_000 } },
  });
  const requestOf = exampleRequests(store);
  const sendDry = (route: Route, { request, options }: ExampleRequest): Promise<Answer> =>
    dryRunPlace(route) === 'query'
      ? store.send(`${request}?dry_run=true`, { ...options, key: null })
      : store.send(request, { ...options, body: { ...Object(options.body), dry_run: true }, key: null });
  const refusals = new Set<string>();

  test.each(routes)('%s', async (name, route) => {
    const sent = await requestOf(name, route);
    if (!writes(route)) return expect((await store.send(sent.request, sent.options)).status).toBe(route.status);
    const before = await contents(store.owner);
    const ledger = await ledgerNow(store.owner);
    const dry = await sendDry(route, sent);
    expect(await contents(store.owner)).toEqual(before);
    expect(dry.status, dry.text).toBe(200);
    expect(dry.headers.get('content-type')).toBe(`${DRY_RUN_MEDIA_TYPE}; charset=utf-8`);
    expect(misfits(DryRunAnswer, dry.body)).toEqual([]);
    expect(misfits(route.answer, dry.get('result'))).toEqual([]);

    const real = await store.send(sent.request, { ...sent.options, key: freshKey() });
    expect(real.status, real.text).toBe(route.status);
    expect(plain(dry.get('result'))).toEqual(plain(real.body));
    const after = await ledgerNow(store.owner);
    expect(transfersIn(dry)).toEqual(added(ledger.transfers, after.transfers));
    expect(balancesIn(dry, store.tenant.id)).toEqual(moved(ledger.balances, after.balances));
    // The event of an erasure has an id of the server, which may differ from ours by a millisecond.
    const types = added(ledger.events, after.events);
    expect(dry.get('events')).toEqual(name.endsWith('.erase') ? expect.arrayContaining(types) : types);
    expect(dry.list('events')).toHaveLength(types.length);

    // Again: what was made exists now, and what was ended has ended.
    const later = await contents(store.owner);
    const dryAgain = await sendDry(route, sent);
    expect(await contents(store.owner)).toEqual(later);
    const again = await store.send(sent.request, { ...sent.options, key: freshKey() });
    expect(dryAgain.status, dryAgain.text).toBe(again.status === route.status ? 200 : again.status);
    if (again.status === route.status) return;
    const { code } = problemIn(again);
    expect(problemIn(dryAgain).code).toBe(code);
    expect(plain({ ...Object(dryAgain.body), request_id: '' })).toEqual(
      plain({ ...Object(again.body), request_id: '' }),
    );
    refusals.add(name);
  });

  test('was refused as the real call was, by many operations', () => {
    expect(refusals.size).toBeGreaterThan(25);
  });

  test('leaves the books right', async () => {
    expect(await troubles(store.usance)).toEqual([]);
  });
});

describe('the dry run of an end user', () => {
  const SECRET = 'the-secret-of-the-environment-0123456789';
  const store = useApi({ usance: { jwt: { secret: SECRET, audience: 'usance', issuer: null } } });

  test('does not say whether a second person must approve', async () => {
    await open(store.tenant, { ann: 10_000, ben: 0 });
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 500 });
    const secret = token(shared(SECRET), { aud: 'usance', sub: 'ann', exp: inSeconds(600) });
    const body = { to: 'ben', asset: 'USD', amount: '501', delay: '1h' };
    const dry = await store.send('POST /holds', { body: { ...body, dry_run: true }, secret });
    expect(dry.get('result')).toMatchObject({ amount: '501', approval: null, approval_until: null });
    expect(dry.get('events')).toEqual(['payment.created']);
    const real = await store.send('POST /holds', { body, secret });
    expect(real.get('approval')).toBe('awaited');
  });
});

function misfits(schema: Route['answer'], value: unknown): unknown[] {
  const validator = Compile(schema);
  return validator.Check(value) ? [] : [...validator.Errors(value)];
}

const ID = /\b([a-z]+_)[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z?/g;

/** Without ids of new resources, instants and secrets, in which two calls differ. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (name, field: unknown) => (SECRETS.has(name) ? null : field));
  return JSON.parse(text.replaceAll(ID, '$1…').replaceAll(INSTANT, '…')) as unknown;
}

const SECRETS = new Set(['secret', 'prefix']);

describe('dry_run in a request', () => {
  const store = useApi();
  const HOLD = { from: 'alice', to: 'bob', asset: 'USD/2', amount: '100', delay: '1h' };

  test.each(['true', 'false', 1, 0, null, {}, []])('as %j is refused, and nothing is made', async (dry_run) => {
    const answer = await store.send('POST /holds', { body: { ...HOLD, dry_run } });
    expect(problemIn(answer)).toMatchObject({ code: 'FIELD_INVALID', param: 'dry_run' });
  });

  test.each([
    ['in the query of a POST', 'POST /holds?dry_run=true', HOLD],
    ['in the body of a DELETE', 'DELETE /api-keys/key_01k9zt1m6hfpq8w3n5x7y2c4de', { dry_run: true }],
    ['in camelCase', 'POST /holds', { ...HOLD, dryRun: true }],
    ['of a preview, which writes nothing', 'POST /schedules/preview', { rule: { frequency: 'DAILY' }, dry_run: true }],
  ])('%s is an unknown field', async (_title, request, body) => {
    expect(problemIn(await store.send(request, { body })).code).toBe('FIELD_UNKNOWN');
  });

  test('other than true or false in the query of a DELETE is refused', async () => {
    const answer = await store.send('DELETE /api-keys/key_01k9zt1m6hfpq8w3n5x7y2c4de?dry_run=1');
    expect(problemIn(answer)).toMatchObject({ code: 'FIELD_INVALID', param: 'dry_run' });
  });

  test('false makes the change, and needs the key', async () => {
    await store.send('POST /accounts', { body: { ref: 'alice', dry_run: false } });
    expect((await store.send('GET /accounts/alice')).status).toBe(200);
    const missing = await store.send('POST /holds', { body: { ...HOLD, dry_run: false }, key: null });
    expect(problemIn(missing).code).toBe('IDEMPOTENCY_KEY_MISSING');
  });

  test('an operation with a required field says that it is missing', async () => {
    const answer = await store.send('POST /accounts', { body: { dry_run: true } });
    expect(problemIn(answer)).toMatchObject({ code: 'FIELD_INVALID', param: 'ref' });
  });

  test('needs the scope of the real call, and counts in its rate limit', async () => {
    const { secret } = await store.tenant.createApiKey({ name: 'viewer', role: 'viewer' });
    const answer = await store.send('POST /holds', { body: { ...HOLD, dry_run: true }, secret, key: null });
    expect(problemIn(answer).code).toBe('AUTH_SCOPE_MISSING');
    const limited = createApi(store.usance, {
      host: '127.0.0.1',
      port: 0,
      rateLimits: { perKey: 1, perUser: 1, perAddress: 0 },
    });
    const { url } = await limited.listen();
    const dry = { body: { ref: 'carol', dry_run: true }, key: null };
    expect((await sendTo(url, store.secret, 'POST /accounts', dry)).status).toBe(200);
    expect(problemIn(await sendTo(url, store.secret, 'POST /accounts', dry)).code).toBe('RATE_LIMITED');
    await limited.close();
  });
});
