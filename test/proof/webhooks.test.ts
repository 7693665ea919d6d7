// Twenty thousand deliveries by four workers, one of which is killed every three to six seconds, to a receiver that answers in every way.
import { expect, test } from 'vitest';
import { useUsance } from '../support/database.ts';
import { deliverInChaos } from '../webhooks/chaos/chaos.ts';
import { ENDPOINTS } from '../webhooks/chaos/sink.ts';
import { SEED, banner } from './banner.ts';

const DELIVERIES = Number(process.env['PROOF_DELIVERIES'] ?? 20_000);
const quick = ENDPOINTS.filter(([, , isSlow]) => !isSlow).length;

const setup = useUsance({ poolSize: 20, outbound: { loopback: true } });

test('workers that are killed deliver every event to each endpoint that answers 2xx in the end', async () => {
  const report = await deliverInChaos(setup, {
    events: Math.ceil(DELIVERIES / quick),
    slowEvents: 40,
    workers: 4,
    concurrency: 100,
    killEveryMs: 3_000,
    kills: Infinity,
    // Beyond the time limit of a delivery.
    hangMs: 12_000,
    seed: SEED,
    limitMs: 45 * 60_000,
  });
  banner('webhooks in chaos', { seed: SEED, ...report, seconds: report.seconds.toFixed(0) });
  expect(report.deliveries).toBeGreaterThanOrEqual(DELIVERIES);
  expect(report.kills).toBeGreaterThan(3);
  // A worker without a delivery needs about 90 MB.
  expect(report.mostMemoryMb).toBeLessThan(400);
});
