// The small size of test/proof/webhooks.test.ts.
import { expect, test } from 'vitest';
import { useUsance } from '../../support/database.ts';
import { deliverInChaos } from './chaos.ts';

const setup = useUsance({ outbound: { loopback: true } });

test('workers that are killed deliver every event to each endpoint that answers 2xx in the end', async () => {
  const report = await deliverInChaos(setup, {
    events: 25,
    slowEvents: 3,
    workers: 2,
    concurrency: 20,
    killEveryMs: 300,
    kills: 3,
    hangMs: 200,
    seed: 17,
    limitMs: 60_000,
  });
  expect(report.kills).toBeGreaterThan(0);
});
