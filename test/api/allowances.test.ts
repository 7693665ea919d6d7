// Allowances over HTTP, as the document sends them: a guardian with a token is `me`, an API key names the guardian.
import { beforeAll, describe, expect, test } from 'vitest';
import { fromTypeId, toTypeId } from '../../src/kernel/index.ts';
import { inSeconds, shared, token } from '../access/tokens.ts';
import { open } from '../support/books.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';

const SECRET = 'the-secret-of-the-environment-0123456789';
const BODY = { amount: 500, frequency: 'WEEKLY', status: 'ON', asset: 'USD/2' };

describe('allowances', () => {
  const store = useApi({
    usance: {
      jwt: { secret: SECRET, audience: 'usance', issuer: null },
      allowances: { maxAttempts: 3, retryDelayMs: 60_000 },
    },
  });
  const as = (sub: string): string => token(shared(SECRET), { aud: 'usance', sub, exp: inSeconds(600) });
  const send = (request: string, secret: string, body?: unknown) =>
    store.send(request, { secret, ...(body === undefined ? {} : { body }), key: null });
  beforeAll(async () => {
    await open(store.tenant, { mum: 10_000, dad: 10_000 });
    for (const [ref, guardian] of [
      ['tim', 'mum'],
      ['ida', 'mum'],
      ['max', 'dad'],
    ] as const)
      await store.tenant.openAccount({ ref, guardian });
  });

  test('live from POST to DELETE for a guardian who is me', async () => {
    const mum = as('mum');
    const made = await send('POST /guardians/me/allowances/tim', mum, BODY);
    expect([made.status, made.text]).toEqual([201, made.text]);
    expect(made.body).toMatchObject({
      amount: '500',
      frequency: 'WEEKLY',
      status: 'ON',
      zone: 'UTC',
      last_run_at: null,
    });
    expect(made.get('guardian_id')).toBe(toTypeId('account', (await store.tenant.account('mum')).id));
    const again = await send('POST /guardians/me/allowances/tim', mum, BODY);
    expect([again.status, problemIn(again)]).toMatchObject([409, { code: 'ALLOWANCE.ALREADY_EXISTS' }]);

    expect((await send('GET /guardians/me/allowances/tim', mum)).body).toEqual(made.body);
    await send('POST /guardians/me/allowances/ida', mum, { ...BODY, status: 'OFF' });
    const list = await send('GET /guardians/me/allowances?limit=1', mum);
    expect(list.get('data.0.status')).toBe('OFF');
    const rest = await send(`GET /guardians/me/allowances?limit=1&cursor=${list.word('next_cursor')}`, mum);
    expect([rest.get('data.0.id'), rest.get('next_cursor')]).toEqual([made.get('id'), null]);

    const off = await send('PATCH /guardians/me/allowances/tim', mum, { status: 'OFF', amount: '700' });
    expect(off.body).toMatchObject({ status: 'OFF', amount: '700', next_run_at: null });
    expect((await send('DELETE /guardians/me/allowances/tim', mum)).body).toMatchObject({ id: made.get('id') });
    const gone = await send('GET /guardians/me/allowances/tim', mum);
    expect([gone.status, problemIn(gone)]).toMatchObject([404, { code: 'ALLOWANCE.NOT_FOUND' }]);
  });

  test('are refused by the TypeIDs of guardian and child, where the request names them so', async () => {
    const idOf = async (ref: string): Promise<string> => toTypeId('account', (await store.tenant.account(ref)).id);
    const [mum, tim, max] = [await idOf('mum'), await idOf('tim'), await idOf('max')];
    const refused = async (request: string, body?: unknown) =>
      (await store.send(request, { key: null, ...(body === undefined ? {} : { body }) })).body;
    expect(await refused(`DELETE /guardians/${mum}/allowances/${tim}`)).toMatchObject({
      code: 'ALLOWANCE.NOT_FOUND',
      detail: `"${mum}" has no allowance for "${tim}"`,
      fields: { guardian: mum, junior: tim },
    });
    expect(await refused(`POST /guardians/${mum}/allowances/${max}`, BODY)).toMatchObject({
      code: 'ALLOWANCE.NOT_GUARDIAN',
      detail: expect.stringContaining(`"${max}" is not a child of "mum"`) as string,
      fields: { junior: max },
    });
  });

  test.each(['amount', 'frequency', 'status'] as const)('without %s are refused by that field', async (field) => {
    const { [field]: _left, ...rest } = BODY;
    const answer = await send('POST /guardians/me/allowances/tim', as('mum'), rest);
    expect([answer.status, problemIn(answer)]).toMatchObject([400, { param: field }]);
    expect((await send('GET /guardians/me/allowances/tim', as('mum'))).status).toBe(404);
  });

  test('of another guardian’s child are refused, as those of an unknown child are', async () => {
    for (const junior of ['max', 'dad', 'mum', 'nobody']) {
      const answer = await send(`POST /guardians/me/allowances/${junior}`, as('mum'), BODY);
      expect([answer.status, problemIn(answer)], junior).toMatchObject([
        403,
        { code: 'ALLOWANCE.NOT_GUARDIAN', param: 'junior' },
      ]);
    }
    const other = await send('POST /guardians/dad/allowances/max', as('mum'), BODY);
    expect(problemIn(other)).toMatchObject({ code: 'ACCOUNT_NOT_FOUND', param: 'guardian' });
    expect((await send('GET /guardians/me/allowances', as('tim'))).list('data')).toEqual([]);
  });

  test('are named by guardian with an API key, which is nobody’s me', async () => {
    const path = '/guardians/dad/allowances/max';
    const made = await send(`POST ${path}`, store.secret, { ...BODY, zone: 'Europe/Berlin' });
    expect([made.status, made.get('zone')]).toEqual([201, 'Europe/Berlin']);
    // An end user gets only their own ref.
    expect((await send('GET /guardians/me/allowances/max', as('dad'))).body).toEqual({
      ...(made.body as object),
      junior_ref: null,
    });
    const me = await send('GET /guardians/me/allowances', store.secret);
    expect([me.status, problemIn(me)]).toMatchObject([400, { code: 'FIELD_INVALID', param: 'guardian' }]);
    // Without a retry policy of its own a credit takes the values of the deployment; those are above.
    expect(made.get('retry')).toBeNull();
    const { triggerSchedule, payment } = store.tenant;
    const trigger = async (key: string) => {
      const { paymentId } = await triggerSchedule(fromTypeId('schedule', made.word('id')), { idempotencyKey: key });
      return (await payment(paymentId ?? '')).retry;
    };
    expect(await trigger('one')).toMatchObject({ maxAttempts: 3, initialDelayMs: 60_000, multiplier: 1 });
    const own = await send(`PATCH ${path}`, store.secret, {
      retry: { max_attempts: 2, initial_delay: 1, max_delay: 1 },
    });
    expect(own.get('retry')).toMatchObject({ max_attempts: 2, initial_delay: 'PT1S', multiplier: 1 });
    expect(await trigger('two')).toMatchObject({ maxAttempts: 2, initialDelayMs: 1_000 });
    for (const request of [`PATCH ${path}`, 'PATCH /guardians/me/allowances/max']) {
      const refused = await send(request, as('dad'), { retry: null });
      expect([refused.status, problemIn(refused)], request).toMatchObject([
        403,
        { code: 'AUTH_FORBIDDEN', param: 'retry' },
      ]);
    }
    const back = await send(`PATCH ${path}`, store.secret, { retry: null });
    expect(back.get('retry')).toBeNull();
    expect(await trigger('three')).toMatchObject({ maxAttempts: 3 });
  });

  test.each([
    ['without an amount', { amount: undefined }, 'FIELD_INVALID', 'amount'],
    ['of nothing', { amount: 0 }, 'AMOUNT_NOT_POSITIVE', 'amount'],
    ['of less than nothing', { amount: -5 }, 'AMOUNT_INVALID', 'amount'],
    ['of a word', { amount: 'ten' }, 'AMOUNT_INVALID', 'amount'],
    ['without a frequency', { frequency: undefined }, 'FIELD_INVALID', 'frequency'],
    ['every year', { frequency: 'YEARLY' }, 'FIELD_INVALID', 'frequency'],
    ['without a status', { status: undefined }, 'FIELD_INVALID', 'status'],
    ['half on', { status: 'HALF' }, 'FIELD_INVALID', 'status'],
    ['on Mars', { zone: 'Mars/Olympus' }, 'ZONE_UNKNOWN', 'zone'],
    ['in no asset, where the tenant has no default', { asset: undefined }, 'FIELD_INVALID', 'asset'],
  ])('%s are refused', async (_title, fields, code, param) => {
    const answer = await send('POST /guardians/mum/allowances/tim', store.secret, { ...BODY, ...fields });
    expect([answer.status, problemIn(answer)]).toMatchObject([400, { code, param }]);
  });

  test('show their credits to the guardian and the child, and to the child without reasons of failures', async () => {
    const { tenant } = store;
    await tenant.openAccount({ ref: 'uncle' });
    await tenant.openAccount({ ref: 'ben', guardian: 'uncle' });
    const made = await send('POST /guardians/me/allowances/ben', as('uncle'), BODY);
    const schedule = fromTypeId('schedule', made.word('id'));
    await tenant.triggerSchedule(schedule, { idempotencyKey: 'without money' });
    await store.run('processor');
    const path = 'GET /guardians/me/allowances/ben/credits';
    const [seen, child] = [
      await send(path, as('uncle')),
      await send('GET /guardians/uncle/allowances/ben/credits', as('ben')),
    ];
    expect(seen.status, seen.text).toBe(200);
    const pending = { status: 'PENDING', amount: '500', amount_decimal: '5.00', attempts: 1, credited_at: null };
    expect(seen.get('data.0')).toMatchObject({ ...pending, last_error: { code: 'FUNDS_INSUFFICIENT' } });
    expect(child.get('data.0')).toMatchObject({ ...pending, id: seen.get('data.0.id'), last_error: null });
    expect(seen.get('next_cursor')).toBeNull();
    expect((await send('GET /guardians/uncle/allowances/ben/credits', store.secret)).body).toEqual(seen.body);

    for (const [sub, request] of [
      ['mum', 'GET /guardians/uncle/allowances/ben/credits'],
      ['mum', 'GET /guardians/me/allowances/ben/credits'],
      ['tim', 'GET /guardians/uncle/allowances/ben/credits'],
      ['tim', 'GET /guardians/uncle/allowances/tim/credits'],
    ] as const)
      expect((await send(request, as(sub))).status, `${sub}: ${request}`).toBe(404);
    const bad = await send(`${path}?cursor=x`, as('uncle'));
    expect(problemIn(bad)).toMatchObject({ code: 'CURSOR_INVALID' });
  });

  test('under one idempotency key are made once and answered twice', async () => {
    const request = { body: BODY, key: 'allowance of tim' };
    const first = await store.send('POST /guardians/mum/allowances/tim', request);
    const second = await store.send('POST /guardians/mum/allowances/tim', request);
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});
