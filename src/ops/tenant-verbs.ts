// Operating a tenant: pauses, caps and retries. Every change is audited.
import type { AuditEvent, AuditFilter, AuditPage, AuditQuery } from '../audit/index.ts';
import { eraseEvents, listAudit, pageOfAudit } from '../audit/index.ts';
import type { Transaction } from '../db/index.ts';
import type {
  AppendedEvent,
  EventCursor,
  EventFilter,
  EventPage,
  EventPageOrder,
  EventType,
  Fact,
  OwnEventParams,
  SequencedEvent,
} from '../events/index.ts';
import {
  OWN_EVENTS_PER_DAY,
  appendEvents,
  appendOwnEvents,
  findEvents,
  lastCursorOf,
  pageOfEvents,
  parseOwnEvents,
  requireCursor,
} from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { invariant, isUuid, refuse } from '../kernel/index.ts';
import type { VerbContext } from '../ledger/index.ts';
import { findAsset } from '../ledger/index.ts';
import type { OrderBounds } from '../payments/index.ts';
import type { Pace } from '../schedules/index.ts';
import type { ActivePause, PauseScope } from '../tenants/index.ts';
import { findTenant, liftPause, listPauses, pause, setDefaultAsset, setExecutionCap } from '../tenants/index.ts';
import type { ControlRoomVerbs, SearchSight } from './control-room/index.ts';
import { controlRoomVerbs } from './control-room/index.ts';
import type { DeadLetterVerbs } from './dead-letters.ts';
import { deadLetterVerbs } from './dead-letters.ts';
import type { ExecutionCap } from './execution-cap.ts';
import { executionCapOf, requireExecutionCap } from './execution-cap.ts';
import type { Overview } from './overview.ts';
import { overview } from './overview.ts';
import type { WhyVerbs } from './why/index.ts';
import type { WhySight } from './why/index.ts';
import { whyVerbs } from './why/index.ts';
import type { ReceiptVerbs } from './receipt.ts';
import { receiptVerbs } from './receipt.ts';

export interface OperatingVerbs extends ControlRoomVerbs, DeadLetterVerbs, ReceiptVerbs, WhyVerbs {
  /** Waiting and late payments, recent outcomes, pauses and freezes, and everything that needs a person. */
  overview(): Promise<Overview>;
  /** The `seq` of the newest ordered event. */
  lastEventSeq(): Promise<bigint>;
  /** The cursor of the newest ordered event. */
  lastEventCursor(): Promise<EventCursor>;
  /** Refused with CURSOR_DIVERGED if the cursor is beyond the end, or of another history. */
  requireEventCursor(cursor: EventCursor): Promise<EventCursor>;
  /** Events in the order of commits, after a `seq`. */
  events(filter?: EventFilter, page?: EventPageOrder): Promise<SequencedEvent[]>;
  /** The same in bounded time: a page may be short, or empty, and not be the last. */
  eventsPage(filter?: EventFilter, page?: EventPageOrder): Promise<EventPage>;
  /** Appends an event of the application. */
  appendEvent(event: OwnEventParams): Promise<AppendedEvent>;
  /** Appends up to 1,000 of them, in this order, all or none. */
  appendEvents(events: readonly OwnEventParams[]): Promise<AppendedEvent[]>;
  /** The audit log, newest first. */
  auditEvents(filter?: AuditFilter, page?: { limit?: number; before?: Uuid }): Promise<AuditEvent[]>;
  /** The same in bounded time: a page may be short and not the last. */
  auditPage(filter?: AuditFilter, page?: { limit?: number; before?: Uuid }): Promise<AuditPage>;
  /** Erases the data and the origin of an event; its type, instant and actor stay. */
  eraseAuditEvent(id: Uuid, reason: string): Promise<void>;
  /** Pauses outgoing payments: of the whole tenant, or of one asset or rail. */
  pause(scope: PauseScope, value: string, reason: string): Promise<ActivePause>;
  liftPause(scope: PauseScope, value: string): Promise<void>;
  /** The active pauses, oldest first. */
  pauses(): Promise<ActivePause[]>;
  /** The default asset. */
  defaultAsset(): Promise<string | null>;
  setDefaultAsset(asset: string): Promise<void>;
  /** Executions a second at most, over all processors; null for no cap. */
  setExecutionCap(perSecond: number | null): Promise<void>;
  /** The tenant's cap, the default of the deployment, and which of them applies. */
  executionCap(): Promise<ExecutionCap>;
}

const SEES_ALL = { ops: true, ledger: true, payments: true, jobs: true, events: true };

interface OperatingOptions {
  readonly executionsPerSecond?: number | null;
  readonly charges?: Pace | null;
  readonly sight?: WhySight & SearchSight;
  /** Events that applications of the tenant can append a day; 0: no limit. */
  readonly ownEventsPerDay?: number;
}

