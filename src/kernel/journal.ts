// The journal of a dry run: the postings and event types that its transaction wrote, before it is rolled back. Modules add to it
// as they write; every other transaction has none.
import type { Uuid } from './type-id.ts';

export interface TransferPosting {
  readonly type: 'transfer';
  readonly from: Uuid;
  readonly to: Uuid;
  readonly asset: string;
  readonly amount: bigint;
  readonly kind: string;
  /** Whether it pays from reserved funds, or from available funds. */
  readonly fromReserved: boolean;
  readonly paymentId: Uuid | null;
}

/** Funds that become reserved, or available again. */
export interface ReservePosting {
  readonly type: 'reserve' | 'release';
  readonly account: Uuid;
  readonly asset: string;
  readonly amount: bigint;
}

export type Posting = TransferPosting | ReservePosting;

export interface Journal {
  readonly postings: Posting[];
  readonly events: string[];
}

export const createJournal = (): Journal => ({ postings: [], events: [] });

/** Work inside a savepoint: if it fails, its entries are removed from the journal, as its writes are undone. */
export async function journaled<T>(journal: Journal | null, work: () => Promise<T>): Promise<T> {
  if (journal === null) return work();
  const { postings, events } = journal;
  const [posted, emitted] = [postings.length, events.length];
  try {
    return await work();
  } catch (error) {
    postings.length = posted;
    events.length = emitted;
    throw error;
  }
}
