// Compares one wallet with its chain. The order matters: the chain first, at one finalized block, then the books, then the transfers that are not booked. What
// is read later can only have moved on, and reconcile.ts knows on which side of the block it is.
import type { Database } from '../../db/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { parseAsset } from '../../kernel/index.ts';
import type { Rail, WalletBalance } from '../../rails/index.ts';
import { toChainUnits, toLedgerUnits } from '../../rails/index.ts';
import { inParallel } from '../in-parallel.ts';
import { bounded } from '../prepare.ts';
import type { Wallet } from '../wallet-store.ts';
import { reconcile } from './reconcile.ts';
import type { Compared, EndedTransfer, OpenTransfer } from './store.ts';
import { listEndedAbove, listOpenTransfers, readBooked } from './store.ts';

/** A wallet with more open transfers is compared when they have become fewer. */
const MOST_OPEN = 2_000;
const CALLS_AT_ONCE = 8;

/** Where an open transfer is, as far as the chain says. */
interface Found {
  readonly transfer: OpenTransfer;
  readonly state: 'landed' | 'reverted' | 'absent' | 'undecided';
  readonly height: bigint;
  readonly fee: bigint;
}

export async function compareWallet(db: Database, clock: Clock, wallet: Wallet, rail: Rail): Promise<Compared[]> {
  const { tenantId, accountId, feeAsset } = wallet;
  const names = [...(await db.transaction((tx) => readBooked(tx, wallet))).keys()];
  const onChain = new Map<string, WalletBalance>();
  for (const name of names) {
    const read = await bounded(rail.getBalance(parseAsset(name).code, clock)).catch(() => null);
    if (read?.outcome === 'known') onChain.set(name, read.value);
  }
  const heights = new Set([...onChain.values()].map(({ finalizedHeight }) => finalizedHeight));
  const who = { tenantId, walletId: accountId };
  const books = await db.transaction(
    async (tx) => {
      const booked = await readBooked(tx, wallet);
      const ended = new Map<bigint, EndedTransfer[]>();
      for (const height of heights) ended.set(height, await listEndedAbove(tx, who, height));
      return { booked, ended, open: await listOpenTransfers(tx, who, MOST_OPEN + 1) };
    },
    { snapshot: true },
  );
  if (books.open.length > MOST_OPEN) return names.map(unread);
  const found = await inParallel(books.open, CALLS_AT_ONCE, (transfer) => findTransfer(rail, transfer, clock));
  return names.map((name) => {
    const balance = onChain.get(name);
    const booked = books.booked.get(name);
    if (!balance || booked === undefined) return unread(name);
    const { finalizedHeight, finalizedUnits } = balance;
    const { expected, verdict } = reconcile({
      booked,
      onChain: inLedger(name, feeAsset, rail, finalizedUnits),
      bookedAbove: (books.ended.get(finalizedHeight) ?? []).map((ended) => takenBy(ended, name)),
      landedBelow: found
        .filter(({ state, height }) => (state === 'landed' || state === 'reverted') && height <= finalizedHeight)
        .map((one) => takenBy(endedOf(one), name)),
      undecided: found.filter(({ state }) => state === 'undecided').map(({ transfer }) => mostOf(transfer, name)),
    });
    return { asset: name, verdict, expected, onChain: inLedger(name, feeAsset, rail, finalizedUnits) };
  });
}

const unread = (asset: string): Compared => ({ asset, verdict: 'unread', onChain: null, expected: null });

async function findTransfer(rail: Rail, transfer: OpenTransfer, clock: Clock): Promise<Found> {
  const undecided: Found = { transfer, state: 'undecided', height: 0n, fee: 0n };
  const seen = await bounded(rail.checkConfirmation(transfer.signed, clock)).catch(() => null);
  if (seen === null) return undecided;
  if (seen.state === 'finalized') return { transfer, state: 'landed', height: seen.height, fee: seen.feeUnits };
  if (seen.state === 'reverted') return { transfer, state: 'reverted', height: seen.height, fee: seen.feeUnits };
  return seen.state === 'dead' ? { ...undecided, state: 'absent' } : undecided;
}

const endedOf = ({ transfer, state, fee }: Found): EndedTransfer => ({
  asset: transfer.asset,
  amount: state === 'landed' ? transfer.amount : 0n,
  feeAsset: transfer.feeAsset,
  fee,
});

/** Of one asset: the amount, the fee, or both. */
const takenBy = ({ asset, amount, feeAsset, fee }: EndedTransfer, name: string): bigint =>
  (asset === name ? amount : 0n) + (feeAsset === name ? fee : 0n);

const mostOf = ({ asset, amount, feeAsset, feeLimit }: OpenTransfer, name: string): bigint =>
  takenBy({ asset, amount, feeAsset, fee: feeLimit }, name);

/** A rest that the ledger cannot write is in neither number (see wallet.ts). */
function inLedger(name: string, feeAsset: string, rail: Rail, units: bigint): bigint {
  const { code, scale } = parseAsset(name);
  const decimals = name === feeAsset ? scale : (rail.assets.find((one) => one.code === code)?.decimals ?? scale);
  return toLedgerUnits(units, scale, decimals) ?? units / (toChainUnits(1n, scale, decimals) ?? 1n);
}
