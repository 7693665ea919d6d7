// Orders of a batch and their answers: each order is answered for itself, with what was done or why nothing was.
import type { Refused } from '../kernel/index.ts';
import { Refusal } from '../kernel/index.ts';
import type { Payment } from './payment.ts';
import type { PaymentKey } from './store.ts';

export type Answer<T> = T | { readonly refused: Refused };
export type Changed = Answer<{ readonly payment: Payment }>;

/** What the work returns; a Refusal that it throws is the answer too. */
export function answer<T>(work: () => T): Answer<T> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: error.refused };
  }
}

/** For who asked for one thing alone: a refusal is thrown. */
export function orRefuse<T extends object>(answered: Answer<T> | undefined): T {
  if (!answered) throw new Error('expected an answer');
  if (!('refused' in answered)) return answered;
  throw new Refusal(answered.refused);
}

/**
 * At most one order a payment at a time: a second one for the same payment comes in the next round, and finds what the
 * first one did.
 */
export async function inRounds<T extends PaymentKey, A>(
  orders: readonly T[],
  work: (round: readonly T[]) => Promise<A[]>,
): Promise<A[]> {
  const seen = new Set<string>();
  const isFirst = orders.map(({ tenantId, id }) => seen.size < seen.add(tenantId + id).size);
  if (seen.size === orders.length) return work(orders);
  const first = await work(orders.filter((_, index) => isFirst[index]));
  const later = await inRounds(
    orders.filter((_, index) => !isFirst[index]),
    work,
  );
  const [ofFirst, ofLater] = [first.values(), later.values()];
  return isFirst.map((is) => must((is ? ofFirst : ofLater).next().value));
}

function must<A>(answered: A | undefined): A {
  if (answered === undefined) throw new Error('expected an answer to every order');
  return answered;
}
