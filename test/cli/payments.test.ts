// What an operator sees and does: payments and keys, on one database.
import { userInfo } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../../src/access/index.ts';
import { appendEvents, paymentData } from '../../src/events/index.ts';
import { LIBRARY, toTypeId } from '../../src/kernel/index.ts';
import { contents } from '../support/contents.ts';
import { held, key, open } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { dueSchedule } from '../support/schedules.ts';
import { useFolder, usanceHere } from './cli.ts';

const folder = useFolder();
const world = useUsance();
const run = (...args: string[]) => usanceHere(folder, args, { DATABASE_URL: world.runtimeUrl });
const actor = `cli:${userInfo().username}`;

let id = '';
let shown = '';

beforeAll(async () => {
  await open(world.tenant, { alice: 1_000, bob: 0 });
  const order = { from: 'alice', to: 'bob', asset: 'USD/2', amount: 1_00, delay: '1h', reference: 'order-7' };
  ({ id } = await world.tenant.createPayment({ ...order, idempotencyKey: key() }));
  shown = toTypeId('payment', id);
});

describe('payments', () => {
  test('list what there is, by filter, in the tenant’s own words', async () => {
    const { code, out } = await run('payments');
    expect(code).toBe(0);
    expect(out).toMatch(/^id +status +amount +from → to +execute at\n/);
    expect(out).toContain(`${shown}  scheduled  1.00 USD  alice → bob  `);
    expect((await run('payments', 'list', '--status', 'settled')).out).toBe('No payment.\n');
    const found = (await run('payments', 'list', '--reference', 'order-7', '--json')).json<{ payments: object[] }>();
    expect(found.payments).toMatchObject([{ id: shown, amount: '100', status: 'scheduled' }]);
  });

  test('show one with its story, by either form of its id', async () => {
    const { out } = await run('payments', 'get', shown);
    expect(out).toMatch(/reference +order-7\n/);
    expect(out).toMatch(/Z +payment.created +library/);
    expect((await run('payments', 'get', id, '--json')).json()).toMatchObject({ id: shown });
  });

  test('say why one has not been paid, and what would change that', async () => {
    const { code, out } = await run('why', shown);
    expect(code).toBe(0);
    expect(out).toMatch(/^The payment runs at 2.*Z \(not_due\)\n  → It is tried at 2/);
    expect((await run('why', id, '--json')).json()).toMatchObject({ payment: shown, code: 'not_due', also: [] });
    expect((await run('why', 'pay_01k9ztb4n6q8s0v2x4z6b8d0f2')).code).toBe(1);
  });

  test('show all of its story, however long it is', async () => {
    const about = { tenantId: world.tenant.id, resource: 'payment', resourceId: id, occurredAt: new Date() };
    const { executeAt, ...payment } = await world.tenant.payment(id);
    const terms = { amount: 1n, executeAt, expiresAt: null, termsVersion: 1 };
    const data = paymentData({ ...payment, executeAt }, { old: terms, new: terms });
    const facts = Array.from({ length: 1_000 }, () => ({
      ...LIBRARY,
      ...about,
      type: 'payment.updated' as const,
      data,
    }));
    await world.db.transaction((tx) => appendEvents(tx, facts));
    const { timeline } = (await run('payments', 'get', shown, '--json')).json<{ timeline: object[] }>();
    expect(timeline).toHaveLength(1_001);
    expect(timeline[0]).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      type: 'payment.created',
      data: {
        id: shown,
        captured: '0',
        payer: expect.stringMatching(/^acct_/),
        payees: [{ id: expect.stringMatching(/^acct_/) }],
      },
    });
  });

  test('have their reference in every event that is printed, though only the first one stores it', async () => {
    const { timeline } = (await run('payments', 'get', shown, '--json')).json<{ timeline: { data: object }[] }>();
    for (const { data } of timeline.slice(0, 3)) expect(data).toMatchObject({ reference: 'order-7', metadata: null });
    const listed = await run('audit-events', 'list', '--resource', 'payment', '--limit', '3', '--json');
    const { events } = listed.json<{ events: { action: string; details: object }[] }>();
    expect(events.map(({ action }) => action)).toContain('PAYMENT_UPDATED');
    for (const { details } of events) expect(details).toMatchObject({ id: shown, reference: 'order-7' });
  });

  test('are failed and run now in a dry run, which changes nothing', async () => {
    const before = await contents(world.owner);
    const dry = await run('payments', 'fail', shown, '--reason', 'wrong payee', '--dry-run');
    expect({ code: dry.code, out: dry.out }).toEqual({
      code: 0,
      out: `Dry run, nothing was changed: ${shown} is failed.\n  release 1.00 USD of alice\n`,
    });
    const json = await run('payments', 'run-now', shown, '--dry-run', '--json');
    expect(json.json()).toMatchObject({ dryRun: true, result: { status: 'scheduled' }, events: ['payment.run_now'] });
    expect((await run('payments', 'retry', shown, '--dry-run')).err).toContain('PAYMENT_STATE_CONFLICT');
    expect(await contents(world.owner)).toEqual(before);
  });

  test('are failed with a reason and retried, audited as the logged-in user', async () => {
    const failed = await run('payments', 'fail', shown, '--reason', 'wrong payee');
    expect({ code: failed.code, out: failed.out }).toEqual({ code: 0, out: `Done: ${shown} is failed.\n` });
    expect(await held(world.tenant, 'alice')).toEqual([1_000n, 0n]);
    const story = (await run('payments', 'get', shown, '--json')).json<{ timeline: { actor: string }[] }>();
    expect(story.timeline.at(-1)).toMatchObject({ actor, cause: expect.stringContaining('wrong payee') });

    expect((await run('payments', 'retry', shown)).out).toMatch(/is scheduled, due /);
    expect(await held(world.tenant, 'alice')).toEqual([900n, 100n]);
  });

  test('run now are due now', async () => {
    expect((await run('payments', 'run-now', shown)).code).toBe(0);
    expect((await usanceHere(folder, ['processor', '--once'], { DATABASE_URL: world.runtimeUrl })).out).toContain(
      'Success: 1 |',
    );
    expect((await run('payments', 'get', shown)).out).toMatch(/payment\.settled +system +\d+ ms\n/);
    const refused = await run('payments', 'run-now', shown);
    expect({ code: refused.code, err: refused.err }).toEqual({
      code: 1,
      err: `usance: payment ${shown} is settled and cannot be run now (PAYMENT_STATE_CONFLICT)\n`,
    });
  });

  test('run now by a filter, which a dry run only shows', async () => {
    for (const reference of ['order-8', 'order-9']) {
      const order = { from: 'alice', to: 'bob', asset: 'USD/2', amount: 10, delay: '1h', reference };
      await world.tenant.createPayment({ ...order, idempotencyKey: key() });
    }
    const dry = await run('payments', 'run-now', '--account', 'bob', '--dry-run');
    expect(dry.out).toMatch(/^2 payments would be due now; nothing was changed\.$/m);
    expect(dry.out).toContain('2 match the filter: run them with --expect 2.');
    expect((await world.usance.backlog()).due).toBe(0);
    const one = await run('payments', 'run-now', '--reference', 'order-8', '--limit', '1', '--json');
    expect(one.json()).toMatchObject({ dryRun: false, payments: [{ reference: 'order-8' }] });
    expect((await world.usance.backlog()).due).toBe(1);
    expect((await run('payments', 'run-now', '--account', 'bob', '--expect', '2')).err).toMatch(
      /finds 1 payments, .*COUNT_MISMATCH/,
    );
    const why = ['--expect', '1', '--reason', 'the bank answers again'];
    const rest = await run('payments', 'run-now', '--account', 'bob', ...why);
    expect(rest.out).toMatch(/Done: 1 payment due now\.\n$/);
    for (const wrong of [[], [shown, '--account', 'bob'], [shown, '--limit', '1'], ['--account', 'bob']])
      expect((await run('payments', 'run-now', ...wrong)).code).toBe(2);
  });

  test('that are not there are refused by name', async () => {
    expect((await run('payments', 'get', 'pay_nonsense')).err).toMatch(
      /must be an id such as "pay_01jd…" \(ID_INVALID\)/,
    );
    const other = toTypeId('payment', '01890000-0000-7000-8000-000000000000');
    expect((await run('payments', 'get', other)).err).toMatch(/\(PAYMENT_NOT_FOUND\)/);
  });
});

