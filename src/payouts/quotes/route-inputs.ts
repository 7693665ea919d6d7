// The inputs of a choice, from what the health loop and the books have stored: pure. Nothing here asks a chain, so a choice takes as long
// when a chain hangs.
import type { Asset } from '../../kernel/index.ts';
import type { Priority, Rail, RouteCandidate, RouteInputs, TakenSnapshot } from '../../rails/index.ts';
import { isFresh, statusAt, toChainUnits } from '../../rails/index.ts';
import type { Destinations } from './quote.ts';

export type RailForms = Pick<Rail, 'chain' | 'assets' | 'validateAddress'>;

/** What a tenant can pay from on one chain. */
export interface Funds {
  readonly chain: string;
  /** In minor units of the ledger; null: it could not be read. */
  readonly available: bigint | null;
  /** Of the asset that pays fees, in units of the chain; null: it could not be read. */
  readonly feeUnits: bigint | null;
  readonly frozen: boolean;
}

/** The newest snapshot of a chain, and when it counts as stale. */
export interface Measured {
  readonly newest: TakenSnapshot | null;
  readonly intervalMs: number;
  /** Real time: the age of snapshots and prices is, also for a test tenant. */
  readonly now: Date;
}

export interface InputSources {
  readonly asset: Asset;
  readonly amount: bigint;
  readonly priority: Priority;
  readonly destinations: Destinations;
  readonly rails: readonly RailForms[];
  readonly measured: ReadonlyMap<string, Measured>;
  readonly funds: readonly Funds[];
  /** Chains on which an attempt of this payout has ended without paying. */
  readonly failedOn?: readonly string[];
  /** Chains that it may not take now, and why. */
  readonly barred?: Readonly<Record<string, string>>;
}

/** Chains that have the asset are candidates, also without an address: the explanation then says that it is missing. */
export function routeInputs(sources: InputSources): RouteInputs {
  const { asset, priority, rails } = sources;
  const candidates = rails
    .filter(({ assets }) => assets.some(({ code }) => code === asset.code))
    .map((rail) => candidateOf(rail, sources))
    .toSorted((a, b) => (a.chain < b.chain ? -1 : 1));
  return { version: 1, priority, candidates };
}

function candidateOf(rail: RailForms, sources: InputSources): RouteCandidate {
  const { asset, amount, destinations, measured, funds, failedOn = [], barred = {} } = sources;
  const { chain } = rail;
  const held = rail.assets.find(({ code }) => code === asset.code);
  const decimals = held?.decimals ?? asset.scale;
  const address = destinations[chain];
  const wallet = funds.find((one) => one.chain === chain);
  const { newest = null, intervalMs = 0, now = new Date(0) } = measured.get(chain) ?? {};
  const needed = toChainUnits(amount, asset.scale, decimals);
  // An address on a chain that cannot write the amount, or moves no amount so small, is of no use.
  const canMove = needed !== null && needed >= (held?.minimumUnits ?? 0n);
  const fee = newest?.fee ?? null;
  return {
    chain,
    hasAddress: address !== undefined && canMove && rail.validateAddress(address).valid,
    walletUnits: String(unitsRoundedDown(wallet?.available ?? 0n, asset.scale, decimals)),
    neededUnits: String(needed ?? 0n),
    health: statusAt(newest, now, intervalMs),
    feeUsd: feeAt(newest, now),
    confirmationSeconds: newest?.avgConfirmationSeconds ?? 0,
    rpcErrorRate: newest?.rpcErrorRate ?? 1,
    ...(fee && wallet?.feeUnits !== null
      ? { walletFeeUnits: String(wallet?.feeUnits ?? 0n), neededFeeUnits: String(fee.units) }
      : {}),
    ...(!wallet || wallet.available === null || wallet.feeUnits === null ? { walletUnread: true } : {}),
    ...(wallet?.frozen ? { walletFrozen: true } : {}),
    ...(failedOn.includes(chain) ? { attemptFailed: true } : {}),
    ...(barred[chain] === undefined ? {} : { barred: barred[chain] }),
    basis: {
      asset: asset.code,
      decimals,
      feeAsset: fee?.asset ?? null,
      feeDecimals: fee?.decimals ?? null,
      feeUnits: fee === null ? null : String(fee.units),
      priceUsd: newest?.price?.usd ?? null,
      priceObservedAt: newest?.price?.observedAt.toISOString() ?? null,
      snapshot: newest?.id ?? null,
      takenAt: newest?.takenAt.toISOString() ?? null,
      feeIsLive: false,
    },
  };
}

/** A price that was fresh when the chain was measured may be stale now. */
function feeAt(snapshot: TakenSnapshot | null, now: Date): number | null {
  if (!snapshot?.price || !isFresh(snapshot.price, now)) return null;
  return snapshot.estimatedFeeUsd;
}

/** What a wallet has is compared, never posted: a rest that the chain cannot write pays nothing there. */
function unitsRoundedDown(amount: bigint, scale: number, decimals: number): bigint {
  if (amount <= 0n) return 0n;
  return decimals >= scale ? amount * 10n ** BigInt(decimals - scale) : amount / 10n ** BigInt(scale - decimals);
}

/** The inputs with the fee of one chain as it is now; null: it could not be estimated. */
export function withLiveFee(inputs: RouteInputs, chain: string, feeUnits: bigint | null): RouteInputs {
  return {
    ...inputs,
    candidates: inputs.candidates.map((candidate) => {
      if (candidate.chain !== chain) return candidate;
      if (feeUnits === null) return { ...candidate, feeUnread: true };
      const { basis, feeUsd } = candidate;
      if (!basis) return candidate;
      const priced = feeUsd === null ? null : inUsd(feeUnits, basis.feeDecimals, basis.priceUsd);
      return {
        ...candidate,
        feeUsd: priced,
        ...(candidate.walletFeeUnits === undefined ? {} : { neededFeeUnits: String(feeUnits) }),
        basis: { ...basis, feeUnits: String(feeUnits), feeIsLive: true },
      };
    }),
  };
}

export function inUsd(units: bigint, decimals: number | null, priceUsd: number | null): number | null {
  return decimals === null || priceUsd === null ? null : (Number(units) / 10 ** decimals) * priceUsd;
}
