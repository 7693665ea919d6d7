// The events of a test tenant, for the assertions of a test.
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../engine.ts';
import type { Event, TenantHandle } from '../library/index.ts';

/** The events of a test tenant since it was created, or since `clear`. */
export interface EventRecorder {
  /** In order; with a type or a pattern (`payment.*`), only those. */
  list(type?: string): Promise<Event[]>;
  /** Their types, in order. */
  types(): Promise<string[]>;
  /** Leaves out all events up to now. */
  clear(): Promise<void>;
}

export function createEventRecorder(engine: Engine, shop: TenantHandle): EventRecorder {
  let after: string | number = 0;
  const list = async (type?: string): Promise<Event[]> => {
    await ordered(engine, shop);
    const found: Event[] = [];
    for await (const event of shop.events.list({ after, ...(type === undefined ? {} : { type }), limit: PAGE }))
      found.push(event);
    return found;
  };
  return {
    list,
    types: async () => (await list()).map(({ type }) => type),
    async clear() {
      after = (await list()).at(-1)?.cursor ?? after;
    },
  };
}

const PAGE = 100;
const EVERY_MS = 5;

/** Orders what was committed. The sequencer of another process, or a run that has begun, may have the lock. */
async function ordered(engine: Engine, shop: TenantHandle): Promise<void> {
  const sequencer = engine.loops.find(({ name }) => name === 'sequencer');
  for (;;) {
    await sequencer?.runOnce();
    const { eventsUnordered } = await shop.overview.get();
    if (eventsUnordered.count === 0) return;
    await pause(EVERY_MS);
  }
}
