// Actions of the audit log: the type of an event in capitals. One action keeps the name that existing consumers know.
import { EVENT_TYPES } from '../events/index.ts';

const KEPT_NAMES: Readonly<Record<string, string>> = { 'payment.settled': 'PAYMENT_COMPLETED' };

export function actionOf(type: string): string {
  return KEPT_NAMES[type] ?? type.replaceAll('.', '_').toUpperCase();
}

const TYPES: ReadonlyMap<string, string> = new Map(Object.keys(EVENT_TYPES).map((type) => [actionOf(type), type]));

/** The type of the event of an action; null for a type of another release. */
export const typeOfAction = (action: string): string | null => TYPES.get(action) ?? null;

/** A pattern of LIKE for the type of an action. Its underscores match any character, among them the dot. */
export function typePattern(action: string): string {
  const kept = Object.entries(KEPT_NAMES).find(([, name]) => name === action);
  return kept ? kept[0] : action.toLowerCase();
}
