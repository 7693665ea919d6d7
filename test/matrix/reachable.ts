// Cells that no sequence of verbs leads to, each with the reason. What is not listed here is run.
import type { Cell, Resource } from './axes.ts';
import { isLoop } from './oracle/verdict.ts';
import { specOf } from './verbs.ts';

/** Why a cell cannot be, or null where it can. */
export function unreachable(cell: Cell): string | null {
  return actors(cell) ?? OF[cell.resource]?.(cell) ?? null;
}

function actors(cell: Cell): string | null {
  const { actor, verb } = cell;
  if (isLoop(cell)) return actor === 'system' ? null : 'a loop runs as the system';
  if (actor === 'system') return 'the system acts through its loops, which are separate verbs';
  if (actor === 'key without the scope' && specOf(verb).scope === 'library')
    return 'the verb has no route, so there is no scope to lack';
  return null;
}

type Reason = (cell: Cell) => string | null;

const OF: Partial<Record<Resource, Reason>> = { payment, order, schedule, subscription, clock, account };

const OPEN = ['scheduled', 'partly captured', 'retrying'];
const WITH_LETTER = ['failed', 'failed after a capture'];

function payment(cell: Cell): string | null {
  const { state, owner, condition, money, actor } = cell;
  const isOpen = OPEN.includes(state);
  const fromSystem = money === 'from world' || money === 'out of fees';
  if (owner === 'allowance' && money !== 'inside') return 'an allowance is between a guardian and a child';
  if (fromSystem && actor === 'end user') return 'no end user is a system account';
  if (owner === 'ended subscription' && isOpen) return 'a subscription that ends cancels its open charge';
  if (state === 'partly captured' || state === 'failed after a capture') {
    if (owner !== 'plain' && owner !== 'schedule')
      return 'a charge or a credit reserves nothing that could be captured';
    if (fromSystem) return '`world` and `fees` reserve nothing that could be captured';
  }
  if (condition === 'awaiting approval') {
    if (state === 'scheduled' || (state === 'failed' && owner !== 'ended subscription')) return null;
    return 'what awaits approval is not tried, captured or paid, and what ended waits no more';
  }
  if (condition === 'past expiry' && !isOpen && !WITH_LETTER.includes(state))
    return 'what ended for good expires no more';
  if (condition !== 'archived') return null;
  if (isOpen) return 'an open payment is not archived';
  return WITH_LETTER.includes(state) ? 'a dead letter is not archived' : null;
}

const WITH_LEGS = ['createPayment', 'createPaymentGrouped', 'createPayments', 'createSchedule'];

function order({ verb, way, state, owner, money }: Cell): string | null {
  if (owner === 'legs' && way === 'hold') return 'a hold has one payee';
  if (owner === 'legs' && !WITH_LEGS.includes(verb)) return 'the verb has one payee';
  if (['deposit', 'importOpeningBalances'].includes(verb)) {
    if (money !== 'from world') return 'opening balances and deposits come from `world`';
    if (state === 'payer suspended') return 'a system account is always active';
  }
  if (verb === 'withdraw' && money !== 'to world') return 'a withdrawal goes to `world`';
  if (verb === 'reserve' && money !== 'inside') return 'only ordinary accounts reserve funds';
  if (verb === 'reserve' && state === 'payee closed') return 'a reservation names no payee';
  if (verb === 'createPlan' && (money === 'from world' || money === 'out of fees')) return 'a plan names no payer';
  if (verb === 'createPlan' && (state === 'short of funds' || state === 'payer suspended'))
    return 'a plan names no payer';
  if (state === 'payer suspended' && money !== 'inside' && money !== 'to world')
    return 'a system account is always active';
  if (state === 'payee closed' && money === 'to world') return 'a system account is always active';
  if (state === 'short of funds' && money === 'from world') return '`world` is never short of funds';
  return null;
}

function schedule({ state, owner, money }: Cell): string | null {
  if (owner === 'allowance' && money !== 'inside') return 'an allowance is between a guardian and a child';
  if (owner === 'allowance' && (state === 'completed' || state === 'expired'))
    return 'an allowance has no last slot, and goes on after a failed credit';
  return null;
}

function subscription({ money, actor }: Cell): string | null {
  return money === 'out of fees' && actor === 'end user' ? 'no end user is a system account' : null;
}

function clock({ state, condition, actor }: Cell): string | null {
  if (condition !== 'test clock' && state !== 'missing') return 'a live tenant has no clock';
  if (state === 'missing' && (actor === 'end user' || actor === 'other end user') && condition === 'test clock')
    return 'a test tenant without a clock has no accounts of end users';
  return null;
}

function account({ verb, way, state }: Cell): string | null {
  if (verb === 'openAccount' && way === 'with another ref' && state !== 'active')
    return 'a new account has no state before';
  return null;
}
