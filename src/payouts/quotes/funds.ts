// What a tenant can pay from on each chain. A wallet in the books is read there; one that no payout has opened yet is read from the chain.
import type { Sql } from '../../db/index.ts';
import type { Asset, Clock, Uuid } from '../../kernel/index.ts';
import { readBalances } from '../../ledger/index.ts';
import type { FeeEstimate, Rail, Reading, WalletBalance } from '../../rails/index.ts';
import { toLedgerUnitsRoundedDown } from '../../rails/index.ts';
import { bounded } from '../bounded.ts';
import { isWalletOf } from '../wallet.ts';
import type { Wallet } from '../wallet-store.ts';
import { hasOpenedAssets, listWallets } from '../wallet-store.ts';
import type { Funds } from './route-inputs.ts';

export interface FundsOptions {
  /** Before a wallet is read for the first time: the sandbox gives it coins. */
  readonly fund?: ((rail: Rail, clock: Clock) => Promise<void>) | undefined;
  /** A chain that does not answer for this long is not read. */
  readonly timeoutMs?: number;
}

/** Shorter than a transaction may be idle. */
const TIMEOUT_MS = 3_000;

export async function readFunds(
  sql: Sql,
  clock: Clock,
  { tenantId, asset, rails }: { readonly tenantId: Uuid; readonly asset: Asset; readonly rails: readonly Rail[] },
  options: FundsOptions = {},
): Promise<Funds[]> {
  const wallets = new Map((await listWallets(sql, tenantId)).map((wallet) => [wallet.chain, wallet]));
  const funds: Funds[] = [];
  for (const rail of rails) {
    const wallet = wallets.get(rail.chain);
    if (wallet && !isWalletOf(wallet, rail)) {
      funds.push({ chain: rail.chain, available: null, feeUnits: null, frozen: wallet.frozen !== null });
      continue;
    }
    const inBooks = wallet && (await hasOpenedAssets(sql, wallet, [asset.name, wallet.feeAsset]));
    funds.push(inBooks ? await booked(sql, wallet, rail, asset) : await onChain(rail, clock, asset, wallet, options));
  }
  return funds;
}

async function booked(sql: Sql, wallet: Wallet, { chain }: Rail, asset: Asset): Promise<Funds> {
  const { tenantId, accountId, feeAsset, frozen } = wallet;
  const balances = await readBalances(sql, tenantId, accountId);
  const available = (name: string): bigint => balances.find((one) => one.asset === name)?.available ?? 0n;
  // The scale of the fee asset in the ledger is the number of decimals of the chain's own unit.
  return { chain, available: available(asset.name), feeUnits: available(feeAsset), frozen: frozen !== null };
}

async function onChain(
  rail: Rail,
  clock: Clock,
  asset: Asset,
  wallet: Wallet | undefined,
  { fund, timeoutMs = TIMEOUT_MS }: FundsOptions,
): Promise<Funds> {
  const decimals = rail.assets.find(({ code }) => code === asset.code)?.decimals ?? asset.scale;
  const read = async (): Promise<Funds> => {
    await fund?.(rail, clock);
    const fee: Reading<FeeEstimate> = await rail.estimateFee(clock);
    const units: Reading<WalletBalance> = await rail.getBalance(asset.code, clock);
    const fees: Reading<WalletBalance> = fee.outcome === 'known' ? await rail.getBalance(fee.value.asset, clock) : fee;
    return {
      chain: rail.chain,
      available:
        units.outcome === 'known' ? toLedgerUnitsRoundedDown(units.value.finalizedUnits, asset.scale, decimals) : null,
      feeUnits: fees.outcome === 'known' ? fees.value.finalizedUnits : null,
      frozen: wallet?.frozen !== undefined && wallet.frozen !== null,
    };
  };
  return bounded(read(), timeoutMs).catch(() => ({
    chain: rail.chain,
    available: null,
    feeUnits: null,
    frozen: false,
  }));
}
