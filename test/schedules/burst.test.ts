// In small what `npm run proof` shows of 100,000 schedules.
import { expect, test } from 'vitest';
import { useUsance } from '../support/database.ts';
import { burst } from './burst.ts';

const store = useUsance();

test('what is due in one instant leaves nothing behind in memory', async () => {
  const { made, batches, heapMb } = await burst(store, { schedules: 3_000, batchSize: 100 });
  expect({ made, batches }).toEqual({ made: 3_000, batches: 30 });
  // A batch kept in memory would be more.
  expect((heapMb.at(-1) ?? 0) - (heapMb[4] ?? 0)).toBeLessThan(5);
});
