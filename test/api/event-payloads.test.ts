// What events show of payments: every type has the whole payment, and no more of a person than can be erased.
import { beforeAll, describe, expect, test } from 'vitest';
import { LIBRARY, fromTypeId } from '../../src/kernel/index.ts';
import type { Event, PaymentSettledEvent } from '../../src/client/index.ts';
import { createClient } from '../../src/client/index.ts';
import { EVENT_CATALOGUE } from '../../src/events/index.ts';
import { openSandbox } from '../../src/rails/index.ts';
import { inSeconds, shared, token } from '../access/tokens.ts';
import { SANDBOX, openWorld } from '../payouts/world.ts';
import { open } from '../support/books.ts';
import { testProcessor } from '../support/processor.ts';
import type { TestProcessor } from '../support/processor.ts';
import { useApi } from './api.ts';

const SECRET = 'a-secret-of-forty-characters-for-the-tests';
const store = useApi({
  usance: {
    jwt: { secret: SECRET, audience: 'usance', issuer: null },
    chains: { sandbox: SANDBOX, measureEveryMs: 3_600_000 },
  },
});

interface Seen {
  readonly type: string;
  readonly version: number;
  readonly resource_id: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}

async function eventsOf(query: string, secret = store.secret): Promise<Seen[]> {
  await store.run('sequencer');
  const seen: Seen[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await store.send(`GET /events?limit=100&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`, {
      secret,
    });
    const { data, next_cursor } = page.body as { data: Seen[]; next_cursor: string | null };
    seen.push(...data);
    cursor = next_cursor;
  }
  return seen;
}

const HOUR = 3_600_000;
let processor: TestProcessor;
let ids: Record<'alice' | 'bob' | 'carol', string>;

beforeAll(async () => {
  await open(store.tenant, { alice: 1_000_000, bob: 0, carol: 0, poor: 0 });
  const idOf = async (ref: string): Promise<string> => (await store.send(`GET /accounts/${ref}`)).word('id');
  ids = { alice: await idOf('alice'), bob: await idOf('bob'), carol: await idOf('carol') };
  processor = testProcessor(store.db);
});

const ORDER = { from: 'alice', to: 'bob', amount: 1_000, asset: 'USD', delay: '1h' };
const NOTED = { reference: 'order-1001', metadata: { orderId: 'A-1001', line_items: [{ skuCode: 1 }] } };

async function made(more: object = {}): Promise<string> {
  const answer = await store.send('POST /payments', { body: { ...ORDER, ...more } });
  expect(answer.status, answer.text).toBe(201);
  return answer.word('id');
}
async function post(id: string, verb: string, body: object = {}): Promise<void> {
  const answer = await store.send(`POST /payments/${id}/${verb}`, { body });
  expect([200, 201], answer.text).toContain(answer.status);
}

/** Events of a tenant whose payout waits for its chain, is sent, goes to review as the chain is silent, is resolved, and settles. */
async function eventsOfPayout(): Promise<Seen[]> {
  // Without a fresh snapshot no chain qualifies.
  await store.usance.loops.find(({ name }) => name === 'health')?.runOnce();
  const sandbox = openSandbox({ url: store.runtimeUrl, production: false, ...SANDBOX });
  try {
    const world = await openWorld(store, sandbox);
    const { secret } = await world.tenant.createApiKey({ name: 'test', role: 'admin' });
    await world.faults({ error: 1 });
    const { id } = await world.pay(NOTED);
    await world.pass(1);
    await world.faults({ drop: 1 });
    await world.pass(15);
    await world.faults({ silent: 1 });
    await world.pass(900);
    await world.faults({});
    await world.tenant.resolvePayout(id, { outcome: 'dead', reason: 'it was dropped' });
    await store.usance.loops.find(({ name }) => name === 'treasury')?.runOnce();
    await world.pass(60);
    return await eventsOf('type=payment.*', secret);
  } finally {
    await sandbox.close();
  }
}

