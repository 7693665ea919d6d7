// Verbs on what recurs: schedules, the slots that could not become a payment, subscriptions, plans, allowances.
import type { Cell, StateOf } from '../axes.ts';
import type { Code, Rule, Verdict } from './verdict.ts';
import { LEFT_OUT, advancing, becomes, externalMoney, firstOf, isLoop, scope } from './verdict.ts';

type Verb = Cell['verb'];
type ScheduleCell = Cell<'schedule'>;

const NOT_ENDED: readonly StateOf<'schedule'>[] = ['active', 'paused'];

const PAYS: readonly Verb[] = ['triggerSchedule', 'backfillSchedule'];

/** What a schedule's payments are funded by, in the matrix: set aside where an account can. */
export const setsAside = ({ owner, money }: Pick<Cell, 'owner' | 'money'>): boolean =>
  (owner === 'plain' || owner === 'legs') && (money === 'inside' || money === 'to world');

/** To stop it, or to note something, is open to who may write payments; what pays, or pays later, is not. */
const scheduleMoves = ({ verb, way }: Cell): boolean =>
  PAYS.includes(verb) || verb === 'resumeSchedule' || (verb === 'editSchedule' && way !== 'metadata');

const ofSubscription: Rule<ScheduleCell> = ({ owner }) =>
  owner === 'subscription' ? 'SCHEDULE_OF_SUBSCRIPTION' : null;

const scheduleState: Rule<ScheduleCell> = ({ verb, state }) => {
  const among: Partial<Record<Verb, readonly StateOf<'schedule'>[]>> = {
    pauseSchedule: ['active'],
    resumeSchedule: ['paused'],
    // The past of a schedule that ended can still be paid.
    backfillSchedule: ['active', 'paused', 'completed', 'cancelled', 'expired'],
  };
  return (among[verb] ?? NOT_ENDED).includes(state) ? null : 'SCHEDULE_STATE_CONFLICT';
};

const stopped: Rule<ScheduleCell> = (cell) => {
  if (!PAYS.includes(cell.verb)) return null;
  // A new allowance has no slot behind it, so a backfill pays nothing.
  if (cell.verb === 'backfillSchedule' && cell.owner === 'allowance') return null;
  if (cell.condition === 'paused') return 'PAUSED';
  return cell.condition === 'frozen' && setsAside(cell) ? 'ASSET_FROZEN' : null;
};

const legs: Rule<ScheduleCell> = ({ verb, way, owner }) =>
  verb === 'editSchedule' && way === 'amount' && owner === 'legs' ? 'LEGS_INVALID' : null;

export function scheduleVerdict(cell: ScheduleCell): Verdict {
  if (isLoop(cell)) return visited(cell);
  const rules = [scope, advancing, ofSubscription, externalMoney(scheduleMoves), scheduleState, stopped, legs];
  return firstOf(cell, rules as readonly Rule<ScheduleCell>[]);
}

/**
 * What a scheduler makes of it: the slot that is due is made, unless nothing may leave. In a frozen asset a payment that looks for
 * its funds when it is due is made, and waits itself. A test tenant's is not a scheduler's.
 */
function visited(cell: ScheduleCell): Verdict {
  const { state, owner, condition } = cell;
  const isDue = state === 'active' && (owner === 'plain' || owner === 'legs');
  const isFree = ['none', 'awaiting approval'].includes(condition) || (condition === 'frozen' && !setsAside(cell));
  return isDue && isFree ? becomes('active, 1 made') : LEFT_OUT;
}

const letterMoves = ({ verb }: Cell): boolean => verb.startsWith('retryDeadLetter');

export function occurrenceVerdict(cell: Cell<'occurrence'>): Verdict {
  const found: Rule<Cell<'occurrence'>> = ({ verb, state }) => {
    if (state === 'dead letter') return null;
    return verb === 'retryDeadLetters' || verb === 'discardDeadLetters' ? LEFT_OUT : 'DEAD_LETTER_NOT_FOUND';
  };
  const held: Rule<Cell<'occurrence'>> = ({ verb, condition }) => {
    if (!verb.startsWith('retryDeadLetter')) return null;
    if (condition === 'paused') return 'PAUSED';
    return condition === 'frozen' && setsAside(cell) ? 'ASSET_FROZEN' : null;
  };
  const rules = [scope, found, advancing, externalMoney(letterMoves), held];
  return firstOf(cell, rules as readonly Rule<Cell<'occurrence'>>[]);
}

export function subscriptionVerdict(cell: Cell<'subscription'>): Verdict {
  const among: Partial<Record<Verb, readonly StateOf<'subscription'>[]>> = {
    editSubscription: ['trialing', 'active', 'ending', 'paused', 'past due'],
    cancelSubscription: ['trialing', 'active', 'ending', 'paused', 'past due', 'expired'],
    changeSubscriptionPlan: ['trialing', 'active'],
    pauseSubscription: ['trialing', 'active', 'ending'],
    resumeSubscription: ['ending', 'paused', 'past due', 'expired'],
  };
  const RUNNING: readonly StateOf<'subscription'>[] = ['trialing', 'active'];
  const state: Rule<Cell<'subscription'>> = ({ verb, way, state: at }) =>
    (way === 'at the period’s end' ? RUNNING : among[verb])?.includes(at) ? null : 'SCHEDULE_STATE_CONFLICT';
  // Its payer ends it; to any other end user there is no such subscription.
  const payer: Rule = ({ actor }) => (actor === 'other end user' ? 'SUBSCRIPTION_NOT_FOUND' : null);
  const moves = ({ verb, way }: Cell): boolean =>
    verb === 'resumeSubscription' ||
    verb === 'changeSubscriptionPlan' ||
    (verb === 'editSubscription' && way !== 'metadata');
  const rules = [scope, payer, advancing, externalMoney(moves), state];
  return firstOf(cell, rules as readonly Rule<Cell<'subscription'>>[]);
}

export const planVerdict = (cell: Cell<'plan'>): Verdict =>
  firstOf(cell, [scope, advancing, externalMoney(() => true)]);

/** The allowance of a removed guardian is OFF: its payer can delete it, and do nothing else with it but turn it OFF once more. */
export function allowanceVerdict(cell: Cell<'allowance'>): Verdict {
  const guardian: Rule = ({ actor }) => (actor === 'other end user' ? 'ACCOUNT_NOT_FOUND' : null);
  const state = ({ verb, way, state: at }: Cell<'allowance'>): Code | null => {
    if (verb === 'createAllowance') {
      if (at === 'of another guardian') return 'ALLOWANCE.NOT_GUARDIAN';
      return at === 'deleted' ? null : 'ALLOWANCE.ALREADY_EXISTS';
    }
    if (at === 'deleted') return 'ALLOWANCE.NOT_FOUND';
    const stops = verb === 'deleteAllowance' || way === 'OFF';
    return at === 'of another guardian' && !stops ? 'ALLOWANCE.NOT_GUARDIAN' : null;
  };
  return firstOf(cell, [scope, guardian, advancing, state] as readonly Rule<Cell<'allowance'>>[]);
}
