// An act as an auditor reads it: the type of its event, in capitals. One has a name of its own, which is older than ours.
const OWN_NAMES: Readonly<Record<string, string>> = { 'payment.settled': 'PAYMENT_COMPLETED' };

export function actionOf(type: string): string {
  return OWN_NAMES[type] ?? type.replaceAll('.', '_').toUpperCase();
}

/** The types that an action may stand for, as a pattern for LIKE: its underscore matches the dot as well. */
export function typesOf(action: string): string {
  const own = Object.entries(OWN_NAMES).find(([, name]) => name === action);
  return own ? own[0] : action.toLowerCase();
}