describe('keys', () => {
  test('asks what a key may do, and makes neither a key nor a tenant without the answer', async () => {
    const before = (await run('api-keys', 'list', '--json')).json<{ keys: unknown[] }>().keys.length;
    const { code, out, err } = await run('api-keys', 'create', '--name', 'backend');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    for (const role of Object.keys(ROLES)) expect(err).toContain(role);
    const elsewhere = ['--tenant', 'unmade', '--create-tenant'];
    expect((await run('api-keys', 'create', '--name', 'backend', ...elsewhere)).code).toBe(2);
    expect((await run('api-keys', 'create', '--name', 'x', '--role', 'admin', '--tenant', 'nobody')).err).toBe(
      'usance: there is no tenant "nobody"; add --create-tenant to create it (TENANT_NOT_FOUND)\n',
    );
    expect((await run('api-keys', 'list', '--json')).json<{ keys: unknown[] }>().keys).toHaveLength(before);
    expect((await world.usance.tenants()).map(({ name }) => name)).not.toContain('unmade');
  });

  test('are made for a tenant, work, and are shown once', async () => {
    const { code, out } = await run('api-keys', 'create', '--name', 'backend', '--role', 'admin');
    expect(code).toBe(0);
    const [secret = ''] = /usk_[\w-]+/.exec(out) ?? [];
    expect(await world.usance.authenticate(secret)).toMatchObject({
      key: { name: 'backend' },
      handle: { name: 'shop' },
    });
    expect(await world.usance.authenticate(`${secret}x`)).toBeNull();
  });

  test('are made with a role or scopes and an end, listed, rotated and revoked', async () => {
    const narrow = await run(
      'api-keys',
      'create',
      '--name',
      'narrow',
      '--scope',
      'ledger:read',
      '--scope',
      'ops:read',
      '--json',
    );
    expect(narrow.json()).toMatchObject({ role: null, scopes: ['ledger:read', 'ops:read'], expiresAt: null });
    const short = await run(
      'api-keys',
      'create',
      '--name',
      'short',
      '--role',
      'viewer',
      '--expires',
      '2999-01-01T00:00:00Z',
      '--json',
    );
    const { id, secret } = short.json() as { id: string; secret: string };
    expect(short.json()).toMatchObject({ role: 'viewer', expiresAt: '2999-01-01T00:00:00.000Z' });
    const rotated = await run('api-keys', 'rotate', id, '--overlap', '1h', '--json');
    expect(rotated.json()).toMatchObject({ name: 'short', role: 'viewer', replaces: id });
    expect(await world.usance.authenticate(secret)).toMatchObject({ key: { name: 'short' } });
    expect((await run('api-keys', 'revoke', id)).out).toMatch(/Key short \(usk_.*\) is revoked/);
    expect(await world.usance.authenticate(secret)).toBeNull();
    const { out } = await run('api-keys', 'list');
    expect(out).toMatch(/key_\w+ {2}usk_\S+… {2}narrow +ledger:read ops:read +no end +not used yet/);
    expect(out).toMatch(/short +viewer +revoked /);
    expect(out).not.toContain(secret);
    expect((await run('api-keys', 'create', '--name', 'x', '--scope', 'everything')).err).toContain(
      'It must be one of ledger:read',
    );
  });

  test('make their tenant where it is asked for', async () => {
    const made = await run(
      'api-keys',
      'create',
      '--tenant',
      'other',
      '--create-tenant',
      '--name',
      'first',
      '--role',
      'admin',
      '--json',
    );
    expect(made.json()).toMatchObject({ tenant: 'other', secret: expect.stringMatching(/^usk_/) });
    const again = await run(
      'api-keys',
      'create',
      '--tenant',
      'other',
      '--create-tenant',
      '--name',
      'second',
      '--role',
      'admin',
      '--json',
    );
    expect(again.code).toBe(0);
    const both = await run('payments');
    expect({ code: both.code, err: both.err }).toEqual({
      code: 2,
      err: 'usance: name the tenant: --tenant shop or other\n',
    });
  });
});

