// Two first limits of one account at once: the audit log tells of each change once, from what it was to what it became.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { useUsance } from '../support/database.ts';
import { runRace, stopper } from '../support/race.ts';
import { refusalOf } from '../support/refusal.ts';

const store = useUsance();
const stop = stopper();
const state: { usance?: Engine } = {};
beforeAll(async () => {
  state.usance = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, onStatement: stop.onStatement });
});
afterAll(() => state.usance?.close());

test('each limit.set names the limit that it replaced', async () => {
  const tenant = (await state.usance?.tenant(store.tenant.id)) ?? expect.fail('not open');
  let count = 0;
  const orders = await runRace<string>(store.owner, stop, {
    arrange: async () => (await store.tenant.openAccount({ ref: `payer-${(count += 1)}` })).id,
    stopped: (account) => refusalOf(tenant.setLimit({ account, asset: 'USD', dailyAmount: 700 })),
    other: (account) => refusalOf(store.tenant.setLimit({ account, asset: 'USD', dailyAmount: 800 })),
    async judge(account) {
      const events = await store.owner.query(
        `select data->'old'->>'dailyAmount' as old, data->'new'->>'dailyAmount' as new from usance.events
         where type = 'limit.set' and resource_id = $1::uuid order by data->'old'->>'dailyAmount' nulls first`,
        [account],
      );
      const [first, second] = events;
      expect(events).toEqual([
        { old: null, new: expect.any(String) as unknown },
        { old: first?.['new'], new: second?.['new'] },
      ]);
    },
  });
  expect(orders).toBeGreaterThan(5);
});
