// A new allowance: a schedule from the guardian to the child, first run at the next midnight by the family's clocks. Funds
// are looked for when it is due.
import type { Transaction } from '../../db/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import { contactOf, requireMayMove } from '../../ledger/index.ts';
import { pauseSchedule } from '../change.ts';
import { createSchedule } from '../create.ts';
import { readSchedules } from '../store.ts';
import type { AllowanceFrequency, AllowanceStatus, RetryInput } from './allowance.ts';
import { LIVE, nextMidnight, parseRetry, parseStatus, ruleOf } from './allowance.ts';
import { tellOf } from './facts.ts';
import { lockFamily, requireGuardian } from './people.ts';
import type { PairKey } from './store.ts';
import { endAllowance, insertAllowance, lockAllowance } from './store.ts';

export interface AllowanceOrder {
  /** Who pays: id or ref of an account. */
  readonly guardian: string;
  /** Who is paid: an account whose guardian that is. */
  readonly junior: string;
  readonly asset: string;
  readonly amount: bigint | string | number;
  readonly frequency: AllowanceFrequency;
  /** OFF: it pays nothing until it is turned ON. */
  readonly status: AllowanceStatus;
  /** IANA name. Default: that of the guardian's contact, or UTC. */
  readonly zone?: string;
  /** A preset's name, or fields of a policy over the preset `allowance`. Default: the values of the deployment, as they are when a credit is made. */
  readonly retry?: RetryInput;
}

export async function createAllowance(
  tx: Transaction,
  clock: Clock,
  maker: Pick<VerbContext, 'tenantId' | 'caller' | 'secrets'>,
  order: AllowanceOrder,
): Promise<PairKey> {
  const { tenantId, caller } = maker;
  const status = parseStatus(order.status);
  const rule = ruleOf(order.frequency);
  const family = await lockFamily(tx, tenantId, order);
  const { guardian } = family;
  requireMayMove(caller, { tenantId, from: [guardian.id], to: family.junior ? [family.junior.id] : [] });
  const junior = requireGuardian(family, order.junior);
  for (const [param, account] of Object.entries({ guardian, junior })) {
    if (account.status !== 'active') refuse(`ACCOUNT_NOT_ACTIVE/${account.status}`, { account: account.ref, param });
  }
  const pair = { tenantId, guardianId: guardian.id, juniorId: junior.id };
  await giveWay(tx, clock, pair);
  const zone = order.zone ?? contactOf(maker.secrets, guardian)?.zone ?? 'UTC';
  const terms = {
    from: guardian.id,
    to: junior.id,
    asset: order.asset,
    amount: order.amount,
    rule,
    zone,
    start: nextMidnight(zone, clock.now),
    ...(order.retry === undefined ? {} : { retry: parseRetry(order.retry) }),
  };
  const schedule = await createSchedule(tx, clock, maker, terms, { kind: 'allowance' });
  if (!(await insertAllowance(tx, pair, schedule.id, clock.now))) {
    refuse('ALLOWANCE.ALREADY_EXISTS', { guardian: guardian.ref, junior: junior.ref, param: 'junior' });
  }
  if (status === 'OFF') await pauseSchedule(tx, clock, caller, schedule, {});
  await tellOf(tx, clock, caller, { ...pair, scheduleId: schedule.id }, 'created', {
    new: { status, amount: schedule.amount, asset: schedule.asset, frequency: order.frequency },
  });
  return pair;
}

/** One whose schedule somebody ended takes up no room. */
async function giveWay(tx: Transaction, clock: Clock, pair: PairKey): Promise<void> {
  const id = await lockAllowance(tx, pair);
  if (id === null) return;
  const [stored] = await readSchedules(tx, [{ tenantId: pair.tenantId, id }]);
  if (stored && !LIVE.some((status) => status === stored.schedule.status))
    await endAllowance(tx, pair.tenantId, id, clock.now);
}
