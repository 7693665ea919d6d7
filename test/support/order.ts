import type { Database } from '../../src/db/index.ts';
import { createSequencer } from '../../src/events/index.ts';

/** Orders everything that has committed. */
export async function orderAll(db: Database): Promise<void> {
  const sequencer = createSequencer(db);
  while (((await sequencer.order())?.blocks ?? 1) > 0);
}
