// Quotes, and the routes of payouts.
import type { Row, Sql } from '../../db/index.ts';
import { asBigInt, asDate, asDateOrNull, asNumber, asRecord, asText, asTextOrNull } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import type { Priority, RouteDecision, RouteInputs, StoredRoute } from '../../rails/index.ts';
import type { Destinations, PayoutRoute, Quote, RouteCause } from './quote.ts';

export async function insertQuote(sql: Sql, quote: Quote): Promise<void> {
  await sql.query(
    `insert into usance.quotes (tenant_id, id, asset, amount, priority, destinations, chain, inputs, decision, created_by, created_at, expires_at)
     values ($1::uuid, $2::uuid, $3::text, $4::bigint, $5::text, $6::jsonb, $7::text, $8::jsonb, $9::jsonb, $10::text, $11::timestamptz,
       $12::timestamptz)`,
    [
      quote.tenantId,
      quote.id,
      quote.asset,
      quote.amount,
      quote.priority,
      JSON.stringify(quote.destinations),
      quote.chain,
      JSON.stringify(quote.inputs),
      JSON.stringify(quote.decision),
      quote.createdBy,
      quote.createdAt,
      quote.expiresAt,
    ],
  );
}

const QUOTE = `q.tenant_id, q.id, q.asset, q.amount, q.priority, q.destinations, q.chain, q.inputs, q.decision, q.created_by, q.created_at,
  q.expires_at, q.used_at`;

