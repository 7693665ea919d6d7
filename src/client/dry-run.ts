// The answer of a dry run, with the type of the answer that the operation would have given.
import type { ReservePosting, TransferPosting } from './schema.ts';

/** A change of the ledger: a transfer, or a reservation of funds. */
export type Posting = TransferPosting | ReservePosting;

/** The effects that a change would have. Everything was rolled back. */
export interface DryRun<T> {
  /** Always true. */
  readonly dryRun: true;
  /** The answer that the operation would have given. Ids of new resources in it do not exist. */
  readonly result: T;
  /** The postings that the ledger would make, in order. */
  readonly postings: readonly Posting[];
  /** The types of the events that would be emitted, in order. */
  readonly events: readonly string[];
}
