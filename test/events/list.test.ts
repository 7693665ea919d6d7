// Events in order: whatever is asked for is found, and no question looks through more than a stretch of them.
import { expect, test } from 'vitest';
import { newId } from '../../src/kernel/index.ts';
import { appendEvents, findEvents, pageOfEvents, orderEvents } from '../../src/events/index.ts';
import { useUsance } from '../support/database.ts';
import { unchecked } from '../support/event-check.ts';

// Data of its own: how events are stored is tested here, not what they say.
unchecked();

const store = useUsance();

test('a list has every matching event once and in order, however short the scans and the pages are', async () => {
  const one = newId();
  const facts = Array.from({ length: 14 }, (_, n) => ({
    tenantId: store.tenant.id,
    actor: 'test',
    type: n % 4 === 0 ? ('plan.created' as const) : ('plan.updated' as const),
    resource: n % 5 === 0 ? 'tom' : 'plan',
    resourceId: n % 3 === 0 ? one : newId(),
    data: { n },
    occurredAt: new Date(),
  }));
  await store.db.transaction((tx) => appendEvents(tx, facts));
  while (((await orderEvents(store.db))?.events ?? 0) > 0);
  const all = await findEvents(store.db, store.tenant.id);
  expect(all.length).toBeGreaterThan(facts.length);

  const filters = [
    {},
    { type: 'plan.*' },
    { type: '*.created' },
    { resource: 'tom' },
    { type: 'dog.*' },
    { resourceId: one },
  ];
  for (const filter of [
    ...filters,
    { type: 'plan.updated', resource: 'tom' },
    { type: '*.created', resourceId: one },
  ]) {
    const expected = all.filter(
      ({ type, resource, resourceId }) =>
        new RegExp(`^${(filter.type ?? '*').replace('.', '\\.').replace('*', '.*')}$`).test(type) &&
        (filter.resource ?? resource) === resource &&
        (filter.resourceId ?? resourceId) === resourceId,
    );
    const walked: unknown[] = [];
    let after: bigint | undefined = 0n;
    do {
      const page = await pageOfEvents(store.db, store.tenant.id, filter, { after, limit: 2 }, 3);
      expect(page.events.length).toBeLessThanOrEqual(2);
      walked.push(...page.events);
      after = page.next?.seq;
    } while (after !== undefined);
    expect(walked, JSON.stringify(filter)).toEqual(expected);
    expect(await findEvents(store.db, store.tenant.id, filter, { limit: 100 }, 3)).toEqual(expected);
  }
});
