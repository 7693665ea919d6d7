// The tables of the document on allowances, as views: every column it names, and a real row of every status.
import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/db/index.ts';
import { key } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { HOUR } from '../support/processor.ts';
import type { TestTenant } from '../support/test-clock.ts';
import { advance, testTenant } from '../support/test-clock.ts';

const COLUMNS = {
  allowance_schedules: [
    'guardian_id',
    'junior_id',
    'amount',
    'frequency',
    'status',
    'next_run_at',
    'last_run_at',
    'created_at',
    'updated_at',
  ],
  allowance_credits: ['schedule_id', 'transaction_id', 'amount', 'run_at', 'credited_at', 'status'],
} as const;
const TERMS = { asset: 'USD', amount: 500, frequency: 'DAILY', status: 'ON' } as const;

describe('the tables of the allowances design', () => {
  // So that the fifth attempt is at the next midnight.
  const store = useUsance({ allowances: { retryDelayMs: 6 * HOUR } });
  const docs = (text: string): Promise<Row[]> =>
    store.db.transaction(async (tx) => {
      await tx.query('set local search_path = usance_docs_test');
      return tx.query(text);
    });
  const state: { world?: TestTenant } = {};
  const ids: Record<string, string> = {};

  test('are filled by an ordinary day or two', async () => {
    const world = (state.world = await testTenant(store.usance, '2027-01-01T10:00:00Z'));
    const { tenant } = world;
    const deposit = (account: string, amount: number) =>
      tenant.deposit({ account, asset: 'USD', amount, idempotencyKey: key() });
    for (const name of ['paid', 'failed', 'stopped', 'closed']) {
      await tenant.openAccount({ ref: `${name}-parent` });
      await tenant.openAccount({ ref: `${name}-child`, guardian: `${name}-parent` });
      const people = { guardian: `${name}-parent`, junior: `${name}-child` };
      ids[name] = (await tenant.createAllowance({ ...people, ...TERMS })).id;
    }
    await deposit('paid-parent', 500);
    await tenant.closeAccount('closed-child', 'moved out');
    await advance(store.usance, world, '2027-01-02T00:05:00Z');
    await tenant.editAllowance('stopped-parent', 'stopped-child', { status: 'OFF' });
    await advance(store.usance, world, '2027-01-03T00:00:00Z');
    await tenant.deleteAllowance('closed-parent', 'closed-child');
    // Its next credit waited for the one before, and is passed over.
    await tenant.editAllowance('failed-parent', 'failed-child', { frequency: 'MONTHLY' });
  });

  test.each(Object.entries(COLUMNS))('%s has every column of the design', async (view, columns) => {
    const rows = await docs(`select ${columns.map((column) => `"${column}"`).join(', ')} from ${view}`);
    expect(rows.length).toBeGreaterThan(0);
  });

  test('allowance_schedules has those that are there, ON and OFF', async () => {
    const rows = await docs('select * from allowance_schedules order by id');
    const at = (date: string): string => `${date} 00:00:00+00`;
    expect(rows.map((row) => [row['id'], row['status'], row['next_run_at'], row['last_run_at']])).toEqual([
      [ids['paid'], 'ON', at('2027-01-04'), at('2027-01-02')],
      [ids['failed'], 'ON', at('2027-02-02'), null],
      [ids['stopped'], 'OFF', null, null],
    ]);
    const tenant = state.world?.tenant;
    expect(rows[0]).toMatchObject({
      guardian_id: (await tenant?.account('paid-parent'))?.id,
      junior_id: (await tenant?.account('paid-child'))?.id,
      frequency: 'DAILY',
      amount: '500',
    });
  });

  test('allowance_credits has a row of every status, and each date of an allowance once', async () => {
    const rows = await docs('select * from allowance_credits order by schedule_id, run_at');
    const named = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    const told = rows.map((row) => [
      named.get(String(row['schedule_id'])),
      String(row['run_at']).slice(0, 10),
      row['status'],
      row['attempts'],
    ]);
    expect(told).toEqual([
      ['paid', '2027-01-02', 'CREDITED', 1],
      ['paid', '2027-01-03', 'PENDING', 1],
      ['failed', '2027-01-02', 'FAILED', 5],
      ['failed', '2027-01-03', 'SKIPPED', 0],
      ['stopped', '2027-01-02', 'CANCELLED', 1],
      ['closed', '2027-01-02', 'FAILED', 0],
      ['closed', '2027-01-03', 'FAILED', 0],
    ]);
    for (const row of rows) {
      const isCredited = row['status'] === 'CREDITED';
      expect([row['credited_at'] !== null, row['transaction_id'] !== null, row['last_error'] === null]).toEqual([
        isCredited,
        isCredited,
        isCredited,
      ]);
    }
    const credited = rows.find((row) => row['status'] === 'CREDITED');
    const transfer = await state.world?.tenant.posted(String(credited?.['transaction_id']));
    expect(transfer?.amount).toBe(500n);
    const [twice] = await docs(
      'select schedule_id, run_at from allowance_credits group by schedule_id, run_at having count(*) > 1',
    );
    expect(twice).toBeUndefined();
  });
});
