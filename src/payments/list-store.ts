// Lists of payments, newest first. What an index knows is looked up: a reference, an account, what awaits approval, and, by the
// due set, what is scheduled. An index on what changes would be paid for by every settlement, so the other filters are looked for
// backwards, a stretch at a time. An index on metadata would be paid for by every create.
import type { Sql } from '../db/index.ts';
import { asNumber, asText, hasMetadata, readStretch, stretchStatement } from '../db/index.ts';
import type { Stretch, Uuid } from '../kernel/index.ts';
import { idsWithin } from '../kernel/index.ts';
import type { Funding, Payment, PaymentKind, PaymentStatus } from './payment.ts';
import type { PartyRefs } from './shown-store.ts';
import { collectRefs, refColumns } from './shown-store.ts';
import { COLUMNS, NAMESPACE, payment } from './store.ts';

export interface PaymentFilter {
  /** Any of these. */
  readonly status?: PaymentStatus | readonly PaymentStatus[];
  /** Payer or payee. */
  readonly accountId?: Uuid;
  readonly payerId?: Uuid;
  readonly funding?: Funding;
  /** In whose namespace: the tenant's is empty, an end user's is their actor. */
  readonly reference?: { readonly namespace: string; readonly text: string };
  readonly approval?: 'awaited' | 'given';
  readonly executeFrom?: Date;
  readonly executeBefore?: Date;
  readonly createdFrom?: Date;
  readonly createdBefore?: Date;
  /** Where ids follow the time of creation, which they do in real time but not by a test clock: the range is looked up by id. */
  readonly idsFollowTime?: boolean;
  /** Only payments over a chain. */
  readonly payouts?: boolean;
  /** Every pair; a value that is not text is compared as its JSON. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * How many payments a page scans at most. With this bound, a filter that fits nothing takes about three times as long among a million payments as
 * among a thousand (bench lists); metadata can be 16 kB a payment.
 */
export const PAYMENT_STRETCH = 5_000;

export interface ListOptions {
  /** How many payments the question looks through at most. */
  readonly stretch?: number | undefined;
  /** Gets the refs of payers and payees. */
  readonly refs?: PartyRefs;
}

/**
 * `before` is the id to go on from, so pages do not shift when payments are added. `reached` is the id to go on from where the
 * stretch ended before the page was full.
 */
export async function listPayments(
  sql: Sql,
  tenantId: Uuid,
  filter: PaymentFilter,
  page: { limit: number; before?: Uuid | null },
  { stretch = PAYMENT_STRETCH, refs }: ListOptions = {},
): Promise<Stretch<Payment, Uuid>> {
  const { executeFrom, executeBefore, createdFrom, createdBefore, funding, approval } = filter;
  const status = filter.status === undefined ? null : [filter.status].flat();
  const isOfOne = filter.accountId !== undefined || filter.payerId !== undefined;
  const isDue = !isOfOne && !filter.payouts && status?.length === 1 && status[0] === 'scheduled';
  const ids = filter.idsFollowTime ? idsWithin(createdFrom, createdBefore) : idsWithin(undefined, undefined);
  const pairs = filter.metadata === undefined ? null : Object.entries(filter.metadata);
  const ofOne = filter.accountId === undefined ? OF_PAYER : OF_ACCOUNT;
  const isOnChain = filter.payouts || (!isOfOne && status?.every((one) => STATES_OF_PAYOUTS.includes(one)));
  const among = isOnChain ? PAYOUTS : isDue ? DUE : isOfOne ? ofOne : ALL;
  const lookedUp = [
    tenantId,
    page.before !== undefined && page.before !== null && page.before < ids.before ? page.before : ids.before,
    filter.reference?.text ?? null,
    filter.payerId ?? null,
    approval === 'awaited' ? approval : null,
    filter.accountId ?? null,
  ];
  const lookedFor = [
    isDue ? null : status,
    executeFrom ?? null,
    executeBefore ?? null,
    funding ?? null,
    approval === 'given' ? approval : null,
  ];
  const alsoLookedFor = [
    createdFrom ?? null,
    createdBefore ?? null,
    pairs?.map(([name]) => name) ?? null,
    pairs?.map(([, value]) => value) ?? null,
  ];
  const leavesOut = [...lookedFor, ...alsoLookedFor].some((value) => value !== null);
  const text = stretchStatement({
    page: `select ${SHOWN} from (${among}) p
       where ($8::text[] is null or p.status = any ($8::text[]))
         and ($9::timestamptz is null or p.execute_at >= $9::timestamptz)
         and ($10::timestamptz is null or p.execute_at < $10::timestamptz)
         and ($11::text is null or p.funding = $11::text) and ($12::text is null or p.approval = $12::text)
         and ($16::timestamptz is null or p.created_at >= $16::timestamptz)
         and ($17::timestamptz is null or p.created_at < $17::timestamptz)
         and ($18::text[] is null or ${hasMetadata('p.metadata', '$18::text[]', '$19::text[]')})
       order by p.id desc limit $13::int`,
    limit: '$13::int',
    end: leavesOut ? `select s.id from (${among}) s order by s.id desc offset $7::int - 1 limit 1` : null,
    order: 'id desc',
    ...(refs === undefined ? {} : { also: refColumns('page') }),
  });
  const rows = await sql.query(text, [
    ...lookedUp,
    leavesOut ? stretch : page.limit,
    ...lookedFor,
    page.limit,
    filter.reference?.namespace ?? '',
    ids.from,
    ...alsoLookedFor,
  ]);
  return readStretch(
    rows,
    (row) => {
      if (refs !== undefined) collectRefs(row, refs);
      return payment(row);
    },
    asText,
  );
}

// Metadata can be 16 kB: inside a stretch it stays what it is, and only the rows of the page become text.
const AS_TEXT = 'p.metadata::text as metadata';
const SCANNED = COLUMNS.replace(AS_TEXT, 'p.metadata');
const SHOWN = COLUMNS.split(',')
  .map((column) =>
    column
      .trim()
      .split(/ as |\./)
      .at(-1),
  )
  .map((name) => (name === 'metadata' ? AS_TEXT : `p.${name}`))
  .join(', ');

/** One stretch of some rows: of a payment p, in the order of `id`. */
const stretchOf = (from: string, where: string, id = 'p.id'): string =>
  `select ${SCANNED.replace('p.id', `${id} as id`)} from ${from}
   where p.tenant_id = $1::uuid and ${id} < $2::uuid and ${id} >= $15::uuid and ($3::text is null or p.reference = $3::text and ${NAMESPACE} = $14::text)
     and ($4::uuid is null or p.payer_id = $4::uuid) and ($5::text is null or p.approval = $5::text) and ${where}
   order by ${id} desc limit $7::int`;

const ALL = stretchOf('usance.all_payments p', '$6::uuid is null');

/** Only payouts are in these: the database refuses them to other payments. */
const STATES_OF_PAYOUTS: readonly PaymentStatus[] = ['processing', 'submitted', 'review'];

/** Rides payments_payouts and archived_payments_payouts. */
const PAYOUTS = stretchOf('usance.all_payments p', `$6::uuid is null and p.rail <> 'ledger'`);

const OF_PAYER = stretchOf('usance.all_payments p', '$6::uuid is null and p.payer_id = $4::uuid');

/** Every scheduled payment has its due row, and no other has one. Rides the primary key of both. */
const DUE = stretchOf(
  'usance.due d join usance.payments p on p.tenant_id = d.tenant_id and p.id = d.payment_id',
  'd.tenant_id = $1::uuid and $6::uuid is null',
  'd.payment_id',
);

/** Nobody pays himself, or is paid by two legs: no payment is on two of the sides. */
const OF_ACCOUNT = `select * from (
  (${stretchOf('usance.all_payments p', 'p.payer_id = $6::uuid')}) union all
  (${stretchOf('usance.all_payments p', 'p.payee_id = $6::uuid')}) union all
  (${stretchOf(
    'usance.payment_payees o join usance.all_payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id',
    'o.tenant_id = $1::uuid and o.account_id = $6::uuid',
    'o.payment_id',
  )})) s order by id desc limit $7::int`;

/** As `kindOf` says it of a row. */
const KIND = `case p.owner_kind when 'subscription' then 'charge' when 'allowance' then 'allowance' when 'schedule' then 'schedule'
    else case p.funding when 'reserve' then 'hold' else 'payment' end end`;

export type NotForRunNow = 'status' | 'approval' | 'createdFrom' | 'createdBefore' | 'metadata' | 'payouts';

export interface RunNowFilter extends Omit<PaymentFilter, NotForRunNow | 'idsFollowTime'> {
  /** Only payments that have failed at least once and are tried again. */
  readonly retries?: boolean;
  /** Only charges of subscriptions. */
  readonly charges?: boolean;
  readonly kind?: PaymentKind;
  /** Only payments whose last attempt failed with this code. */
  readonly code?: string;
}

/**
 * Scheduled payments that are due later than now, and how many the filter finds in all. Those first that are due first, but payments
 * that need a second person to run come last: a bounded call makes progress although some of them are refused each time. With `ids`,
 * only those among them.
 * Reads the tenant's due set: an operator asks this, not a loop.
 */
export async function listRunnable(
  sql: Sql,
  tenantId: Uuid,
  filter: RunNowFilter,
  { now, limit, ids = null }: { readonly now: Date; readonly limit: number; readonly ids?: readonly Uuid[] | null },
): Promise<{ payments: Payment[]; total: number }> {
  const rows = await sql.query(
    `select ${COLUMNS}, count(*) over ()::int as total
     from usance.due d join usance.payments p on p.tenant_id = d.tenant_id and p.id = d.payment_id
     where d.tenant_id = $1::uuid and d.due_at > $12::timestamptz
       and ($2::uuid is null or p.payer_id = $2::uuid or p.payee_id = $2::uuid
            or exists (select from usance.payment_payees o where o.account_id = $2::uuid and o.payment_id = p.id))
       and ($3::uuid is null or p.payer_id = $3::uuid) and ($4::text is null or p.funding = $4::text)
       and ($5::text is null or p.reference = $5::text and ${NAMESPACE} = $11::text)
       and ($6::timestamptz is null or p.execute_at >= $6::timestamptz)
       and ($7::timestamptz is null or p.execute_at < $7::timestamptz)
       and (not $8::boolean or p.attempts > 0) and (not $9::boolean or p.owner_kind = 'subscription')
       and ($13::text is null or ${KIND} = $13::text)
       and ($14::text is null or p.attempts > 0 and p.last_code = $14::text)
       and ($15::uuid[] is null or d.payment_id = any ($15::uuid[]))
     order by p.approval is not distinct from 'awaited', p.approval is not null and p.execute_at > $12::timestamptz,
       d.due_at, d.payment_id limit $10::int`,
    [
      tenantId,
      filter.accountId ?? null,
      filter.payerId ?? null,
      filter.funding ?? null,
      filter.reference?.text ?? null,
      filter.executeFrom ?? null,
      filter.executeBefore ?? null,
      filter.retries ?? false,
      filter.charges ?? false,
      limit,
      filter.reference?.namespace ?? '',
      now,
      filter.kind ?? null,
      filter.code ?? null,
      ids,
    ],
  );
  return { payments: rows.map(payment), total: asNumber(rows[0]?.['total'] ?? 0) };
}
