// The client against the real API: what it sends, what it repeats, what it leaves to the caller.
import { describe, expect, test } from 'vitest';
import type { CallOptions, ClientOptions } from '../../src/client/index.ts';
import { UsanceProblem, UsanceUnreachable, createClient } from '../../src/client/index.ts';
import { AUDIENCE, ISSUER, claimsOf, pair, token } from '../access/tokens.ts';
import { key } from '../support/books.ts';
import type { Wire } from './server.ts';
import { answerLost, answers, refused, useServer, wire } from './server.ts';

const server = useServer();
const through = ({ fetch }: Wire, options: Partial<ClientOptions> = {}) =>
  createClient({ url: server.url, key: server.key, retryDelayMs: 1, fetch, ...options });
const ORDER = { from: 'alice', to: 'bob', asset: 'USD/2', amount: '1', delay: '1h' };
const held = async (): Promise<number> => (await server.world.tenant.payments()).length;
const troubleOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => error,
  );

test('a user’s token names its tenant, where several have its issuer', async () => {
  const { signer, jwk } = pair('EdDSA');
  const { usance, tenant } = server.world;
  const rival = await usance.createTenant({ name: 'copycat' });
  for (const each of [rival, tenant]) {
    await each.createTokenIssuer({ issuer: ISSUER, audience: AUDIENCE, algorithm: 'EdDSA', jwks: { keys: [jwk] } });
  }
  const user = { key: token(signer, claimsOf('alice')) };
  expect(await troubleOf(through(wire(), user).holds.create(ORDER))).toMatchObject({ code: 'AUTH_INVALID' });
  expect(await through(wire(), { ...user, tenant: tenant.id }).holds.create(ORDER)).toMatchObject({ amount: '1' });
});

test.each([
  [{ url: 'http://127.0.0.1:3001' }, 'needs `key`'],
  [{ url: 'http://127.0.0.1:3001', key: '' }, 'needs `key`'],
  [{ key: 'usk_x' }, 'needs `url`'],
  [{ url: '127.0.0.1:3001', key: 'usk_x' }, 'needs `url`'],
])('a client of %o is refused at once', (options, message) => {
  expect(() => createClient(options as ClientOptions)).toThrow(message);
});

describe('a change', () => {
  test('carries a key of its own, another for every call', async () => {
    const line = wire();
    await through(line).holds.create(ORDER);
    await through(line).holds.create(ORDER);
    expect(line.keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.any(String)]);
    expect(new Set(line.keys).size).toBe(2);
  });

  test('carries the caller’s key, and the same one again finds the same hold', async () => {
    const options: CallOptions = { idempotencyKey: key() };
    const first = await through(wire()).holds.create(ORDER, options);
    expect(await through(wire()).holds.create(ORDER, options)).toEqual(first);
  });

  test('whose answer was lost is sent again with its key, and happens once', async () => {
    const before = await held();
    const line = wire(answerLost, refused, answerLost);
    const { status } = await through(line).holds.create(ORDER);
    expect(status).toBe('scheduled');
    expect(line.keys).toHaveLength(4);
    expect(new Set(line.keys).size).toBe(1);
    expect(await held()).toBe(before + 1);
  });

  test.each([429, 502, 503, 504])('is sent again after %d', async (status) => {
    const line = wire(answers(status, { 'retry-after': '0.001' }));
    await through(line).holds.create(ORDER);
    expect(line.keys).toHaveLength(2);
  });

  test('is sent again while the first of its key is still at work', async () => {
    const running = JSON.stringify({
      code: 'IDEMPOTENCY_RUNNING',
      detail: 'still running',
      status: 409,
      retryable: true,
    });
    const line = wire(answers(409, {}, running));
    await through(line).holds.create(ORDER);
    expect(line.keys).toHaveLength(2);
  });

  test('that is refused is not sent again, and says what to mend', async () => {
    const line = wire();
    const trouble = await troubleOf(through(line).holds.create({ ...ORDER, amount: 'ten' }));
    expect(trouble).toBeInstanceOf(UsanceProblem);
    expect(trouble).toMatchObject({ status: 400, code: 'AMOUNT_INVALID', param: 'amount', retryable: false });
    expect(line.keys).toHaveLength(1);
    const poor = await troubleOf(through(line).holds.create({ ...ORDER, amount: '9999999' }));
    expect(poor).toMatchObject({ code: 'FUNDS_INSUFFICIENT', retryable: true, requestId: expect.any(String) });
    expect(line.keys).toHaveLength(2);
  });

  test('that is never answered ends as unknown, with the key to ask again with', async () => {
    const line = wire(...Array.from({ length: 9 }, () => refused));
    const trouble = await troubleOf(through(line, { maxRetries: 2 }).holds.create(ORDER));
    expect(trouble).toBeInstanceOf(UsanceUnreachable);
    expect(trouble).toMatchObject({ idempotencyKey: line.keys[0], cause: expect.any(TypeError) });
    expect(line.keys).toHaveLength(3);
  });

  test('that is never answered names the address and the cause', async () => {
    const client = createClient({ url: 'http://127.0.0.1:29', key: server.key, maxRetries: 0 });
    await expect(client.payments.get('pay_1')).rejects.toThrow(
      'no answer to GET http://127.0.0.1:29/v1/payments/pay_1: connect ECONNREFUSED 127.0.0.1:29',
    );
    const slow = through(
      wire(() => Promise.reject(new DOMException('timed out', 'TimeoutError'))),
      { maxRetries: 0 },
    );
    await expect(slow.holds.create(ORDER)).rejects.toThrow(`no answer to POST ${server.url}/v1/holds: timed out`);
  });

  test('that something else than usance answered with 500 is not sent again', async () => {
    const line = wire(answers(500, {}, '<html>'));
    expect(await troubleOf(through(line).holds.create(ORDER))).toMatchObject({
      message: `${server.url}/v1/holds answered 500`,
    });
    expect(line.keys).toHaveLength(1);
  });
});

