// What a guardian does to an allowance. Creating one, turning it ON and changing what it pays requires a guardian of the child; its payer can
// always turn it OFF or delete it. Removing a guardian turns it OFF (removed-guardian.ts).
import type { Transaction } from '../../db/index.ts';
import type { Caller, Clock, Uuid } from '../../kernel/index.ts';
import { parsePositiveAmount, refuse } from '../../kernel/index.ts';
import type { ScheduleEdit } from '../change.ts';
import { cancelSchedule, editSchedule, holdSchedule, pauseSchedule, resumeSchedule } from '../change.ts';
import { SCHEDULE_STATUSES } from '../schedule.ts';
import type { ScheduleKey } from '../store.ts';
import type { AllowanceStatus, RetryInput } from './allowance.ts';
import { LIVE, parseRetry, parseStatus, ruleOf } from './allowance.ts';
import type { AllowanceOrder } from './create.ts';
import { tellOf } from './facts.ts';
import type { Family } from './people.ts';
import { findFamily, lockFamily, requireGuardian } from './people.ts';
import type { PairKey } from './store.ts';
import { endAllowance, lockAllowance } from './store.ts';

export interface Names {
  readonly guardian: string;
  readonly junior: string;
}

/** What is left out stays. */
export interface AllowanceEdit extends Partial<Pick<AllowanceOrder, 'amount' | 'frequency' | 'status' | 'zone'>> {
  /** Null: the values of the deployment from the next credit on. */
  readonly retry?: RetryInput | null;
}

interface Held {
  readonly pair: PairKey;
  readonly family: Family;
  readonly key: ScheduleKey;
  readonly status: AllowanceStatus;
}

export async function editAllowance(
  tx: Transaction,
  clock: Clock,
  maker: { tenantId: Uuid; caller: Caller },
  names: Names,
  edit: AllowanceEdit,
): Promise<PairKey> {
  const { caller } = maker;
  const {
    pair,
    family,
    key,
    status: before,
  } = await holdAllowance(tx, maker.tenantId, names, edit.status === 'ON' ? lockFamily : findFamily);
  const status = edit.status === undefined ? before : parseStatus(edit.status);
  const terms = termsOf(edit);
  const changesTerms = Object.keys(terms).length > 0;
  if (changesTerms || edit.status === 'ON') requireGuardian(family, names.junior);
  // A credit that is being tried again is not wanted any more.
  if (before === 'ON' && status === 'OFF') await pauseSchedule(tx, clock, caller, key, { cancelPayment: true });
  if (changesTerms) await editSchedule(tx, clock, caller, key, terms);
  if (before === 'OFF' && status === 'ON') await resumeSchedule(tx, clock, caller, key, {});
  await tellOf(tx, clock, caller, { ...pair, scheduleId: key.id }, 'updated', {
    changed: Object.keys(edit),
    old: { status: before },
    new: {
      status,
      ...(edit.amount === undefined ? {} : { amount: parsePositiveAmount(edit.amount) }),
      ...(edit.frequency === undefined ? {} : { frequency: edit.frequency }),
      ...(edit.zone === undefined ? {} : { zone: edit.zone }),
      ...('retry' in terms ? { retry: terms.retry } : {}),
    },
  });
  return pair;
}

/** The day it counts from stays: what was paid weekly on a Friday the 13th is paid monthly on the 13th. */
function termsOf({ amount, frequency, zone, retry }: AllowanceEdit): ScheduleEdit {
  return {
    ...(amount === undefined ? {} : { amount }),
    ...(frequency === undefined ? {} : { rule: ruleOf(frequency) }),
    ...(zone === undefined ? {} : { zone }),
    ...(retry === undefined ? {} : { retry: retry && parseRetry(retry) }),
  };
}

/** Cancels its schedule, and the credit that is being tried again; what was paid stays paid. Then there may be another. */
export async function deleteAllowance(
  tx: Transaction,
  clock: Clock,
  maker: { tenantId: Uuid; caller: Caller },
  names: Names,
): Promise<void> {
  const { pair, key, status } = await holdAllowance(tx, maker.tenantId, names);
  await cancelSchedule(tx, clock, maker.caller, key, { cancelPayment: true });
  await endAllowance(tx, key.tenantId, key.id, clock.now);
  await tellOf(tx, clock, maker.caller, { ...pair, scheduleId: key.id }, 'deleted', { old: { status } });
}

export function noAllowance({ guardian, junior }: Names): never {
  return refuse('ALLOWANCE.NOT_FOUND', { guardian, junior });
}

/** Its row, then its schedule: nobody turns it on or off meanwhile, by whichever way. */
async function holdAllowance(
  tx: Transaction,
  tenantId: Uuid,
  names: Names,
  find: typeof findFamily = findFamily,
): Promise<Held> {
  const family = await find(tx, tenantId, names);
  const { guardian, junior } = family;
  if (!junior) return noAllowance(names);
  const pair = { tenantId, guardianId: guardian.id, juniorId: junior.id };
  const id = await lockAllowance(tx, pair);
  if (id === null) return noAllowance(names);
  const key = { tenantId, id };
  const { schedule } = await holdSchedule(tx, key, 'changed', SCHEDULE_STATUSES, null);
  if (!LIVE.some((status) => status === schedule.status)) return noAllowance(names);
  return { pair, family, key, status: schedule.status === 'active' ? 'ON' : 'OFF' };
}
