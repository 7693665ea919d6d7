// The outcome of each e-mail, and the accounts that opted out. Rides the primary keys, emails_by_account and emails_by_age.
import type { Row, Sql } from '../../db/index.ts';
import { asBoolean, asDate, asNumber, asNumberOrNull, asText, only } from '../../db/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import type { EmailKindName } from './kind.ts';

export const EMAIL_OUTCOMES = ['sent', 'refused', 'unsubscribed', 'limited'] as const;
export type EmailOutcome = (typeof EMAIL_OUTCOMES)[number];

export interface EmailRecord {
  readonly tenantId: Uuid;
  readonly eventId: Uuid;
  readonly accountId: Uuid;
  readonly kind: EmailKindName;
  readonly outcome: EmailOutcome;
  /** The code of the mail server, if it refused the recipient or the message. */
  readonly code: number | null;
  readonly endedAt: Date;
}

/** Of an address: `addressDigest`, in hexadecimal digits. */
type Digest = string;

/** The accounts whose e-mail about an event has ended. */
export async function endedFor(sql: Sql, tenantId: Uuid, eventId: Uuid): Promise<ReadonlySet<Uuid>> {
  const rows = await sql.query(
    'select account_id from usance.emails where tenant_id = $1::uuid and event_id = $2::uuid',
    [tenantId, eventId],
  );
  return new Set(rows.map((row) => asText(row['account_id'])));
}

/** Counts it towards the quota of the tenant if it was sent, in the same statement. */
export async function recordEmail(
  sql: Sql,
  record: Omit<EmailRecord, 'endedAt'> & { readonly addressDigest: Digest },
): Promise<void> {
  const { tenantId, eventId, accountId, kind, outcome, code, addressDigest } = record;
  await sql.query(
    `with ended as (
       insert into usance.emails (tenant_id, event_id, account_id, kind, outcome, code, address_digest, ended_at)
       values ($1::uuid, $2::uuid, $3::uuid, $4::text, $5::text, $6::int, decode($7::text, 'hex'), date_trunc('milliseconds', clock_timestamp()))
       on conflict do nothing returning outcome)
     insert into usance.email_counts as c (tenant_id, hour, sent)
     select $1::uuid, date_trunc('hour', clock_timestamp(), 'UTC'), 1 from ended where ended.outcome = 'sent'
     on conflict (tenant_id, hour) do update set sent = c.sent + 1`,
    [tenantId, eventId, accountId, kind, outcome, code, addressDigest],
  );
}

export interface SentToday {
  /** To the account, and to the address, which other accounts of the tenant may have too; up to a bound. */
  readonly toAccount: number;
  readonly toAddress: number;
  /** Of the tenant. */
  readonly ofTenant: number;
}

/** In the last 24 hours of real time; those of the tenant to the hour. */
export async function countSent(
  sql: Sql,
  {
    tenantId,
    accountId,
    addressDigest,
  }: { readonly tenantId: Uuid; readonly accountId: Uuid; readonly addressDigest: Digest },
  most: number,
): Promise<SentToday> {
  const rows = await sql.query(
    `select
       (select count(*) from (select from usance.emails where tenant_id = $1::uuid and account_id = $2::uuid
          and ended_at > clock_timestamp() - interval '24 hours' and outcome = 'sent' limit $4::int) e)::int as to_account,
       (select count(*) from (select from usance.emails where tenant_id = $1::uuid and address_digest = decode($3::text, 'hex')
          and ended_at > clock_timestamp() - interval '24 hours' and outcome = 'sent' limit $4::int) e)::int as to_address,
       (select coalesce(sum(sent), 0) from usance.email_counts where tenant_id = $1::uuid and hour > clock_timestamp() - interval '24 hours')::int
         as of_tenant`,
    [tenantId, accountId, addressDigest, most],
  );
  const row = only(rows);
  return {
    toAccount: asNumber(row['to_account']),
    toAddress: asNumber(row['to_address']),
    ofTenant: asNumber(row['of_tenant']),
  };
}

