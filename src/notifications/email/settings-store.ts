// Settings, joined with their jobs, and templates. A change locks the settings first and the job second.
import type { Row, Sql } from '../../db/index.ts';
import { asBoolean, asDate, asNumber, asText, asTextOrNull, only } from '../../db/index.ts';
import { MANAGED_JOBS } from '../../jobs/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { writingSecrets } from '../../secrets/index.ts';
import type { EmailKindName, EmailTexts } from './kind.ts';
import type { EmailSettings } from './settings.ts';

export interface StoredSettings extends EmailSettings {
  /** Null after its key was given up, until the next e-mail. */
  readonly linkSecret: Buffer | null;
}

const bytesOf = (value: unknown): Buffer | null => {
  const digits = asTextOrNull(value);
  return digits === null ? null : Buffer.from(digits, 'hex');
};

const settingsOf = (row: Row): StoredSettings => ({
  tenantId: asText(row['tenant_id']),
  id: asText(row['id']),
  enabled: asBoolean(row['enabled']),
  kinds: JSON.parse(asText(row['kinds'])) as EmailKindName[],
  fromName: asTextOrNull(row['from_name']),
  replyTo: asTextOrNull(row['reply_to']),
  locale: asText(row['locale']),
  zone: asText(row['zone']),
  sendTestEvents: asBoolean(row['send_test_events']),
  updatedAt: asDate(row['updated_at']),
  linkSecret: bytesOf(row['link_secret']),
});

export async function findSettings(sql: Sql, tenantId: Uuid): Promise<StoredSettings | null> {
  const [row] = await sql.query(
    `select s.tenant_id, s.id, j.enabled, to_jsonb(s.kinds)::text as kinds, s.from_name, s.reply_to, s.locale, s.zone, s.send_test_events,
       s.updated_at, encode(s.link_secret, 'hex') as link_secret
     from usance.email_settings s join (${MANAGED_JOBS}) j on j.tenant_id = s.tenant_id and j.id = s.id
     where s.tenant_id = $1::uuid`,
    [tenantId],
  );
  return row ? settingsOf(row) : null;
}

/** Locks them, and reads them by a statement of its own: the one that waited for the lock would join the job as it was before the wait. */
export async function lockSettings(sql: Sql, tenantId: Uuid): Promise<StoredSettings | null> {
  await sql.query('select from usance.email_settings where tenant_id = $1::uuid for update', [tenantId]);
  return findSettings(sql, tenantId);
}

export async function writeSettings(sql: Sql, settings: StoredSettings): Promise<void> {
  const { tenantId, id, kinds, fromName, replyTo, locale, zone, sendTestEvents, linkSecret, updatedAt } = settings;
  await writingSecrets(
    sql.query(
      `insert into usance.email_settings
         (tenant_id, id, kinds, from_name, reply_to, locale, zone, send_test_events, link_secret, updated_at)
       values ($1::uuid, $2::uuid, $3::text[], $4::text, $5::text, $6::text, $7::text, $8::boolean, decode($9::text, 'hex'), $10::timestamptz)
       on conflict (tenant_id, id) do update set kinds = excluded.kinds, from_name = excluded.from_name, reply_to = excluded.reply_to,
         locale = excluded.locale, zone = excluded.zone, send_test_events = excluded.send_test_events, link_secret = excluded.link_secret,
         updated_at = excluded.updated_at`,
      [
        tenantId,
        id,
        kinds,
        fromName,
        replyTo,
        locale,
        zone,
        sendTestEvents,
        linkSecret?.toString('hex') ?? null,
        updatedAt,
      ],
    ),
  );
}

/** Only if there is none: two processes do not replace each other's. */
export async function addLinkSecret(
  sql: Sql,
  { tenantId, id }: Pick<EmailSettings, 'tenantId' | 'id'>,
  linkSecret: Buffer,
): Promise<void> {
  await writingSecrets(
    sql.query(
      `update usance.email_settings set link_secret = decode($3::text, 'hex')
       where tenant_id = $1::uuid and id = $2::uuid and link_secret is null`,
      [tenantId, id, linkSecret.toString('hex')],
    ),
  );
}

