// An act as an auditor reads it: the type of its event, in capitals. One has a name of its own, which is older than ours.
import { EVENT_TYPES } from '../events/index.ts';

const OWN_NAMES: Readonly<Record<string, string>> = { 'payment.settled': 'PAYMENT_COMPLETED' };

export function actionOf(type: string): string {
  return OWN_NAMES[type] ?? type.replaceAll('.', '_').toUpperCase();
}

const TYPES: ReadonlyMap<string, string> = new Map(Object.keys(EVENT_TYPES).map((type) => [actionOf(type), type]));

/** The type of the event of an action; null for a type of another release. */
export const typeOfAction = (action: string): string | null => TYPES.get(action) ?? null;

/** The types that an action may stand for, as a pattern for LIKE: its underscore matches the dot as well. */
export function typesOf(action: string): string {
  const own = Object.entries(OWN_NAMES).find(([, name]) => name === action);
  return own ? own[0] : action.toLowerCase();
}