export function operatingVerbs(
  context: VerbContext,
  bounds: OrderBounds,
  {
    executionsPerSecond: defaultCap = null,
    charges = null,
    sight = SEES_ALL,
    ownEventsPerDay: perDay = OWN_EVENTS_PER_DAY,
  }: OperatingOptions = {},
): OperatingVerbs {
  const { tenantId, caller, sql } = context;
  const { actor } = caller;
  /** Does it and says so, in one transaction; nothing is said where nothing changed. */
  const told = <T>(
    type: EventType,
    work: (tx: Transaction) => Promise<{ data: Fact['data'] | null; result: T }>,
  ): Promise<T> =>
    context.run(async (tx, clock) => {
      const { data, result } = await work(tx);
      const about = { tenantId, resource: 'tenant', resourceId: tenantId, occurredAt: clock.now };
      if (data) await appendEvents(tx, [{ ...caller, ...about, type, data }]);
      return result;
    });

  const append = (params: readonly OwnEventParams[], place: string | null): Promise<AppendedEvent[]> => {
    const events = parseOwnEvents(params, place);
    return context.run((tx, clock) => appendOwnEvents(tx, clock, { tenantId, caller, events, perDay }));
  };

  const assetName = async (tx: Transaction, name: string): Promise<string> =>
    (await findAsset(tx, tenantId, name))?.name ?? refuse('ASSET_NOT_FOUND', { asset: name, param: 'asset' });
  /** A pause of `USD` must stop `USD/2`; one of an asset that does not exist would stop nothing and look as if it did. */
  const nameOf = async (tx: Transaction, scope: PauseScope, value: string): Promise<string> =>
    scope === 'asset' && value !== '' ? assetName(tx, value) : value;

  const byLineage = async ({ actor: by, ...rest }: AuditFilter = {}): Promise<AuditQuery> =>
    by === undefined ? rest : { ...rest, actors: await context.identities.lineageOf(sql, tenantId, by) };

  return {
    ...controlRoomVerbs(context, { approvalWithinMs: bounds.approvalWithinMs, sight }),
    ...deadLetterVerbs(context, bounds),
    ...whyVerbs(context, { defaultCap, charges, sight }),
    ...receiptVerbs(context),
    overview: () => overview(context, tenantId, defaultCap),
    lastEventSeq: async () => (await lastCursorOf(sql, tenantId)).seq,
    lastEventCursor: () => lastCursorOf(sql, tenantId),
    requireEventCursor: (cursor) => requireCursor(sql, tenantId, cursor),
    events: (filter, page) => findEvents(sql, tenantId, filter, page),
    eventsPage: (filter, page) => pageOfEvents(sql, tenantId, filter, page),
    async appendEvent(event) {
      const [appended] = await append([event], null);
      invariant(appended !== undefined, 'an event to be appended');
      return appended;
    },
    appendEvents: async (events) => append(events, 'events'),
    auditEvents: async (filter, page) => listAudit(sql, tenantId, await byLineage(filter), page),
    auditPage: async (filter, page) => pageOfAudit(sql, tenantId, await byLineage(filter), page),
    eraseAuditEvent: (id, reason) =>
      context.run(async (tx, clock) => {
        if (reason.trim() === '') refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
        const events = isUuid(id) ? [id] : [];
        if ((await eraseEvents(tx, clock, { tenantId, caller, events, reason })) === 0)
          refuse('EVENT_NOT_FOUND', { event: id });
      }),
    pause: (scope, value, reason) =>
      told('pause.created', async (tx) => {
        const named = await nameOf(tx, scope, value);
        const paused = await pause(tx, { tenantId, scope, value: named, reason, actor });
        const made = (await listPauses(tx, tenantId)).find((item) => item.scope === scope && item.value === named);
        return {
          data: paused ? { scope, value: named, reason } : null,
          result: made ?? refuse('PAUSE_NOT_FOUND'),
        };
      }),
    liftPause: (scope, value) =>
      told('pause.lifted', async (tx) => {
        const named = await nameOf(tx, scope, value);
        await liftPause(tx, { tenantId, scope, value: named, actor });
        return { data: { scope, value: named }, result: undefined };
      }),
    pauses: () => listPauses(sql, tenantId),
    defaultAsset: async () => (await findTenant(sql, tenantId))?.defaultAsset ?? null,
    setDefaultAsset: (name) =>
      told('tenant.updated', async (tx) => {
        const asset = await assetName(tx, name);
        const old = await setDefaultAsset(tx, tenantId, asset);
        return {
          data: old === asset ? null : { old: { defaultAsset: old }, new: { defaultAsset: asset } },
          result: undefined,
        };
      }),
    setExecutionCap: (perSecond) =>
      told('execution_cap.set', async (tx) => {
        requireExecutionCap(perSecond, 'perSecond');
        const old = await setExecutionCap(tx, tenantId, perSecond);
        const data =
          old === perSecond ? null : { old: { executionsPerSecond: old }, new: { executionsPerSecond: perSecond } };
        return { data, result: undefined };
      }),
    executionCap: () => executionCapOf(sql, tenantId, defaultCap),
  };
}
