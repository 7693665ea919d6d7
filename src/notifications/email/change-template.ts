// Replaces the texts of a kind with those of the tenant, or gives up the tenant's.
import type { Transaction } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { TenantCaller } from '../../jobs/index.ts';
import { lockAndCountJobs } from '../../jobs/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { oneOf, refuse } from '../../kernel/index.ts';
import type { EmailKindName, EmailTexts } from './kind.ts';
import { EMAIL_KIND_NAMES } from './kind.ts';
import type { StoredTemplate } from './settings-store.ts';
import { deleteTemplate, sizeOfOtherTemplates, writeTemplate } from './settings-store.ts';
import { parseTexts } from './template.ts';

/** Templates of a tenant at most, and the bytes of their texts together. */
export const MOST_TEMPLATES = 200;
export const MOST_TEMPLATE_BYTES = 1_000_000;

export interface TemplateParams extends EmailTexts {
  readonly kind: EmailKindName;
  /** Of the locale of the recipient, such as `de`. Default: every language without one of its own. */
  readonly language?: string;
}

function parseLanguage(language: unknown): string {
  if (typeof language !== 'string' || !/^([a-z]{2,3})?$/.test(language))
    return refuse('FIELD_INVALID/locale', { param: 'language' });
  return language;
}

export type ParsedTemplate = Omit<StoredTemplate, 'updatedAt'>;

/** Before the transaction: nothing is locked while texts are read. */
export function parseTemplate({ kind, language = '', ...texts }: TemplateParams): ParsedTemplate {
  oneOf(kind, EMAIL_KIND_NAMES, 'kind');
  return { kind, language: parseLanguage(language), ...parseTexts(texts) };
}

export async function setTemplate(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  parsed: ParsedTemplate,
): Promise<StoredTemplate> {
  const { kind, language, subject, text, html } = parsed;
  const template: StoredTemplate = { ...parsed, updatedAt: clock.now };
  await lockAndCountJobs(tx, by.tenantId);
  const others = await sizeOfOtherTemplates(tx, by.tenantId, parsed);
  const bytes = others.bytes + Buffer.byteLength(subject + text + html);
  if (others.count >= MOST_TEMPLATES || bytes > MOST_TEMPLATE_BYTES)
    refuse('EMAIL_TEMPLATES_TOO_MANY', { max: MOST_TEMPLATES, bytes: MOST_TEMPLATE_BYTES });
  await writeTemplate(tx, by.tenantId, template);
  await emit(tx, clock, by, 'email_template.set', { kind, language, subject: template.subject });
  return template;
}

export const templateName = (kind: string, language: string): string =>
  language === '' ? kind : `${kind}.${language}`;

export async function removeTemplate(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  kind: EmailKindName,
  given = '',
): Promise<StoredTemplate> {
  oneOf(kind, EMAIL_KIND_NAMES, 'kind');
  const language = parseLanguage(given);
  const deleted = await deleteTemplate(tx, by.tenantId, kind, language);
  if (!deleted) return refuse('EMAIL_TEMPLATE_NOT_FOUND', { template: templateName(kind, language) });
  await emit(tx, clock, by, 'email_template.deleted', { kind, language });
  return deleted;
}

const emit = (
  tx: Transaction,
  clock: Clock,
  { tenantId, caller }: TenantCaller,
  type: 'email_template.set' | 'email_template.deleted',
  data: Readonly<Record<string, unknown>>,
): Promise<void> =>
  appendEvents(tx, [
    { ...caller, tenantId, type, resource: 'tenant', resourceId: tenantId, occurredAt: clock.now, data },
  ]);
