// The outcome of each e-mail, and the accounts that opted out. Rides the primary keys, emails_by_account and emails_by_age.
import type { Row, Sql } from '../../db/index.ts';
import { asDate, asNumber, asNumberOrNull, asText, only } from '../../db/index.ts';
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

/** The accounts whose e-mail about an event has ended. */
export async function endedFor(sql: Sql, tenantId: Uuid, eventId: Uuid): Promise<ReadonlySet<Uuid>> {
  const rows = await sql.query(
    'select account_id from usance.emails where tenant_id = $1::uuid and event_id = $2::uuid',
    [tenantId, eventId],
  );
  return new Set(rows.map((row) => asText(row['account_id'])));
}

export async function recordEmail(sql: Sql, record: Omit<EmailRecord, 'endedAt'>): Promise<void> {
  const { tenantId, eventId, accountId, kind, outcome, code } = record;
  await sql.query(
    `insert into usance.emails (tenant_id, event_id, account_id, kind, outcome, code, ended_at)
     values ($1::uuid, $2::uuid, $3::uuid, $4::text, $5::text, $6::int, date_trunc('milliseconds', clock_timestamp()))
     on conflict do nothing`,
    [tenantId, eventId, accountId, kind, outcome, code],
  );
}

/** In the last 24 hours of real time, up to a bound. */
export async function countSent(sql: Sql, tenantId: Uuid, accountId: Uuid, most: number): Promise<number> {
  const rows = await sql.query(
    `select count(*)::int as emails from (
       select from usance.emails where tenant_id = $1::uuid and account_id = $2::uuid and ended_at > clock_timestamp() - interval '24 hours'
         and outcome = 'sent' limit $3::int) e`,
    [tenantId, accountId, most],
  );
  return asNumber(only(rows)['emails']);
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
  return rows.length;
}

/** Whether that is new. */
export async function insertOptOut(sql: Sql, tenantId: Uuid, accountId: Uuid, at: Date): Promise<boolean> {
  const rows = await sql.query(
    `insert into usance.email_opt_outs (tenant_id, account_id, created_at) values ($1::uuid, $2::uuid, $3::timestamptz)
     on conflict do nothing returning account_id`,
    [tenantId, accountId, at],
  );
  return rows.length > 0;
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
