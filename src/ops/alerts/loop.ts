// The loop `alerts`: measures each tenant that has payouts or webhook endpoints every 30 seconds, and raises and clears its alerts. Any number of processes run it.
//
//   two processes check a tenant   the check holds the tenant's row; the second one skips it
//   a process dies                 its transaction takes the alert and the event with it; the next check finds the crossing again
//   a check throws or is slow      it is rolled back, the other tenants are checked, and the tenant is checked again in five minutes
import type { Database, Transaction } from '../../db/index.ts';
import { readLiveClock } from '../../db/index.ts';
import type { Fact } from '../../events/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Clock, LoopDefinition, Uuid } from '../../kernel/index.ts';
import { SYSTEM, newId } from '../../kernel/index.ts';
import { listTenantsWithPayouts } from '../../payments/index.ts';
import { passingClock } from '../../tenants/index.ts';
import { listTenantsWithEndpoints } from '../../webhooks/index.ts';
import type { Alert } from './alert.ts';
import { ALERT_KINDS, decide, windowOf } from './alert.ts';
import { measure } from './measure.ts';
import {
  beginCheck,
  claimTenants,
  clearAlerts,
  deleteClearedAlerts,
  enrollTenants,
  insertAlerts,
  listOpenAlerts,
  postponeCheck,
} from './store.ts';

export interface AlertsOptions {
  /** Called when the check of a tenant threw. */
  readonly onTrouble?: (tenantId: Uuid, error: unknown) => void;
}

const EVERY_MS = 30_000;
const AFTER_TROUBLE_MS = 5 * 60_000;
const AT_ONCE = 100;
const STATEMENT_MS = 5_000;
const LOCK_MS = 1_000;
/** More than a tenant has kinds, chains and floors. */
const MOST_OPEN = 10_000;
const KEPT_MS = 90 * 24 * 3_600_000;
const DELETED_AT_ONCE = 1_000;

export function alertsLoop(db: Database, options: AlertsOptions = {}): LoopDefinition {
  return {
    name: 'alerts',
    pollMs: EVERY_MS,
    async runOnce(signal, resident) {
      const { now } = await readLiveClock(db);
      await enrollTenants(db, [
        ...new Set([...(await listTenantsWithPayouts(db)), ...(await listTenantsWithEndpoints(db))]),
      ]);
      const counts = { checked: 0, raised: 0, cleared: 0, removed: 0 };
      let more = true;
      while (more && !signal.aborted) {
        // A single run that was requested checks every tenant, due or not.
        const claimed = await claimTenants(db, { everyMs: EVERY_MS, limit: AT_ONCE, until: resident ? null : now });
        for (const tenantId of claimed) {
          if (signal.aborted) break;
          const done = await checkOne(db, tenantId, options);
          counts.checked += done.checked;
          counts.raised += done.raised;
          counts.cleared += done.cleared;
        }
        more = claimed.length === AT_ONCE;
      }
      counts.removed = await deleteClearedAlerts(db, KEPT_MS, DELETED_AT_ONCE);
      return { counts };
    },
  };
}

interface Checked {
  readonly checked: number;
  readonly raised: number;
  readonly cleared: number;
}
const NONE: Checked = { checked: 0, raised: 0, cleared: 0 };

async function checkOne(db: Database, tenantId: Uuid, { onTrouble }: AlertsOptions): Promise<Checked> {
  try {
    return await db.transaction((tx) => checkTenant(tx, tenantId), { lockTimeoutMs: LOCK_MS, probes: true });
  } catch (error) {
    onTrouble?.(tenantId, error);
    await postponeCheck(db, tenantId, AFTER_TROUBLE_MS);
    return NONE;
  }
}

async function checkTenant(tx: Transaction, tenantId: Uuid): Promise<Checked> {
  if (!(await beginCheck(tx, tenantId, STATEMENT_MS))) return NONE;
  const clock = (await passingClock(tx, tenantId)) ?? (await readLiveClock(tx));
  const open = await listOpenAlerts(tx, tenantId, MOST_OPEN);
  const { raise, clear } = decide(open, await measure(tx, tenantId, clock));
  if (raise.length + clear.length === 0) return { ...NONE, checked: 1 };
  const wanted = raise.map(({ raises: _raises, clears: _clears, ...measured }): Alert => ({
    ...measured,
    id: newId(),
    unit: ALERT_KINDS[measured.kind],
    windowMs: windowOf(measured.kind),
    raisedAt: clock.now,
    clearedAt: null,
    clearedValue: null,
  }));
  const isNew = await insertAlerts(tx, tenantId, wanted);
  const ended = clear.map(({ alert, measured }): Alert => ({
    ...alert,
    clearedAt: clock.now,
    clearedValue: measured?.value ?? null,
  }));
  const cleared = ended.map(({ id, clearedValue: value }) => ({ id, value }));
  const wasOpen = await clearAlerts(tx, tenantId, cleared, clock.now);
  const facts = [
    ...ended.filter(({ id }) => wasOpen.has(id)).map((alert) => factOf(tenantId, clock, alert)),
    ...wanted.filter(({ id }) => isNew.has(id)).map((alert) => factOf(tenantId, clock, alert)),
  ];
  await appendEvents(tx, facts);
  return { checked: 1, raised: isNew.size, cleared: wasOpen.size };
}

function factOf(tenantId: Uuid, clock: Clock, alert: Alert): Fact {
  const { id, raisedAt, clearedAt, clearedValue, ...measured } = alert;
  const about = { tenantId, resource: 'alert', resourceId: id, occurredAt: clock.now };
  return clearedAt === null
    ? { ...SYSTEM, ...about, type: 'alert.raised', data: measured }
    : { ...SYSTEM, ...about, type: 'alert.cleared', data: { ...measured, raisedAt, clearedValue } };
}
