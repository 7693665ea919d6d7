// Warns about endpoints that have failed for four days, and disables those that have failed for five or answered 410; deletes previous secrets whose
// grace period is over. Not part of the
// transaction that ends an attempt: that one has locked executions, and a job is locked before executions.
import type { Database, Transaction } from '../db/index.ts';
import { readLiveClock } from '../db/index.ts';
import { updateManagedJob } from '../jobs/index.ts';
import { SYSTEM } from '../kernel/index.ts';
import { passingClock } from '../tenants/index.ts';
import { DISABLED_AFTER_MS, shownUrl } from './endpoint.ts';
import { emitEndpointEvent } from './endpoint-events.ts';
import { deleteExpiredSecrets } from './endpoint-store.ts';
import { listUnhealthy, lockUnhealthy, markDisabled, markWarned } from './health-store.ts';
import type { EndpointKey } from './sending-store.ts';

export interface HealthCounts {
  readonly warned: number;
  readonly disabled: number;
  /** Previous secrets that were deleted after their grace period. */
  readonly secretsDeleted: number;
}

const AT_ONCE = 100;
const BOUNDED = { probes: true, lockTimeoutMs: 1_000 };

/** One that cannot be treated is reported, and does not keep the others from being treated. */
export async function treatUnhealthy(
  db: Database,
  onTrouble: (endpointId: string, error: unknown) => void,
): Promise<HealthCounts> {
  const counts = { warned: 0, disabled: 0, secretsDeleted: await deleteExpiredSecrets(db, AT_ONCE) };
  for (const key of await listUnhealthy(db, AT_ONCE)) {
    try {
      const done = await db.transaction((tx) => treat(tx, key), BOUNDED);
      if (done) counts[done] += 1;
    } catch (error) {
      onTrouble(key.id, error);
    }
  }
  return counts;
}

async function treat(tx: Transaction, { tenantId, id }: EndpointKey): Promise<'warned' | 'disabled' | null> {
  const found = await lockUnhealthy(tx, tenantId, id);
  if (!found) return null;
  const { url, failingSince, due } = found;
  const clock = (await passingClock(tx, tenantId)) ?? (await readLiveClock(tx));
  const about = { url: shownUrl(url), failingSince: failingSince.toISOString() };
  if (due === 'warning') {
    const disablesAt = new Date(failingSince.getTime() + DISABLED_AFTER_MS).toISOString();
    await markWarned(tx, found);
    await emitEndpointEvent(tx, clock, SYSTEM, found, 'failing', { ...about, disablesAt });
    return 'warned';
  }
  await updateManagedJob(tx, clock, { tenantId, caller: SYSTEM }, id, { enabled: false });
  await markDisabled(tx, found, due, clock.now);
  await emitEndpointEvent(tx, clock, SYSTEM, found, 'disabled', { ...about, reason: due });
  return 'disabled';
}