export interface StoredTemplate extends EmailTexts {
  readonly kind: EmailKindName;
  /** Empty: for every language without one. */
  readonly language: string;
  readonly updatedAt: Date;
}

const templateOf = (row: Row): StoredTemplate => ({
  kind: asText(row['kind']) as EmailKindName,
  language: asText(row['language']),
  subject: asText(row['subject']),
  text: asText(row['text']),
  html: asText(row['html']),
  updatedAt: asDate(row['updated_at']),
});

/** Without its texts. */
export type TemplateSummary = Pick<StoredTemplate, 'kind' | 'language' | 'subject' | 'updatedAt'>;

export interface TemplateRange {
  readonly limit?: number;
  /** The last one of the page before. */
  readonly after?: { readonly kind: string; readonly language: string } | undefined;
}

/** At most one for each kind and language. The texts can be a megabyte together: `findTemplate` reads those of one. Rides the primary key. */
export async function listTemplates(
  sql: Sql,
  tenantId: Uuid,
  { limit, after }: TemplateRange & { readonly limit: number },
): Promise<TemplateSummary[]> {
  const rows = await sql.query(
    `select kind, language, subject, updated_at from usance.email_templates
     where tenant_id = $1::uuid and (kind, language) > ($2::text, $3::text) order by kind, language limit $4::int`,
    [tenantId, after?.kind ?? '', after?.language ?? '', limit],
  );
  return rows.map((row) => ({
    kind: asText(row['kind']) as EmailKindName,
    language: asText(row['language']),
    subject: asText(row['subject']),
    updatedAt: asDate(row['updated_at']),
  }));
}

/** The first of these languages that there is; the others of the order are not read. */
export async function findTemplate(
  sql: Sql,
  tenantId: Uuid,
  kind: EmailKindName,
  languages: readonly string[],
): Promise<StoredTemplate | null> {
  const [row] = await sql.query(
    `select kind, language, subject, text, html, updated_at from usance.email_templates
     where tenant_id = $1::uuid and kind = $2::text and language = any ($3::text[])
     order by array_position($3::text[], language) limit 1`,
    [tenantId, kind, languages],
  );
  return row ? templateOf(row) : null;
}

/** Of all templates but one: octet_length() reads no text that is stored apart. */
export async function sizeOfOtherTemplates(
  sql: Sql,
  tenantId: Uuid,
  { kind, language }: { readonly kind: EmailKindName; readonly language: string },
): Promise<{ readonly count: number; readonly bytes: number }> {
  const rows = await sql.query(
    `select count(*)::int as templates, coalesce(sum(octet_length(subject) + octet_length(text) + octet_length(html)), 0)::int as bytes
     from usance.email_templates where tenant_id = $1::uuid and (kind, language) <> ($2::text, $3::text)`,
    [tenantId, kind, language],
  );
  const row = only(rows);
  return { count: asNumber(row['templates']), bytes: asNumber(row['bytes']) };
}

export async function writeTemplate(sql: Sql, tenantId: Uuid, template: StoredTemplate): Promise<void> {
  const { kind, language, subject, text, html, updatedAt } = template;
  await sql.query(
    `insert into usance.email_templates (tenant_id, kind, language, subject, text, html, updated_at)
     values ($1::uuid, $2::text, $3::text, $4::text, $5::text, $6::text, $7::timestamptz)
     on conflict (tenant_id, kind, language) do update set subject = excluded.subject, text = excluded.text, html = excluded.html,
       updated_at = excluded.updated_at`,
    [tenantId, kind, language, subject, text, html, updatedAt],
  );
}

/** The one that was deleted, or null. */
export async function deleteTemplate(
  sql: Sql,
  tenantId: Uuid,
  kind: string,
  language: string,
): Promise<StoredTemplate | null> {
  const [row] = await sql.query(
    `delete from usance.email_templates where tenant_id = $1::uuid and kind = $2::text and language = $3::text
     returning kind, language, subject, text, html, updated_at`,
    [tenantId, kind, language],
  );
  return row ? templateOf(row) : null;
}
