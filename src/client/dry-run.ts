// The answer of a dry run, with the type of the answer that the operation would have given.
import type { ReservePosting, TransferPosting } from './schema.ts';

export type Posting = TransferPosting | ReservePosting;

/** What a change would do. Everything was rolled back. */
export interface DryRun<T> {
  /** Always true. */
  readonly dryRun: true;
  /** The answer that the operation would have given. Ids of new resources in it belong to nothing. */
  readonly result: T;
  /** What the ledger would do, in order. */
  readonly postings: readonly Posting[];
  /** The types of the events that would be emitted, in order. */
  readonly events: readonly string[];
}
