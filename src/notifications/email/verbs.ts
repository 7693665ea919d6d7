// E-mail of a tenant, as an application sees it.
import type { PageRange } from '../../jobs/index.ts';
import { isUuid, refuse } from '../../kernel/index.ts';
import type { StoredAccount, VerbContext } from '../../ledger/index.ts';
import { findAccounts } from '../../ledger/index.ts';
import { changeSettings, defaultSettings, withoutSecret } from './change-settings.ts';
import type { TemplateParams } from './change-template.ts';
import { parseTemplate, removeTemplate, setTemplate, templateName } from './change-template.ts';
import type { EmailRecord, OptOut } from './email-store.ts';
import { findOptOut, listEmails, listOptOuts } from './email-store.ts';
import type { EmailKindName } from './kind.ts';
import { digestOf, resumeEmail, stopEmail } from './opt-out.ts';
import type { EmailSettings, EmailSettingsChanges } from './settings.ts';
import type { StoredTemplate, TemplateRange, TemplateSummary } from './settings-store.ts';
import { findSettings, findTemplate, listTemplates } from './settings-store.ts';

/** `id` is null before the first change. */
export type ShownEmailSettings = Omit<EmailSettings, 'id'> & { readonly id: string | null };

export interface EmailVerbs {
  emailSettings(): Promise<ShownEmailSettings>;
  /** The first change creates the managed job that sends. */
  updateEmailSettings(changes: EmailSettingsChanges): Promise<EmailSettings>;
  /** The tenant's own, by kind and language, without their texts. */
  emailTemplates(page?: TemplateRange): Promise<TemplateSummary[]>;
  emailTemplate(kind: EmailKindName, language?: string): Promise<StoredTemplate>;
  setEmailTemplate(params: TemplateParams): Promise<StoredTemplate>;
  deleteEmailTemplate(kind: EmailKindName, language?: string): Promise<StoredTemplate>;
  /** E-mails to an account (id or ref), about the newest event first. `before` is the id of an event. */
  emails(account: string, page?: PageRange): Promise<EmailRecord[]>;
  /** Accounts that opted out of e-mail. */
  emailOptOuts(page?: PageRange): Promise<OptOut[]>;
  /** Stops e-mail to an account (id or ref), as its link to unsubscribe does. */
  createEmailOptOut(account: string): Promise<OptOut>;
  /** E-mail to an account again, because its holder asked for it. */
  deleteEmailOptOut(account: string): Promise<OptOut>;
}

const PAGE = 100;

export function emailVerbs(context: VerbContext, { isConfigured }: { readonly isConfigured: boolean }): EmailVerbs {
  const { tenantId, caller, secrets, sql } = context;
  const by = { tenantId, caller };
  const storedAccount = async (on: typeof sql, account: string): Promise<StoredAccount> => {
    const [found] = await findAccounts(on, tenantId, [account]);
    return found ?? refuse('ACCOUNT_NOT_FOUND', { account, param: 'account' });
  };
  const rangeOf = ({ limit = PAGE, before }: PageRange) => {
    if (before !== undefined && !isUuid(before)) refuse('ID_INVALID/not_a_cursor', { param: 'before' });
    return { limit, before: before ?? null };
  };
  const accountOf = async (on: typeof sql, account: string): Promise<string> => (await storedAccount(on, account)).id;
  return {
    async emailSettings() {
      const found = await findSettings(sql, tenantId);
      return found ? withoutSecret(found) : defaultSettings(tenantId, new Date(0));
    },
    updateEmailSettings: (changes) =>
      context.run((tx, clock) => changeSettings(tx, clock, by, changes, { secrets, isConfigured })),
    emailTemplates: ({ limit = PAGE, after } = {}) => listTemplates(sql, tenantId, { limit, after }),
    async emailTemplate(kind, language = '') {
      const found = await findTemplate(sql, tenantId, kind, [language]);
      return found ?? refuse('EMAIL_TEMPLATE_NOT_FOUND', { template: templateName(kind, language) });
    },
    async setEmailTemplate(params) {
      const parsed = parseTemplate(params);
      return context.run((tx, clock) => setTemplate(tx, clock, by, parsed));
    },
    deleteEmailTemplate: (kind, language) => context.run((tx, clock) => removeTemplate(tx, clock, by, kind, language)),
    emails: async (account, page = {}) => listEmails(sql, tenantId, await accountOf(sql, account), rangeOf(page)),
    emailOptOuts: async (page = {}) => listOptOuts(sql, tenantId, rangeOf(page)),
    createEmailOptOut: (account) =>
      context.run(async (tx, clock) => {
        const stored = await storedAccount(tx, account);
        const { id: accountId } = stored;
        await stopEmail(tx, clock, caller, { tenantId, accountId }, await digestOf(tx, secrets, stored));
        return (await findOptOut(tx, tenantId, accountId)) ?? { accountId, createdAt: clock.now };
      }),
    deleteEmailOptOut: (account) =>
      context.run(async (tx, clock) => {
        const accountId = await accountOf(tx, account);
        const found = (await findOptOut(tx, tenantId, accountId)) ?? refuse('EMAIL_OPT_OUT_NOT_FOUND', { account });
        await resumeEmail(tx, clock, caller, { tenantId, accountId });
        return found;
      }),
  };
}
