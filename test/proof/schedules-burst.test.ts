// 100,000 schedules due in one instant, made in batches: what the scheduler has in memory does not grow with their number.
import { expect, test } from 'vitest';
import { burst } from '../schedules/burst.ts';
import { troubles } from '../support/books.ts';
import { useUsance } from '../support/database.ts';
import { banner } from './banner.ts';

const SCHEDULES = 100_000;
const BATCH = 1_000;
/** A batch comes and goes; a row of 100 bytes kept of each schedule would be ten. */
const MOST_GROWTH_MB = 5;

const store = useUsance();

test(`${SCHEDULES} schedules that are due in one instant are made in batches with flat memory`, async () => {
  const { made, batches, heapMb, rssMb } = await burst(store, { schedules: SCHEDULES, batchSize: BATCH });
  banner('schedules due in one instant', {
    schedules: SCHEDULES,
    batches,
    'heap MB after each tenth': heapMb.join(' '),
    'resident MB before': rssMb.before,
    'at most': rssMb.peak,
  });
  expect(made).toBe(SCHEDULES);
  expect(heapMb).toHaveLength(10);
  // The first tenths also fill what is kept on purpose: the rules that were read.
  expect((heapMb[9] ?? 0) - (heapMb[2] ?? 0)).toBeLessThan(MOST_GROWTH_MB);
  const [row] = await store.owner.query(
    `select count(*)::int as made, count(distinct (schedule_id, slot))::int as slots from usance.occurrences`,
  );
  expect(row).toEqual({ made: SCHEDULES, slots: SCHEDULES });
  expect(await troubles(store.usance)).toEqual([]);
});
