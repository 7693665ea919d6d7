// E-mail of a tenant, as an application sees it.
import type { PageRange } from '../../jobs/index.ts';
import { isUuid, refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import { findAccounts } from '../../ledger/index.ts';
import { changeSettings, defaultSettings, withoutSecret } from './change-settings.ts';
import type { TemplateParams } from './change-template.ts';
import { removeTemplate, setTemplate } from './change-template.ts';
import type { EmailRecord, OptOut } from './email-store.ts';
import { findOptOut, listEmails, listOptOuts } from './email-store.ts';
import type { EmailKindName } from './kind.ts';
import { setSubscribed } from './opt-out.ts';
import type { EmailSettings, EmailSettingsChanges } from './settings.ts';
import type { StoredTemplate } from './settings-store.ts';
import { findSettings, listTemplates } from './settings-store.ts';

/** `id` is null before the first change. */
export type ShownEmailSettings = Omit<EmailSettings, 'id'> & { readonly id: string | null };

export interface EmailVerbs {
  emailSettings(): Promise<ShownEmailSettings>;
  /** The first change creates the managed job that sends. */
  updateEmailSettings(changes: EmailSettingsChanges): Promise<EmailSettings>;
  /** The tenant's own texts. */
  emailTemplates(): Promise<StoredTemplate[]>;
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
  const accountOf = async (on: typeof sql, account: string): Promise<string> => {
    const [found] = await findAccounts(on, tenantId, [account]);
    return found?.id ?? refuse('ACCOUNT_NOT_FOUND', { account, param: 'account' });
  };
  const rangeOf = ({ limit = PAGE, before }: PageRange) => {
    if (before !== undefined && !isUuid(before)) refuse('ID_INVALID/not_a_cursor', { param: 'before' });
    return { limit, before: before ?? null };
  };
  return {
    async emailSettings() {
      const found = await findSettings(sql, tenantId);
      return found ? withoutSecret(found) : defaultSettings(tenantId, new Date(0));
    },
    updateEmailSettings: (changes) =>
      context.run((tx, clock) => changeSettings(tx, clock, by, changes, { secrets, isConfigured })),
    emailTemplates: () => listTemplates(sql, tenantId),
    setEmailTemplate: (params) => context.run((tx, clock) => setTemplate(tx, clock, by, params)),
    deleteEmailTemplate: (kind, language) => context.run((tx, clock) => removeTemplate(tx, clock, by, kind, language)),
    emails: async (account, page = {}) => listEmails(sql, tenantId, await accountOf(sql, account), rangeOf(page)),
    emailOptOuts: async (page = {}) => listOptOuts(sql, tenantId, rangeOf(page)),
    createEmailOptOut: (account) =>
      context.run(async (tx, clock) => {
        const accountId = await accountOf(tx, account);
        await setSubscribed(tx, clock, caller, { tenantId, accountId }, false);
        return (await findOptOut(tx, tenantId, accountId)) ?? { accountId, createdAt: clock.now };
      }),
    deleteEmailOptOut: (account) =>
      context.run(async (tx, clock) => {
        const accountId = await accountOf(tx, account);
        const found = (await findOptOut(tx, tenantId, accountId)) ?? refuse('EMAIL_OPT_OUT_NOT_FOUND', { account });
        await setSubscribed(tx, clock, caller, { tenantId, accountId }, true);
        return found;
      }),
  };
}
