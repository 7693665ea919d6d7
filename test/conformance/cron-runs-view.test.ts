// The document's record of all crons, as a view: every column it names, and a row of every status.
import { expect, test } from 'vitest';
import { TickRecorder } from '../../src/ops/index.ts';
import { useDatabase } from '../support/database.ts';

const store = useDatabase();

test('cron_runs has the ticks that did something and those that failed', async () => {
  const runs = new TickRecorder();
  runs.writeTo(store.db);
  for (const made of [3, 4]) runs.observer.ran?.('scheduler', { claimed: 5, made }, 20, false);
  await runs.finish();
  runs.observer.failed?.('scheduler', new Error('the database went away'));
  await runs.finish();
  runs.observer.started?.('scheduler', false);
  await expect.poll(async () => (await store.db.query('select from usance_docs.cron_runs')).length).toBe(3);
  const rows = await store.db.transaction(async (tx) => {
    await tx.query('set local search_path = usance_docs');
    return tx.query(
      `select job_name, status, processed_count, error_message, started_at <= finished_at as ordered,
         finished_at is null as is_open from cron_runs order by id`,
    );
  });
  const told = { job_name: 'scheduler', ordered: true, is_open: false };
  expect(rows).toEqual([
    { ...told, status: 'SUCCESS', processed_count: 7, error_message: null },
    {
      ...told,
      status: 'FAILED',
      processed_count: 0,
      error_message: 'INTERNAL_ERROR: Internal error',
    },
    { ...told, status: 'RUNNING', processed_count: 0, error_message: null, ordered: null, is_open: true },
  ]);
  await runs.finish();
});