describe('every type of payment event', () => {
  test('has the whole payment', async () => {
    const paid = await made(NOTED);
    await post(paid, 'capture', { amount: '400' });
    await store.send(`PATCH /payments/${paid}`, { body: { metadata: NOTED.metadata } });
    await post(paid, 'extend', { expires_at: new Date(Date.now() + 100 * HOUR).toISOString() });
    await post(paid, 'run-now');
    await processor.drain();
    await post(paid, 'refund', { amount: '100', reason: 'broken' });
    await post(await made(), 'cancel', { reason: 'sold out' });
    const partly = await made();
    await post(partly, 'capture', { amount: '400' });
    await post(partly, 'cancel');
    await made({ expires_at: new Date(Date.now() + 2 * HOUR).toISOString(), delay: '90m' });
    const failing = await made({
      from: 'poor',
      funding: 'at_execution',
      retry: { max_attempts: 2, initial_delay: 'PT1S' },
    });
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: 5_000 });
    const asked = await made({ amount: 6_000 });
    const asked2 = await made({ amount: 6_000 });
    const another = await store.usance.tenant('shop', { actor: 'a-second-person' });
    await another.approvePayment(fromTypeId('payment', asked), { termsVersion: 1, reason: 'fine' });
    await another.rejectPayment(fromTypeId('payment', asked2), 'not now');
    await store.tenant.setLimit({ asset: 'USD', approvalAbove: null });
    await store.tenant.pause('asset', 'USD', 'so that one expires');
    await processor.drainAfter(3 * HOUR);
    await store.tenant.liftPause('asset', 'USD');
    await processor.drainAfter(HOUR);
    await processor.drainAfter(HOUR);
    await post(failing, 'retry', { reason: 'again' });
    await processor.drainAfter(HOUR);
    await processor.drainAfter(HOUR);
    await store.send(`POST /dead-letters/${failing}/discard`, { body: { reason: 'enough' } });

    const events = await eventsOf('type=payment.*');
    const types = Object.keys(EVENT_CATALOGUE).filter((type) => type.startsWith('payment.'));
    const ofPayout = await eventsOfPayout();
    expect([...new Set([...events, ...ofPayout].map(({ type }) => type))].toSorted()).toEqual(types);
    for (const { type, data, resource_id, version } of events) {
      expect(data, type).toMatchObject({
        id: resource_id,
        status: expect.stringMatching(/^(scheduled|settled|failed|cancelled|expired)$/) as string,
        amount: expect.stringMatching(/^\d+$/) as string,
        captured: expect.stringMatching(/^\d+$/) as string,
        released: expect.stringMatching(/^\d+$/) as string,
        asset: 'USD/2',
        payer: {
          id: expect.stringMatching(/^acct_/) as string,
          ref: expect.stringMatching(/^(alice|poor)$/) as string,
        },
        payees: [{ id: ids.bob, ref: 'bob', amount: data?.['amount'] }],
        execute_at: expect.stringMatching(/Z$/) as string,
        attempt: expect.any(Number) as number,
        owner: null,
        rail: 'ledger',
      });
      expect(Object.keys(data ?? {}), type).toEqual(expect.arrayContaining(['reference', 'metadata']));
      expect(version, type).toBe(1);
    }
    for (const { type, data, resource_id, version } of ofPayout) {
      expect(data, type).toMatchObject({
        id: resource_id,
        amount: '10000000',
        released: '0',
        asset: 'USDC/6',
        payer: { id: expect.stringMatching(/^acct_/) as string, ref: 'alice' },
        payees: [{ id: expect.stringMatching(/^acct_/) as string, ref: 'world', amount: '10000000' }],
        execute_at: expect.stringMatching(/Z$/) as string,
        owner: null,
        rail: 'sandbox',
        ...NOTED,
      });
      expect(version, type).toBe(1);
    }
    expect(ofPayout.map(({ type, data }) => [type, data?.['status'], data?.['captured'], data?.['attempt']])).toEqual([
      ['payment.created', 'scheduled', '0', 0],
      ['payment.waiting', 'scheduled', '0', 0],
      ['payment.submitted', 'submitted', '0', 1],
      ['payment.manual_review', 'review', '0', 1],
      ['payment.resolved', 'review', '0', 1],
      ['payment.attempt_failed', 'scheduled', '0', 1],
      ['payment.submitted', 'submitted', '0', 2],
      ['payment.settled', 'settled', '10000000', 2],
    ]);
    const ofPaid = events.filter(({ resource_id }) => resource_id === paid);
    // Metadata comes back as it was sent: its names are the caller's.
    for (const { data, type } of ofPaid) expect(data, type).toMatchObject(NOTED);
    expect(ofPaid.map(({ type, data }) => [type, data?.['status'], data?.['captured'], data?.['attempt']])).toEqual([
      ['payment.created', 'scheduled', '0', 0],
      ['payment.captured', 'scheduled', '400', 0],
      ['payment.updated', 'scheduled', '400', 0],
      ['payment.extended', 'scheduled', '400', 0],
      ['payment.run_now', 'scheduled', '400', 0],
      ['payment.settled', 'settled', '1000', 1],
      ['payment.refunded', 'settled', '1000', 1],
    ]);
    expect(ofPaid.find(({ type }) => type === 'payment.settled')?.data).toMatchObject({
      old: { status: 'scheduled' },
      new: { status: 'settled' },
    });
    expect(ofPaid.find(({ type }) => type === 'payment.refunded')?.data).toMatchObject({
      refund: { amount: '100' },
      refunded: '100',
      reason: 'broken',
    });
    const ofPartly = events.filter(({ resource_id }) => resource_id === partly).slice(-2);
    expect(ofPartly.map(({ type, data }) => [type, data?.['captured'], data?.['released']])).toEqual([
      ['payment.released', '400', '600'],
      ['payment.settled', '400', '600'],
    ]);
  });

  test('names each payee with its part, and the owner of a payment', async () => {
    const legs = [
      { to: 'bob', amount: 700 },
      { to: 'carol', amount: 300 },
    ];
    const split = await made({ to: undefined, legs });
    const [created] = await eventsOf(`resource_id=${split}`);
    expect(created?.data).toMatchObject({
      amount: '1000',
      payees: [
        { id: ids.bob, ref: 'bob', amount: '700' },
        { id: ids.carol, ref: 'carol', amount: '300' },
      ],
    });
    const plan = await store.send('POST /plans', {
      body: { name: 'pro', asset: 'USD', receiver: 'bob', price: 500, period: { frequency: 'MONTHLY' } },
    });
    const subscription = await store.send('POST /subscriptions', { body: { plan: plan.word('id'), payer: 'alice' } });
    expect(subscription.status, subscription.text).toBe(201);
    const [charge] = (await eventsOf('type=payment.created')).slice(-1);
    expect(charge?.data).toMatchObject({ owner: { kind: 'subscription', id: subscription.word('id') }, amount: '500' });
  });

  test('is typed in the client: a comparison of its type narrows its data', async () => {
    const client = createClient({ url: store.url, key: store.secret });
    const settled: PaymentSettledEvent[] = [];
    const all: Event[] = [];
    for await (const event of client.events.list({ type: 'payment.*' })) {
      all.push(event);
      if (event.type === 'payment.settled') settled.push(event);
    }
    expect(all.length).toBeGreaterThan(settled.length);
    const [first] = settled;
    expect(first?.data?.payer.ref).toBe('alice');
    expect(first?.data?.executeAt).toMatch(/Z$/);
    expect(first?.data?.metadata).toEqual(NOTED.metadata);
  });
});

