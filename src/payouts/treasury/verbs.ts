// The treasury's wallets as an application sees them.
import type { Sql, Transaction } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { Caller, Clock } from '../../kernel/index.ts';
import { Refusal, oneOf, parsePositiveAmount, refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import {
  findAsset,
  isRefused,
  postTransfers,
  requireMayMove,
  systemAccountId,
  transferPosted,
} from '../../ledger/index.ts';
import type { Wallet } from '../wallet-store.ts';
import { findWallet, listWallets } from '../wallet-store.ts';
import { listFloors, writeFloor } from './floor-store.ts';
import { differenceOf, emitWalletEvent } from './loop.ts';
import type { ComparedBalance } from './store.ts';
import { listWalletBalances, overtakeComparison, unfreezeWallet } from './store.ts';

export interface TreasuryBalance extends ComparedBalance {
  /** The least that is to be available; null: no floor. */
  readonly floor: bigint | null;
}

export interface TreasuryWallet extends Wallet {
  readonly balances: readonly TreasuryBalance[];
}

export interface FloorOrder {
  /** By name or code; the wallet has it. */
  readonly asset: string;
  /** In minor units; null removes the floor. */
  readonly floor: bigint | string | number | null;
}

export interface UnfreezeOptions {
  /** Book the differences that the last comparison found, from or to `world`. Default: the books stay as they are. */
  readonly bookDifference?: boolean | undefined;
}

export interface TreasuryVerbs {
  /** By chain. A wallet is opened by the first payout that needs it. */
  treasuryWallets(): Promise<TreasuryWallet[]>;
  /** Lets a frozen wallet sign again. If it still differs from its chain, the next comparison freezes it again. */
  unfreezeTreasuryWallet(chain: string, reason: string, options?: UnfreezeOptions): Promise<TreasuryWallet>;
  /** Below the floor of an asset an alert is raised (`treasury_floor`). Payouts go on. */
  setTreasuryFloor(chain: string, order: FloorOrder): Promise<TreasuryWallet>;
}

export function treasuryVerbs(context: VerbContext): TreasuryVerbs {
  const { tenantId, caller, sql } = context;
  return {
    async treasuryWallets() {
      const wallets: TreasuryWallet[] = [];
      for (const wallet of await listWallets(sql, tenantId)) wallets.push(await shown(sql, wallet));
      return wallets;
    },
    unfreezeTreasuryWallet: (chain, reason, { bookDifference = false } = {}) =>
      context.run(async (tx, clock) => {
        if (reason.trim() === '') refuse('FIELD_INVALID/needs_reason', { param: 'reason' });
        const wallet = (await findWallet(tx, tenantId, chain)) ?? refuse('TREASURY_WALLET_NOT_FOUND', { chain });
        // A comparison under way has read the books of before: it must not freeze the wallet by a difference that is booked here.
        await overtakeComparison(tx, wallet);
        if ((await unfreezeWallet(tx, wallet)) === null) return refuse('TREASURY_WALLET_NOT_FROZEN', { chain });
        const booked = bookDifference ? await bookDifferences(tx, clock, caller, wallet) : [];
        await emitWalletEvent(tx, clock, caller, wallet, 'treasury_wallet.unfrozen', { chain, reason, booked });
        return { ...(await shown(tx, wallet)), frozen: null };
      }),
    setTreasuryFloor: (chain, order) =>
      context.run(async (tx, clock) => {
        const wallet =
          (await findWallet(tx, tenantId, chain, 'update')) ?? refuse('TREASURY_WALLET_NOT_FOUND', { chain });
        const named = (await findAsset(tx, tenantId, order.asset))?.name ?? order.asset;
        const assets = (await listWalletBalances(tx, wallet)).map(({ asset }) => asset);
        const asset = oneOf(named, assets, 'asset');
        const floor = order.floor === null ? null : parsePositiveAmount(order.floor, 'floor');
        const old = (await listFloors(tx, tenantId, chain)).find((one) => one.asset === asset)?.floor ?? null;
        await writeFloor(tx, wallet, asset, floor, clock.now);
        const data = { chain, asset, old: { floor: textOf(old) }, new: { floor: textOf(floor) } };
        await emitWalletEvent(tx, clock, caller, wallet, 'treasury_wallet.floor_set', data);
        return shown(tx, wallet);
      }),
  };
}

const textOf = (floor: bigint | null): string | null => (floor === null ? null : String(floor));

async function shown(sql: Sql, wallet: Wallet): Promise<TreasuryWallet> {
  const floors = new Map((await listFloors(sql, wallet.tenantId, wallet.chain)).map((one) => [one.asset, one.floor]));
  const balances = await listWalletBalances(sql, wallet);
  return { ...wallet, balances: balances.map((one) => ({ ...one, floor: floors.get(one.asset) ?? null })) };
}

/** Brings the books to what the chain had in the last comparison. Payouts that ended since changed both by the same. */
async function bookDifferences(
  tx: Transaction,
  clock: Clock,
  caller: Caller,
  wallet: Wallet,
): Promise<{ readonly asset: string; readonly difference: string }[]> {
  const { tenantId, accountId, chain } = wallet;
  const world = systemAccountId(tenantId, 'world');
  requireMayMove(caller, { tenantId, from: [world], to: [] });
  const found = (await listWalletBalances(tx, wallet)).filter(({ verdict }) => verdict === 'different');
  const movements = found.map((one) => {
    const difference = differenceOf(one);
    const [debitAccountId, creditAccountId] = difference > 0n ? [world, accountId] : [accountId, world];
    const amount = difference > 0n ? difference : -difference;
    const kind = 'wallet_correction';
    const description = `difference from ${chain}`;
    return { tenantId, asset: one.asset, debitAccountId, creditAccountId, amount, kind, description };
  });
  for (const posted of await postTransfers(tx, clock, movements)) {
    if (isRefused(posted)) throw new Refusal(posted);
    await appendEvents(tx, [transferPosted(caller, clock, posted)]);
  }
  return found.map((one) => ({ asset: one.asset, difference: String(differenceOf(one)) }));
}
