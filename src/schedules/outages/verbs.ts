// The guard against what piles up, and what a person decides about it.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../db/index.ts';
import type { EventType } from '../../events/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Clock, Uuid } from '../../kernel/index.ts';
import { isUuid, parsePositiveAmount, refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import { findAsset, requireMayMove, systemAccountId } from '../../ledger/index.ts';
import { parseReason } from '../../payments/index.ts';
import type { Outage, OutageGuard, OutageStatus } from './outage.ts';
import { flowOf } from '../schedule.ts';
import { externalSchedule } from '../store.ts';
import { decideOutage, listOutages, readGuard, writeGuards } from './store.ts';

type Amount = bigint | string | number;

/** What is left out stays; null takes a bound away. */
export interface OutageGuardOrder {
  readonly count?: number | null;
  /** By name or code of the asset. */
  readonly amounts?: readonly { readonly asset: string; readonly amount: Amount | null }[];
}

export interface OutageVerbs {
  outageGuard(): Promise<OutageGuard>;
  setOutageGuard(order: OutageGuardOrder): Promise<OutageGuard>;
  /** Newest first. */
  outages(filter?: { status?: OutageStatus }, page?: { limit?: number; before?: Uuid }): Promise<Outage[]>;
  /** What was held is made, each schedule by its own policies. */
  releaseOutage(id: Uuid, deed?: { reason?: string }): Promise<Outage>;
  /** The slots that were held are skipped; they can be backfilled. */
  discardOutage(id: Uuid, deed: { reason: string }): Promise<Outage>;
}

const PAGE = 100;
const MOST_SCHEDULES = 100_000;

export function outageVerbs(context: VerbContext): OutageVerbs {
  const { tenantId, caller, sql } = context;
  const tell = (
    tx: Transaction,
    clock: Clock,
    about: { readonly type: EventType; readonly resource: string; readonly resourceId: Uuid },
    data: Readonly<Record<string, unknown>>,
  ): Promise<unknown> => appendEvents(tx, [{ ...caller, tenantId, ...about, data, occurredAt: clock.now }]);
  /** A release lets every schedule go on that was held. */
  const requireInside = async (tx: Transaction): Promise<void> => {
    const held = await externalSchedule(tx, tenantId, [
      systemAccountId(tenantId, 'world'),
      systemAccountId(tenantId, 'fees'),
    ]);
    if (held) requireMayMove(caller, flowOf(held));
  };
  const decide = (id: Uuid, status: Exclude<OutageStatus, 'waiting'>, reason: string | null): Promise<Outage> =>
    context.run(async (tx, clock) => {
      const known = isUuid(id) ? id : nowhere(id);
      if (status === 'released' && !caller.mayMoveExternalMoney) await requireInside(tx);
      const decided = await decideOutage(tx, tenantId, known, {
        status,
        reason,
        decidedBy: caller.actor,
        at: clock.now,
      });
      if (!decided) {
        const [found] = await listOutages(tx, tenantId, { id: known }, { limit: 1 });
        return found ? refuse('OUTAGE_STATE_CONFLICT', { outage: known, status: found.status }) : nowhere(id);
      }
      const about = { type: `outage.${status}` as const, resource: 'outage', resourceId: id };
      const data = { old: { status: 'waiting' }, new: { status }, overdue: decided.overdue };
      await tell(tx, clock, about, { ...data, ...(reason === null ? {} : { reason }) });
      return decided;
    });

  return {
    outageGuard: () => readGuard(sql, tenantId),
    setOutageGuard: ({ count, amounts = [] }) =>
      context.run(async (tx, clock) => {
        const bounds: { asset: string | null; most: bigint | null }[] = [];
        if (count !== undefined) bounds.push({ asset: null, most: parseCount(count) });
        for (const { asset, amount } of amounts) {
          const found = await findAsset(tx, tenantId, asset);
          if (!found) return refuse('ASSET_NOT_FOUND', { asset, param: 'asset' });
          if (bounds.some((bound) => bound.asset === found.name))
            return refuse('FIELD_INVALID/duplicate', { value: found.name, param: 'amounts' });
          bounds.push({ asset: found.name, most: amount === null ? null : parsePositiveAmount(amount) });
        }
        const old = await readGuard(tx, tenantId);
        await writeGuards(tx, tenantId, bounds);
        const now = await readGuard(tx, tenantId);
        const about = { type: 'outage_guard.set' as const, resource: 'tenant', resourceId: tenantId };
        if (!isDeepStrictEqual(old, now))
          await tell(tx, clock, about, { old: { outageGuard: old }, new: { outageGuard: now } });
        return now;
      }),
    outages: (filter = {}, page = {}) =>
      listOutages(sql, tenantId, filter, { limit: page.limit ?? PAGE, before: page.before ?? null }),
    releaseOutage: async (id, deed = {}) => decide(id, 'released', parseReason(deed.reason)),
    discardOutage: async (id, deed) =>
      decide(
        id,
        'discarded',
        parseReason(deed.reason.trim()) || refuse('FIELD_INVALID/needs_reason', { param: 'reason' }),
      ),
  };
}

const nowhere = (id: string): never => refuse('OUTAGE_NOT_FOUND', { outage: id });

function parseCount(count: number | null): bigint | null {
  if (count === null) return null;
  if (Number.isSafeInteger(count) && count >= 1 && count < MOST_SCHEDULES) return BigInt(count);
  return refuse('FIELD_INVALID/not_whole_number', { param: 'count', min: 1, max: MOST_SCHEDULES - 1 });
}