describe('the texts of a payment', () => {
  const OLD = { reference: 'order-7', metadata: { note: 'first words' } };
  const storing = async (word: string): Promise<unknown[]> =>
    (
      await store.owner.query(`select type from usance.events where strpos(data::text, $1::text) > 0 order by id`, [
        word,
      ])
    ).map((row) => row['type']);

  test('are stored by the event that set them, and shown by all', async () => {
    const id = await made(OLD);
    await store.send(`PATCH /payments/${id}`, { body: { amount: '1100' } });
    await post(id, 'capture', { amount: '400' });
    await store.send(`PATCH /payments/${id}`, { body: { metadata: { note: 'second words' } } });
    await post(id, 'run-now');
    await processor.drain();
    await post(id, 'refund', { amount: '100' });
    expect(await storing('order-7')).toEqual(['payment.created']);
    expect(await storing('first words')).toEqual(['payment.created']);
    expect(await storing('second words')).toEqual(['payment.updated']);

    const shown = (await eventsOf(`resource_id=${id}`)).map(({ type, data }) => [type, data?.['metadata']]);
    const [first, second] = [{ note: 'first words' }, { note: 'second words' }];
    expect(shown).toEqual([
      ['payment.created', first],
      ['payment.updated', second],
      ['payment.captured', second],
      ['payment.updated', second],
      ['payment.run_now', second],
      ['payment.settled', second],
      ['payment.refunded', second],
    ]);
    expect(new Set((await eventsOf(`resource_id=${id}`)).map(({ data }) => data?.['reference']))).toEqual(
      new Set(['order-7']),
    );
    // The same in every other place, also once the payment is archived.
    const places = async (): Promise<unknown[]> => {
      const seen = async (path: string, field: string): Promise<unknown[]> =>
        (await store.send(`GET ${path}`)).list('data').map((each) => {
          const { reference, metadata } = (each as Record<string, Record<string, unknown>>)[field] ?? {};
          return { reference, metadata };
        });
      return [
        await seen(`/events?resource_id=${id}`, 'data'),
        (await seen(`/audit-events?resource_id=${id}`, 'details')).toReversed(),
        await seen(`/payments/${id}/timeline`, 'data'),
      ];
    };
    const [listed, ...others] = await places();
    for (const other of others) expect(other).toEqual(listed);
    expect(await store.usance.archive({ olderThanMs: -100 * HOUR, caller: LIBRARY })).toBeGreaterThan(0);
    const [row] = await store.owner.query('select id from usance.archived_payments where id = $1::uuid', [
      fromTypeId('payment', id),
    ]);
    expect(row).toBeDefined();
    expect(await places()).toEqual([listed, ...others]);
  });

  test('do not come back with a later event once the event that set them is erased', async () => {
    const id = await made({ metadata: { name: 'Otto Person' }, reference: 'for Otto Person' });
    await post(id, 'run-now');
    await processor.drain();
    const [created] = (await eventsOf(`resource_id=${id}`)) as (Seen & { id: string })[];
    await store.send(`POST /audit-events/${created?.id}/erase`, { body: { reason: 'a name' } });
    await post(id, 'refund', { amount: '100' });
    expect(await storing('Otto Person')).toEqual([]);
  });

  test('of 16 kB are not stored again by a capture', async () => {
    const text = 'long text '.repeat(1_600);
    const id = await made({ metadata: { text } });
    await post(id, 'capture', { amount: '1' });
    const sizes = await store.owner.query(
      `select type, octet_length(data::text) < 500 as small from usance.events where resource_id = $1::uuid order by id`,
      [fromTypeId('payment', id)],
    );
    expect(sizes).toEqual([
      { type: 'payment.created', small: false },
      { type: 'payment.captured', small: true },
    ]);
  });
});

