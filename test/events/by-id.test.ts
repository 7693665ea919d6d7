// Events by id, as workers read them: of any tenants and blocks, in any order, the same as a list has them.
import { expect, test } from 'vitest';
import type { SequencedEvent } from '../../src/events/index.ts';
import { appendEvents, findEvents, orderEvents, readEvents } from '../../src/events/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { unchecked } from '../support/event-check.ts';

// Data of its own: how events are stored is tested here, not what they say.
unchecked();

const store = useUsance();

async function append(tenantId: string, count: number): Promise<void> {
  const facts = Array.from({ length: count }, (_, n) => ({
    tenantId,
    actor: 'test',
    type: 'plan.updated' as const,
    resource: 'plan',
    resourceId: newId(),
    data: { n },
    occurredAt: new Date(),
  }));
  await store.db.transaction((tx) => appendEvents(tx, facts));
}

test('events are read by id with their own seqs and hashes, whole blocks and parts of them', async () => {
  const other = await store.usance.createTenant({ name: 'other' });
  for (const [tenantId, count] of [
    [store.tenant.id, 9],
    [other.id, 3],
    [store.tenant.id, 1],
    [other.id, 300],
  ] as const) {
    await append(tenantId, count);
  }
  while (((await orderEvents(store.db))?.events ?? 0) > 0);
  const all = [
    ...(await findEvents(store.db, store.tenant.id, {}, { limit: 1_000 })),
    ...(await findEvents(store.db, other.id, {}, { limit: 1_000 })),
  ];
  const shuffled = all.toSorted((a, b) => (a.resourceId.slice(-6) < b.resourceId.slice(-6) ? -1 : 1));
  const subsets: SequencedEvent[][] = [
    [],
    all,
    shuffled,
    shuffled.filter((_, n) => n % 3 !== 0),
    shuffled.filter((_, n) => n % 7 === 0),
    all.slice(4, 5),
    all.filter((_, n) => n < 2 || n > 6),
  ];
  for (const wanted of subsets) {
    const found = await store.db.transaction((tx) => readEvents(tx, wanted));
    expect(found).toEqual(new Map(wanted.map((event) => [event.id, event])));
  }
  const gone = { tenantId: other.id, id: newId(), seq: 1n };
  const [first] = all as [SequencedEvent];
  expect([...(await store.db.transaction((tx) => readEvents(tx, [gone, first, first]))).keys()]).toEqual([first.id]);
});
