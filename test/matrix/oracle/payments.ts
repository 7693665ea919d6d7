// Verbs on a payment. The order of the rules is the order of the questions: who asks, whether they may see it, whose the payment
// is, which state it is in, what else holds, and last the money.
import type { Cell, StateOf } from '../axes.ts';
import type { Rule, Verdict } from './verdict.ts';
import { ALLOWED, LEFT_OUT, advancing, becomes, externalMoney, firstOf, isEndUser, isLoop, scope } from './verdict.ts';

type PaymentCell = Cell<'payment'>;
type State = StateOf<'payment'>;
type Verb = PaymentCell['verb'];

const OPEN: readonly State[] = ['scheduled', 'partly captured', 'retrying'];
const FAILED: readonly State[] = ['failed', 'failed after a capture', 'discarded'];
const PAID: readonly State[] = ['settled', 'partly refunded', 'failed after a capture'];
const DEAD_LETTER: readonly State[] = ['failed', 'failed after a capture'];

export const isOpen = ({ state }: PaymentCell): boolean => OPEN.includes(state);

/** A charge and a credit look for their funds when they are due, and so does what `world` and `fees` pay. */
export const reserves = ({ owner, money, state }: PaymentCell): boolean =>
  ['plain', 'legs', 'schedule'].includes(owner) && (money === 'inside' || money === 'to world') && state !== 'retrying';

/** An end user makes plain payments out of their own account, to accounts of people. All others are made by the tenant's key. */
export const madeByEndUser = ({ actor, owner, money }: Cell): boolean =>
  actor === 'end user' && ['plain', 'legs'].includes(owner) && money === 'inside';

const changesTerms = ({ verb, way }: Cell): boolean => verb === 'editPayment' && way !== 'metadata';

/** What pays, or lets something be paid later. Cancelling, failing, rejecting and discarding give back. */
const MOVES: readonly Verb[] = [
  'capturePayment',
  'extendPayment',
  'refundPayment',
  'retryPayment',
  'runPaymentNow',
  'approvePayment',
  'retryDeadLetter',
  'retryDeadLetters',
];
const moves = (cell: Cell): boolean => MOVES.includes(cell.verb) || changesTerms(cell);

const sight: Rule<PaymentCell> = (cell) => {
  if (cell.actor === 'other end user') return 'PAYMENT_NOT_FOUND';
  return null;
};

const ownMade: Rule<PaymentCell> = (cell) => (isEndUser(cell) && !madeByEndUser(cell) ? 'AUTH_FORBIDDEN' : null);

/** What a subscription or an allowance pays, and when, is the subscription's or the allowance's to say. */
const owner: Rule<PaymentCell> = (cell) =>
  changesTerms(cell) && ['subscription', 'ended subscription', 'allowance'].includes(cell.owner)
    ? 'PAYMENT_OWNED'
    : null;

/** A schedule's payment is due when it is made: there is nothing to bring forward. */
const isDueNow = (whose: PaymentCell['owner'], at: PaymentCell['state']): boolean =>
  !['plain', 'legs'].includes(whose) && at !== 'retrying';

/** A dead letter is looked for before anything else, and so is what a filter finds. */
const found: Rule<PaymentCell> = ({ verb, state: at, condition, owner: whose }) => {
  if (verb === 'retryDeadLetter' || verb === 'discardDeadLetter')
    return DEAD_LETTER.includes(at) ? null : 'DEAD_LETTER_NOT_FOUND';
  // None of the payments of the matrix is a payout.
  if (verb === 'resolvePayout') return 'PAYOUT_NOT_IN_REVIEW';
  if (verb === 'retryDeadLetters' || verb === 'discardDeadLetters') return DEAD_LETTER.includes(at) ? null : LEFT_OUT;
  if (verb === 'runPaymentsNow') {
    if (!OPEN.includes(at) || condition === 'past expiry') return LEFT_OUT;
    return condition === 'awaiting approval' || !isDueNow(whose, at) ? null : LEFT_OUT;
  }
  return null;
};

/** Among many, a payment that the key may not move stays where it is, and is named. */
const externalAmongMany: Rule<PaymentCell> = ({ verb, actor, money }) =>
  verb === 'runPaymentsNow' && actor === 'key without ledger:money' && money !== 'inside' ? 'AUTH_SCOPE_MISSING' : null;

const state: Rule<PaymentCell> = (cell) => {
  const states = cell.verb === 'refundPayment' ? PAID : cell.verb === 'retryPayment' ? FAILED : OPEN;
  if (cell.verb.endsWith('DeadLetter') || cell.verb.endsWith('DeadLetters')) return null;
  if (!states.includes(cell.state)) return 'PAYMENT_STATE_CONFLICT';
  return cell.verb === 'capturePayment' && !reserves(cell) ? 'PAYMENT_STATE_CONFLICT' : null;
};

