// Blocks: what one call appends of one tenant, in any size and with any text, is what `verify` reads.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyChains } from '../../src/audit/index.ts';
import type { Fact } from '../../src/events/index.ts';
import { MOST_IN_BLOCK, appendEvents, findEvents } from '../../src/events/index.ts';
import { blockOf, newBlockId, newId, ordinalOf } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { orderAll } from '../support/order.ts';
import { refusalOf } from '../support/refusal.ts';
import { unchecked } from '../support/event-check.ts';

// Data of its own: how events are stored is tested here, not what they say.
unchecked();

const store = useUsance();
const fact = (more: Partial<Fact> = {}): Fact => ({
  tenantId: store.tenant.id,
  type: 'plan.updated',
  resource: 'plan',
  resourceId: newId(),
  data: {},
  actor: 'system',
  occurredAt: new Date('2026-03-01T12:00:00.123Z'),
  ...more,
});
const append = (...facts: Fact[]): Promise<void> => store.db.transaction((tx) => appendEvents(tx, facts));
const broken = async (): Promise<unknown> => (await verifyChains(store.db)).flatMap(({ offenders }) => offenders);

describe('a block', () => {
  test('has the events of a call, and another call has another', async () => {
    await orderAll(store.db);
    const after = await store.tenant.lastEventSeq();
    const other = await store.usance.createTenant({ name: 'other' });
    await append(fact(), fact({ tenantId: other.id }), fact());
    await append(fact());
    await orderAll(store.db);
    const ids = (await findEvents(store.db, store.tenant.id, {}, { after })).map(({ id }) => id);
    expect(ids.map(ordinalOf)).toEqual([0, 1, 0]);
    expect(new Set(ids.map(blockOf)).size).toBe(2);
    expect(ids.toSorted()).toEqual(ids);
  });

  test('whose id was known beforehand has one event', async () => {
    const after = await store.tenant.lastEventSeq();
    const id = newBlockId();
    await append(fact(), fact({ id }), fact());
    await orderAll(store.db);
    const ids = (await findEvents(store.db, store.tenant.id, {}, { after })).map((event) => event.id);
    expect(ids[1]).toBe(id);
    expect(ids.map(ordinalOf)).toEqual([0, 0, 0]);
    await expect(append(fact({ id: newId() }))).rejects.toThrow('is not the id of a block');
  });

  test('ends at 8,192 events: a larger call makes several, in order', async () => {
    const after = await store.tenant.lastEventSeq();
    await append(...Array.from({ length: MOST_IN_BLOCK + 1 }, (_, n) => fact({ data: { n } })));
    await orderAll(store.db);
    const blocks = await store.owner.query(
      `select events, number from usance.event_blocks where tenant_id = $1::uuid and last_seq > $2::bigint order by last_seq`,
      [store.tenant.id, after],
    );
    expect(blocks.map(({ events }) => events)).toEqual([MOST_IN_BLOCK, 1]);
    const last = await findEvents(store.db, store.tenant.id, {}, { after: after + 8_190n, limit: 10 });
    expect(last.map(({ data, seq }) => [data['n'], Number(seq - after)])).toEqual([
      [8_190, 8_191],
      [8_191, 8_192],
      [8_192, 8_193],
    ]);
    expect(await broken()).toEqual([]);
  });
});

describe('what is appended', () => {
  test('verifies, whatever it says and wherever it came from', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.replaceAll('\0', '').toWellFormed());
    const data = fc.dictionary(
      text,
      fc.oneof(
        text,
        fc.bigInt(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(1e21, -0, 5e-324, null, true, '\\u0000', '\\', '"', '\u2028', '💶', {
          nested: [1, [2, { '': 'x' }]],
        }),
        fc.array(text, { maxLength: 3 }),
      ),
      { maxKeys: 5 },
    );
    const origin = fc.record({
      ip: fc.constantFrom(null, '192.0.2.1', '2001:DB8:0:0::1', '::ffff:10.0.0.1'),
      userAgent: fc.option(text, { nil: null }),
      requestId: fc.option(text, { nil: null }),
      traceContext: fc.option(text, { nil: null }),
      reason: fc.option(
        text.filter((value) => value !== ''),
        { nil: null },
      ),
      actor: text.map((value) => `x${value}`),
      occurredAt: fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    });
    const facts = fc
      .sample(fc.tuple(data, origin), { numRuns: 600, seed: 20_261_117 })
      .map(([told, from]) => fact({ ...from, data: told }));
    facts.push(fact({ data: { long: 'ü'.repeat(100_000) } }));
    for (let at = 0; at < facts.length; at += 37) await append(...facts.slice(at, at + 37));
    await append(fact({ data: { one: 1 } }));
    await orderAll(store.db);
    expect(await broken()).toEqual([]);
  });

  test.each([
    ['a NUL in a value', { note: 'a\0b' }],
    ['a NUL in a name', { 'a\0b': 1 }],
    ['half of a surrogate pair in a value', { note: '\ud83d' }],
    ['half of a surrogate pair in a name', { '\udcb6': 1 }],
  ])('is refused with %s', async (_, data) => {
    expect(await refusalOf(append(fact({ data })))).toBe('FIELD_INVALID');
  });
});
