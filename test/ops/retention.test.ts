import { describe, expect, test } from 'vitest';
import { useUsance } from '../support/database.ts';
import { open, troubles } from '../support/books.ts';

describe('what is past its time', () => {
  const store = useUsance({ retention: { idempotencyKeysMs: 7 * 86_400_000 } });
  const retain = async (): Promise<unknown> =>
    (await store.usance.loops.find((loop) => loop.name === 'retention')?.runOnce())?.counts;
  const age = (table: string, column: string, interval: string, where = 'true'): Promise<unknown> =>
    store.owner.query(`update usance.${table} set ${column} = ${column} - interval '${interval}' where ${where}`);
  const deposit = (idempotencyKey: string) =>
    store.tenant.deposit({ account: 'ann', asset: 'USD', amount: 10, idempotencyKey });

  test('goes: an idempotency key remembers for its time, and is a new one afterwards', async () => {
    await open(store.tenant, { ann: 0 });
    const [first, kept] = [await deposit('old'), await deposit('younger')];
    await age('idempotency_keys', 'created_at', '8 days', `key = 'old'`);
    await age('idempotency_keys', 'created_at', '6 days', `key = 'younger'`);
    expect(await retain()).toMatchObject({ keys: 1, spend: 0 });
    expect(await deposit('younger')).toEqual({ ...kept, replayed: true });
    const again = await deposit('old');
    expect(again.replayed).toBe(false);
    expect(again.transfer).not.toBe(first.transfer);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('goes: what was spent three days ago and more, but not by a test clock that may stand anywhere', async () => {
    const spend = (hoursAgo: number): string =>
      `insert into usance.spend_buckets (tenant_id, account_id, asset, hour, amount)
       select tenant_id, id, 'USD/2', date_trunc('hour', now()) - interval '${hoursAgo} hours', 5 from usance.accounts where ref = 'ann'`;
    for (const hoursAgo of [1, 23, 100]) await store.owner.query(spend(hoursAgo));
    expect(await retain()).toMatchObject({ keys: 0, spend: 1 });
    const [left] = await store.owner.query('select count(*)::int as n from usance.spend_buckets');
    expect(left).toEqual({ n: 2 });
  });

  test('goes: what the loops did three months ago', async () => {
    const run = (daysAgo: number): string =>
      `insert into usance.cron_runs (id, job_name, status, processed_count, counts, started_at, seen_at, finished_at)
       values (usance.first_id_at(now() - interval '${daysAgo} days'), 'processor', 'SUCCESS', 1, '{}', now(), now(), now())`;
    for (const daysAgo of [1, 89, 91, 400]) await store.owner.query(run(daysAgo));
    expect(await retain()).toMatchObject({ runs: 2 });
    expect(await store.tenant.cronRuns()).toHaveLength(2);
  });

  test('goes once, whoever deletes it, and nobody waits for a row that is held', async () => {
    for (let n = 0; n < 10; n += 1) await deposit(`bulk-${n}`);
    await age('idempotency_keys', 'created_at', '8 days', `key like 'bulk-%'`);
    await store.owner.transaction(async (tx) => {
      await tx.query(`select from usance.idempotency_keys where key = 'bulk-3' for update`);
      const counts = (await Promise.all(Array.from({ length: 5 }, retain))) as { keys: number }[];
      expect(counts.reduce((sum, { keys }) => sum + keys, 0)).toBe(9);
    });
    expect(await retain()).toMatchObject({ keys: 1, spend: 0 });
  });
});
