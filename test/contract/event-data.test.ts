// How stored data of events become what the outside sees.
import { expect, test } from 'vitest';
import { dataShower, shownComplete } from '../../src/contract/event-data.ts';
import type { EventType } from '../../src/events/index.ts';
import { paymentsShownIn } from '../../src/events/index.ts';
import { newId, toTypeId } from '../../src/kernel/index.ts';

const show = (type: EventType, data: Readonly<Record<string, unknown>>): unknown =>
  shownComplete({ type, version: 1, resourceId: newId(), data }, new Map());

test('ids are TypeIDs of the kind that the schema says, and texts that look like ids stay', () => {
  const [guardianId, text] = [newId(), newId()];
  const side = { status: 'active', guardianId, guardianIds: [guardianId] };
  const guardian = toTypeId('account', guardianId);
  expect(
    show('account.updated', {
      old: side,
      new: { ...side, guardianId: null, guardianIds: [] },
      reason: text,
      changed: [],
    }),
  ).toEqual({
    old: {
      status: 'active',
      guardian_id: guardian,
      guardian_ref: null,
      guardian_ids: [guardian],
      guardian_id_refs: [null],
    },
    new: { status: 'active', guardian_id: null, guardian_ref: null, guardian_ids: [], guardian_id_refs: [] },
    reason: text,
    changed: [],
  });
});

test('names of fields are in snake_case, also where they are values', () => {
  expect(show('account.erased', { fields: ['name', 'statusReason'], events: 2, reason: 'r' })).toMatchObject({
    fields: ['name', 'status_reason'],
  });
  expect(show('schedule.updated', { changed: ['missedCap'], new: { missedCap: 3 } })).toEqual({
    changed: ['missed_cap'],
    new: { missed_cap: 3 },
  });
  expect(
    show('schedule.updated', { changed: ['rule'], new: { rule: { frequency: 'MONTHLY', daysOfMonth: [1] } } }),
  ).toMatchObject({
    new: { rule: { frequency: 'MONTHLY', days_of_month: [1] } },
  });
});

test('actors are shown as everywhere, and the branch of a union is the one that fits', () => {
  const key = newId();
  expect(show('payment.rejected', { termsBy: [`key:${key}`, 'cli:jo'] })).toMatchObject({
    terms_by: [toTypeId('apiKey', key), 'cli:jo'],
  });
  expect(show('plan.updated', { changed: ['period'], new: { period: { everySeconds: 86_400 } } })).toMatchObject({
    new: { period: { every_seconds: 86_400 } },
  });
});

test('a finding of a check names rows by TypeIDs', () => {
  const [account, payment] = [newId(), newId()];
  const details = { account, payments: [payment], available: '5', 'missing before it': 1 };
  expect(show('freeze.created', { asset: 'USD/2', violation: 'v', details })).toMatchObject({
    details: {
      account: toTypeId('account', account),
      payments: [toTypeId('payment', payment)],
      available: '5',
      'missing before it': 1,
    },
  });
});

test('an event of a type that is not in the catalogue is shown by the names of its fields', () => {
  const id = newId();
  const unknown = { type: 'payout.sent', version: 1, resourceId: newId(), data: { paymentId: id, sentAt: 'now' } };
  expect(shownComplete(unknown, new Map())).toEqual({ payment_id: toTypeId('payment', id), sent_at: 'now' });
});

test('an event of a version that only another release knows is shown by the names of its fields', () => {
  const data = { payer: 'a', payees: ['b'], executeAt: 'now' };
  const later = { type: 'payment.settled', version: 2, resourceId: newId(), data };
  expect(shownComplete(later, new Map())).toEqual({ payer: 'a', payees: ['b'], execute_at: 'now' });
  expect(paymentsShownIn([later])).toEqual([]);
});

test('one read finds the refs of a page and one the texts, and none is made for a page without accounts', async () => {
  const asked: (readonly string[])[] = [];
  const payments: (readonly string[])[] = [];
  const tenant = {
    subject: null,
    paymentTexts: (ids: readonly string[]) => {
      payments.push(ids);
      return Promise.resolve(new Map(ids.map((id) => [id, { reference: `reference of ${id}`, metadata: null }])));
    },
    accountRefs: (ids: readonly string[]) => {
      asked.push(ids);
      return Promise.resolve(new Map(ids.map((id) => [id, `ref of ${id}`])));
    },
  };
  const [payer, payee, other, third] = [newId(), newId(), newId(), newId()];
  const event = (type: EventType, data: Readonly<Record<string, unknown>>) => ({
    type,
    version: 1,
    resourceId: newId(),
    data,
  });
  const base = { status: 'scheduled', amount: '2', asset: 'USD/2', payer, executeAt: '' };
  const events = [
    event('payment.created', { ...base, payees: [payee] }),
    event('payment.run_now', {
      ...base,
      payees: [
        { id: payee, amount: '1' },
        { id: other, amount: '1' },
      ],
    }),
    event('payment.settled', { erased: true }),
    event('transfer.posted', { new: { from: other, to: third, asset: 'USD/2', amount: '1', kind: 'transfer' } }),
    event('sign_in.accepted', {}),
  ];
  const show = await dataShower(tenant, events);
  expect(asked).toEqual([[payer, payee, other, third]]);
  const [, shownLater] = events;
  // Neither the event that set its texts nor the erased one.
  expect(payments).toEqual([[shownLater?.resourceId]]);
  expect(events.map(show)).toMatchObject([
    { payer: { ref: `ref of ${payer}` }, payees: [{ ref: `ref of ${payee}`, amount: '2' }] },
    { payees: [{ amount: '1' }, { ref: `ref of ${other}` }], reference: `reference of ${shownLater?.resourceId}` },
    { erased: true },
    { new: { from_ref: `ref of ${other}`, to_ref: `ref of ${third}` } },
    {},
  ]);
  await dataShower(tenant, events.slice(4));
  expect([asked.length, payments.length]).toEqual([1, 1]);
});
