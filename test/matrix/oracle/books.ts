// Verbs on accounts, reservations and assets.
import type { Cell } from '../axes.ts';
import type { Code, Rule, Verdict } from './verdict.ts';
import { advancing, externalMoney, firstOf, scope } from './verdict.ts';

export function accountVerdict(cell: Cell<'account'>): Verdict {
  const state = ({ verb, way, state: at }: Cell<'account'>): Code | null => {
    if (verb === 'openAccount') return way === 'with its ref' && at !== 'erased' ? 'ACCOUNT_EXISTS' : null;
    const isClosed = at === 'closed' || at === 'erased';
    if (verb === 'revokeTokens') return null;
    if (verb === 'eraseAccount') return isClosed ? null : 'ACCOUNT_STATE_CONFLICT';
    // `world`, `fees` and `suspense` are always active, and nobody's to edit.
    if (at === 'of the system') return 'ACCOUNT_STATE_CONFLICT';
    if (verb === 'closeAccount') return at === 'holding money' ? 'ACCOUNT_NOT_EMPTY' : null;
    if (verb === 'editAccount') return null;
    return isClosed ? 'ACCOUNT_STATE_CONFLICT' : null;
  };
  return firstOf(cell, [scope, advancing, state] as readonly Rule<Cell<'account'>>[]);
}

export function reservationVerdict(cell: Cell<'reservation'>): Verdict {
  const state: Rule<Cell<'reservation'>> = ({ state: at }) => (at === 'resolved' ? 'RESERVATION_RESOLVED' : null);
  const frozen: Rule = ({ verb, condition }) => (condition === 'frozen' && verb === 'capture' ? 'ASSET_FROZEN' : null);
  const paused: Rule = ({ verb, condition }) => (condition === 'paused' && verb === 'capture' ? 'PAUSED' : null);
  const moves = ({ verb }: Cell): boolean => verb === 'capture';
  const rules = [scope, advancing, externalMoney(moves), paused, state, frozen];
  return firstOf(cell, rules as readonly Rule<Cell<'reservation'>>[]);
}

/** An asset is made once; asking again for the same one changes nothing. */
export function assetVerdict(cell: Cell<'asset'>): Verdict {
  const state: Rule<Cell<'asset'>> = ({ state: at }) => (at === 'of another scale' ? 'ASSET_EXISTS' : null);
  return firstOf(cell, [scope, advancing, state] as readonly Rule<Cell<'asset'>>[]);
}
