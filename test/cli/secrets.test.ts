// A secret planted in every place that a caller, the database or the environment can reach appears nowhere it should not:
// not in what a command prints, not in metrics, not in what is kept of the request, not in somebody else's answer.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { toTypeId } from '../../src/kernel/index.ts';
import { key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { startUsance, useFolder } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const SECRET = 's3cret';
const OWN_KEY = 'usk_own-key-with-0wnk3y-in-it';
/** The fields that a line may have, as they are documented. */
const [, TABLE = ''] =
  /^\| field \|(.*?)^$/ms.exec(readFileSync(join(import.meta.dirname, '../../docs/operating/monitoring.md'), 'utf8')) ??
  [];
const FIELDS = TABLE.split('\n').flatMap((row) =>
  [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
);
let planted = 0;
/** Each its own, so that a failure says which. */
const secret = (): string => `${SECRET}-${(planted += 1)}-x`;

beforeAll(async () => {
  await open(world.tenant, { alice: 1_000, bob: 0 });
  // A bug in the database's own words: the message, the detail and the hint quote the row.
  await world.owner.query(`
    create function usance.quote_the_row() returns trigger language plpgsql as $$
    begin
      if new::text like '%${SECRET}%' then
        raise exception 'cannot take %', new using detail = new::text, hint = new::text, errcode = 'P0001';
      end if;
      return new;
    end $$`);
  await world.owner.query(
    `create trigger quote_the_row before insert on usance.accounts for each row execute function usance.quote_the_row()`,
  );
  await world.owner.query(
    `create trigger quote_the_row before update on usance.payments for each row execute function usance.quote_the_row()`,
  );
});

const environment = () => ({
  DATABASE_URL: world.runtimeUrl,
  USANCE_API_KEY: OWN_KEY,
  PORT: '0',
  METRICS_PORT: '0',
  LOG_LEVEL: 'debug',
  SOME_TOKEN: secret(),
});

describe.each(['json', 'pretty'])('with LOG_FORMAT=%s', (LOG_FORMAT) => {
  test('the API prints and stores no secret', async () => {
    const variables = { ...environment(), LOG_FORMAT };
    const { child, screen, ended } = await startUsance(folder, ['api'], 'listening', variables);
    const url = /listening on (http:\/\/[0-9.:]+)/.exec(screen)?.[1] ?? '';
    const monitor = /metrics at (http:\/\/[0-9.:]+)/.exec(screen)?.[1] ?? '';
    let requests = 0;
    const send = async (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) => {
      requests += 1;
      const own = { authorization: `Bearer ${OWN_KEY}`, 'idempotency-key': key(), 'content-type': 'application/json' };
      const answer = await fetch(url + path, { ...init, headers: { ...own, ...headers } });
      return { status: answer.status, text: await answer.text() };
    };
    const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      send(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }, headers);

    const HEADERS = [
      'authorization',
      'cookie',
      'x-api-key',
      'proxy-authorization',
      'referer',
      'origin',
      'x-forwarded-for',
      'forwarded',
      'user-agent',
      'accept',
      'accept-language',
      'traceparent',
      'if-none-match',
      'idempotency-key',
      'x-anything',
      'content-type',
      'content-encoding',
    ];
    for (const name of HEADERS) await send('/v1/accounts/bob', {}, { [name]: secret() });
    for (const name of HEADERS) await post('/v1/holds', { from: 'alice' }, { [name]: secret() });
    for (const scheme of ['Bearer', 'Basic', 'Digest']) {
      expect((await send('/v1/assets', {}, { authorization: `${scheme} ${secret()}` })).status).toBe(401);
    }
    // An id that is fit to be logged is echoed and logged, which is what it is for; any other is replaced.
    await send('/v1/assets', {}, { 'x-request-id': `{${secret()}}` });

    const PATHS = [
      '/v1/accounts/$',
      '/v1/accounts/$/statement',
      '/v1/holds/$',
      '/$',
      '/v1/$',
      '/v1/accounts/%E0$',
      '/docs/$',
    ];
    for (const path of PATHS) await send(path.replace('$', secret()));
    const QUERIES = [
      'cursor=$',
      '$=1',
      'account=$',
      'status=$',
      'limit=$',
      'execute_from=$',
      'reference=%00$',
      'token=$',
    ];
    for (const query of QUERIES) await send(`/v1/holds?${query.replace('$', secret())}`);

    const order = { from: 'alice', to: 'bob', asset: 'USD', amount: '1', delay: '1h' };
    for (const field of ['from', 'to', 'asset', 'amount', 'delay', 'execute_at', 'metadata', 'priority', 'password']) {
      await post('/v1/payments', { ...order, [field]: secret() });
    }
    await post('/v1/payments', { ...order, hook: `https://user:${secret()}@example.com/?token=${secret()}` });
    await post('/v1/holds', `{"from": "${secret()}`);
    await post('/v1/holds', `{"${secret()}": 1, "${secret()}": 2}`);
    await post('/v1/holds', `{"${secret()}": 1}`);
    const broken = await post('/v1/accounts', { ref: secret() });
    expect(broken.status).toBe(500);
    expect(broken.text).not.toContain(SECRET);
    expect((await post('/v1/accounts', { ref: secret() })).text).toContain('INTERNAL_ERROR');

    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(`HELLO ${secret()}\r\n\r\n`));
    await new Promise((resolve) => socket.on('close', resolve).resume());

    const others = [(await send('/v1/assets')).text, await fetch(`${monitor}/metrics`).then((a) => a.text())];
    child.kill('SIGTERM');
    const { code, out, err } = await ended;
    expect(code).toBe(0);
    // The lines are there, so their silence means something.
    const lines = out.split('\n').filter((line) => /\b(GET|POST) (\/v1\/|none)/.test(line));
    expect(lines.length).toBeGreaterThanOrEqual(requests);
    expect(out).toMatch(/POST \/v1\/accounts: \w+ P0001 \(req_/);
    const objects = out.split('\n').filter((line) => line.startsWith('{'));
    if (LOG_FORMAT === 'json') expect(objects.length).toBeGreaterThan(requests);
    for (const line of objects) expect(FIELDS).toEqual(expect.arrayContaining(Object.keys(JSON.parse(line) as object)));
    const password = new URL(world.runtimeUrl).password;
    for (const text of [out, err, ...others]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(OWN_KEY);
      if (password.length > 0) expect(text).not.toContain(password);
    }
    expect(await kept()).not.toContain(SECRET);
  }, 180_000);
});

/** Everything that is kept about what happened. */
async function kept(): Promise<string> {
  const tables = await world.owner.query(
    `select relname as name from pg_class where relnamespace = 'usance'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname ~ 'event|audit|metric|idempotency|key'`,
  );
  expect(tables.length).toBeGreaterThan(4);
  const texts = [];
  for (const { name } of tables) {
    const rows = await world.owner.query(`select t::text as row from usance.${String(name)} t`);
    texts.push(...rows.map((row) => String(row['row'])));
  }
  expect(texts.length).toBeGreaterThan(0);
  return texts.join('\n');
}

test('the processor does not tell what was in a payment that it could not execute', async () => {
  const { id } = await world.tenant.createPayment({
    from: 'alice',
    to: 'bob',
    asset: 'USD',
    amount: 1,
    delay: '0s',
    metadata: { note: secret() },
    idempotencyKey: key(),
  });
  const { child, ended } = await startUsance(folder, ['processor'], 'running', {
    ...environment(),
    LOG_FORMAT: 'json',
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const shown = toTypeId('payment', id);
  await vi.waitUntil(() => said.includes(shown), { timeout: 30_000 });
  child.kill('SIGTERM');
  const { out, err } = await ended;
  expect(err).toMatch(new RegExp(`payment ${shown} could not be executed: \\w+ P0001`));
  expect(out + err).not.toContain(SECRET);
});
