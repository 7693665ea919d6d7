// What it costs to order everything that waited while no process ordered.
import { expect, test } from 'vitest';
import { createSequencer } from '../../src/events/index.ts';
import { useUsance } from '../support/database.ts';
import { orderAll } from '../support/order.ts';

const store = useUsance();

test('a backlog costs what waits, and not the square of it', async () => {
  await orderAll(store.db);
  const [calls, atOnce] = [5_000, 50];
  // One session, so that what it reads is counted when it is asked for.
  const pool = store.pool({ maxConnections: 1 });
  const tuplesRead = async (): Promise<number> => {
    await pool.query('select pg_stat_force_next_flush()');
    const [row] = await pool.query(
      `select seq_tup_read + (select sum(idx_tup_read) from pg_stat_all_indexes i where i.relid = t.relid) as read
       from pg_stat_all_tables t where relid = 'usance.event_inbox'::regclass`,
    );
    return Number(row?.['read']);
  };
  for (let n = 0; n < 10; n += 1)
    await pool.query(
      `insert into usance.event_inbox (tenant_ids, block_ids, counts, digests, recorded_at)
       select array[$1::uuid], array[usance.block_of(gen_random_uuid())], '{1}', decode(repeat('00', 32), 'hex'), now() from generate_series(1, $2::int)`,
      [store.tenant.id, calls / 10],
    );
  const waiting = await pool.query('select block_ids[1]::text as id from usance.event_inbox order by n');
  const before = await tuplesRead();
  const sequencer = createSequencer(pool, atOnce);
  while ((await sequencer.order())?.more);
  expect((await tuplesRead()) - before).toBeLessThanOrEqual(8 * calls);
  const ordered = await store.owner.query(
    'select block_id::text as id from usance.event_blocks order by first_position desc limit $1::int',
    [calls],
  );
  expect(ordered.toReversed()).toEqual(waiting);
});
