// What the oracle answers, and the rules that hold for every verb. Nothing of the program is imported but its types: the oracle
// says what should be, the program what is, and the matrix compares them.
import type { Code as KnownCode } from '../../../src/kernel/index.ts';
import type { Actor, Cell } from '../axes.ts';
import { LOOPS } from '../axes.ts';
import { specOf } from '../verbs.ts';

/** The catalogue's, and those that are on their way into it. */
export type Code = KnownCode | 'PAYMENT_OWNED' | 'APPROVAL_TERMS_CHANGED' | 'APPROVAL_REQUIRED';

/**
 * `allowed`: the verb does what it says. `refused`: it answers with this code and changes nothing. `left out`: a verb on many
 * rows, or a loop, succeeds and leaves this row as it is. A loop's own outcome is the state that the row has afterwards.
 */
export type Verdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused'; readonly code: Code }
  | { readonly kind: 'left out' }
  | { readonly kind: 'becomes'; readonly status: string };

export const ALLOWED: Verdict = { kind: 'allowed' };
export const LEFT_OUT: Verdict = { kind: 'left out' };
export const refused = (code: Code): Verdict => ({ kind: 'refused', code });
export const becomes = (status: string): Verdict => ({ kind: 'becomes', status });

/** A rule gives the code of its refusal, a verdict that ends the questions, or null where it has nothing to say. */
export type Rule<C extends Cell = Cell> = (cell: C) => Code | Verdict | null;

export function firstOf<C extends Cell>(cell: C, rules: readonly Rule<C>[]): Verdict {
  for (const rule of rules) {
    const answer = rule(cell);
    if (answer !== null) return typeof answer === 'string' ? refused(answer) : answer;
  }
  return ALLOWED;
}

const KEYS: readonly Actor[] = [
  'key',
  'rotated key',
  'child key',
  'key without the scope',
  'key without ledger:money',
] as const;

/** Over HTTP, where the verb has a route. */
export const isKey = ({ actor }: Cell): boolean => KEYS.includes(actor);
export const isEndUser = ({ actor }: Cell): boolean => actor === 'end user' || actor === 'other end user';
export const overHttp = (cell: Cell): boolean =>
  (isKey(cell) || isEndUser(cell)) && specOf(cell.verb).scope !== 'library';
export const isLoop = ({ verb }: Cell): boolean => LOOPS.some((name) => name === verb);

/** Scopes come first: who may not ask is told nothing else. */
export const scope: Rule = (cell) => {
  const { scope: needed, endUsers } = specOf(cell.verb);
  if (isEndUser(cell)) return endUsers ? null : 'AUTH_FORBIDDEN';
  if (cell.actor === 'key without the scope') return 'AUTH_SCOPE_MISSING';
  if (cell.actor === 'key without ledger:money' && (needed === 'ledger:money' || needed === 'admin'))
    return 'AUTH_SCOPE_MISSING';
  return null;
};

/** While a test clock advances, nothing else is written that has a time. */
export const advancing: Rule = ({ verb, condition }) =>
  condition === 'clock advancing' && !specOf(verb).untimed ? 'CLOCK_ADVANCING' : null;

/** Money from or to `world`, or out of `fees`, takes ledger:money, whichever verb moves it or lets it move later. */
export const externalMoney =
  (moves: (cell: Cell) => boolean): Rule =>
  (cell) =>
    cell.actor === 'key without ledger:money' && cell.money !== 'inside' && moves(cell) ? 'AUTH_SCOPE_MISSING' : null;