describe('personal data in events of payments', () => {
  const secretOf = (sub: string): string => token(shared(SECRET), { aud: 'usance', sub, exp: inSeconds(600) });

  test('a ref is not stored with an event: erasing the account changes what all of them show', async () => {
    await open(store.tenant, { 'nina@example.com': 100 });
    const id = await made({ from: 'nina@example.com', amount: 100, delay: '1s' });
    await processor.drainAfter(HOUR);
    const stored = await store.owner.query(
      `select count(*)::int as n from usance.events where data::text like '%nina@example.com%'`,
    );
    expect(stored).toEqual([{ n: 0 }]);
    const refs = async (): Promise<unknown[]> =>
      (await eventsOf(`resource_id=${id}`)).map(({ data }) => (data?.['payer'] as { ref: string } | undefined)?.ref);
    expect(await refs()).toEqual(['nina@example.com', 'nina@example.com']);
    const { id: account } = await store.tenant.account('nina@example.com');
    await store.send('POST /accounts/nina@example.com/close', { body: { reason: 'left' } });
    await store.send('POST /accounts/nina@example.com/erase', { body: { reason: 'asked for', ref: true } });
    expect(await refs()).toEqual([`erased-${account}`, `erased-${account}`]);
  });

  test('the data of an erased event is null, in the list and for the client', async () => {
    const id = await made(NOTED_OTHER);
    const [created] = (await eventsOf(`resource_id=${id}`)) as (Seen & { id: string })[];
    await store.send(`POST /audit-events/${created?.id}/erase`, { body: { reason: 'the metadata had a name' } });
    expect((await eventsOf(`resource_id=${id}`)).map(({ data }) => data)).toEqual([null]);
    const timeline = await store.send(`GET /payments/${id}/timeline`);
    expect(timeline.get('data.0.data')).toEqual({ erased: true });
    expect(JSON.stringify((await eventsOf('type=audit_event.erased')).at(-1)?.data)).toContain(created?.id);
  });

  test('an end user sees no payee, reference, metadata or owner in the timeline of a payment', async () => {
    const id = await made({ reference: 'tenant-note', metadata: { note: 'of the tenant' } });
    await processor.drainAfter(2 * HOUR);
    for (const path of [`/payments/${id}/timeline`, `/holds/${id}/events`]) {
      const own = await store.send(`GET ${path}`, { secret: secretOf('alice') });
      expect(own.status, path).toBe(200);
      expect(own.text).toContain('"1000"');
      for (const word of ['tenant-note', 'of the tenant', 'payees', 'payer', 'reference', 'metadata', 'owner', ids.bob])
        expect(own.text, `${path} ${word}`).not.toContain(word);
      const whole = await store.send(`GET ${path}`);
      for (const word of ['tenant-note', 'of the tenant', '"payees":[{', '"ref":"bob"'])
        expect(whole.text, `${path} ${word}`).toContain(word);
    }
    const audit = await store.send(`GET /audit-events?resource_id=${id}`);
    expect(audit.get('data.0.details.payer.ref')).toBe('alice');
  });
});

const NOTED_OTHER = { reference: 'order-1002', metadata: { name: 'Maria Sample' } };
