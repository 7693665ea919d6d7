// The catalogue of events: every type has a schema, a version and an example, and what is stored of a payment becomes what they say.
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { exampleOfEvent } from '../../src/contract/index.ts';
import { shownComplete } from '../../src/contract/event-data.ts';
import type { EventType, Fact, PaymentTexts } from '../../src/events/index.ts';
import {
  APPEND_WATCH,
  EVENT_CATALOGUE,
  EVENT_TYPES,
  appendEvents,
  eventVersion,
  paymentData,
  paymentsShownIn,
  textsData,
} from '../../src/events/index.ts';
import { newId, toJson, toTypeId } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { misfitOf, takeMisfits } from '../support/event-check.ts';

const TYPES = Object.keys(EVENT_CATALOGUE) as EventType[];

describe('the catalogue', () => {
  test.each(TYPES)('%s has a sentence, a version, and an example that fits its schema', (type) => {
    expect(EVENT_TYPES[type]).toMatch(/^[A-Z].*\.$/);
    expect(eventVersion(type)).toBeGreaterThanOrEqual(1);
    const validator = Compile(EVENT_CATALOGUE[type].data);
    const example = exampleOfEvent(type);
    expect([...validator.Errors(example)], JSON.stringify(example)).toEqual([]);
  });

  test.each(TYPES)('%s describes every field', (type) => {
    const undescribed = (schema: unknown, path: string): string[] => {
      if (typeof schema !== 'object' || schema === null) return [];
      const { properties = {}, items, anyOf = [] } = schema as Record<string, unknown>;
      const fields = Object.entries(properties as Record<string, { description?: string }>).flatMap(([name, field]) => [
        ...(field.description === undefined ? [`${path}${name}`] : []),
        ...undescribed(field, `${path}${name}.`),
      ]);
      return [...fields, ...undescribed(items, path), ...(anyOf as unknown[]).flatMap((one) => undescribed(one, path))];
    };
    expect(undescribed(EVENT_CATALOGUE[type].data, '')).toEqual([]);
  });

  test('an unknown type, of another release, has version 1', () => {
    expect(eventVersion('payout.sent')).toBe(1);
    expect(eventVersion('toString')).toBe(1);
  });
});

const payment = (more: Partial<Parameters<typeof paymentData>[0]> = {}): Parameters<typeof paymentData>[0] => ({
  status: 'scheduled',
  amount: 1_000n,
  captured: 0n,
  released: 0n,
  asset: 'USD/2',
  payerId: newId(),
  legs: [{ accountId: newId(), amount: 1_000n }],
  executeAt: new Date('2026-03-01T12:00:00.123Z'),
  attempts: 0,
  owner: null,
  rail: 'ledger',
  ...more,
});

const shownOf = (
  type: EventType,
  id: string,
  data: Fact['data'],
  refs = new Map<string, string>(),
  texts?: PaymentTexts,
): unknown =>
  shownComplete({ type, version: 1, resourceId: id, data: JSON.parse(toJson(data)) as Fact['data'] }, refs, texts);

const NO_TEXTS = { reference: null, metadata: null };

