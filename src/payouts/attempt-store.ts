// Attempts. Lock order of every verb: due row → attempt → payment → balances. Live ones that are to be looked at are a range of
// payout_attempts_check, those of test clocks of payout_attempts_test.
import type { Row, Sql, Transaction } from '../db/index.ts';
import { asBigInt, asDate, asDateOrNull, asNumber, asText, asTextOrNull, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import type { Attempt, AttemptKey, AttemptState, HeldAttempt, Sent } from './attempt.ts';

const COLUMNS = `a.tenant_id, a.payment_id, a.number, a.id, a.clock_id, a.state, a.fence, a.payer_id, a.asset, a.amount, a.chain, a.address,
  a.wallet_id, a.fee_asset, a.fee_limit, a.route_id, a.tx_id, encode(a.signed, 'hex') as signed, a.last_valid_height::text as last_valid_height,
  a.fee, a.height::text as height, a.broadcasts, a.checks, a.last_seen, a.code, a.detail, a.claimed_at, a.sent_at, a.reviewed_at, a.ended_at,
  a.resolved_by`;

const bigintOrNull = (value: unknown): bigint | null => (value === null ? null : asBigInt(value));

function attempt(row: Row): Attempt {
  return {
    tenantId: asText(row['tenant_id']),
    paymentId: asText(row['payment_id']),
    number: asNumber(row['number']),
    id: asText(row['id']),
    clockId: asTextOrNull(row['clock_id']),
    state: asText(row['state']) as AttemptState,
    fence: asBigInt(row['fence']),
    payerId: asText(row['payer_id']),
    asset: asText(row['asset']),
    amount: asBigInt(row['amount']),
    sent: row['signed'] === null ? null : sent(row),
    fee: bigintOrNull(row['fee']),
    height: bigintOrNull(row['height']),
    broadcasts: asNumber(row['broadcasts']),
    checks: asNumber(row['checks']),
    lastSeen: asTextOrNull(row['last_seen']),
    code: asTextOrNull(row['code']),
    detail: asTextOrNull(row['detail']),
    claimedAt: asDate(row['claimed_at']),
    reviewedAt: asDateOrNull(row['reviewed_at']),
    endedAt: asDateOrNull(row['ended_at']),
    resolvedBy: asTextOrNull(row['resolved_by']),
  };
}

const sent = (row: Row): Sent => ({
  chain: asText(row['chain']),
  address: asText(row['address']),
  walletId: asText(row['wallet_id']),
  feeAsset: asText(row['fee_asset']),
  feeLimit: asBigInt(row['fee_limit']),
  routeId: asTextOrNull(row['route_id']),
  signed: {
    bytes: Buffer.from(asText(row['signed']), 'hex'),
    transactionId: asText(row['tx_id']),
    lastValidHeight: asBigInt(row['last_valid_height']),
  },
  sentAt: asDate(row['sent_at']),
});

const tenants = (keys: readonly AttemptKey[]): Uuid[] => keys.map(({ tenantId }) => tenantId);
const payments = (keys: readonly AttemptKey[]): Uuid[] => keys.map(({ paymentId }) => paymentId);
const numbers = (keys: readonly AttemptKey[]): number[] => keys.map(({ number }) => number);

export interface NewAttempt {
  readonly tenantId: Uuid;
  readonly paymentId: Uuid;
  readonly id: Uuid;
  readonly clockId: Uuid | null;
  readonly payerId: Uuid;
  readonly asset: string;
  readonly amount: bigint;
  readonly claimedAt: Date;
  readonly checkAt: Date;
}

/** Numbered by those that there are. The due row of each payout is held, so no other transaction begins one. */
export async function insertAttempts(sql: Sql, attempts: readonly NewAttempt[]): Promise<Attempt[]> {
  const rows = await sql.query(
    `insert into usance.payout_attempts as a (tenant_id, payment_id, number, id, clock_id, payer_id, asset, amount, claimed_at, check_at)
     select v.tenant_id, v.payment_id,
            coalesce((select max(b.number) from usance.payout_attempts b where b.tenant_id = v.tenant_id and b.payment_id = v.payment_id), 0) + 1,
            v.id, v.clock_id, v.payer_id, v.asset, v.amount, v.claimed_at, v.check_at
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::bigint[], $8::timestamptz[], $9::timestamptz[])
       v (tenant_id, payment_id, id, clock_id, payer_id, asset, amount, claimed_at, check_at)
     returning ${COLUMNS}`,
    [
      attempts.map((one) => one.tenantId),
      attempts.map((one) => one.paymentId),
      attempts.map((one) => one.id),
      attempts.map((one) => one.clockId),
      attempts.map((one) => one.payerId),
      attempts.map((one) => one.asset),
      attempts.map((one) => one.amount),
      attempts.map((one) => one.claimedAt),
      attempts.map((one) => one.checkAt),
    ],
  );
  return rows.map(attempt);
}

/** Locks those whose fence is still the caller's, and that have not ended: for the others another worker is responsible. */
export async function lockHeld(tx: Transaction, held: readonly HeldAttempt[]): Promise<Attempt[]> {
  const rows = await tx.query(
    `select ${COLUMNS} from unnest($1::uuid[], $2::uuid[], $3::int[], $4::bigint[]) k (tenant_id, payment_id, number, fence)
     join usance.payout_attempts a using (tenant_id, payment_id, number, fence)
     where a.ended_at is null
     order by a.tenant_id, a.payment_id for no key update of a`,
    [tenants(held), payments(held), numbers(held), held.map(({ fence }) => fence)],
  );
  return rows.map(attempt);
}

/**
 * Takes live attempts that are to be looked at, those first that wait longest, and leases them. A row that cannot be read is leased too, and
 * reported: it does not keep the others, and is looked at again when its lease is over.
 */
export async function claimWatched(
  tx: Transaction,
  clock: { readonly clockId: Uuid | null; readonly now: Date },
  leaseUntil: Date,
  limit: number,
  onUnreadable: (paymentId: Uuid, error: unknown) => void,
): Promise<Attempt[]> {
  const rows = await tx.query(
    `with due as (
       select a.tenant_id, a.payment_id, a.number, a.check_at from usance.payout_attempts a
       where a.ended_at is null and ${clock.clockId === null ? 'a.clock_id is null and $4::uuid is null' : 'a.clock_id = $4::uuid'}
         and a.check_at <= $1::timestamptz
       order by a.check_at, a.tenant_id, a.payment_id limit $3::int for no key update skip locked)
     update usance.payout_attempts a set fence = a.fence + 1, checks = a.checks + 1, check_at = $2::timestamptz
     from due where a.tenant_id = due.tenant_id and a.payment_id = due.payment_id and a.number = due.number
     returning ${COLUMNS}, due.check_at as due_since`,
    [clock.now, leaseUntil, limit, clock.clockId],
  );
  // An update returns rows in any order.
  const dueSince = (row: Row): Date => asDate(row['due_since']);
  const inOrder = rows.toSorted((a, b) => dueSince(a).getTime() - dueSince(b).getTime());
  return inOrder.flatMap((row) => {
    try {
      return [{ ...attempt(row), dueSince: dueSince(row) }];
    } catch (error) {
      onUnreadable(asText(row['payment_id']), error);
      return [];
    }
  });
}

/** When the next live attempt, or the next of a test clock, is to be looked at. */
export async function nextCheckAt(sql: Sql, clockId: Uuid | null): Promise<Date | null> {
  const [row] = await sql.query(
    `select a.check_at from usance.payout_attempts a
     where a.ended_at is null and ${clockId === null ? 'a.clock_id is null and $1::uuid is null' : 'a.clock_id = $1::uuid'}
     order by a.check_at limit 1`,
    [clockId],
  );
  return row ? asDate(row['check_at']) : null;
}

/** The columns that a worker may change, as one object for each attempt. Undefined leaves a column as it is. */
export interface AttemptChange extends HeldAttempt {
  readonly state: AttemptState;
  readonly sent?: Sent | null;
  /** Null once it has ended. */
  readonly checkAt: Date | null;
  readonly lastSeen: string | null;
  readonly broadcast?: boolean;
  readonly code?: string | null;
  readonly detail?: string | null;
  readonly fee?: bigint | null;
  readonly height?: bigint | null;
  readonly reviewedAt?: Date | null;
  readonly endedAt: Date | null;
  readonly resolvedBy?: string | null;
  readonly outflowId?: Uuid | null;
  readonly feeId?: Uuid | null;
}

/** Writes attempts that the caller has locked; returns how many there were. */
export async function updateAttempts(sql: Sql, changes: readonly AttemptChange[]): Promise<number> {
  const row = only(
    await sql.query(
      `with written as (
         update usance.payout_attempts a
         set state = v.state, check_at = v.check_at, last_seen = v.last_seen, broadcasts = a.broadcasts + v.broadcast::int,
             code = coalesce(v.code, a.code), detail = coalesce(v.detail, a.detail), fee = v.fee, height = v.height,
             reviewed_at = coalesce(v.reviewed_at, a.reviewed_at), ended_at = v.ended_at,
             resolved_by = coalesce(v.resolved_by, a.resolved_by), outflow_id = v.outflow_id, fee_id = v.fee_id,
             chain = coalesce(v.chain, a.chain), address = coalesce(v.address, a.address), wallet_id = coalesce(v.wallet_id, a.wallet_id),
             fee_asset = coalesce(v.fee_asset, a.fee_asset), fee_limit = coalesce(v.fee_limit, a.fee_limit),
             route_id = coalesce(v.route_id, a.route_id), tx_id = coalesce(v.tx_id, a.tx_id),
             signed = coalesce(decode(v.signed, 'hex'), a.signed), last_valid_height = coalesce(v.last_valid_height, a.last_valid_height),
             sent_at = coalesce(v.sent_at, a.sent_at)
         from unnest($1::uuid[], $2::uuid[], $3::int[], $4::bigint[], $5::text[], $6::timestamptz[], $7::text[], $8::boolean[], $9::text[],
                     $10::text[], $11::bigint[], $12::numeric[], $13::timestamptz[], $14::timestamptz[], $15::text[], $16::uuid[], $17::uuid[],
                     $18::text[], $19::text[], $20::uuid[], $21::text[], $22::bigint[], $23::uuid[], $24::text[], $25::text[], $26::numeric[],
                     $27::timestamptz[])
           v (tenant_id, payment_id, number, fence, state, check_at, last_seen, broadcast, code, detail, fee, height, reviewed_at, ended_at,
              resolved_by, outflow_id, fee_id, chain, address, wallet_id, fee_asset, fee_limit, route_id, tx_id, signed, last_valid_height,
              sent_at)
         where a.tenant_id = v.tenant_id and a.payment_id = v.payment_id and a.number = v.number and a.fence = v.fence
         returning 1
       ) select count(*)::int as written from written`,
      [
        tenants(changes),
        payments(changes),
        numbers(changes),
        changes.map((one) => one.fence),
        changes.map((one) => one.state),
        changes.map((one) => one.checkAt),
        changes.map((one) => one.lastSeen),
        changes.map((one) => one.broadcast ?? false),
        changes.map((one) => one.code ?? null),
        changes.map((one) => one.detail ?? null),
        changes.map((one) => one.fee ?? null),
        changes.map((one) => one.height ?? null),
        changes.map((one) => one.reviewedAt ?? null),
        changes.map((one) => one.endedAt),
        changes.map((one) => one.resolvedBy ?? null),
        changes.map((one) => one.outflowId ?? null),
        changes.map((one) => one.feeId ?? null),
        changes.map((one) => one.sent?.chain ?? null),
        changes.map((one) => one.sent?.address ?? null),
        changes.map((one) => one.sent?.walletId ?? null),
        changes.map((one) => one.sent?.feeAsset ?? null),
        changes.map((one) => one.sent?.feeLimit ?? null),
        changes.map((one) => one.sent?.routeId ?? null),
        changes.map((one) => one.sent?.signed.transactionId ?? null),
        changes.map((one) => (one.sent ? Buffer.from(one.sent.signed.bytes).toString('hex') : null)),
        changes.map((one) => one.sent?.signed.lastValidHeight ?? null),
        changes.map((one) => one.sent?.sentAt ?? null),
      ],
    ),
  );
  return asNumber(row['written']);
}

/** Notes that bytes were sent. Without a lock before it: the fence decides, and nothing else of the row changes. */
export async function noteBroadcasts(
  sql: Sql,
  sentOnes: readonly (HeldAttempt & { readonly lastSeen: string })[],
): Promise<void> {
  await sql.query(
    `update usance.payout_attempts a set broadcasts = a.broadcasts + 1, last_seen = v.last_seen
     from unnest($1::uuid[], $2::uuid[], $3::int[], $4::bigint[], $5::text[]) v (tenant_id, payment_id, number, fence, last_seen)
     where a.tenant_id = v.tenant_id and a.payment_id = v.payment_id and a.number = v.number and a.fence = v.fence and a.state = 'sent'`,
    [
      tenants(sentOnes),
      payments(sentOnes),
      numbers(sentOnes),
      sentOnes.map(({ fence }) => fence),
      sentOnes.map(({ lastSeen }) => lastSeen),
    ],
  );
}

/** Takes attempts back of which nothing was signed: the payout waits, and no attempt is counted. */
export async function deleteAttempts(sql: Sql, held: readonly HeldAttempt[]): Promise<void> {
  await sql.query(
    `delete from usance.payout_attempts a
     using unnest($1::uuid[], $2::uuid[], $3::int[], $4::bigint[]) v (tenant_id, payment_id, number, fence)
     where a.tenant_id = v.tenant_id and a.payment_id = v.payment_id and a.number = v.number and a.fence = v.fence and a.state = 'claimed'`,
    [tenants(held), payments(held), numbers(held), held.map(({ fence }) => fence)],
  );
}

/** Chains on which attempts of these payouts ended without paying. */
export async function failedChains(
  sql: Sql,
  keys: readonly { readonly tenantId: Uuid; readonly id: Uuid }[],
): Promise<Map<Uuid, string[]>> {
  const rows = await sql.query(
    `select a.payment_id, array_agg(distinct a.chain) as chains
     from unnest($1::uuid[], $2::uuid[]) k (tenant_id, payment_id)
     join usance.payout_attempts a using (tenant_id, payment_id)
     where a.state in ('reverted', 'dead') group by a.payment_id`,
    [keys.map(({ tenantId }) => tenantId), keys.map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [asText(row['payment_id']), (row['chains'] as unknown[]).map(asText)]));
}

export interface AttemptPage {
  /** The number that the page before ended with. */
  readonly after?: number;
  readonly limit?: number;
}

/** The attempts of a payout, the oldest first. */
export async function listAttempts(
  sql: Sql,
  tenantId: Uuid,
  paymentId: Uuid,
  { after = 0, limit = 1_000 }: AttemptPage = {},
): Promise<Attempt[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from usance.payout_attempts a
     where a.tenant_id = $1::uuid and a.payment_id = $2::uuid and a.number > $3::bigint order by a.number limit $4::int`,
    [tenantId, paymentId, after, limit],
  );
  return rows.map(attempt);
}

/** Payouts in review, for each asset. Rides payout_attempts_review. */
export async function sumInReview(
  sql: Sql,
  tenantId: Uuid,
): Promise<{ asset: string; count: number; amount: bigint }[]> {
  const rows = await sql.query(
    `select a.asset, count(*)::int as count, sum(a.amount)::text as amount from usance.payout_attempts a
     where a.tenant_id = $1::uuid and a.ended_at is null and a.reviewed_at is not null group by a.asset order by a.asset`,
    [tenantId],
  );
  return rows.map((row) => ({
    asset: asText(row['asset']),
    count: asNumber(row['count']),
    amount: asBigInt(row['amount']),
  }));
}

/** Of each of these payouts the attempt that paid, else the newest. */
export async function shownAttempts(
  sql: Sql,
  keys: readonly { readonly tenantId: Uuid; readonly id: Uuid }[],
): Promise<Attempt[]> {
  if (keys.length === 0) return [];
  const rows = await sql.query(
    `select ${COLUMNS} from unnest($1::uuid[], $2::uuid[]) k (tenant_id, payment_id)
     cross join lateral (
       select * from usance.payout_attempts o where o.tenant_id = k.tenant_id and o.payment_id = k.payment_id
       order by o.state = 'finalized' desc, o.number desc limit 1) a`,
    [keys.map(({ tenantId }) => tenantId), keys.map(({ id }) => id)],
  );
  return rows.map(attempt);
}

/** The attempt of the tenant that signed a transaction. Rides payout_attempts_transaction. */
export async function findByTransaction(
  sql: Sql,
  tenantId: Uuid,
  chain: string,
  transactionId: string,
): Promise<Attempt | null> {
  const [row] = await sql.query(
    `select ${COLUMNS} from usance.payout_attempts a
     where a.chain = $1::text and a.tx_id = $2::text and a.tenant_id = $3::uuid order by a.payment_id limit 1`,
    [chain, transactionId, tenantId],
  );
  return row ? attempt(row) : null;
}

/**
 * Takes a live attempt from the worker that may be watching it, whose answer is then refused by its fence. Never waits: a caller may hold the
 * payment already, which the watch locks after the attempt. Null if it has ended.
 */
export async function takeOver(
  tx: Transaction,
  { tenantId, paymentId, number }: AttemptKey,
): Promise<Attempt | 'busy' | null> {
  const [row] = await tx.query(
    `with free as (
       select a.tenant_id, a.payment_id, a.number from usance.payout_attempts a
       where a.tenant_id = $1::uuid and a.payment_id = $2::uuid and a.number = $3::int and a.ended_at is null
       for no key update skip locked)
     update usance.payout_attempts a set fence = a.fence + 1
     from free where a.tenant_id = free.tenant_id and a.payment_id = free.payment_id and a.number = free.number
     returning ${COLUMNS}`,
    [tenantId, paymentId, number],
  );
  if (row) return attempt(row);
  const open = await tx.query(
    `select from usance.payout_attempts a
     where a.tenant_id = $1::uuid and a.payment_id = $2::uuid and a.number = $3::int and a.ended_at is null`,
    [tenantId, paymentId, number],
  );
  return open.length > 0 ? 'busy' : null;
}
