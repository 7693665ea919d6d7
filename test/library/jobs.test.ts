// Jobs in the library: methods beside the operations of the contract.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantHandle, Usance } from '../../src/index.ts';
import { createUsance } from '../../src/index.ts';
import { TEST_KEY, useUsance } from '../support/database.ts';
import { PROCESSOR, announce, freshName } from '../support/jobs.ts';
import { refusalOf } from '../support/refusal.ts';

const store = useUsance();
const state: { usance?: Usance; shop?: TenantHandle } = {};
const shop = (): TenantHandle => state.shop ?? expect.fail('the shop exists inside tests only');

beforeAll(async () => {
  await announce(store.owner);
  await announce(store.owner, 'export-ledger');
  state.usance = await createUsance({ databaseUrl: store.runtimeUrl, encryption: { key: TEST_KEY }, migrate: false });
  state.shop = await state.usance.tenant('shop');
});
afterAll(() => state.usance?.close());

test('jobs.ensure creates a job once, and returns it with the terms that were changed since', async () => {
  const terms = { name: freshName(), eventPattern: 'payment.*', processorName: PROCESSOR, timeoutMs: 1_000 };
  const dry = await shop().jobs.ensure(terms, { dryRun: true });
  expect(dry).toMatchObject({ dryRun: true, result: { name: terms.name }, events: ['job.created'] });
  const made = await shop().jobs.ensure(terms);
  const changed = await shop().jobs.update(made.id, { timeoutMs: 2_000, enabled: false });
  expect(await shop().jobs.ensure({ ...terms, maxConcurrency: 3 })).toEqual(changed);
  expect(await shop().jobs.ensure(terms, { dryRun: true })).toMatchObject({ result: { id: made.id }, events: [] });
});

test('jobs.ensure refuses a name whose job has another pattern or processor', async () => {
  const terms = { name: freshName(), eventPattern: 'payment.*', processorName: PROCESSOR };
  await shop().jobs.ensure(terms);
  for (const change of [{ eventPattern: '*' }, { processorName: 'export-ledger' }])
    expect(await refusalOf(shop().jobs.ensure({ ...terms, ...change }))).toBe('JOB_NAME_TAKEN');
});
