// Disables channels whose URL is gone, or whose failures without a success span five days. Not part of the transaction that ends an attempt: that one has
// locked executions, and a job is locked before executions.
import type { Database, Transaction } from '../db/index.ts';
import { readLiveClock } from '../db/index.ts';
import { lockJobIfFree, updateManagedJob } from '../jobs/index.ts';
import { SYSTEM } from '../kernel/index.ts';
import { passingClock } from '../tenants/index.ts';
import { emitChannelEvent } from './channel-events.ts';
import type { ChannelKey, UnhealthyKey } from './health-store.ts';
import { listUnhealthy, lockUnhealthy, markDisabled } from './health-store.ts';

const AT_ONCE = 100;
const BOUNDED = { probes: true, lockTimeoutMs: 200 };

/**
 * Passes over the channels that fail, a hundred of them a pass; the next one continues behind. One that cannot be disabled is reported, and keeps no
 * other from being treated: nothing waits for a channel, or a job, that another transaction has locked.
 */
export function healthPasses(
  db: Database,
  onTrouble: (channelId: string, error: unknown) => void,
): (signal?: AbortSignal) => Promise<{ readonly disabled: number }> {
  let last: UnhealthyKey | null = null;
  return async (signal) => {
    let disabled = 0;
    const found = await listUnhealthy(db, last, AT_ONCE);
    last = found.length < AT_ONCE ? null : (found.at(-1) ?? null);
    for (const key of found) {
      if (signal?.aborted) break;
      try {
        if (await db.transaction((tx) => disable(tx, key), BOUNDED)) disabled += 1;
      } catch (error) {
        onTrouble(key.id, error);
      }
    }
    return { disabled };
  };
}

async function disable(tx: Transaction, key: ChannelKey): Promise<boolean> {
  const found = await lockUnhealthy(tx, key);
  if (!found) return false;
  const { tenantId, id, targetHost, failingSince, reason } = found;
  const clock = (await passingClock(tx, tenantId)) ?? (await readLiveClock(tx));
  if (!(await lockJobIfFree(tx, tenantId, id))) return false;
  await updateManagedJob(tx, clock, { tenantId, caller: SYSTEM }, id, { enabled: false });
  await markDisabled(tx, found, clock.now);
  const data = { targetHost, failingSince: failingSince.toISOString(), reason };
  await emitChannelEvent(tx, clock, SYSTEM, found, 'disabled', data);
  return true;
}
