// Attempts among the notes of a transaction: how many of a kind took how long. Metrics read them back once it has committed.
import type { PaymentKind } from './payment.ts';
import { PAYMENT_KINDS } from './payment.ts';

const PREFIX = 'attempt/';

export const attemptNote = (kind: PaymentKind, durationMs: number): string => `${PREFIX}${kind}/${durationMs}`;

/** Null for any other note. */
export function readAttemptNote(name: string): { readonly kind: PaymentKind; readonly durationMs: number } | null {
  if (!name.startsWith(PREFIX)) return null;
  const [word, ms] = name.slice(PREFIX.length).split('/');
  const kind = PAYMENT_KINDS.find((one) => one === word);
  return kind === undefined ? null : { kind, durationMs: Number(ms) };
}
