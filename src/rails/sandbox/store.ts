// All SQL of the simulated chain. Every call begins by locking its chain's row, so that the calls on one chain have an order: the order of
// their ordinals. A simulator may be serial; nothing of the engine waits for these locks, because no engine transaction takes them.
import type { Sql } from '../../db/index.ts';
import { asBigInt, asNumber, asRecord, asText, only } from '../../db/index.ts';
import type { Row } from '../../db/index.ts';
import type { Clock, Uuid } from '../../kernel/index.ts';
import type { Fate, Faults } from './faults.ts';
import { NO_FAULTS } from './faults.ts';
import type { DecodedTransfer } from './transaction.ts';

export interface ChainSettings {
  readonly name: string;
  readonly seed: string;
  readonly blockMs: number;
  readonly finalityBlocks: number;
  readonly validityBlocks: number;
}

export interface ChainRow extends ChainSettings {
  readonly id: Uuid;
  readonly faults: Faults;
  readonly height: bigint;
  readonly calls: bigint;
  readonly submissions: bigint;
}

/** The chain of a clock, created by the first call. Its first block is at that instant. */
export async function ensureChain(sql: Sql, id: Uuid, settings: ChainSettings, clock: Clock): Promise<void> {
  await sql.query(
    `insert into usance.sandbox_chains (id, name, clock_id, seed, genesis_at, block_ms, finality_blocks, validity_blocks)
     values ($1::uuid, $2::text, $3::uuid, $4::text, $5::timestamptz, $6::int, $7::int, $8::int)
     on conflict (name, clock_id) do nothing`,
    [
      id,
      settings.name,
      clock.clockId,
      settings.seed,
      clock.now,
      settings.blockMs,
      settings.finalityBlocks,
      settings.validityBlocks,
    ],
  );
}

/** Locks the chain, counts the call and raises its height to the clock's. Null if the chain was never used with this clock. */
export async function lockChain(sql: Sql, name: string, clock: Clock): Promise<ChainRow | null> {
  const [row] = await sql.query(
    `update usance.sandbox_chains
     set calls = calls + 1,
         height = greatest(height, floor(extract(epoch from $3::timestamptz - genesis_at) * 1000 / block_ms)::bigint)
     where name = $1::text and clock_id is not distinct from $2::uuid
     returning id, name, seed, block_ms, finality_blocks, validity_blocks, faults, height, calls, submissions`,
    [name, clock.clockId, clock.now],
  );
  return row ? readChain(row) : null;
}

function readChain(row: Row): ChainRow {
  return {
    id: asText(row['id']),
    name: asText(row['name']),
    seed: asText(row['seed']),
    blockMs: asNumber(row['block_ms']),
    finalityBlocks: asNumber(row['finality_blocks']),
    validityBlocks: asNumber(row['validity_blocks']),
    faults: { ...NO_FAULTS, ...(asRecord(row['faults']) as Partial<Faults>) },
    height: asBigInt(row['height']),
    calls: asBigInt(row['calls']),
    submissions: asBigInt(row['submissions']),
  };
}

export async function writeFaults(sql: Sql, chainId: Uuid, faults: Partial<Faults>): Promise<void> {
  await sql.query('update usance.sandbox_chains set faults = $2::jsonb where id = $1::uuid', [
    chainId,
    JSON.stringify(faults),
  ]);
}

export async function countSubmission(sql: Sql, chainId: Uuid): Promise<bigint> {
  const rows = await sql.query(
    'update usance.sandbox_chains set submissions = submissions + 1 where id = $1::uuid returning submissions',
    [chainId],
  );
  return asBigInt(only(rows)['submissions']);
}

export interface TransactionRow {
  readonly txId: string;
  readonly sender: string;
  readonly recipient: string;
  readonly asset: string;
  readonly units: bigint;
  readonly feeLimit: bigint;
  readonly memo: string;
  readonly lastValidHeight: bigint;
  readonly state: 'pooled' | 'included' | 'reverted' | 'dropped';
  readonly fee: bigint | null;
  readonly includedHeight: bigint | null;
  readonly nextHeight: bigint | null;
  readonly reorgHeight: bigint | null;
  readonly relandHeight: bigint | null;
}

const COLUMNS = `tx_id, sender, recipient, asset, units, fee_limit, memo, last_valid_height, state, fee, included_height,
  next_height, reorg_height, reland_height`;

const bigOrNull = (value: unknown): bigint | null => (value === null ? null : asBigInt(value));

function readTransaction(row: Row): TransactionRow {
  return {
    txId: asText(row['tx_id']),
    sender: asText(row['sender']),
    recipient: asText(row['recipient']),
    asset: asText(row['asset']),
    units: asBigInt(row['units']),
    feeLimit: asBigInt(row['fee_limit']),
    memo: asText(row['memo']),
    lastValidHeight: asBigInt(row['last_valid_height']),
    state: asText(row['state']) as TransactionRow['state'],
    fee: bigOrNull(row['fee']),
    includedHeight: bigOrNull(row['included_height']),
    nextHeight: bigOrNull(row['next_height']),
    reorgHeight: bigOrNull(row['reorg_height']),
    relandHeight: bigOrNull(row['reland_height']),
  };
}

