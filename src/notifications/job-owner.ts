// The endpoint or the channel that the job of a failed execution belongs to: its managed job has the same UUID.
import type { Sql } from '../db/index.ts';
import type { SequencedEvent } from '../events/index.ts';
import { findEndpointUrl } from '../webhooks/index.ts';
import { findChannel } from './channel-store.ts';
import type { JobOwner } from './sentence.ts';

/** Null for any other event, for a job of a caller, and for an endpoint or a channel that was deleted. */
export async function ownerOf(sql: Sql, { type, tenantId, data }: SequencedEvent): Promise<JobOwner | null> {
  const jobId = data['jobId'];
  if (type !== 'execution.failed' || typeof jobId !== 'string') return null;
  const url = await findEndpointUrl(sql, tenantId, jobId);
  if (url !== null) return { resource: 'webhook_endpoint', host: new URL(url).host };
  const channel = await findChannel(sql, tenantId, jobId);
  return channel && { resource: 'notification_channel', host: channel.targetHost };
}
