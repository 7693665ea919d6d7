// The cap on executions a second over HTTP, and the default that the deployment gives.
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/engine.ts';
import { held, key, open } from '../support/books.ts';
import { refusalOf } from '../support/refusal.ts';
import { useApi } from './api.ts';
import { problemIn } from './problem.ts';

const HUGE = 1_000_000;

describe('the cap on executions', () => {
  const store = useApi({ usance: { executionsPerSecond: 2 } });
  const set = (per_second: unknown) => store.send('PATCH /execution-cap', { body: { per_second } });

  test('is the default of the deployment until the tenant has its own', async () => {
    const byDefault = { per_second: null, default_per_second: 2, applies_per_second: 2 };
    expect((await store.send('GET /execution-cap')).body).toEqual(byDefault);
    const own = { per_second: 50, default_per_second: 2, applies_per_second: 50 };
    expect((await set(50)).body).toEqual(own);
    expect((await store.send('GET /overview')).get('execution_cap')).toEqual(own);
    expect((await set(null)).body).toEqual(byDefault);
  });

  test('is an event and an audited act, with the value before', async () => {
    await store.run('sequencer');
    const audit = (await store.send('GET /audit-events?action=EXECUTION_CAP_SET')).list('data');
    expect(audit).toMatchObject([
      { details: { old: { executions_per_second: 50 }, new: { executions_per_second: null } } },
      { details: { old: { executions_per_second: null }, new: { executions_per_second: 50 } } },
    ]);
    expect((await store.send('GET /events?type=execution_cap.set')).list('data')).toHaveLength(2);
  });

  test('is a whole number from 1 to a million, or null', async () => {
    for (const wrong of [0, -1, 1.5, HUGE + 1, '50'])
      expect(problemIn(await set(wrong)), String(wrong)).toMatchObject({ code: 'FIELD_INVALID', param: 'per_second' });
    expect(await refusalOf(createEngine({ executionsPerSecond: 0 }))).toBe('FIELD_INVALID');
  });

  test('holds the processor back by the default, and the tenant’s own lifts it', async () => {
    await open(store.tenant, { ann: 1_000, ben: 0 });
    const order = { from: 'ann', to: 'ben', asset: 'USD', amount: 1 };
    await store.tenant.createPayments(
      Array.from({ length: 40 }, () => order),
      { idempotencyKey: key() },
    );
    const { claimed = 0 } = await store.run('processor');
    // Two of this second, and two more where the next one began meanwhile.
    expect(claimed).toBeGreaterThan(0);
    expect(claimed).toBeLessThanOrEqual(4);
    await set(HUGE);
    // A processor hears of a change with its next sweep.
    while ((await store.tenant.overview()).due > 0) await store.run('processor');
    expect(await held(store.tenant, 'ben')).toEqual([40n, 0n]);
  });
});