describe('dead letters', () => {
  const letters = (...args: string[]) => run('dead-letters', ...args, '--tenant', 'shop');
  const failed = async (amount: number): Promise<string> => {
    const order = { from: 'alice', to: 'bob', asset: 'USD/2', amount, delay: '1h', idempotencyKey: key() };
    const made = await world.tenant.createPayment(order);
    await world.tenant.failPayment(made.id, 'wrong payee');
    return toTypeId('payment', made.id);
  };

  test('are listed with what is at stake, shown, discarded, and retried one by one or all', async () => {
    expect((await letters()).out).toBe('No dead letter.\n');
    const [one, two] = [await failed(50), await failed(25)];
    const { out } = await letters('list', '--asset', 'USD');
    expect(out).toContain(`${two}  0.25 USD  FAILED_BY_OPERATOR  `);
    expect(out).toMatch(/\n0.75 USD at stake\n$/);
    expect((await letters('get', one)).out).toMatch(/at stake +0.50 USD\n/);

    const discarded = await letters('discard', two, '--reason', 'paid in cash');
    expect({ code: discarded.code, out: discarded.out }).toEqual({
      code: 0,
      out: `Done: ${two} is discarded and stays failed.\n`,
    });
    expect((await letters('discard', two, '--reason', 'again')).code).toBe(1);
    expect((await letters('retry', one, '--json')).json()).toEqual({ retried: [one], refused: [], more: false });
    expect((await letters('retry', one)).code).toBe(1);

    const three = await failed(10);
    expect((await letters('retry')).code).toBe(2);
    const all = await letters('retry', '--all', '--code', 'FAILED_BY_OPERATOR', '--reason', 'found the payee');
    expect(all.out).toBe('Done: 1 dead letter retried.\n');
    expect((await run('payments', 'get', three, '--json', '--tenant', 'shop')).json()).toMatchObject({
      status: 'scheduled',
    });
  });

  test('behind a batch that is refused are retried too', async () => {
    await open(world.tenant, { spent: 10 });
    const from = async (payer: string) => {
      const order = { from: payer, to: 'bob', asset: 'USD/2', amount: 10, delay: '1h', idempotencyKey: key() };
      return (await world.tenant.createPayment(order)).id;
    };
    const stuck: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      stuck.push(await from('spent'));
      await world.tenant.failPayment(stuck.at(-1) ?? '', 'wrong payee');
    }
    await from('spent');
    const [four, five] = [await failed(10), await failed(10)];
    const refused = stuck.map((one) => toTypeId('payment', one));
    const dry = await letters('retry', '--all', '--batch', '2', '--dry-run');
    expect(dry.out).toContain('More dead letters match: a dry run tries one batch.\n');
    const done = await letters('retry', '--all', '--batch', '2');
    expect(done.code).toBe(1);
    expect(done.out.split('\n').slice(0, 3)).toEqual([
      '0 dead letters retried, 2 refused so far.',
      '1 dead letter retried, 3 refused so far.',
      'Done: 2 dead letters retried.',
    ]);
    expect(done.out.match(/pay_\w+ stays: FUNDS_INSUFFICIENT/g)).toEqual(
      refused.map((one) => `${one} stays: FUNDS_INSUFFICIENT`),
    );
    expect((await letters()).out).not.toMatch(`${four}|${five}`);
    for (const one of stuck) await world.tenant.discardDeadLetter(one, 'done');
  });

  test('are of slots of schedules too', async () => {
    await open(world.tenant, { poor: 0 });
    const schedule = await dueSchedule(world.owner, world.tenant, { from: 'poor', amount: 75, funding: 'reserve' });
    await world.usance.loops.find((loop) => loop.name === 'scheduler')?.runOnce();
    const slot = toTypeId('occurrence', (await world.tenant.deadLetters({ kind: 'occurrence' }))[0]?.id ?? '');
    const listed = (await letters('list', '--kind', 'occurrence')).out;
    expect(listed).toContain(`${slot}  0.75 USD  FUNDS_INSUFFICIENT  `);
    const { out } = await letters('get', slot);
    expect(out).toMatch(new RegExp(`schedule +${toTypeId('schedule', schedule)} \\(active\\)\n`));
    expect(out).toMatch(/parties +poor → bob\n/);
    await world.tenant.deposit({ account: 'poor', asset: 'USD', amount: 100, idempotencyKey: key() });
    expect((await letters('retry', slot)).out).toBe(`Done: ${slot} has its payment now.\n`);
  });
});
