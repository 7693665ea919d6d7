// The faults of test/faults in their stated sizes: a crash both ways at every statement of every verb, twenty kills of
// each kind, a minute of standing still, thousands of payments.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BOUNDARIES } from '../faults/boundaries.ts';
import type { ChaosSize } from '../faults/chaos.ts';
import { cutWires, killProcessors, killServer, skewClocks, stopProcessor } from '../faults/chaos.ts';
import { FULL, crashSuite } from '../faults/crash-suite.ts';
import { CLOCK_SCENARIOS } from '../faults/clock-scenarios.ts';
import { JOB_SCENARIOS } from '../faults/job-scenarios.ts';
import type { Shop } from '../faults/durable.ts';
import { openShop } from '../faults/durable.ts';
import { LEDGER_SCENARIOS } from '../faults/ledger-scenarios.ts';
import type { Reckoning } from '../faults/load.ts';
import { OPERATING_SCENARIOS } from '../faults/operating-scenarios.ts';
import { PAYMENT_SCENARIOS } from '../faults/payment-scenarios.ts';
import { ALLOWANCE_SCENARIOS } from '../faults/allowance-scenarios.ts';
import { SCHEDULE_SCENARIOS } from '../faults/schedule-scenarios.ts';
import { SETTLE_SCENARIOS } from '../faults/settle-scenarios.ts';
import { SUBSCRIPTION_SCENARIOS } from '../faults/subscription-scenarios.ts';
import { SEED, banner } from './banner.ts';

describe('under load', () => {
  const state: { shop?: Shop } = {};
  beforeEach(async () => {
    state.shop = await openShop(200);
  });
  afterEach(() => state.shop?.close());

  const survive = async (
    what: string,
    size: ChaosSize,
    run: (shop: Shop, size: ChaosSize) => Promise<Reckoning>,
  ): Promise<Reckoning> => {
    if (!state.shop) throw new Error('the shop exists inside tests only');
    const reckoning = await run(state.shop, size);
    banner(what, { ...size, ...reckoning, wrong: reckoning.wrong.length });
    expect(reckoning).toMatchObject({ wrong: [] });
    return reckoning;
  };

  test.each([2, 5])('twenty kills of %i processors lose and double no payment', async (processors) => {
    const reckoning = await survive(
      'processors killed',
      { seed: SEED, times: 20, every: 250, processors },
      killProcessors,
    );
    expect(reckoning.acknowledged).toBeGreaterThanOrEqual(5_000);
  });

  // Ten and ten: a server that dies more often within ten minutes is given up on, and needs a person.
  test.each([1, 2])('ten kills of the server lose and double no payment, time %i of two', async (time) => {
    const reckoning = await survive(
      'server killed',
      { seed: SEED + time, times: 10, every: 250, processors: 2 },
      killServer,
    );
    expect(reckoning.unknown).toBeGreaterThan(0);
  });

  test('forty wires cut at COMMIT pay once', async () => {
    const reckoning = await survive('wires cut', { seed: SEED, times: 20, every: 100, processors: 2 }, cutWires);
    expect(reckoning.unknown).toBeGreaterThan(0);
  });

  test('a processor that stands still for a minute holds up nothing for long, and pays nothing again', async () => {
    const reckoning = await survive('stopped', { seed: SEED, times: 1, every: 250, processors: 2 }, (shop, size) =>
      stopProcessor(shop, { ...size, forMs: 60_000 }),
    );
    expect(reckoning).toMatchObject({ dueMeanwhile: 0 });
  });

  test('five processors whose clocks are wrong and jump pay nothing early and everything once', async () => {
    await survive('clocks skewed', { seed: SEED, times: 20, every: 250, processors: 5 }, skewClocks);
  });
});

describe('at every statement', () => {
  const statements = Object.values(BOUNDARIES).reduce((sum, count) => sum + count, 0);
  banner('crash at every statement', { scenarios: Object.keys(BOUNDARIES).length, statements, ways: 2 });
  crashSuite(
    {
      ...CLOCK_SCENARIOS,
      ...JOB_SCENARIOS,
      ...LEDGER_SCENARIOS,
      ...OPERATING_SCENARIOS,
      ...PAYMENT_SCENARIOS,
      ...SCHEDULE_SCENARIOS,
      ...ALLOWANCE_SCENARIOS,
      ...SETTLE_SCENARIOS,
      ...SUBSCRIPTION_SCENARIOS,
    },
    FULL,
  );
});
