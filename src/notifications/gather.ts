// Executions of a channel that wait while its minute is full: their events are left to the summary in the transaction of a turn, and they end without
// a worker that claims each of them. What is not an event of a summary stays in the queue and takes the ordinary way: a test of the channel, an event
// about its own execution, an event that was erased.
import type { Transaction } from '../db/index.ts';
import type { SequencedEvent } from '../events/index.ts';
import { isErasedData, readEvents } from '../events/index.ts';
import { completeDue, lockDue } from '../jobs/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { TESTED } from './channel.ts';

/** Result of an execution whose event is in a summary. */
export const SUMMARIZED = { sent: false, summarized: true } as const;
const MOST_AT_ONCE = 500;

/** An event about an execution of the channel itself: a channel that fails would be told that it does. */
export const isAboutItself = ({ type, data }: Pick<SequencedEvent, 'type' | 'data'>, channelId: Uuid): boolean =>
  type === 'execution.failed' && data['jobId'] === channelId;

export interface GatherOrder {
  readonly tenantId: Uuid;
  readonly channelId: Uuid;
  readonly workerId: Uuid;
}

/** The types of the events, by execution. At most five hundred: the next turn continues. */
export async function gatherDue(
  tx: Transaction,
  { tenantId, channelId, workerId }: GatherOrder,
): Promise<ReadonlyMap<Uuid, string>> {
  const due = await lockDue(tx, { tenantId, jobId: channelId }, MOST_AT_ONCE);
  const events = await readEvents(
    tx,
    due.map(({ eventId, seq }) => ({ tenantId, id: eventId, seq })),
  );
  const types = new Map<Uuid, string>();
  for (const { id, eventId } of due) {
    const event = events.get(eventId);
    if (!event || event.type === TESTED || isErasedData(event.data) || isAboutItself(event, channelId)) continue;
    types.set(id, event.type);
  }
  if (types.size > 0)
    await completeDue(tx, { tenantId, ids: [...types.keys()], workerId, result: JSON.stringify(SUMMARIZED) });
  return types;
}
