// The Rail port: one chain, as payouts use it. A rail holds no ledger money and decides nothing about a payout; it builds, sends and reads.
// The order of a payout is prepare → the caller commits the bytes → broadcast → checkConfirmation until an end. Signing and sending are
// two calls because a crash between them must leave the signed bytes in the caller's database, so that the same bytes are sent again.
import type { Clock } from '../kernel/index.ts';

/** An asset as a chain has it. */
export interface ChainAsset {
  /** The code of the ledger's asset: `USDC` for `USDC/6`. */
  readonly code: string;
  /** Decimals of the chain's unit. */
  readonly decimals: number;
  /** The least that a transfer may move, in units of the chain. */
  readonly minimumUnits: bigint;
}

/** A transfer to build: amounts in minor units of the ledger, which the rail converts exactly or refuses. */
export interface TransferRequest {
  /** Written into the transaction and read back from the chain: the payout and the attempt. */
  readonly memo: string;
  readonly to: string;
  readonly asset: { readonly code: string; readonly scale: number };
  readonly amount: bigint;
  /** The most that the sender pays as a fee, in units of the chain's fee asset. */
  readonly feeLimitUnits: bigint;
}

/** A signed transaction that was not sent. Everything that a later process needs is here: the caller commits it before broadcast. */
export interface SignedTransfer {
  readonly bytes: Uint8Array;
  /** Computed from the bytes, so it is known before anything is sent. */
  readonly transactionId: string;
  /** The last block that may include the transaction. */
  readonly lastValidHeight: bigint;
}

export type PrepareRefusal =
  | 'address_invalid'
  | 'asset_unknown'
  | 'amount_inexact'
  | 'amount_below_minimum'
  | 'memo_invalid';

export type PrepareOutcome =
  | { readonly outcome: 'prepared'; readonly signed: SignedTransfer }
  /** The request can never be prepared. Nothing was signed. */
  | { readonly outcome: 'refused'; readonly reason: PrepareRefusal }
  /** The chain could not be read. Nothing was signed, so the caller may prepare again. */
  | { readonly outcome: 'unknown'; readonly reason: string };

export type BroadcastOutcome =
  /** An endpoint took the bytes. They may still never land. */
  | { readonly outcome: 'accepted' }
  /** The bytes themselves are invalid on this chain, so they can never land. Never reported on the word of an endpoint. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** Everything else. The bytes may land, now or later. */
  | { readonly outcome: 'unknown'; readonly reason: string };

export type Confirmation =
  /** In a final block: money moved and the fee was paid. */
  | { readonly state: 'finalized'; readonly height: bigint; readonly feeUnits: bigint }
  /** In a final block, but the transfer failed there: the fee was paid, money did not move. */
  | { readonly state: 'reverted'; readonly height: bigint; readonly feeUnits: bigint }
  /** Seen, but not final. */
  | { readonly state: 'pending'; readonly seen: 'pool' | 'block' }
  /** Proven: the bytes have not landed and never can. */
  | { readonly state: 'dead' }
  | { readonly state: 'unknown'; readonly reason: string };

/** A value that was read from the chain, or the reason why it was not. */
export type Reading<T> =
  | { readonly outcome: 'known'; readonly value: T }
  | { readonly outcome: 'unknown'; readonly reason: string };

/** A transaction as one endpoint has it. */
export interface SeenTransfer {
  readonly from: string;
  readonly to: string;
  /** A code of `assets`. */
  readonly asset: string;
  readonly units: bigint;
  readonly memo: string;
  /** Null: in the pool. */
  readonly block: {
    readonly height: bigint;
    readonly isFinal: boolean;
    readonly succeeded: boolean;
    readonly feeUnits: bigint;
  } | null;
}

/** The answer of one endpoint about a transaction id. */
export interface EndpointReport {
  readonly finalizedHeight: bigint;
  /** Null: the endpoint does not know the transaction. */
  readonly transfer: SeenTransfer | null;
}

export interface WalletBalance {
  /** Counting every block. */
  readonly units: bigint;
  /** Counting final blocks only. */
  readonly finalizedUnits: bigint;
  readonly height: bigint;
  /** The block that `finalizedUnits` counts up to. */
  readonly finalizedHeight: bigint;
}

export interface FeeEstimate {
  /** Code of the asset in which the chain takes fees. */
  readonly asset: string;
  readonly decimals: number;
  readonly units: bigint;
  /** A limit that leaves room for a rise of the fee before the transaction expires. */
  readonly suggestedLimitUnits: bigint;
}

export interface HealthMetrics {
  readonly avgConfirmationSeconds: number;
  /** Failed calls divided by calls, 0 to 1. */
  readonly rpcErrorRate: number;
  readonly p95LatencyMs: number;
  /** 0 to 1. */
  readonly congestionScore: number;
  readonly fee: FeeEstimate;
}

export type AddressCheck =
  | { readonly valid: true; readonly address: string }
  | { readonly valid: false; readonly reason: string };

export interface Rail {
  /** The chain's name: `sandbox`. */
  readonly chain: string;
  readonly assets: readonly ChainAsset[];
  /** The address that pays. */
  readonly wallet: string;
  /** Checks form and checksum; no call to the chain. */
  validateAddress(address: string): AddressCheck;
  /** `asset` is a code of `assets`, or of the fee asset. */
  getBalance(asset: string, clock: Clock): Promise<Reading<WalletBalance>>;
  estimateFee(clock: Clock): Promise<Reading<FeeEstimate>>;
  /** Builds and signs. Sends nothing. */
  prepare(request: TransferRequest, clock: Clock): Promise<PrepareOutcome>;
  /** Sends exactly these bytes. Repeating it is safe: a chain lands a transaction id at most once. */
  broadcast(signed: SignedTransfer, clock: Clock): Promise<BroadcastOutcome>;
  checkConfirmation(signed: SignedTransfer, clock: Clock): Promise<Confirmation>;
  /** The answer of each endpoint about any transaction: evidence for a resolution, and for a comparison that a payout waits for. No loop ends an attempt by it. */
  lookUp(transactionId: string, clock: Clock): Promise<readonly Reading<EndpointReport>[]>;
  getHealthMetrics(clock: Clock): Promise<Reading<HealthMetrics>>;
}
