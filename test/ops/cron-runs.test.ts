// The record of ticks: who sees it, and what it tells of an error.
import { expect, test } from 'vitest';
import { Refusal } from '../../src/kernel/index.ts';
import { CronRuns } from '../../src/ops/index.ts';
import { useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';

const store = useUsance();

test('runs are of all tenants, and only the first tenant sees them', async () => {
  const runs = new CronRuns();
  runs.writeTo(store.db);
  runs.observer.ran?.('processor', { claimed: 3 }, 5, false);
  await runs.finish();
  expect(await store.tenant.cronRuns()).toHaveLength(1);
  const other = await store.usance.createTenant({ name: 'other' });
  expect(await refusalOf(other.cronRuns())).toBe('AUTH_FORBIDDEN');
});

test('a failed run tells a code and a sentence, never the text of an exception', async () => {
  const lost = Object.assign(new Error('terminating connection to 10.1.2.3 as app'), { code: '57P01' });
  const errors = [new Error('row (alice, s3cret) broke'), lost, new Refusal('PAUSED', 'ask s3cret'), 's3cret'];
  const runs = new CronRuns();
  runs.writeTo(store.db);
  for (const error of errors) {
    runs.observer.failed?.('scheduler', error);
    await runs.finish();
  }
  const told = (await store.tenant.cronRuns({ status: 'FAILED' })).map(({ errorMessage }) => errorMessage);
  expect(told.map((message) => message?.split(':')[0]).toReversed()).toEqual([
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
    'PAUSED',
    'INTERNAL_ERROR',
  ]);
  expect(told.join(' ')).not.toMatch(/s3cret|alice|10\.1\.2\.3/);
});
