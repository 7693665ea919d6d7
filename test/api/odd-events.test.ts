// Data of an event that does not have the form of its schema, appended by another release or by hand. It is shown as it is, and never keeps
// a page, a stream or a document from being made.
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { eventDocument } from '../../src/cli/event-document.ts';
import type { EventType, Fact } from '../../src/events/index.ts';
import { appendEvents } from '../../src/events/index.ts';
import { fromTypeId, newId, toTypeId } from '../../src/kernel/index.ts';
import { inSeconds, shared, token } from '../access/tokens.ts';
import { open } from '../support/books.ts';
import { unchecked } from '../support/event-check.ts';
import { useApi } from './api.ts';

unchecked();

const SECRET = 'a-secret-of-forty-characters-for-the-tests';
const store = useApi({
  usance: { jwt: { secret: SECRET, audience: 'usance', issuer: null } },
  api: { stream: { pollMs: 10 } },
});

const SETTLED = { status: 'settled', amount: '1', asset: 'USD/2', executeAt: 'soon' };
const id = newId();
const ODD: readonly (readonly [type: string, data: Fact['data'], shown: object])[] = [
  [
    'payment.settled',
    { ...SETTLED, payer: 'alice', payees: ['bob'] },
    { payer: 'alice', payees: [{ id: 'bob', amount: '1' }] },
  ],
  ['payment.settled', { ...SETTLED, payer: { id: 'alice' }, payees: [{ id: 7 }] }, { payer: { id: 'alice' } }],
  [
    'payment.settled',
    { payees: [null, 3, {}], owner: 'x', old: 7, metadata: 'text' },
    { payees: [null, 3, {}], owner: 'x' },
  ],
  ['payment.settled', { payees: 'bob', payer: [], owner: { kind: 3 } }, { payees: 'bob', payer: [] }],
  ['payment.updated', { payees: [[]], old: null, new: 'x', changed: 'metadata' }, { payees: [[]], new: 'x' }],
  ['payment.created', {}, { reference: null }],
  ['account.updated', { old: { guardianId: 'maria', guardianIds: ['maria', 3] } }, { old: { guardian_id: 'maria' } }],
  ['transfer.posted', { new: { from: 'world', to: 4 } }, { new: { from: 'world', from_ref: null, to: 4 } }],
  ['payout.sent', { payees: [{ ref: 'x' }], accountId: id }, { account_id: toTypeId('account', id) }],
];

let payment = '';

beforeAll(async () => {
  await open(store.tenant, { alice: 1_000, bob: 0 });
  const body = { from: 'alice', to: 'bob', amount: 100, asset: 'USD', delay: '1h' };
  payment = (await store.send('POST /payments', { body })).word('id');
  const facts = ODD.map(([type, data]) => ({
    tenantId: store.tenant.id,
    type: type as EventType,
    resource: 'payment',
    resourceId: fromTypeId('payment', payment),
    data,
    actor: 'another-release',
    occurredAt: new Date(),
  }));
  await store.db.transaction((tx) => appendEvents(tx, facts));
  while ((await store.run('sequencer'))['ordered']);
});

test.each([
  ['the list', () => `/events?resource_id=${payment}`, 'data'],
  ['the timeline', () => `/payments/${payment}/timeline`, 'data'],
])('%s shows odd data as it is', async (_name, path, field) => {
  const answer = await store.send(`GET ${path()}`);
  expect(answer.status, answer.text).toBe(200);
  const shown = answer.list('data').map((each) => (each as Record<string, unknown>)[field]);
  expect(shown.slice(1)).toMatchObject(ODD.map(([, , data]) => data));
});

test('the audit log and the steps of a hold show it too', async () => {
  const audit = await store.send(`GET /audit-events?limit=${ODD.length}`);
  expect(audit.status, audit.text).toBe(200);
  expect(
    audit
      .list('data')
      .map((each) => (each as { details: unknown }).details)
      .toReversed(),
  ).toMatchObject(ODD.map(([, , data]) => data));
  const steps = await store.send(`GET /holds/${payment}/events`);
  expect(steps.status, steps.text).toBe(200);
  const own = token(shared(SECRET), { aud: 'usance', sub: 'alice', exp: inSeconds(600) });
  const timeline = await store.send(`GET /payments/${payment}/timeline`, { secret: own });
  expect(timeline.status, timeline.text).toBe(200);
});

test('the stream goes on behind it', async () => {
  const client = createClient({ url: store.url, key: store.secret });
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const types: string[] = [];
  for await (const event of client.events.follow({ resourceId: payment, after: 0 }, { signal: leave.signal }))
    if (types.push(event.type) === ODD.length + 1) break;
  expect(types).toEqual(['payment.created', ...ODD.map(([type]) => type)]);
});

test.each(ODD)('a command prints it: %s %j', (type, data) => {
  const document = eventDocument({ type, version: 1, resourceId: newId(), data });
  expect(JSON.parse(JSON.stringify(document))).toBeTypeOf('object');
});
