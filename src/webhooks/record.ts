// Writes ended attempts, in the transaction that ends them: what was sent and what came back, and the health of the endpoints.
import type { Transaction } from '../db/index.ts';
import { readErased } from '../events/index.ts';
import type { Judged, RecordedEnd } from '../jobs/index.ts';
import { invocationIdOf } from '../jobs/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { OutboundCode } from '../outbound/index.ts';
import type { EndpointKey } from './sending-store.ts';
import type { NewAttempt } from './record-store.ts';
import { insertAttempts, noteFailures, noteSuccesses } from './record-store.ts';
import type { Answer, SentRequest } from './send.ts';

/** What the processor attaches to an attempt. */
export interface AttemptRecord {
  readonly endpointId: Uuid;
  /** Null: it was not sent. */
  readonly request: SentRequest | null;
  readonly answer: Answer | null;
  readonly failure: OutboundCode | null;
  readonly judged: Judged;
}

export async function recordAttempts(tx: Transaction, ends: readonly RecordedEnd[]): Promise<void> {
  const attempts: NewAttempt[] = [];
  const succeeded = new Map<Uuid, EndpointKey>();
  const failed = new Map<Uuid, EndpointKey & { isGone: boolean }>();
  for (const { claimed, detail } of ends) {
    if (!isRecord(detail)) continue;
    const { tenantId, executionId, attempt, eventId } = claimed;
    const { judged, endpointId: id } = detail;
    attempts.push({ ...detail, tenantId, id: invocationIdOf(executionId, attempt), executionId, eventId, attempt });
    if (judged === 'success') succeeded.set(id, { tenantId, id });
    const isGone = judged === 'gone';
    if (isGone || judged === 'failure')
      failed.set(id, { tenantId, id, isGone: isGone || (failed.get(id)?.isGone ?? false) });
  }
  const erased = await readErased(
    tx,
    attempts.map(({ tenantId, eventId: event }) => ({ tenantId, id: event })),
  );
  await insertAttempts(tx, attempts, erased);
  await noteSuccesses(tx, [...succeeded.values()]);
  // A failure beside a success of the same moment says nothing, except that it is gone.
  await noteFailures(
    tx,
    [...failed.values()].filter(({ id, isGone }) => isGone || !succeeded.has(id)),
  );
}

const isRecord = (detail: unknown): detail is AttemptRecord =>
  typeof detail === 'object' && detail !== null && 'judged' in detail;
