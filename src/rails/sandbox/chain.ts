// The simulated chain itself. It has no loop: blocks are a function of the clock that a call hands in, and every call first lets happen
// what happened in the blocks since the call before. Each call is one transaction of the sandbox's own pool, so a payout that rolls
// back cannot take back what it sent.
import type { Database, Transaction } from '../../db/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { BrokenInvariant, newId } from '../../kernel/index.ts';
import { decideFate, feeAt } from './faults.ts';
import type { Faults } from './faults.ts';
import {
  addToBalance,
  changeTransaction,
  changingBy,
  countSubmission,
  ensureChain,
  findTransaction,
  inBlocksAbove,
  insertBalance,
  landedTransactions,
  lockChain,
  readBalance,
  writeFaults,
  writeTransaction,
} from './store.ts';
import type { ChainRow, ChainSettings, Change, TransactionRow } from './store.ts';
import type { DecodedTransfer } from './transaction.ts';

/** The asset in which the chain takes fees. */
export const FEE_ASSET = { code: 'SBX', decimals: 9 } as const;

export interface Chain {
  /** Runs work on the chain as it is at the clock's instant: one transaction, one ordinal. */
  at<T>(clock: Clock, work: (tx: Transaction, chain: ChainRow) => Promise<T>): Promise<T>;
  setFaults(clock: Clock, faults: Partial<Faults>): Promise<void>;
  fund(clock: Clock, address: string, asset: string, units: bigint): Promise<void>;
  /** Funds an address that never had the asset; another one keeps what it has. */
  endow(clock: Clock, address: string, asset: string, units: bigint): Promise<void>;
  /** Everything in a block now, read from the chain's own tables. */
  landed(clock: Clock): Promise<TransactionRow[]>;
}

export function createChain(db: Database, settings: ChainSettings): Chain {
  const lock = async (tx: Transaction, clock: Clock): Promise<ChainRow> => {
    const known = await lockChain(tx, settings.name, clock);
    if (known) return known;
    await ensureChain(tx, newId(), settings, clock);
    const made = await lockChain(tx, settings.name, clock);
    if (!made) throw new BrokenInvariant(`the sandbox chain ${settings.name} was just created`);
    return made;
  };
  const at: Chain['at'] = (clock, work) =>
    db.transaction(async (tx) => {
      const chain = await lock(tx, clock);
      await produceBlocks(tx, chain);
      return work(tx, chain);
    });
  return {
    at,
    setFaults: (clock, faults) => at(clock, (tx, { id }) => writeFaults(tx, id, faults)),
    fund: (clock, address, asset, units) => at(clock, (tx, { id }) => addToBalance(tx, id, address, asset, units)),
    endow: (clock, address, asset, units) => at(clock, (tx, { id }) => insertBalance(tx, id, address, asset, units)),
    landed: (clock) => at(clock, (tx, { id }) => landedTransactions(tx, id)),
  };
}

/** Applies every change up to the chain's height. A change can plan another one, so it looks until there is none. */
async function produceBlocks(tx: Transaction, chain: ChainRow): Promise<void> {
  for (;;) {
    const [next] = await changingBy(tx, chain.id, chain.height);
    if (!next) return;
    // One block at a time: the first change of a later block may be planned by a change of this one.
    const inBlock = (await changingBy(tx, chain.id, next.nextHeight ?? chain.height)).filter(
      ({ nextHeight }) => nextHeight === next.nextHeight,
    );
    for (const one of inBlock) {
      await changeTransaction(tx, chain.id, one.txId, await changeOf(tx, chain, one, one.nextHeight ?? chain.height));
    }
  }
}

const GONE: Change = {
  state: 'dropped',
  fee: null,
  includedHeight: null,
  nextHeight: null,
  reorgHeight: null,
  relandHeight: null,
};

async function changeOf(tx: Transaction, chain: ChainRow, one: TransactionRow, height: bigint): Promise<Change> {
  if (one.state === 'pooled') return height > one.lastValidHeight ? GONE : include(tx, chain, one, height);
  // A reorganization: the block is replaced, and its transactions go back to the pool or are lost.
  await apply(tx, chain, one, -1n);
  return one.relandHeight === null ? GONE : { ...GONE, state: 'pooled', nextHeight: one.relandHeight };
}

async function include(tx: Transaction, chain: ChainRow, one: TransactionRow, height: bigint): Promise<Change> {
  const price = feeAt(chain.seed, height);
  const fee = price < one.feeLimit ? price : one.feeLimit;
  const feeFunds = await readBalance(tx, chain.id, one.sender, FEE_ASSET.code);
  // A sender that cannot pay the fee is in no block; one that can pay it but not the transfer pays for a failed transaction.
  if (feeFunds < fee) return GONE;
  const needed = one.units + (one.asset === FEE_ASSET.code ? fee : 0n);
  const state = (await readBalance(tx, chain.id, one.sender, one.asset)) < needed ? 'reverted' : 'included';
  await apply(tx, chain, { ...one, state, fee }, 1n);
  return { ...GONE, state, fee, includedHeight: height, nextHeight: one.reorgHeight, relandHeight: one.relandHeight };
}

/** Moves the money of a transaction, or with -1 takes it back. */
async function apply(tx: Transaction, chain: ChainRow, one: TransactionRow, sign: 1n | -1n): Promise<void> {
  await addToBalance(tx, chain.id, one.sender, FEE_ASSET.code, -sign * (one.fee ?? 0n));
  if (one.state !== 'included') return;
  await addToBalance(tx, chain.id, one.sender, one.asset, -sign * one.units);
  await addToBalance(tx, chain.id, one.recipient, one.asset, sign * one.units);
}

/** Takes a transaction into the pool. False if the chain has it already, in the pool or in a block. */
export async function submit(
  tx: Transaction,
  chain: ChainRow,
  txId: string,
  transfer: DecodedTransfer,
): Promise<boolean> {
  const known = await findTransaction(tx, chain.id, txId);
  if (known && known.state !== 'dropped') return false;
  const ordinal = await countSubmission(tx, chain.id);
  const fate = decideFate(chain, ordinal, chain.height, transfer.lastValidHeight);
  await writeTransaction(tx, chain.id, txId, transfer, ordinal, fate);
  return true;
}

export interface BalanceAtHeights {
  readonly units: bigint;
  readonly finalizedUnits: bigint;
}

/** The balance with all blocks, and without those that are not final. */
export async function balanceOf(
  tx: Transaction,
  chain: ChainRow,
  address: string,
  asset: string,
): Promise<BalanceAtHeights> {
  const units = await readBalance(tx, chain.id, address, asset);
  const recent = await inBlocksAbove(tx, chain.id, address, finalizedHeight(chain));
  const moved = recent.reduce((sum, one) => sum + effectOn(one, address, asset), 0n);
  return { units, finalizedUnits: units - moved };
}

function effectOn(one: TransactionRow, address: string, asset: string): bigint {
  const fee = one.sender === address && asset === FEE_ASSET.code ? -(one.fee ?? 0n) : 0n;
  if (one.state !== 'included' || one.asset !== asset) return fee;
  return fee + (one.recipient === address ? one.units : 0n) - (one.sender === address ? one.units : 0n);
}

/** A block is final when `finalityBlocks` blocks follow it. */
export function finalizedHeight({ height, finalityBlocks }: Pick<ChainRow, 'height' | 'finalityBlocks'>): bigint {
  const final = height - BigInt(finalityBlocks);
  return final > 0n ? final : 0n;
}