/** `lock`: until the end of the transaction, so that only one payout can use it. */
export async function findQuote(
  sql: Sql,
  tenantId: Uuid,
  id: Uuid,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Quote | null> {
  const [row] = await sql.query(
    `select ${QUOTE} from usance.quotes q where q.tenant_id = $1::uuid and q.id = $2::uuid ${lock ? 'for no key update' : ''}`,
    [tenantId, id],
  );
  return row ? readQuote(row) : null;
}

/** The newest first, by the primary key. */
export async function listQuotes(
  sql: Sql,
  tenantId: Uuid,
  { limit, before }: { readonly limit: number; readonly before: Uuid | null },
): Promise<Quote[]> {
  const rows = await sql.query(
    `select ${QUOTE} from usance.quotes q where q.tenant_id = $1::uuid and ($2::uuid is null or q.id < $2::uuid) order by q.id desc limit $3::int`,
    [tenantId, before, limit],
  );
  return rows.map(readQuote);
}

export async function markUsed(sql: Sql, tenantId: Uuid, id: Uuid, now: Date): Promise<void> {
  await sql.query(
    `update usance.quotes set used_at = $3::timestamptz where tenant_id = $1::uuid and id = $2::uuid and used_at is null`,
    [tenantId, id, now],
  );
}

/** Only this module writes these columns. */
const storedRoute = (row: Row): StoredRoute => ({
  inputs: asRecord(row['inputs']) as unknown as RouteInputs,
  decision: asRecord(row['decision']) as unknown as RouteDecision,
});

const readQuote = (row: Row): Quote => ({
  ...storedRoute(row),
  tenantId: asText(row['tenant_id']),
  id: asText(row['id']),
  asset: asText(row['asset']),
  amount: asBigInt(row['amount']),
  priority: asText(row['priority']) as Priority,
  destinations: asRecord(row['destinations']) as Destinations,
  chain: asText(row['chain']),
  createdBy: asText(row['created_by']),
  createdAt: asDate(row['created_at']),
  expiresAt: asDate(row['expires_at']),
  usedAt: asDateOrNull(row['used_at']),
});

/** Quotes made before an instant of real time that no payout was created with. */
export async function deleteQuotes(sql: Sql, before: Uuid, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from usance.quotes q using (
       select tenant_id, id from usance.quotes where id < $1::uuid and used_at is null order by id limit $2::int for update skip locked) old
     where q.tenant_id = old.tenant_id and q.id = old.id returning 1 as gone`,
    [before, limit],
  );
  return rows.length;
}

/** Two workers of one payout can choose at the same time, of which one has lost its lease: both routes are stored, and the attempt names its own. */
export async function insertRoute(sql: Sql, route: Omit<PayoutRoute, 'number'>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const rows = await sql.query(
      `insert into usance.payout_routes (tenant_id, id, payment_id, number, attempt, cause, quote_id, chain, fee_limit, inputs, decision, chosen_at)
       select $1::uuid, $2::uuid, $3::uuid,
         coalesce((select max(r.number) from usance.payout_routes r where r.tenant_id = $1::uuid and r.payment_id = $3::uuid), 0) + 1,
         $4::int, $5::text, $6::uuid, $7::text, $8::numeric, $9::jsonb, $10::jsonb, $11::timestamptz
       on conflict (tenant_id, payment_id, number) do nothing returning number`,
      [
        route.tenantId,
        route.id,
        route.paymentId,
        route.attempt,
        route.cause,
        route.quoteId,
        route.chain,
        String(route.feeLimitUnits),
        JSON.stringify(route.inputs),
        JSON.stringify(route.decision),
        route.chosenAt,
      ],
    );
    if (rows.length > 0) return;
    if (tries > MOST_TRIES) throw new Error(`the route of payment ${route.paymentId} could not be numbered`);
  }
}

const MOST_TRIES = 10;

/** Routes of a payout that waits are chosen again each time it is tried: those that no attempt took are removed, once no lease can still name them. */
export async function deleteUntaken(sql: Sql, tenantId: Uuid, paymentId: Uuid, before: Uuid): Promise<void> {
  await sql.query(
    `delete from usance.payout_routes r where r.tenant_id = $1::uuid and r.payment_id = $2::uuid and r.id < $3::uuid
       and not exists (select from usance.payout_attempts a where a.tenant_id = r.tenant_id and a.payment_id = r.payment_id and a.route_id = r.id)`,
    [tenantId, paymentId, before],
  );
}

const ROUTE = `r.tenant_id, r.id, r.payment_id, r.number, r.attempt, r.cause, r.quote_id, r.chain, r.fee_limit::text as fee_limit, r.inputs,
  r.decision, r.chosen_at`;

/** The newest routes of a payout, the newest first. */
export async function listRoutes(sql: Sql, tenantId: Uuid, paymentId: Uuid, limit: number): Promise<PayoutRoute[]> {
  const rows = await sql.query(
    `select ${ROUTE} from usance.payout_routes r where r.tenant_id = $1::uuid and r.payment_id = $2::uuid order by r.number desc limit $3::int`,
    [tenantId, paymentId, limit],
  );
  return rows.map(readRoute);
}

const readRoute = (row: Row): PayoutRoute => ({
  ...storedRoute(row),
  tenantId: asText(row['tenant_id']),
  id: asText(row['id']),
  paymentId: asText(row['payment_id']),
  number: asNumber(row['number']),
  attempt: asNumber(row['attempt']),
  cause: asText(row['cause']) as RouteCause,
  quoteId: asTextOrNull(row['quote_id']),
  chain: asText(row['chain']),
  feeLimitUnits: asBigInt(row['fee_limit']),
  chosenAt: asDate(row['chosen_at']),
});

/** A stored choice with what says where it is, for checks. */
export type ChoiceRow = StoredRoute & {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly asset: string;
  readonly kind: 'route' | 'quote';
};

/** Every stored choice, in slices: those behind (kind, tenant, id). */
export async function choicesAfter(
  sql: Sql,
  kind: ChoiceRow['kind'],
  after: { readonly tenantId: Uuid; readonly id: Uuid },
  limit: number,
): Promise<ChoiceRow[]> {
  const [table, asset] = kind === 'quote' ? ['quotes', 'q.asset'] : ['payout_routes', `''`];
  const rows = await sql.query(
    `select q.tenant_id, q.id, ${asset} as asset, q.inputs, q.decision from usance.${table} q
     where (q.tenant_id, q.id) > ($1::uuid, $2::uuid) order by q.tenant_id, q.id limit $3::int`,
    [after.tenantId, after.id, limit],
  );
  return rows.map((row) => ({
    ...storedRoute(row),
    tenantId: asText(row['tenant_id']),
    id: asText(row['id']),
    asset: asText(row['asset']),
    kind,
  }));
}
