// An attempt at a payout, and the table of its moves. The database has the same moves (payout_attempts_move_legally) and refuses the rest.
import type { Uuid } from '../kernel/index.ts';
import type { SignedTransfer } from '../rails/index.ts';

export const ATTEMPT_MOVES = {
  claimed: ['claimed', 'sent', 'abandoned'],
  sent: ['sent', 'finalized', 'reverted', 'dead'],
  finalized: [],
  reverted: [],
  dead: [],
  abandoned: [],
} as const satisfies Record<string, readonly string[]>;

export type AttemptState = keyof typeof ATTEMPT_MOVES;
export const ATTEMPT_STATES = Object.keys(ATTEMPT_MOVES) as AttemptState[];

export interface AttemptKey {
  readonly tenantId: Uuid;
  readonly paymentId: Uuid;
  /** 1 for the first attempt of the payout. */
  readonly number: number;
}

/** An attempt in the hands of a worker: every write names the fence. */
export interface HeldAttempt extends AttemptKey {
  readonly fence: bigint;
}

/** What is committed before anything is sent. */
export interface Sent {
  readonly chain: string;
  readonly address: string;
  readonly walletId: Uuid;
  /** `SBX/9`. */
  readonly feeAsset: string;
  /** Held of the wallet for the fee, in minor units of the fee asset. */
  readonly feeLimit: bigint;
  readonly routeId: Uuid | null;
  readonly signed: SignedTransfer;
  readonly sentAt: Date;
}

export interface Attempt extends HeldAttempt {
  readonly id: Uuid;
  readonly clockId: Uuid | null;
  readonly state: AttemptState;
  readonly payerId: Uuid;
  readonly asset: string;
  readonly amount: bigint;
  /** Null until bytes are signed. */
  readonly sent: Sent | null;
  /** What the chain took; null unless it has decided. */
  readonly fee: bigint | null;
  readonly height: bigint | null;
  readonly broadcasts: number;
  readonly checks: number;
  readonly lastSeen: string | null;
  readonly code: string | null;
  readonly detail: string | null;
  readonly claimedAt: Date;
  readonly reviewedAt: Date | null;
  readonly endedAt: Date | null;
  readonly resolvedBy: string | null;
  /** Of one that was just claimed to be looked at: since when it was due. */
  readonly dueSince?: Date;
}

/** How long a worker has from a claim to the commit of the signed bytes, and from a claim of the watch to what it found. */
export const LEASE_MS = 60_000;
/** How long a call to a chain may take. Several of them fit into a lease. */
export const CALL_TIMEOUT_MS = 10_000;
/** When a transaction that is not final goes to review, counted from the commit of its bytes. */
export const REVIEW_AFTER_MS = 10 * 60_000;
/** How often a transaction that is not final is looked at. */
export const CONFIRM_EVERY_MS = 15_000;
/** When a payout that waits for its chain or its wallet is looked at again. */
export const WAIT_MS = 15_000;

/** Written into the transaction: a payout that was signed twice can be told on the chain. */
export const memoOf = ({ paymentId, number }: AttemptKey): string => `${paymentId}.${number}`;
