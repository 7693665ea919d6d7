// Changes the settings of a tenant, and their job with them. The first change creates both.
import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../db/index.ts';
import { appendEvents } from '../../events/index.ts';
import type { TenantCaller } from '../../jobs/index.ts';
import { createManagedJob, lockAndCountJobs, updateManagedJob } from '../../jobs/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { newId, oneOf, refuse, toTypeId } from '../../kernel/index.ts';
import { checkedContact } from '../../ledger/index.ts';
import { isSendable } from './address.ts';
import type { Secrets } from '../../secrets/index.ts';
import { aboutRow, requireSecrets } from '../../secrets/index.ts';
import { DEFAULT_LOCALE, DEFAULT_ZONE } from './format.ts';
import type { EmailKindName } from './kind.ts';
import { EMAIL_KIND_NAMES } from './kind.ts';
import type { EmailSettings, EmailSettingsChanges } from './settings.ts';
import { EMAIL_ATTEMPT_MS, EMAIL_PROCESSOR, EMAIL_RETRY, LINK_SECRET, patternOf } from './settings.ts';
import type { StoredSettings } from './settings-store.ts';
import { lockSettings, writeSettings } from './settings-store.ts';

/** Before the first change: off. */
export const defaultSettings = (tenantId: string, at: Date): Omit<EmailSettings, 'id'> & { readonly id: null } => ({
  tenantId,
  id: null,
  enabled: false,
  kinds: EMAIL_KIND_NAMES,
  fromName: null,
  replyTo: null,
  locale: DEFAULT_LOCALE,
  zone: DEFAULT_ZONE,
  sendTestEvents: false,
  updatedAt: at,
});

export async function changeSettings(
  tx: Transaction,
  clock: Clock,
  by: TenantCaller,
  changes: EmailSettingsChanges,
  { secrets, isConfigured }: { readonly secrets: Secrets; readonly isConfigured: boolean },
): Promise<EmailSettings> {
  requireSecrets(secrets);
  const { tenantId, caller } = by;
  // The lock that every create of a job takes: two first changes do not make two rows.
  await lockAndCountJobs(tx, tenantId);
  const before = await lockSettings(tx, tenantId);
  const terms = parseSettings({ ...defaultSettings(tenantId, clock.now), ...before, ...definedOf(changes) });
  if (terms.enabled && !isConfigured) refuse('EMAIL_NOT_CONFIGURED');
  const eventPattern = patternOf(terms.kinds);
  const key = { tenantId, id: before?.id ?? newId() };
  if (before) await updateManagedJob(tx, clock, by, key.id, { enabled: terms.enabled, eventPattern });
  else
    await createManagedJob(tx, clock, by, {
      id: key.id,
      name: `e-mail ${toTypeId('job', key.id)}`,
      description: 'E-mail to payers and payees.',
      eventPattern,
      processorName: EMAIL_PROCESSOR,
      enabled: terms.enabled,
      retry: EMAIL_RETRY,
      timeoutMs: EMAIL_ATTEMPT_MS,
    });
  const linkSecret = before?.linkSecret ?? newLinkSecret(secrets, key);
  const after: StoredSettings = { ...key, ...terms, linkSecret, updatedAt: clock.now };
  await writeSettings(tx, after);
  await appendEvents(tx, [
    {
      ...caller,
      tenantId,
      type: 'email.updated',
      resource: 'tenant',
      resourceId: tenantId,
      occurredAt: clock.now,
      data: { old: before && inEvents(before), new: inEvents(after) },
    },
  ]);
  return withoutSecret(after);
}

/** Encrypted, as it is stored. */
export const newLinkSecret = (secrets: Secrets, key: Pick<EmailSettings, 'tenantId' | 'id'>): Buffer =>
  secrets.encrypt(randomBytes(32), aboutRow(LINK_SECRET, key));

export const withoutSecret = ({ linkSecret: _secret, ...settings }: StoredSettings): EmailSettings => settings;

/** A reply address is a person's: it is not stored in events, which cannot forget it. */
const inEvents = ({ enabled, kinds, fromName, locale, zone, sendTestEvents }: EmailSettings) => ({
  enabled,
  kinds,
  fromName,
  locale,
  zone,
  sendTestEvents,
});

type Terms = Omit<EmailSettings, 'tenantId' | 'id' | 'updatedAt'>;

function parseSettings({ enabled, kinds, fromName, replyTo, locale, zone, sendTestEvents }: Terms): Terms {
  for (const [param, value] of Object.entries({ enabled, sendTestEvents }))
    if (typeof value !== 'boolean') refuse('FIELD_INVALID/wrong_type', { param, expected: ['a boolean'] });
  if (!Array.isArray(kinds) || kinds.length === 0)
    refuse('FIELD_INVALID/wrong_type', { param: 'kinds', expected: ['a list of kinds'] });
  for (const kind of kinds) oneOf(kind, EMAIL_KIND_NAMES, 'kinds');
  const given: ReadonlySet<EmailKindName> = new Set(kinds);
  if (fromName !== null && !/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}<>"]{1,100}$/u.test(fromName))
    refuse('FIELD_INVALID/not_visible', { param: 'fromName', min: 1, max: 100 });
  if (replyTo !== null && !isSendable(replyTo)) refuse('FIELD_INVALID/email', { param: 'replyTo' });
  // These fields of the request are no contact: refusals name them as they are.
  checkedContact({ locale, zone }, (field) => field);
  return {
    enabled,
    kinds: EMAIL_KIND_NAMES.filter((kind) => given.has(kind)),
    fromName,
    replyTo,
    locale,
    zone,
    sendTestEvents,
  };
}

const definedOf = (changes: EmailSettingsChanges): EmailSettingsChanges =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
