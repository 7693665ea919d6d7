// Warns about endpoints whose failures without a success span four days, and disables those that answered 410, or whose failures span five days and went on
// after a warning of a day before; deletes previous secrets whose grace period is over. Not part of the transaction that ends an attempt: that one has locked executions, and a job is locked before executions.
import type { Database, Transaction } from '../db/index.ts';
import { readLiveClock } from '../db/index.ts';
import { lockJobIfFree, updateManagedJob } from '../jobs/index.ts';
import { SYSTEM } from '../kernel/index.ts';
import { passingClock } from '../tenants/index.ts';
import { shownUrl } from './endpoint.ts';
import { emitEndpointEvent } from './endpoint-events.ts';
import { deleteExpiredSecrets } from './endpoint-store.ts';
import type { UnhealthyKey } from './health-store.ts';
import { listUnhealthy, lockUnhealthy, markDisabled, markWarned } from './health-store.ts';
import type { EndpointKey } from './sending-store.ts';

/** `secretsDeleted`: previous secrets that were deleted after their grace period. */
export type HealthCounts = Readonly<Record<'warned' | 'disabled' | 'secretsDeleted', number>>;

const AT_ONCE = 100;
const BOUNDED = { probes: true, lockTimeoutMs: 200 };

/**
 * Passes over the endpoints that fail, a hundred of them a pass; the next one continues behind. One that cannot be treated is reported, and keeps no
 * other from being treated: nothing waits for an endpoint, or a job, that another transaction has locked.
 */
export function healthPasses(
  db: Database,
  onTrouble: (endpointId: string, error: unknown) => void,
): (signal?: AbortSignal) => Promise<HealthCounts> {
  let last: UnhealthyKey | null = null;
  return async (signal) => {
    const counts = { warned: 0, disabled: 0, secretsDeleted: await deleteExpiredSecrets(db, AT_ONCE) };
    const found = await listUnhealthy(db, last, AT_ONCE);
    last = found.length < AT_ONCE ? null : (found.at(-1) ?? null);
    for (const key of found) {
      if (signal?.aborted) break;
      try {
        const done = await db.transaction((tx) => treat(tx, key), BOUNDED);
        if (done) counts[done] += 1;
      } catch (error) {
        onTrouble(key.id, error);
      }
    }
    return counts;
  };
}

async function treat(tx: Transaction, { tenantId, id }: EndpointKey): Promise<'warned' | 'disabled' | null> {
  const found = await lockUnhealthy(tx, tenantId, id);
  if (!found) return null;
  const { url, failingSince, disablesAt, due } = found;
  const clock = (await passingClock(tx, tenantId)) ?? (await readLiveClock(tx));
  const about = { url: shownUrl(url), failingSince: failingSince.toISOString() };
  if (due === 'warning') {
    await markWarned(tx, found);
    await emitEndpointEvent(tx, clock, SYSTEM, found, 'failing', { ...about, disablesAt: disablesAt.toISOString() });
    return 'warned';
  }
  if (!(await lockJobIfFree(tx, tenantId, id))) return null;
  await updateManagedJob(tx, clock, { tenantId, caller: SYSTEM }, id, { enabled: false });
  await markDisabled(tx, found, due, clock.now);
  await emitEndpointEvent(tx, clock, SYSTEM, found, 'disabled', { ...about, reason: due });
  return 'disabled';
}
