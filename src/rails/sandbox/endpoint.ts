// One RPC endpoint of the simulated chain: the place of wrong answers and of answers that do not come. A timeout is an error at once: a
// test does not wait for it.
import type { Transaction } from '../../db/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { RpcError } from '../rpc-error.ts';
import { balanceOf, finalizedHeight, submit } from './chain.ts';
import type { BalanceAtHeights, Chain } from './chain.ts';
import { decideCall, draw, feeAt } from './faults.ts';
import type { CallFault, WrongAnswer } from './faults.ts';
import { findTransaction } from './store.ts';
import type { ChainRow, TransactionRow } from './store.ts';
import { decodeSigned, transactionIdOf } from './transaction.ts';

export interface Heights {
  readonly height: bigint;
  readonly finalizedHeight: bigint;
}

export interface Receipt {
  readonly height: bigint;
  readonly succeeded: boolean;
  readonly fee: bigint;
}

export interface TransactionStatus extends Heights {
  /** Null: this endpoint does not know the transaction. */
  readonly found: { readonly in: 'pool' } | { readonly in: 'block'; readonly receipt: Receipt } | null;
}

export interface Tip extends Heights {
  readonly validityBlocks: number;
  readonly feeUnits: bigint;
  readonly confirmationSeconds: number;
  readonly congestion: number;
  readonly latencyMs: number;
}

/** A transaction as the endpoint has it, with what it moves. */
export interface FoundTransaction extends Heights {
  readonly moves: Pick<TransactionRow, 'sender' | 'recipient' | 'asset' | 'units' | 'memo'> | null;
  readonly found: TransactionStatus['found'];
}

export interface Endpoint {
  tip(clock: Clock): Promise<Tip>;
  balance(address: string, asset: string, clock: Clock): Promise<BalanceAtHeights & Heights>;
  /** The transaction id. Throws what a node would say. */
  send(bytes: Uint8Array, clock: Clock): Promise<string>;
  status(txId: string, clock: Clock): Promise<TransactionStatus>;
  transaction(txId: string, clock: Clock): Promise<FoundTransaction>;
}

/** Blocks that a lagging endpoint is behind. */
const LAG = 20n;
/** Blocks by which a wrong height is ahead: past the expiry of everything that is alive. */
const LEAP = 1_000_000n;

export function createEndpoint(chain: Chain, index: number): Endpoint {
  const call = async <T>(
    clock: Clock,
    possible: readonly WrongAnswer[],
    work: (tx: Transaction, row: ChainRow, fault: CallFault) => Promise<T>,
  ): Promise<T> => {
    const done = await chain.at(clock, async (tx, row) => {
      const fault = decideCall(row.seed, row.faults, row.calls, index, possible);
      if (fault === 'error') return { failure: 'internal error' };
      if (fault === 'silent') return { failure: 'request timed out' };
      try {
        const answer = await work(tx, row, fault);
        // The effect is committed before the answer is lost.
        return fault === 'silent_after' ? { failure: 'request timed out' } : { answer };
      } catch (error) {
        // A node that refuses has no effect, but its call is counted all the same: the next call has another ordinal.
        if (error instanceof RpcError) return { failure: error.message };
        throw error;
      }
    });
    if (done.failure !== undefined) throw new RpcError(done.failure);
    return done.answer;
  };
  return {
    tip: (clock) =>
      call(clock, ['lagging', 'future_height'], (_tx, row, fault) => {
        const seen = heightsOf(row, fault);
        return Promise.resolve({
          ...seen,
          validityBlocks: row.validityBlocks,
          feeUnits: feeAt(row.seed, seen.height),
          confirmationSeconds: ((row.finalityBlocks + 1) * row.blockMs) / 1000,
          congestion: row.faults.congestion,
          latencyMs: 20 + Math.floor(draw(row.seed, row.calls, 'latency') * 80),
        });
      }),
    balance: (address, asset, clock) =>
      call(clock, ['lagging'], async (tx, row, fault) => ({
        ...(await balanceOf(tx, row, address, asset)),
        ...heightsOf(row, fault),
      })),
    send: (bytes, clock) =>
      call(clock, ['already_known', 'nonce_too_low', 'lagging'], async (tx, row, fault) => {
        const transfer = decodeSigned(bytes);
        const txId = transactionIdOf(bytes);
        if (transfer?.chain !== row.name) throw new RpcError('invalid transaction');
        const isLost = fault === 'lagging' || (wrongMessage(fault) !== null && draw(row.seed, row.calls, 'kept') < 0.5);
        if (row.height > transfer.lastValidHeight) throw new RpcError('block height exceeded');
        const isNew = isLost ? true : await submit(tx, row, txId, transfer);
        const message = wrongMessage(fault) ?? (isNew ? null : 'already known');
        if (message !== null) return { message };
        // An endpoint that lags accepts, and forwards nothing.
        return { txId };
      }).then((answer) => {
        // Outside the transaction: an error inside would roll back the submission that it belongs to.
        if ('message' in answer) throw new RpcError(answer.message);
        return answer.txId;
      }),
    status: (txId, clock) =>
      call(clock, ['null_receipt', 'lagging', 'future_height', 'false_final'], async (tx, row, fault) => {
        const one = await findTransaction(tx, row.id, txId);
        const seen = heightsOf(row, fault);
        if (fault === 'null_receipt' || fault === 'future_height') return { ...seen, found: null };
        if (fault === 'false_final') {
          return {
            ...seen,
            found: { in: 'block', receipt: { height: seen.finalizedHeight, succeeded: true, fee: 0n } },
          };
        }
        return { ...seen, found: one ? foundAt(one, seen.height) : null };
      }),
    transaction: (txId, clock) =>
      call(clock, ['null_receipt', 'lagging', 'future_height'], async (tx, row, fault) => {
        const one = await findTransaction(tx, row.id, txId);
        const seen = heightsOf(row, fault);
        const found = fault === 'null_receipt' || fault === 'future_height' || !one ? null : foundAt(one, seen.height);
        return { ...seen, found, moves: found && one };
      }),
  };
}

function wrongMessage(fault: CallFault): string | null {
  if (fault === 'already_known') return 'already known';
  return fault === 'nonce_too_low' ? 'nonce too low' : null;
}

function heightsOf(row: ChainRow, fault: CallFault): Heights {
  const shift = fault === 'lagging' ? -LAG : fault === 'future_height' ? LEAP : 0n;
  const height = row.height + shift > 0n ? row.height + shift : 0n;
  return { height, finalizedHeight: finalizedHeight({ ...row, height }) };
}

function foundAt(one: TransactionRow, height: bigint): TransactionStatus['found'] {
  if (one.includedHeight === null || one.fee === null) return one.state === 'pooled' ? { in: 'pool' } : null;
  if (one.includedHeight > height) return null;
  const receipt = { height: one.includedHeight, succeeded: one.state === 'included', fee: one.fee };
  return { in: 'block', receipt };
}
