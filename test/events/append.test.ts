import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/events/index.ts';
import { appendEvents, listEventsOf } from '../../src/events/index.ts';
import { newId } from '../../src/kernel/index.ts';
import { useUsance } from '../support/database.ts';
import { unchecked } from '../support/event-check.ts';

// Data of its own: how events are stored is tested here, not what they say.
unchecked();

describe('an event', () => {
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
  const inbox = async (): Promise<number> =>
    Number(
      (await store.owner.query('select coalesce(sum(c), 0) as n from usance.event_inbox, unnest(counts) c'))[0]?.['n'],
    );

  test('is stored as it was appended, in the order of the call', async () => {
    const resourceId = newId();
    const data = { old: { amount: 9007199254740993n }, new: { note: 'ü "quoted" \\ 💶' } };
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await store.db.transaction((tx) =>
      appendEvents(tx, [
        fact({ resourceId, type: 'plan.created', data, traceContext: trace, actor: 'jo' }),
        fact({ resourceId, type: 'plan.updated' }),
      ]),
    );
    const events = await listEventsOf(store.db, store.tenant.id, resourceId);
    expect(events).toMatchObject([
      {
        type: 'plan.created',
        actor: 'jo',
        traceContext: trace,
        data: { old: { amount: '9007199254740993' }, new: { note: 'ü "quoted" \\ 💶' } },
        occurredAt: new Date('2026-03-01T12:00:00.123Z'),
      },
      { type: 'plan.updated', traceContext: null },
    ]);
    expect(
      (await listEventsOf(store.db, store.tenant.id, resourceId, { limit: 1 })).map((event) => event.type),
    ).toEqual(['plan.created']);
  });

  test('waits in the inbox to be ordered', async () => {
    const before = await inbox();
    await store.db.transaction((tx) => appendEvents(tx, [fact(), fact(), fact()]));
    expect(await inbox()).toBe(before + 3);
    await store.db.transaction((tx) => appendEvents(tx, []));
    expect(await inbox()).toBe(before + 3);
  });

  test('is gone with the transaction that appended it', async () => {
    const resourceId = newId();
    const before = await inbox();
    const failing = store.db.transaction(async (tx) => {
      await appendEvents(tx, [fact({ resourceId })]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await listEventsOf(store.db, store.tenant.id, resourceId)).toEqual([]);
    expect(await inbox()).toBe(before);
  });

  test('of one tenant is not seen by another', async () => {
    const other = await store.usance.createTenant({ name: 'other' });
    const resourceId = newId();
    await store.db.transaction((tx) => appendEvents(tx, [fact({ resourceId })]));
    expect(await listEventsOf(store.db, other.id, resourceId)).toEqual([]);
  });

  test('of an unknown tenant cannot be appended', async () => {
    const telling = store.db.transaction((tx) => appendEvents(tx, [fact({ tenantId: newId() })]));
    await expect(telling).rejects.toMatchObject({ code: '23503' });
  });
});
