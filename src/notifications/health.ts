// Disables channels whose URL is gone, or whose messages failed for five days. Not part of the transaction that ends an attempt: that one has
// locked executions, and a job is locked before executions.
import type { Database, Transaction } from '../db/index.ts';
import { readLiveClock } from '../db/index.ts';
import { updateManagedJob } from '../jobs/index.ts';
import { SYSTEM } from '../kernel/index.ts';
import { passingClock } from '../tenants/index.ts';
import { emitChannelEvent } from './channel-events.ts';
import type { ChannelKey } from './health-store.ts';
import { listUnhealthy, lockUnhealthy, markDisabled } from './health-store.ts';

const AT_ONCE = 100;
const BOUNDED = { probes: true, lockTimeoutMs: 1_000 };

/** Returns how many were disabled. One that cannot be is reported, and does not keep the others from being disabled. */
export async function disableUnhealthy(
  db: Database,
  onTrouble: (channelId: string, error: unknown) => void,
): Promise<number> {
  let disabled = 0;
  for (const key of await listUnhealthy(db, AT_ONCE)) {
    try {
      if (await db.transaction((tx) => disable(tx, key), BOUNDED)) disabled += 1;
    } catch (error) {
      onTrouble(key.id, error);
    }
  }
  return disabled;
}

async function disable(tx: Transaction, key: ChannelKey): Promise<boolean> {
  const found = await lockUnhealthy(tx, key);
  if (!found) return false;
  const { tenantId, id, targetHost, failingSince, reason } = found;
  const clock = (await passingClock(tx, tenantId)) ?? (await readLiveClock(tx));
  await updateManagedJob(tx, clock, { tenantId, caller: SYSTEM }, id, { enabled: false });
  await markDisabled(tx, found, clock.now);
  const data = { targetHost, failingSince: failingSince.toISOString(), reason };
  await emitChannelEvent(tx, clock, SYSTEM, found, 'disabled', data);
  return true;
}
