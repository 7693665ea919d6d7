// Compares what a wallet holds on its chain with the books: pure. The chain is read first, at one finalized block; then the books; then each transfer that was
// sent and is not booked as ended. So each transfer is in one of four cases:
//
//   in the balance of the chain and in the books   nothing to correct
//   in the books, in a later block                 the books are ahead: its amount is added
//   in the balance of the chain, not booked yet    the chain is ahead: its amount is subtracted
//   undecided: pending, or not seen                it may be in the balance, because the endpoint that was asked about it can be behind the other
//
// A difference that undecided transfers could explain freezes nothing (`open`): when they have ended it is gone, or it is `different`.
/** One asset of a wallet: what was read on each side. */
export interface WalletNumbers {
  /** Available and reserved of the wallet in the books. */
  readonly booked: bigint;
  /** On the chain, up to a finalized block. */
  readonly onChain: bigint;
  /** Booked as ended, in blocks above that one. */
  readonly bookedAbove: readonly bigint[];
  /** Not booked, in that block or below. */
  readonly landedBelow: readonly bigint[];
  /** Not booked and undecided: the most that each can take. */
  readonly undecided: readonly bigint[];
}

export type Verdict = 'even' | 'open' | 'different';

export interface Reconciliation {
  readonly verdict: Verdict;
  /** What the chain should hold, by the books. */
  readonly expected: bigint;
  /** On the chain minus expected. */
  readonly difference: bigint;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

export function reconcile({ booked, onChain, bookedAbove, landedBelow, undecided }: WalletNumbers): Reconciliation {
  const expected = booked + sum(bookedAbove) - sum(landedBelow);
  const difference = onChain - expected;
  // What undecided transfers take, they take off the chain: they never explain a surplus.
  const isExplained = difference < 0n && -difference <= sum(undecided);
  return { verdict: difference === 0n ? 'even' : isExplained ? 'open' : 'different', expected, difference };
}
