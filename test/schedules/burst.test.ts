// In small what `npm run proof` shows of 100,000 schedules.
import { expect, test } from 'vitest';
import { useUsance } from '../support/database.ts';
import { burst } from './burst.ts';

const store = useUsance();

test('what is due in one instant leaves nothing behind in memory', async () => {
  const { made, batches, heapMb } = await burst(store, { schedules: 1_000, batchSize: 50 });
  expect({ made, batches }).toEqual({ made: 1_000, batches: 20 });
  // A batch kept in memory would be more.
  expect((heapMb.at(-1) ?? 0) - (heapMb[4] ?? 0)).toBeLessThan(5);
});
