// When an event is ordered and sealed. This is the only file of the benches that knows how the store says so.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../src/db/index.ts';
import { createEngine } from '../src/engine.ts';
import type { BenchDatabase } from './server.ts';

/** Short beside a run of seconds, and rare enough that the looks cost the server nothing that shows. */
const LOOK_EVERY_MS = 20;
/** A sequencer that has not caught up after this long has hung. */
const PATIENCE_MS = 300_000;

/** Resolves when every committed event is ordered and sealed. */
export async function untilSealed(owner: Database): Promise<void> {
  const question = await sealedQuestion(owner);
  const startedMs = performance.now();
  for (;;) {
    const [row] = await owner.query(question);
    if (row?.['sealed'] === true) return;
    if (performance.now() - startedMs > PATIENCE_MS) throw new Error(`events are not sealed after ${PATIENCE_MS} ms`);
    await pause(LOOK_EVERY_MS);
  }
}

/** Orders and seals the events of runs without a sequencer, so that the next run begins with an empty inbox. */
export async function sealAll({ owner, runtimeUrl }: BenchDatabase): Promise<void> {
  const usance = await createEngine({ databaseUrl: runtimeUrl, migrate: false });
  usance.start();
  try {
    await untilSealed(owner);
  } finally {
    await usance.close();
  }
}

/**
 * Rows leave the inbox when they are ordered. A store with a table `seals` seals later, in the order of the places; any other
 * store seals in the transaction that empties the inbox. The cheap lookup comes first: the inbox can be full of dead rows.
 */
async function sealedQuestion(owner: Database): Promise<string> {
  const [row] = await owner.query(`select to_regclass('usance.seals') is not null as apart`);
  const inboxIsEmpty = 'not exists (select from usance.event_inbox)';
  return row?.['apart'] === true
    ? `select case when (select last_seq from usance.sequencer) = coalesce((select max(place) from usance.seals), 0)
                   then ${inboxIsEmpty} else false end as sealed`
    : `select ${inboxIsEmpty} as sealed`;
}
