// Running a tenant: what stops it, what paces it. Every change is on the audit's record.
import { recordAudit } from '../audit/index.ts';
import type { Transaction } from '../db/index.ts';
import type { EventFilter, SequencedEvent } from '../events/index.ts';
import { appendEvents, listEvents } from '../events/index.ts';
import { refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { findAsset } from '../ledger/index.ts';
import type { ActivePause, PauseScope } from '../tenants/index.ts';
import { findTenant, liftPause, listPauses, pause, setDefaultAsset, setExecutionCap } from '../tenants/index.ts';

export interface OperatingVerbs {
  /** What happened, in the order of commits, beyond a place in it. */
  events(filter?: EventFilter, page?: { after?: bigint; limit?: number }): Promise<SequencedEvent[]>;
  /** Stops what leaves: the whole tenant, or one asset or rail. */
  pause(scope: PauseScope, value: string, reason: string): Promise<void>;
  liftPause(scope: PauseScope, value: string): Promise<void>;
  /** What is paused now, oldest first. */
  pauses(): Promise<ActivePause[]>;
  /** The asset meant where none is named. */
  defaultAsset(): Promise<string | null>;
  setDefaultAsset(asset: string): Promise<void>;
  /** Executions a second at most, over all processors; null for no cap. */
  setExecutionCap(perSecond: number | null): Promise<void>;
}

const MOST_A_SECOND = 1_000_000;

export function operatingVerbs(context: VerbContext): OperatingVerbs {
  const { tenantId, caller, sql } = context;
  const { actor } = caller;
  /** Does it and says so, in one transaction. `changed: false` is a deed that found everything as it should be. */
  const audited = <T>(
    action: string,
    type: string,
    work: (tx: Transaction) => Promise<{ details: Readonly<Record<string, unknown>>; result: T; changed?: boolean }>,
  ): Promise<T> =>
    context.run(async (tx, clock) => {
      const { details, result, changed = true } = await work(tx);
      const fact = { ...caller, tenantId, type, resource: 'tenant', resourceId: tenantId, data: details };
      if (changed) await appendEvents(tx, [{ ...fact, occurredAt: clock.now }]);
      await recordAudit(tx, [{ ...caller, tenantId, action, resource: 'tenant', resourceId: tenantId, details }]);
      return result;
    });

  const assetName = async (tx: Transaction, name: string): Promise<string> =>
    (await findAsset(tx, tenantId, name))?.name ??
    refuse('ASSET_NOT_FOUND', `there is no asset "${name}"`, { param: 'asset' });
  /** A pause of `USD` must stop `USD/2`; one of an asset that does not exist would stop nothing and look as if it did. */
  const nameOf = async (tx: Transaction, scope: PauseScope, value: string): Promise<string> =>
    scope === 'asset' && value !== '' ? assetName(tx, value) : value;

  return {
    events: (filter = {}, page = {}) =>
      listEvents(sql, tenantId, filter, { after: page.after ?? 0n, limit: page.limit ?? 100 }),
    pause: (scope, value, reason) =>
      audited('tenant.pause', 'tenant.paused', async (tx) => {
        const named = await nameOf(tx, scope, value);
        const changed = await pause(tx, { tenantId, scope, value: named, reason, actor });
        return { details: { scope, value: named, reason }, result: undefined, changed };
      }),
    liftPause: (scope, value) =>
      audited('tenant.unpause', 'tenant.unpaused', async (tx) => {
        const named = await nameOf(tx, scope, value);
        await liftPause(tx, { tenantId, scope, value: named, actor });
        return { details: { scope, value: named }, result: undefined };
      }),
    pauses: () => listPauses(sql, tenantId),
    defaultAsset: async () => (await findTenant(sql, tenantId))?.defaultAsset ?? null,
    setDefaultAsset: (name) =>
      audited('tenant.set_default_asset', 'tenant.edited', async (tx) => {
        const asset = await assetName(tx, name);
        await setDefaultAsset(tx, tenantId, asset);
        return { details: { asset }, result: undefined };
      }),
    setExecutionCap: (perSecond) =>
      audited('tenant.set_execution_cap', 'tenant.edited', async (tx) => {
        if (perSecond !== null && !(Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= MOST_A_SECOND))
          refuse('FIELD_INVALID', `a cap is 1 to ${MOST_A_SECOND} executions a second`, { param: 'perSecond' });
        await setExecutionCap(tx, tenantId, perSecond);
        return { details: { perSecond }, result: undefined };
      }),
  };
}
