// Everything ahead of some accounts: what they hold, the payments that wait, and what schedules will make.
import type { Sql } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { balancesOf, derivedAccount, derivedBalance } from '../../ledger/index.ts';
import type { Leg } from '../../payments/index.ts';
import { paymentsAhead } from '../../payments/index.ts';
import { readScheduleDue } from '../due-store.ts';
import type { Paces } from '../pace.ts';
import type { Schedule } from '../schedule.ts';
import { soonest } from '../soonest.ts';
import type { StoredSchedule } from '../store.ts';
import { readSchedules } from '../store.ts';
import type { Funds, Flow } from './project.ts';
import type { Run } from './runs.ts';
import { runsAhead } from './runs.ts';
import { schedulesAhead } from './store.ts';

export interface Window {
  readonly now: Date;
  readonly until: Date;
  /** Payments and schedules of each side of an account that are looked at, the newest first; and lines in all. */
  readonly most: { readonly payments: number; readonly schedules: number; readonly lines: number };
  /** Leave out payments that were tried and are tried again. */
  readonly untriedOnly?: boolean;
}

export interface Ahead {
  /** By asset; also of those that it will only come to hold. */
  readonly funds: ReadonlyMap<string, Funds>;
  readonly flows: readonly Flow[];
  /** Up to when this is all there is: the end of the window, or where a bound was met. */
  readonly until: Date;
}

const NOTHING: Funds = { available: 0n, reserved: 0n };

export async function gather(
  sql: Sql,
  tenantId: Uuid,
  accountIds: readonly Uuid[],
  window: Window,
  paces: Paces,
): Promise<Map<Uuid, Ahead>> {
  const { until, most } = window;
  const held = await balancesOf(sql, tenantId, accountIds);
  const waiting = await paymentsAhead(sql, tenantId, accountIds, { until, most: most.payments });
  const recurring = await schedulesAhead(sql, tenantId, accountIds, { until, most: most.schedules });
  const dueByAccount = Map.groupBy(recurring, (row) => row.accountId);
  const paying = Map.groupBy(waiting, (row) => row.accountId);
  const chosen = new Set(
    [...dueByAccount.values()].flatMap((rows) => rows.slice(0, most.lines).map((row) => row.scheduleId)),
  );
  const keys = [...chosen].map((id) => ({ tenantId, id }));
  const stored = new Map((await readSchedules(sql, keys)).map((each) => [each.schedule.id, each]));
  const positions = new Map((await readScheduleDue(sql, keys)).map((row) => [row.scheduleId, row.position]));
  const span = { now: window.now.getTime(), until: until.getTime() };

  const found = new Map<Uuid, Ahead>();
  for (const accountId of new Set(accountIds)) {
    const own = dueByAccount.get(accountId) ?? [];
    const fromPayments = (paying.get(accountId) ?? [])
      .filter((row) => !(window.untriedOnly && row.attempts > 0))
      .map((row): Flow => ({
        at: Math.max(row.dueAt.getTime(), span.now),
        asset: row.asset,
        amount: row.amount,
        held: row.held,
        paymentId: row.paymentId,
        scheduleId: null,
        slot: null,
        priority: row.priority,
      }));
    const sequences = own.slice(0, most.lines).flatMap(({ scheduleId }) => {
      const [each, position] = [stored.get(scheduleId), positions.get(scheduleId)];
      return each && position ? [flowsOf(each, accountId, runsAhead(each, position, span, paces))] : [];
    });
    const fromSchedules = await soonest(sequences, most.lines + 1);
    const flows = [...fromPayments, ...fromSchedules].toSorted((a, b) => a.at - b.at);
    // What lies at or beyond the first that was left out is not known in full.
    const ends = [until.getTime(), own[most.lines]?.dueAt.getTime(), flows[most.lines]?.at];
    const end = Math.max(span.now, Math.min(...ends.filter((at) => at !== undefined)));
    const seen = flows.filter((flow) => flow.at < end);
    const funds = await fundsOf(sql, tenantId, accountId, held.get(accountId) ?? new Map<string, Funds>(), seen);
    found.set(accountId, { funds, flows: seen, until: new Date(end) });
  }
  return found;
}

function* flowsOf({ schedule }: StoredSchedule, accountId: Uuid, runs: Iterable<Run>): Generator<Flow, undefined> {
  for (const run of runs) yield flowOf(schedule, run, accountId);
}

function flowOf(schedule: Schedule, run: Run, accountId: Uuid): Flow {
  const { asset, priority, id } = schedule;
  const amount = schedule.payerId === accountId ? -run.amount : shareOf(schedule.legs, run.amount, accountId);
  return { at: run.at, asset, amount, held: false, paymentId: null, scheduleId: id, slot: run.slot, priority };
}

/** A single payee gets the amount of the slot; several have theirs. */
function shareOf(legs: readonly Leg[], amount: bigint, accountId: Uuid): bigint {
  if (legs.length === 1) return amount;
  return legs.reduce((sum, leg) => (leg.accountId === accountId ? sum + leg.amount : sum), 0n);
}

async function fundsOf(
  sql: Sql,
  tenantId: Uuid,
  accountId: Uuid,
  held: ReadonlyMap<string, Funds>,
  flows: readonly Flow[],
): Promise<Map<string, Funds>> {
  const assets = new Set([...held.keys(), ...flows.map(({ asset }) => asset)]);
  const derived = derivedAccount(tenantId, accountId) !== null;
  const funds = new Map<string, Funds>();
  for (const asset of assets) {
    const own = derived
      ? { available: await derivedBalance(sql, { tenantId, accountId, asset }), reserved: 0n }
      : (held.get(asset) ?? NOTHING);
    funds.set(asset, own);
  }
  return funds;
}
