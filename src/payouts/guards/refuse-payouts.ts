// The guards as payments ask them, at a create, an edit and a retry: of every destination that a payout names, because any of them may be chosen.
import type { Refused } from '../../kernel/index.ts';
import type { AskedOfGuards, PayoutGuards } from '../../payments/index.ts';
import { GuardBook } from './guard-book.ts';
import { readGuards } from './store.ts';

export const PAYOUT_GUARDS: PayoutGuards = {
  async open(sql, payouts) {
    const named = payouts.flatMap(({ tenantId, asset, destinations }) =>
      Object.entries(destinations).map(([chain, address]) => ({ tenantId, asset, chain, address })),
    );
    const book = new GuardBook(await readGuards(sql, named));
    return (payout) => firstRefusal(book, payout);
  },
};

function firstRefusal(book: GuardBook, { executeAt, ...payout }: AskedOfGuards): Refused | null {
  const { tenantId, destinations } = payout;
  const named = Object.entries(destinations);
  for (const [chain, address] of named) {
    const barred = book.barredByPolicy(tenantId, { chain, address }, executeAt);
    if (barred) return barred.cause;
  }
  // A cap of one chain leaves the others.
  const caps = named.map(
    ([chain]) => book.barredByPayoutCap(payout, chain)?.cause ?? neverWithinDailyCap(book, payout, chain, executeAt),
  );
  return caps.every((barred) => barred !== null) ? (caps[0] ?? null) : null;
}

/** What is left of a day is asked when the payout runs; only one that is larger than the cap is refused at once. */
function neverWithinDailyCap(
  book: GuardBook,
  payout: Omit<AskedOfGuards, 'executeAt'>,
  chain: string,
  at: Date,
): Refused | null {
  const barred = book.barredByDailyCap(payout, chain, at);
  return barred && !barred.isTemporary ? barred.cause : null;
}
