// Five thousand payouts by four worker processes, each of which kills itself with SIGKILL before a random step, over a simulated chain that lies,
// drops, falls silent and replaces blocks. Afterwards the chain itself is read.
import { expect, test } from 'vitest';
import { runProcessChaos } from '../payouts/chaos-processes.ts';
import { usePayouts } from '../payouts/world.ts';
import { SEED, banner } from './banner.ts';

const PAYOUTS = Number(process.env['PROOF_PAYOUTS'] ?? 5_000);

const store = usePayouts({ poolSize: 10 });

test('payouts survive chaos and SIGKILL: none is paid twice, and the chain agrees with the books', async () => {
  const report = await runProcessChaos(store, {
    payouts: PAYOUTS,
    seed: SEED,
    workers: 4,
    stepsToLive: 2_000,
    limitMs: 50 * 60_000,
  });
  const { killed, overslept, statuses, seconds, threw } = report;
  const kinds = new Set(threw).size;
  banner('payouts in chaos', {
    seed: SEED,
    payouts: PAYOUTS,
    killed,
    overslept,
    ...statuses,
    errors: threw.length,
    'kinds of errors': kinds,
    seconds: seconds.toFixed(0),
  });
  expect(killed).toBeGreaterThan(PAYOUTS / 250);
  expect(report).toMatchObject({ twice: 0, wrongEnd: 0, unheld: 0n, differences: [0n, 0n], fell: 0, troubles: [] });
  expect(threw).toEqual([]);
  expect(statuses['settled']).toBeGreaterThanOrEqual(PAYOUTS * 0.98);
  expect(statuses['review'] ?? 0).toBeLessThanOrEqual(PAYOUTS * 0.01);
});
