// Verbs that make something pay, or pay at once: there is no row yet, only accounts and an order.
import type { Cell } from '../axes.ts';
import type { Rule, Verdict } from './verdict.ts';
import { LEFT_OUT, advancing, externalMoney, firstOf, isEndUser, scope } from './verdict.ts';

type OrderCell = Cell<'order'>;
type Verb = OrderCell['verb'];

/** Payments that wait; the rest is booked at once, or makes payments later. */
export const MAKES_PAYMENT: readonly Verb[] = ['createPayment', 'createPaymentGrouped', 'createPayments'];
const BOOKS: readonly Verb[] = ['deposit', 'withdraw', 'transfer', 'reserve', 'importOpeningBalances'];

const fromSystem = ({ money }: OrderCell): boolean => money === 'from world' || money === 'out of fees';

/** What is ordered sets funds aside: `world` and `fees` have none to set aside, and a subscription looks for them when due. */
export const setsAside = (cell: OrderCell): boolean => MAKES_PAYMENT.includes(cell.verb) && !fromSystem(cell);

const isHold = ({ verb, way }: OrderCell): boolean => verb === 'createPaymentGrouped' && way === 'hold';

/** An end user pays out of their own account, to accounts of people. */
const own: Rule<OrderCell> = (cell) => {
  if (!isEndUser(cell)) return null;
  if (cell.actor === 'other end user' || fromSystem(cell)) return 'AUTH_FORBIDDEN';
  return cell.money === 'to world' ? 'ACCOUNT_NOT_FOUND' : null;
};

/** Only the holds of the API are open to end users, who have the handle's `createPayment` too. */
const route: Rule<OrderCell> = (cell) =>
  isEndUser(cell) && cell.verb === 'createPaymentGrouped' && cell.way === 'payment' ? 'AUTH_FORBIDDEN' : null;

/** A freeze stops what leaves, and is asked for by the book before the accounts: what `world` pays comes in. */
const frozen: Rule<OrderCell> = (cell) => {
  if (cell.condition !== 'frozen') return null;
  if (BOOKS.includes(cell.verb)) return cell.money === 'from world' ? null : 'ASSET_FROZEN';
  return setsAside(cell) ? 'ASSET_FROZEN' : null;
};

/** An import reports a line that is wrong, and writes nothing. */
const accounts: Rule<OrderCell> = ({ verb, state }) => {
  if (state !== 'payer suspended' && state !== 'payee closed') return null;
  return verb === 'importSubscriptions' ? LEFT_OUT : 'ACCOUNT_NOT_ACTIVE';
};

/** Money leaves an account at once. */
const leaves = (verb: Verb): boolean => verb === 'withdraw' || verb === 'transfer';

const paused: Rule<OrderCell> = ({ verb, condition, money }) =>
  condition === 'paused' && (MAKES_PAYMENT.includes(verb) || (leaves(verb) && money !== 'from world'))
    ? 'PAUSED'
    : null;

/** A withdrawal or a transfer cannot await approval: a payment can. */
const threshold: Rule<OrderCell> = ({ verb, condition, money }) =>
  condition === 'awaiting approval' && leaves(verb) && money !== 'from world' ? 'APPROVAL_REQUIRED' : null;

const funds: Rule<OrderCell> = (cell) => {
  if (isHold(cell) && fromSystem(cell)) return 'ACCOUNT_STATE_CONFLICT';
  if (cell.state !== 'short of funds') return null;
  return BOOKS.includes(cell.verb) || setsAside(cell) ? 'FUNDS_INSUFFICIENT' : null;
};

const moves = ({ verb }: Cell): boolean => verb !== 'reserve';

export const orderVerdict = (cell: OrderCell): Verdict =>
  firstOf(cell, [
    scope,
    route,
    own,
    // An import is many transactions: it asks before the first.
    ...(cell.verb === 'importOpeningBalances' ? [externalMoney(moves)] : []),
    advancing,
    // What is ordered for later looks its accounts up first; what is booked at once asks the book, which locks them.
    ...(BOOKS.includes(cell.verb)
      ? [externalMoney(moves), paused, threshold, frozen, accounts]
      : [accounts, externalMoney(moves), paused, frozen]),
    funds,
  ] as readonly Rule<OrderCell>[]);