describe('the data of a payment', () => {
  test('is stored without usual values, and shown with them', () => {
    const id = newId();
    const plain = payment();
    const [leg] = plain.legs;
    const stored = JSON.parse(toJson(paymentData(plain, {}))) as object;
    expect(stored).toEqual({
      status: 'scheduled',
      amount: '1000',
      asset: 'USD/2',
      payer: plain.payerId,
      payees: [leg?.accountId],
      executeAt: '2026-03-01T12:00:00.123Z',
    });
    const refs = new Map([[plain.payerId, 'alice']]);
    expect(shownOf('payment.created', id, paymentData(plain, {}), refs)).toEqual({
      id: toTypeId('payment', id),
      status: 'scheduled',
      amount: '1000',
      captured: '0',
      released: '0',
      asset: 'USD/2',
      payer: { id: toTypeId('account', plain.payerId), ref: 'alice' },
      payees: [{ id: toTypeId('account', leg?.accountId ?? ''), ref: null, amount: '1000' }],
      reference: null,
      metadata: null,
      execute_at: '2026-03-01T12:00:00.123Z',
      attempt: 0,
      owner: null,
      rail: 'ledger',
      new: { status: 'scheduled', amount: '1000', asset: 'USD/2', execute_at: '2026-03-01T12:00:00.123Z' },
    });
  });

  test('has every field of a payment that has them all', () => {
    const owner = { kind: 'subscription', id: newId() };
    const metadata = { orderId: newId(), nested: { camelCase: [null, 1.5] } };
    const legs = [1, 2, 3].map((n) => ({ accountId: newId(), amount: BigInt(n) }));
    const own = { captured: 4n, released: 2n, attempts: 3, owner, legs, amount: 6n };
    const data = paymentData(payment({ ...own, status: 'settled' }), { old: { status: 'scheduled' } });
    const shown = shownOf('payment.settled', newId(), data, new Map(), { reference: 'r', metadata });
    expect(shown).toMatchObject({
      captured: '4',
      released: '2',
      reference: 'r',
      // To the letter: names and values of metadata are the caller's, also where they look like ours.
      metadata,
      attempt: 3,
      owner: { kind: 'subscription', id: toTypeId('subscription', owner.id) },
      payees: legs.map(({ accountId, amount }) => ({
        id: toTypeId('account', accountId),
        ref: null,
        amount: `${amount}`,
      })),
      old: { status: 'scheduled' },
      new: { status: 'settled' },
    });
    expect(misfitOf({ type: 'payment.settled', resourceId: newId(), data })).toBeNull();
  });

  test('has the texts that the event set, and otherwise those that the payment has when it is shown', () => {
    const now = { reference: 'r', metadata: { now: true } };
    const given = textsData({ reference: 'r', metadata: { given: true } });
    const shown = (type: EventType, data: Fact['data'], texts?: PaymentTexts): unknown =>
      shownOf(type, newId(), data, new Map(), texts);
    expect(shown('payment.created', paymentData(payment(), given), now)).toMatchObject(given);
    const edited = paymentData(payment(), { changed: ['metadata'], metadata: { given: true } });
    expect(shown('payment.updated', edited, now)).toMatchObject({ reference: 'r', metadata: { given: true } });
    expect(shown('payment.settled', paymentData(payment(), {}), now)).toMatchObject(now);
    expect(shown('payment.settled', paymentData(payment(), {}))).toMatchObject({ reference: null, metadata: null });
    // A payment that was created without texts and has some now.
    const plain = {
      type: 'payment.created',
      version: 1,
      resourceId: newId(),
      data: paymentData(payment(), textsData(NO_TEXTS)),
    };
    expect(paymentsShownIn([plain])).toEqual([]);
    expect(shown('payment.created', plain.data)).toMatchObject(NO_TEXTS);
  });

  test('a test that stores the texts of a payment in an event that did not set them fails', () => {
    const misfit = (type: EventType, more: Fact['data']): string | null =>
      misfitOf({ type, resourceId: newId(), data: paymentData(payment(), more) });
    const termsOld = { amount: '1', executeAt: '2026-03-01T12:00:00.123Z', expiresAt: null, termsVersion: 1 };
    const edit = { old: termsOld, new: termsOld };
    expect(misfit('payment.created', { reference: 'r', metadata: {} })).toBeNull();
    expect(misfit('payment.updated', { ...edit, changed: ['metadata'], metadata: {} })).toBeNull();
    expect(misfit('payment.updated', { ...edit, metadata: {} })).toMatch(/stores metadata/);
    expect(misfit('payment.run_now', { dueAt: '2026-03-01T12:00:00.123Z', reference: 'r' })).toMatch(
      /stores reference/,
    );
  });

  test('takes less than 300 bytes for the settlement of a plain payment', () => {
    const settled = payment({ status: 'settled', captured: 1_000n, attempts: 1 });
    const data = paymentData(settled, { old: { status: 'scheduled' }, durationMs: 12, latenessMs: 345 });
    expect(toJson(data).length).toBeLessThan(300);
  });
});

describe('an event that a test appends', () => {
  const store = useUsance();
  const about = { resource: 'pause', actor: 'test', occurredAt: new Date() };

  test('is held against its schema', async () => {
    const fact = { ...about, tenantId: store.tenant.id, resourceId: newId(), type: 'pause.lifted' as const };
    await store.db.transaction((tx) => appendEvents(tx, [{ ...fact, data: { scope: 'asset', value: 'USD/2' } }]));
    expect(takeMisfits()).toEqual([]);
    await store.db.transaction((tx) => appendEvents(tx, [{ ...fact, data: { scope: 'planet', extra: 1 } }]));
    const [misfit, ...others] = takeMisfits();
    expect(others).toEqual([]);
    expect(misfit).toMatch(/^the event pause\.lifted does not fit its schema in src\/events\/schemas: /);
    for (const word of ['/scope', '/extra', 'value', '"planet"']) expect(misfit).toContain(word);
  });

  test('is watched in every test file of the process', () => {
    expect(APPEND_WATCH.onAppend).not.toBeNull();
  });
});