describe('a call', () => {
  test('is given up when its signal says so, before and between tries', async () => {
    const stop = new AbortController();
    const line = wire(answers(503, { 'retry-after': '8' }));
    const call = through(line).holds.create(ORDER, { signal: stop.signal });
    stop.abort(new Error('changed my mind'));
    expect(await troubleOf(call)).toMatchObject({ message: 'changed my mind' });
    expect(await troubleOf(through(line).holds.create(ORDER, { signal: stop.signal }))).toMatchObject({
      message: 'changed my mind',
    });
  });

  test('that takes too long counts as not answered', async () => {
    const hung: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      });
    const client = createClient({ url: server.url, key: server.key, fetch: hung, timeoutMs: 20, maxRetries: 0 });
    expect(await troubleOf(client.holds.create(ORDER))).toBeInstanceOf(UsanceUnreachable);
  });

  test('of a path without its id is a mistake of the program', () => {
    expect(() => through(wire()).holds.get('')).toThrow('GET /v1/holds/{id} needs its id');
  });

  test('takes ids and refs as they are, whatever is in them', async () => {
    const client = through(wire());
    await client.accounts.create({ ref: 'a/b?c#d' });
    expect(await client.accounts.get('a/b?c#d')).toMatchObject({ ref: 'a/b?c#d', balances: [] });
  });

  test('works with a slash at the end of the address', async () => {
    const client = createClient({ url: `${server.url}/`, key: server.key });
    expect(await client.accounts.get('alice')).toMatchObject({ ref: 'alice' });
  });

  test('with a key that nobody has is refused', async () => {
    const stranger = createClient({ url: server.url, key: 'a-key-that-nobody-ever-made' });
    expect(await troubleOf(stranger.accounts.get('alice'))).toMatchObject({ status: 401, code: 'AUTH_INVALID' });
  });
});

describe('a list', () => {
  test('is one loop over all its pages', async () => {
    const client = through(wire());
    for (let count = 0; count < 7; count += 1) await client.accounts.create({ ref: `page-${count}` });
    const line = wire();
    const refs: string[] = [];
    for await (const account of through(line).accounts.list({ limit: 3 })) refs.push(account.ref);
    expect(refs.filter((ref) => ref.startsWith('page-'))).toHaveLength(7);
    expect(new Set(refs).size).toBe(refs.length);
    expect(line.keys.length).toBe(Math.ceil(refs.length / 3));
  });

  test('can be turned by hand', async () => {
    const accounts = through(wire()).accounts.list({ limit: 2 });
    const first = await accounts.page();
    const second = await accounts.page(first.nextCursor ?? undefined);
    expect([...first.data, ...second.data]).toHaveLength(4);
    expect(second.data[0]?.id).not.toBe(first.data[0]?.id);
  });

  test('goes on after a page that was not answered', async () => {
    const line = wire(null, refused, answers(503));
    const refs: string[] = [];
    for await (const account of through(line).accounts.list({ limit: 3 })) refs.push(account.ref);
    expect(new Set(refs).size).toBe(refs.length);
  });
});
