// The treasury's wallet on a chain: an account of the tenant whose balances repeat what the address holds. It is opened by the first payout
// that needs it, with what the address holds in final blocks; from then on every unit that a payout takes is booked at finality.
import type { Database, Transaction } from '../db/index.ts';
import type { Clock, Uuid } from '../kernel/index.ts';
import { SYSTEM, Refusal, parseAsset } from '../kernel/index.ts';
import {
  createAsset,
  ensureBalances,
  isRefused,
  openWalletAccount,
  postTransfers,
  systemAccountId,
} from '../ledger/index.ts';
import type { Rail } from '../rails/index.ts';
import { toLedgerUnitsRoundedDown } from '../rails/index.ts';
import type { Wallet } from './wallet-store.ts';
import {
  findWallet,
  hasOpenedAssets,
  insertWallet,
  insertWalletAsset,
  listWallets,
  lockWalletOpening,
} from './wallet-store.ts';

export const walletRef = (chain: string): string => `wallet:${chain}`;

export interface OpenWalletOptions {
  readonly readClock: (tx: Transaction) => Promise<Clock>;
  /** Before the first reading of a wallet's balance: the sandbox gives it coins. */
  readonly fund?: ((rail: Rail, clock: Clock) => Promise<void>) | undefined;
}

export type OpenedWallet =
  | { readonly outcome: 'open'; readonly wallet: Wallet }
  /** The chain could not be read. */
  | { readonly outcome: 'unknown'; readonly reason: string };

const OTHER_WALLET = 'this process has the key of another wallet than the one in the books';

/** The books are of one address: a process with another key (a rotated one, another seed) neither signs for them nor compares them. */
export const isWalletOf = ({ address }: Wallet, rail: Rail): boolean => address === rail.wallet;

/** The wallet of a tenant on a chain, with a balance in the asset and in the chain's fee asset. Calls the chain unless both are open. */
export async function openWallet(
  db: Database,
  clock: Clock,
  rail: Rail,
  { tenantId, asset }: { readonly tenantId: Uuid; readonly asset: string },
  { readClock, fund }: OpenWalletOptions,
): Promise<OpenedWallet> {
  const known = await findWallet(db, tenantId, rail.chain);
  if (known && !isWalletOf(known, rail)) return { outcome: 'unknown', reason: OTHER_WALLET };
  if (known && (await hasOpenedAssets(db, known, [asset, known.feeAsset]))) return { outcome: 'open', wallet: known };
  await fund?.(rail, clock);
  const fee = await rail.estimateFee(clock);
  if (fee.outcome === 'unknown') return fee;
  const feeAsset = `${fee.value.asset}/${fee.value.decimals}`;
  const openings: { asset: string; amount: bigint; height: bigint }[] = [];
  for (const name of new Set([asset, feeAsset])) {
    const { code, scale } = parseAsset(name);
    const read = await rail.getBalance(code, clock);
    if (read.outcome === 'unknown') return read;
    const decimals =
      name === feeAsset ? fee.value.decimals : (rail.assets.find((one) => one.code === code)?.decimals ?? scale);
    const { finalizedUnits, height } = read.value;
    // A rest that the ledger cannot write stays out of the books: it could never be paid out in the asset.
    const amount = finalizedUnits <= 0n ? 0n : toLedgerUnitsRoundedDown(finalizedUnits, scale, decimals);
    openings.push({ asset: name, amount, height });
  }
  return db.transaction(async (tx) => {
    const now = await readClock(tx);
    await lockWalletOpening(tx, tenantId, rail.chain);
    const wallet =
      (await findWallet(tx, tenantId, rail.chain)) ?? (await createWallet(tx, now, rail, tenantId, feeAsset));
    for (const opening of openings) await bookOpening(tx, now, wallet, opening);
    return { outcome: 'open', wallet };
  });
}

async function createWallet(
  tx: Transaction,
  clock: Clock,
  rail: Rail,
  tenantId: Uuid,
  feeAsset: string,
): Promise<Wallet> {
  await createAsset(tx, clock, SYSTEM, tenantId, feeAsset);
  // Two chains that are opened at the same moment can take one number: the second is refused by the key of its account, and its payout tries again.
  const number = (await listWallets(tx, tenantId)).length;
  const account = { number, ref: walletRef(rail.chain), name: `Wallet on ${rail.chain}` };
  const wallet: Wallet = {
    tenantId,
    chain: rail.chain,
    accountId: await openWalletAccount(tx, clock, SYSTEM, tenantId, account),
    address: rail.wallet,
    feeAsset,
    frozen: null,
  };
  await insertWallet(tx, wallet, clock.now);
  return wallet;
}

/** Books what the address holds of one asset, once. */
async function bookOpening(
  tx: Transaction,
  clock: Clock,
  wallet: Wallet,
  opening: { readonly asset: string; readonly amount: bigint; readonly height: bigint },
): Promise<void> {
  const { tenantId, accountId, chain } = wallet;
  if (!(await insertWalletAsset(tx, wallet, opening, clock.now))) return;
  await ensureBalances(tx, [{ tenantId, accountId, asset: opening.asset }]);
  if (opening.amount === 0n) return;
  const [posted] = await postTransfers(tx, clock, [
    {
      tenantId,
      asset: opening.asset,
      debitAccountId: systemAccountId(tenantId, 'world'),
      creditAccountId: accountId,
      amount: opening.amount,
      kind: 'deposit',
      description: `balance of the wallet on ${chain} when it was opened`,
    },
  ]);
  if (posted && isRefused(posted)) throw new Refusal(posted);
}
