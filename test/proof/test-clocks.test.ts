// Test clocks in their stated size: a year of daily payments, retries and expiries, and advancers that are killed on the way.
import { expect, test } from 'vitest';
import { useFolder } from '../cli/cli.ts';
import { killAdvancers } from '../faults/kill-advancers.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { DAY } from '../support/processor.ts';
import { advance, after, fillYear, normalised, testTenant } from '../support/test-clock.ts';
import { banner } from './banner.ts';

const store = useUsance({ bounds: { maxHoldDelayMs: 400 * DAY } });
const folder = useFolder();

test('a year of daily payments passes, twice the same', async () => {
  const stories: string[][] = [];
  for (const run of [1, 2]) {
    const of = await testTenant(store.usance);
    const times = await fillYear(of, 1);
    const startedMs = performance.now();
    const { happened, advance: done } = await advance(store.usance, of, after(365 * DAY));
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    banner('a year on a test clock', { run, seconds, steps: done?.steps ?? 0, events: happened?.count ?? 0 });
    expect(happened?.byType).toMatchObject({ 'payment.settled': times, 'payment.expired': times });
    stories.push(await normalised(of.tenant));
  }
  expect(stories[1]).toEqual(stories[0]);
  expect(await troubles(store.usance)).toEqual([]);
});

test(
  'ten kills of the advancer lose and double nothing, and each lease runs out by itself',
  { timeout: 300_000 },
  async () => {
    const report = await killAdvancers(store, folder, { kills: 10, payments: 1_000, waits: true });
    banner('advancers killed', report);
    expect(report.kills).toBeGreaterThanOrEqual(5);
    expect(await troubles(store.usance)).toEqual([]);
  },
);