/** A payment that is past its expiry has expired, though no processor has said so yet: it is cancelled or given up on at most. */
const expiry: Rule<PaymentCell> = (cell) => {
  if (cell.condition !== 'past expiry') return null;
  if (['cancelPayment', 'failPayment', 'discardDeadLetter', 'discardDeadLetters', 'refundPayment'].includes(cell.verb))
    return null;
  return 'PAYMENT_STATE_CONFLICT';
};

/** The key that made the row, and who is the same person by lineage or descent. */
const ONE_PERSON: readonly Cell['actor'][] = ['key', 'rotated key', 'child key'];

/** What a schedule makes, and what has been tried, is due already. */
const isLater = ({ owner: whose, state: at }: PaymentCell): boolean =>
  ['plain', 'legs'].includes(whose) && at !== 'retrying';

/** The person who made a payment does not decide on it, and does not move its money before the instant that was approved. */
const fourEyes: Rule<PaymentCell> = (cell) => {
  const { verb, way, actor, condition } = cell;
  if (verb === 'approvePayment' || verb === 'rejectPayment') {
    if (condition !== 'awaiting approval') return 'PAYMENT_STATE_CONFLICT';
    if (ONE_PERSON.includes(actor)) return 'APPROVAL_NEEDS_ANOTHER';
    return way === 'other terms' ? 'APPROVAL_TERMS_CHANGED' : null;
  }
  if (!['capturePayment', 'runPaymentNow', 'runPaymentsNow'].includes(verb)) return null;
  if (condition === 'awaiting approval') return 'APPROVAL_AWAITED';
  if (condition !== 'approved' || !isLater(cell) || !(ONE_PERSON.includes(actor) || madeByEndUser(cell))) return null;
  return 'APPROVAL_NEEDS_ANOTHER';
};

/** A charge of a subscription that has ended is not tried again. */
const ended: Rule<PaymentCell> = ({ verb, owner: whose }) =>
  whose === 'ended subscription' && ['retryPayment', 'retryDeadLetter', 'retryDeadLetters'].includes(verb)
    ? 'PAYMENT_OWNED'
    : null;

const legs: Rule<PaymentCell> = ({ verb, way, owner: whose }) =>
  whose === 'legs' &&
  ((verb === 'refundPayment' && way === 'part') || (verb === 'editPayment' && (way === 'more' || way === 'less')))
    ? 'LEGS_INVALID'
    : null;

const fixedAmount: Rule<PaymentCell> = ({ verb, way, state: at }) =>
  verb === 'editPayment' && (way === 'more' || way === 'less') && at === 'partly captured'
    ? 'PAYMENT_STATE_CONFLICT'
    : null;

const pays = ({ verb }: Cell): boolean => verb === 'capturePayment' || verb === 'refundPayment';

const paused: Rule<PaymentCell> = (cell) => (cell.condition === 'paused' && pays(cell) ? 'PAUSED' : null);

/** The book is asked last: for a freeze, then for the funds. */
const frozen: Rule<PaymentCell> = (cell) => {
  const { verb, way, condition } = cell;
  if (condition !== 'frozen') return null;
  // A freeze keeps money from leaving: what comes back from `world` arrives.
  if (verb === 'refundPayment' && cell.money === 'to world' && cell.owner !== 'legs') return null;
  const holds =
    (verb === 'editPayment' && way === 'more') || verb === 'retryPayment' || verb.startsWith('retryDeadLetter');
  return pays(cell) || (holds && reserves(cell)) ? 'ASSET_FROZEN' : null;
};

export function paymentVerdict(cell: PaymentCell): Verdict {
  if (isLoop(cell)) return processed(cell);
  return firstOf(cell, [
    scope,
    sight,
    ownMade,
    ...(cell.verb === 'runPaymentsNow' ? [advancing] : []),
    found,
    advancing,
    externalMoney(moves),
    externalAmongMany,
    state,
    owner,
    ended,
    expiry,
    fourEyes,
    fixedAmount,
    paused,
    legs,
    frozen,
  ] as readonly Rule<PaymentCell>[]);
}

/** What a processor makes of it when it comes by. A test tenant's payments are not a processor's. */
function processed(cell: PaymentCell): Verdict {
  const { state: at, owner: whose, condition } = cell;
  if (!isOpen(cell) || condition === 'test clock' || condition === 'clock advancing') return LEFT_OUT;
  if (condition === 'past expiry') return becomes(at === 'partly captured' ? 'settled' : 'expired');
  if (!['none', 'approved'].includes(condition) || at === 'retrying') return LEFT_OUT;
  // What a schedule makes is due at once; what a person made, in an hour.
  return ['plain', 'legs'].includes(whose) ? LEFT_OUT : becomes('settled');
}

export const isAllowed = (verdict: Verdict): boolean => verdict === ALLOWED;
