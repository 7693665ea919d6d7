// Compares what a wallet holds on its chain with the books: pure. The chain is read first, at one finalized block; then the books, then every transfer that was
// sent and is not booked as ended. So each transfer is on one of four sides:
//
//   in the chain's number and in the books       nothing to correct
//   in the books, in a later block               the books are ahead: its amount is added
//   in the chain's number, not in the books yet  the chain is ahead: its amount is subtracted
//   undecided: pending, or not seen              it may be in the chain's number, because an endpoint can be behind what another has said
//
// A difference that undecided transfers could explain is no finding yet: they end, and then it is one or it is gone. Anything else is.
export interface WalletReading {
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

export function reconcile({ booked, onChain, bookedAbove, landedBelow, undecided }: WalletReading): Reconciliation {
  const expected = booked + sum(bookedAbove) - sum(landedBelow);
  const difference = onChain - expected;
  // What undecided transfers take, they take off the chain: they never explain a surplus.
  const isExplained = difference < 0n && -difference <= sum(undecided);
  return { verdict: difference === 0n ? 'even' : isExplained ? 'open' : 'different', expected, difference };
}
