// Compares one wallet with its chain. The order matters: the chain first, at one finalized block, then the books, then the transfers that are not booked. What
// is read later can only have moved on, and reconcile.ts knows on which side of the block it is.
import type { Database } from '../../db/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { parseAsset } from '../../kernel/index.ts';
import type { Rail, WalletBalance } from '../../rails/index.ts';
import { toLedgerUnitsRoundedDown } from '../../rails/index.ts';
import type { AwaitedComparison } from '../awaited-comparison-store.ts';
import { listAwaited } from '../awaited-comparison-store.ts';
import { inParallel } from '../in-parallel.ts';
import type { BatchBounds } from '../bounded.ts';
import { bounded } from '../bounded.ts';
import { isWalletOf } from '../wallet.ts';
import type { Wallet } from '../wallet-store.ts';
import { reconcile } from './reconcile.ts';
import type { Compared, EndedTransfer, OpenTransfer } from './store.ts';
import { listEndedAbove, listOpenTransfers, readBooked } from './store.ts';

/** A wallet with more open transfers is compared when they have become fewer. */
const MOST_OPEN = 2_000;
const CALLS_AT_ONCE = 8;

/** An open transfer, and where the chain says it is. */
interface LocatedTransfer {
  readonly transfer: OpenTransfer;
  readonly state: 'landed' | 'reverted' | 'absent' | 'undecided';
  readonly height: bigint;
  readonly fee: bigint;
}

export interface WalletComparison {
  /** With the finalized block that was read; null if the chain did not answer. */
  readonly compared: readonly (Compared & { readonly height: bigint | null })[];
  /** As of the same snapshot of the books: no comparison of before a resolution decides about it. */
  readonly awaited: readonly AwaitedComparison[];
}

/** How a comparison asks its chain: with the bounds of its run, in which the chain may have been silent already. */
export interface AskOptions {
  readonly bounds: BatchBounds;
  readonly callTimeoutMs?: number | undefined;
}

/** Null: the chain did not answer, or it was not asked any more. */
export async function ask<T>(
  { chain }: Rail,
  call: () => Promise<T>,
  { bounds, callTimeoutMs }: AskOptions,
): Promise<T | null> {
  if (bounds.isOver || bounds.isSilent(chain)) return null;
  try {
    return await bounded(call(), callTimeoutMs);
  } catch (error) {
    bounds.note(error, chain);
    return null;
  }
}

export async function compareWallet(
  db: Database,
  clock: Clock,
  wallet: Wallet,
  rail: Rail,
  asking: AskOptions,
): Promise<WalletComparison> {
  const { tenantId, accountId, feeAsset } = wallet;
  const names = [...(await db.transaction((tx) => readBooked(tx, wallet))).keys()];
  if (!isWalletOf(wallet, rail)) return { compared: names.map(unread), awaited: [] };
  const onChain = new Map<string, WalletBalance>();
  for (const name of names) {
    // Outside of the call: an asset that cannot be read is no silence of the chain.
    const { code } = parseAsset(name);
    const read = await ask(rail, () => rail.getBalance(code, clock), asking);
    if (read?.outcome === 'known') onChain.set(name, read.value);
  }
  const heights = new Set([...onChain.values()].map(({ finalizedHeight }) => finalizedHeight));
  const who = { tenantId, walletId: accountId };
  const books = await db.transaction(
    async (tx) => {
      const booked = await readBooked(tx, wallet);
      const ended = new Map<bigint, EndedTransfer[]>();
      for (const height of heights) ended.set(height, await listEndedAbove(tx, who, height));
      const open = await listOpenTransfers(tx, who, MOST_OPEN + 1);
      return { booked, ended, open, awaited: await listAwaited(tx, wallet) };
    },
    { snapshot: true },
  );
  const { awaited } = books;
  if (books.open.length > MOST_OPEN) return { compared: names.map(unread), awaited };
  const located = await inParallel(books.open, CALLS_AT_ONCE, (transfer) =>
    locateTransfer(rail, transfer, clock, asking),
  );
  const compared = names.map((name) => {
    const balance = onChain.get(name);
    const booked = books.booked.get(name);
    if (!balance || booked === undefined) return unread(name);
    const { finalizedHeight, finalizedUnits } = balance;
    const coins = inLedger(name, feeAsset, rail, finalizedUnits);
    const { expected, verdict } = reconcile({
      booked,
      onChain: coins,
      bookedAbove: (books.ended.get(finalizedHeight) ?? []).map((ended) => takenBy(ended, name)),
      landedBelow: located
        .filter(({ state, height }) => (state === 'landed' || state === 'reverted') && height <= finalizedHeight)
        .map((one) => takenBy(endedOf(one), name)),
      undecided: located
        .filter(({ state }) => state === 'undecided')
        .map(({ transfer }) => mostTakenBy(transfer, name)),
    });
    return { asset: name, verdict, expected, onChain: coins, height: finalizedHeight };
  });
  return { compared, awaited };
}

const unread = (asset: string): Compared & { readonly height: null } => ({
  asset,
  verdict: 'unread',
  onChain: null,
  expected: null,
  height: null,
});

/** A transfer that the chain is not asked about any more is undecided, as one that it does not answer about. */
async function locateTransfer(
  rail: Rail,
  transfer: OpenTransfer,
  clock: Clock,
  asking: AskOptions,
): Promise<LocatedTransfer> {
  const undecided: LocatedTransfer = { transfer, state: 'undecided', height: 0n, fee: 0n };
  const seen = await ask(rail, () => rail.checkConfirmation(transfer.signed, clock), asking);
  if (seen === null) return undecided;
  if (seen.state === 'finalized') return { transfer, state: 'landed', height: seen.height, fee: seen.feeUnits };
  if (seen.state === 'reverted') return { transfer, state: 'reverted', height: seen.height, fee: seen.feeUnits };
  return seen.state === 'dead' ? { ...undecided, state: 'absent' } : undecided;
}

const endedOf = ({ transfer, state, fee }: LocatedTransfer): EndedTransfer => ({
  asset: transfer.asset,
  amount: state === 'landed' ? transfer.amount : 0n,
  feeAsset: transfer.feeAsset,
  fee,
});

/** Of one asset: the amount, the fee, or both. */
const takenBy = ({ asset, amount, feeAsset, fee }: EndedTransfer, name: string): bigint =>
  (asset === name ? amount : 0n) + (feeAsset === name ? fee : 0n);

const mostTakenBy = ({ asset, amount, feeAsset, feeLimit }: OpenTransfer, name: string): bigint =>
  takenBy({ asset, amount, feeAsset, fee: feeLimit }, name);

/** A rest that the ledger cannot write is not compared: the books never had it (wallet.ts). */
function inLedger(name: string, feeAsset: string, rail: Rail, units: bigint): bigint {
  const { code, scale } = parseAsset(name);
  const decimals = name === feeAsset ? scale : (rail.assets.find((one) => one.code === code)?.decimals ?? scale);
  return toLedgerUnitsRoundedDown(units, scale, decimals);
}
