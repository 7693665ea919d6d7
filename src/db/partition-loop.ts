import type { LoopDefinition } from '../kernel/index.ts';
import { ensurePartitions } from './migrate.ts';
import type { Database } from './sql.ts';

/** History's partitions, made months ahead: a month without one would go to the default partition. */
export function partitionLoop(db: Database): LoopDefinition {
  return {
    name: 'partitions',
    pollMs: 6 * 3_600_000,
    runOnce: async () => ({ counts: { made: await ensurePartitions(db) } }),
  };
}
