// Everything that can keep a payment from being paid, read in one snapshot. Nothing is locked or written.
import type { Sql } from '../../db/index.ts';
import type { Clock, Uuid } from '../../kernel/index.ts';
import type { StoredAccount, Freeze } from '../../ledger/index.ts';
import { derivedAccount, derivedBalance, findAccounts, listFreezes, readBalances } from '../../ledger/index.ts';
import type { DueRow, ExceededLimit, Payment, TimelineEntry } from '../../payments/index.ts';
import { countDueBefore, exceededLimits, readDue, readLimits, timeline } from '../../payments/index.ts';
import type { Pace } from '../../schedules/index.ts';
import { retryRefusal } from '../../schedules/index.ts';
import type { ActivePause, TestClock } from '../../tenants/index.ts';
import { Pauses, findClock, listPauses } from '../../tenants/index.ts';
import { executionCapOf } from '../execution-cap.ts';
import { loopIdleMs } from '../loop-store.ts';
import type { Sight } from './reason.ts';

export interface Facts {
  readonly payment: Payment;
  readonly now: Date;
  /** Null once the payment has ended. */
  readonly due: DueRow | null;
  /** The event that ended it. */
  readonly ending: TimelineEntry | null;
  /** Whether the owner of the failed payment refuses a retry. */
  readonly retryRefused: boolean;
  /** The clock of a test tenant; null where it has none. */
  readonly clock: TestClock | null;
  readonly pauses: readonly ActivePause[];
  readonly freeze: Freeze | null;
  /** Payer and payees, by id. */
  readonly accounts: ReadonlyMap<Uuid, StoredAccount>;
  /** The available balance of the payer; null for `world`, which has no balance. */
  readonly available: bigint | null;
  readonly limits: readonly ExceededLimit[];
  readonly approvalAbove: bigint | null;
  /** How long ago a processor last ran, in milliseconds; null if none has reported a run. */
  readonly idleMs: number | null;
  /** Executions per second of the tenant; null for no cap. */
  readonly cap: number | null;
  /** Due payments of the tenant that come first, counted up to MOST_AHEAD. */
  readonly ahead: number;
  /** The next cron run for this payment, if a cron executes charges of subscriptions. */
  readonly cronAt: Date | null;
}

export interface Settings {
  readonly defaultCap: number | null;
  /** The cron of the processor, where charges of subscriptions have one. */
  readonly charges: Pace | null;
  readonly sight: Sight;
}

export const MOST_AHEAD = 10_000;

export async function gatherFacts(sql: Sql, clock: Clock, payment: Payment, settings: Settings): Promise<Facts> {
  const { now } = clock;
  const key = { tenantId: payment.tenantId, id: payment.id };
  const due = await readDue(sql, key);
  const { accounts, available } = await readParties(sql, payment);
  const ended = { payment, now, due, accounts, available };
  if (!due) {
    const ending = payment.status === 'cancelled' || payment.status === 'expired' ? await lastEntry(sql, key) : null;
    const retryRefused = payment.status === 'failed' && (await retryRefusal(sql, clock, payment)) !== null;
    return { ...ended, ...NOTHING, ending, retryRefused };
  }
  const limits = await readLimits(sql, [{ ...key, accountId: payment.payerId, asset: payment.asset }]);
  const cap = (await executionCapOf(sql, key.tenantId, settings.defaultCap)).appliesPerSecond;
  const isLive = payment.clockId === null;
  return {
    ...ended,
    ending: null,
    retryRefused: false,
    clock: isLive ? null : await findClock(sql, key.tenantId),
    pauses: (await listPauses(sql, key.tenantId)).filter((pause) => new Pauses([pause]).covers(payment)),
    freeze: await findFreeze(sql, payment),
    limits: await exceededLimits(sql, clock, payment, limits),
    approvalAbove: leastOf(limits.flatMap(({ approvalAbove }) => approvalAbove ?? [])),
    idleMs: isLive ? await loopIdleMs(sql, payment.payout ? 'payouts' : 'processor') : 0,
    cap: isLive ? cap : null,
    ahead: isLive && cap !== null ? await countDueBefore(sql, due, now, MOST_AHEAD) : 0,
    cronAt: nextByCron(payment, due, settings.charges),
  };
}

const NOTHING = {
  clock: null,
  pauses: [],
  freeze: null,
  limits: [],
  approvalAbove: null,
  idleMs: 0,
  cap: null,
  ahead: 0,
  cronAt: null,
};

async function readParties(sql: Sql, payment: Payment): Promise<Pick<Facts, 'accounts' | 'available'>> {
  const { tenantId, payerId, asset, legs } = payment;
  const ids = [payerId, ...legs.map((leg) => leg.accountId)];
  const accounts = new Map((await findAccounts(sql, tenantId, ids)).map((account) => [account.id, account]));
  const derived = derivedAccount(tenantId, payerId);
  if (derived === 'world') return { accounts, available: null };
  if (derived) return { accounts, available: await derivedBalance(sql, { tenantId, accountId: payerId, asset }) };
  const balance = (await readBalances(sql, tenantId, payerId)).find((each) => each.asset === asset);
  return { accounts, available: balance?.available ?? 0n };
}

async function findFreeze(sql: Sql, { tenantId, asset, payerId }: Payment): Promise<Freeze | null> {
  if (derivedAccount(tenantId, payerId) === 'world') return null;
  const active = await listFreezes(sql, { activeOnly: true });
  return active.find((freeze) => freeze.tenantId === tenantId && freeze.asset === asset) ?? null;
}

/** Beyond the first page of a timeline the payment ends without a cause. */
async function lastEntry(sql: Sql, key: { tenantId: Uuid; id: Uuid }): Promise<TimelineEntry | null> {
  const entries = await timeline(sql, key);
  return entries.findLast(({ type }) => ENDINGS.includes(type)) ?? null;
}

const ENDINGS: readonly string[] = ['payment.cancelled', 'payment.rejected', 'payment.expired'];

const leastOf = (amounts: readonly bigint[]): bigint | null =>
  amounts.reduce<bigint | null>((least, each) => (least !== null && least < each ? least : each), null);

function nextByCron(payment: Payment, { dueAt }: DueRow, charges: Pace | null): Date | null {
  if (payment.owner?.kind !== 'subscription' || charges === null) return null;
  return new Date(charges.next(dueAt.getTime()));
}