const record =
  (tenantId: Uuid) =>
  (row: Row): EmailRecord => ({
    tenantId,
    eventId: asText(row['event_id']),
    accountId: asText(row['account_id']),
    kind: asText(row['kind']) as EmailKindName,
    outcome: asText(row['outcome']) as EmailOutcome,
    code: asNumberOrNull(row['code']),
    endedAt: asDate(row['ended_at']),
  });

/** Of an account, by the id of the event, newest first. Rides emails_by_account_and_event. */
export async function listEmails(
  sql: Sql,
  tenantId: Uuid,
  accountId: Uuid,
  { limit, before }: { readonly limit: number; readonly before: Uuid | null },
): Promise<EmailRecord[]> {
  const rows = await sql.query(
    `select event_id, account_id, kind, outcome, code, ended_at from usance.emails
     where tenant_id = $1::uuid and account_id = $2::uuid and ($3::uuid is null or event_id < $3::uuid)
     order by event_id desc limit $4::int`,
    [tenantId, accountId, before, limit],
  );
  return rows.map(record(tenantId));
}

/** Deletes records of e-mails that ended before an instant. Returns how many. */
export async function forgetEmails(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from usance.emails where ctid = any (array(
       select ctid from usance.emails where ended_at < $1::timestamptz order by ended_at limit $2::int)) returning 1`,
    [before, limit],
  );
  await sql.query(`delete from usance.email_counts where hour < clock_timestamp() - interval '3 days'`);
  return rows.length;
}

/** Whether that is new. With the digest of the address that the account has at this moment, if it has one. */
export async function insertOptOut(
  sql: Sql,
  { tenantId, accountId }: { readonly tenantId: Uuid; readonly accountId: Uuid },
  addressDigest: Digest | null,
  at: Date,
): Promise<boolean> {
  const rows = await sql.query(
    `insert into usance.email_opt_outs (tenant_id, account_id, address_digest, created_at)
     values ($1::uuid, $2::uuid, decode($3::text, 'hex'), $4::timestamptz) on conflict do nothing returning account_id`,
    [tenantId, accountId, addressDigest, at],
  );
  return rows.length > 0;
}

/** Whether the account, or another account of the tenant with the same address, wants no e-mail. */
export async function hasOptedOut(
  sql: Sql,
  {
    tenantId,
    accountId,
    addressDigest,
  }: { readonly tenantId: Uuid; readonly accountId: Uuid; readonly addressDigest: Digest },
): Promise<boolean> {
  const rows = await sql.query(
    `select exists (select from usance.email_opt_outs where tenant_id = $1::uuid and account_id = $2::uuid)
         or exists (select from usance.email_opt_outs where tenant_id = $1::uuid and address_digest = decode($3::text, 'hex')) as found`,
    [tenantId, accountId, addressDigest],
  );
  return asBoolean(only(rows)['found']);
}

/** Whether there was one. */
export async function deleteOptOut(sql: Sql, tenantId: Uuid, accountId: Uuid): Promise<boolean> {
  const rows = await sql.query(
    'delete from usance.email_opt_outs where tenant_id = $1::uuid and account_id = $2::uuid returning account_id',
    [tenantId, accountId],
  );
  return rows.length > 0;
}

export interface OptOut {
  readonly accountId: Uuid;
  readonly createdAt: Date;
}

/** By the id of the account. */
export async function listOptOuts(
  sql: Sql,
  tenantId: Uuid,
  { limit, before }: { readonly limit: number; readonly before: Uuid | null },
): Promise<OptOut[]> {
  const rows = await sql.query(
    `select account_id, created_at from usance.email_opt_outs
     where tenant_id = $1::uuid and ($2::uuid is null or account_id < $2::uuid) order by account_id desc limit $3::int`,
    [tenantId, before, limit],
  );
  return rows.map((row) => ({ accountId: asText(row['account_id']), createdAt: asDate(row['created_at']) }));
}

export async function findOptOut(sql: Sql, tenantId: Uuid, accountId: Uuid): Promise<OptOut | null> {
  const [row] = await sql.query(
    'select account_id, created_at from usance.email_opt_outs where tenant_id = $1::uuid and account_id = $2::uuid',
    [tenantId, accountId],
  );
  return row ? { accountId: asText(row['account_id']), createdAt: asDate(row['created_at']) } : null;
}
