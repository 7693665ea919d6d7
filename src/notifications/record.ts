// Writes what a channel keeps about ended attempts, in the transaction that ends them: its health, and the end of a summary.
import type { Transaction } from '../db/index.ts';
import type { Judged, RecordedEnd } from '../jobs/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { ChannelKey } from './health-store.ts';
import { noteFailures, noteSuccesses } from './health-store.ts';
import type { TurnKey } from './turn-store.ts';
import { clearBacklog } from './turn-store.ts';

/** What the processor attaches to an attempt that posts. */
export interface PostRecord {
  readonly isSummary: boolean;
  readonly judged: Judged;
}

export async function recordPosts(tx: Transaction, ends: readonly RecordedEnd[]): Promise<void> {
  const summaries: Omit<TurnKey, 'eventType'>[] = [];
  const succeeded = new Map<Uuid, ChannelKey>();
  const failed = new Map<Uuid, ChannelKey & { isGone: boolean }>();
  for (const { claimed, became, detail } of ends) {
    if (!isRecord(detail)) continue;
    const { tenantId, jobId: id, executionId } = claimed;
    const { judged, isSummary } = detail;
    if (isSummary && became === 'completed') summaries.push({ tenantId, channelId: id, executionId });
    if (judged === 'success') succeeded.set(id, { tenantId, id });
    if (judged === 'gone' || judged === 'failure')
      failed.set(id, { tenantId, id, isGone: judged === 'gone' || (failed.get(id)?.isGone ?? false) });
  }
  if (summaries.length > 0) await clearBacklog(tx, summaries);
  await noteSuccesses(tx, [...succeeded.values()]);
  // A failure beside a success of the same moment says nothing, except that it is gone.
  await noteFailures(
    tx,
    [...failed.values()].filter(({ id, isGone }) => isGone || !succeeded.has(id)),
  );
}

const isRecord = (detail: unknown): detail is PostRecord =>
  typeof detail === 'object' && detail !== null && 'judged' in detail;