export async function findTransaction(sql: Sql, chainId: Uuid, txId: string): Promise<TransactionRow | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.sandbox_transactions where chain_id = $1::uuid and tx_id = $2::text`,
    [chainId, txId],
  );
  return row ? readTransaction(row) : null;
}

/** A dropped transaction that is sent again gets another fate; one in the pool or in a block keeps its own. */
export async function writeTransaction(
  sql: Sql,
  chainId: Uuid,
  txId: string,
  transfer: DecodedTransfer,
  ordinal: bigint,
  fate: Fate,
): Promise<void> {
  await sql.query(
    `insert into usance.sandbox_transactions as t (chain_id, tx_id, sender, recipient, asset, units, fee_limit, memo, last_valid_height,
       ordinal, state, next_height, reorg_height, reland_height)
     values ($1::uuid, $2::text, $3::text, $4::text, $5::text, $6::numeric, $7::numeric, $8::text, $9::bigint,
       $10::bigint, $11::text, $12::bigint, $13::bigint, $14::bigint)
     on conflict (chain_id, tx_id) do update set ordinal = excluded.ordinal, state = excluded.state,
       next_height = excluded.next_height, reorg_height = excluded.reorg_height, reland_height = excluded.reland_height
     where t.state = 'dropped'`,
    [
      chainId,
      txId,
      transfer.sender,
      transfer.recipient,
      transfer.asset,
      transfer.units,
      transfer.feeLimit,
      transfer.memo,
      transfer.lastValidHeight,
      ordinal,
      fate.state,
      fate.nextHeight,
      fate.reorgHeight,
      fate.relandHeight,
    ],
  );
}

/** Transactions that change in a block up to `height`, in the order of blocks and submissions. Rides on sandbox_transactions_next. */
export async function changingBy(sql: Sql, chainId: Uuid, height: bigint): Promise<TransactionRow[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.sandbox_transactions
     where chain_id = $1::uuid and next_height <= $2::bigint order by next_height, ordinal limit 500`,
    [chainId, height],
  );
  return rows.map(readTransaction);
}

export type Change = Pick<
  TransactionRow,
  'state' | 'fee' | 'includedHeight' | 'nextHeight' | 'reorgHeight' | 'relandHeight'
>;

export async function changeTransaction(sql: Sql, chainId: Uuid, txId: string, change: Change): Promise<void> {
  await sql.query(
    `update usance.sandbox_transactions set state = $3::text, fee = $4::numeric, included_height = $5::bigint,
       next_height = $6::bigint, reorg_height = $7::bigint, reland_height = $8::bigint
     where chain_id = $1::uuid and tx_id = $2::text`,
    [
      chainId,
      txId,
      change.state,
      change.fee,
      change.includedHeight,
      change.nextHeight,
      change.reorgHeight,
      change.relandHeight,
    ],
  );
}

export async function readBalance(sql: Sql, chainId: Uuid, address: string, asset: string): Promise<bigint> {
  const [row] = await sql.query(
    'select units from usance.sandbox_balances where chain_id = $1::uuid and address = $2::text and asset = $3::text',
    [chainId, address, asset],
  );
  return row ? asBigInt(row['units']) : 0n;
}

/** Of an address that has none yet. */
export async function insertBalance(
  sql: Sql,
  chainId: Uuid,
  address: string,
  asset: string,
  units: bigint,
): Promise<void> {
  await sql.query(
    `insert into usance.sandbox_balances (chain_id, address, asset, units) values ($1::uuid, $2::text, $3::text, $4::numeric)
     on conflict (chain_id, address, asset) do nothing`,
    [chainId, address, asset, units],
  );
}

export async function addToBalance(
  sql: Sql,
  chainId: Uuid,
  address: string,
  asset: string,
  units: bigint,
): Promise<void> {
  // The row first, so that a negative addition meets the check of the sum and not of the new row.
  await sql.query(
    `insert into usance.sandbox_balances (chain_id, address, asset, units) values ($1::uuid, $2::text, $3::text, 0)
     on conflict (chain_id, address, asset) do nothing`,
    [chainId, address, asset],
  );
  await sql.query(
    `update usance.sandbox_balances set units = units + $4::numeric
     where chain_id = $1::uuid and address = $2::text and asset = $3::text`,
    [chainId, address, asset, units],
  );
}

/** Transactions of an address in blocks above `height`. */
export async function inBlocksAbove(
  sql: Sql,
  chainId: Uuid,
  address: string,
  height: bigint,
): Promise<TransactionRow[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.sandbox_transactions
     where chain_id = $1::uuid and included_height > $3::bigint and (sender = $2::text or recipient = $2::text)`,
    [chainId, address, height],
  );
  return rows.map(readTransaction);
}

/** Everything in a block, for proofs that compare the chain with the books. */
export async function landedTransactions(sql: Sql, chainId: Uuid): Promise<TransactionRow[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.sandbox_transactions where chain_id = $1::uuid and included_height is not null
     order by included_height, ordinal`,
    [chainId],
  );
  return rows.map(readTransaction);
}
