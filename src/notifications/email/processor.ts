// The built-in processor `email`: one execution for an event, one e-mail for each of its recipients.
//
//   switched off since the claim                   given back: waits until it is on again
//   a key of its secrets is not here               given back, and the tenant is set aside in this worker for half a minute
//   the event was erased, or of a test tenant      completes without being sent (unless the tenant asks for events of test tenants)
//   otherwise, for each recipient without an outcome for this event:
//     no account, no address, or an erased contact   nothing
//     unsubscribed, or a limit of the day reached    recorded, not sent; by account and by address
//     the server accepts it                          recorded as sent
//     the server refuses the recipient or the text   recorded as refused: another attempt would be refused too
//     anything else, also a contact that is damaged  the others are sent, and then the execution is tried again
//     the key of the contact is not here             the others are sent, and then the execution is given back
//
// An outcome is written as soon as the server has answered. A process that dies in between sends that one e-mail again, with the same Message-ID:
// at least once, and twice for one recipient at most where a process died, or the connection was lost before the answer.
import { createHash } from 'node:crypto';
import type { Database } from '../../db/index.ts';
import type { SequencedEvent } from '../../events/index.ts';
import type { ClaimedExecution, InvocationContext, RunnableProcessor } from '../../jobs/index.ts';
import { InvocationFailure, InvocationGivenBack, SetAside } from '../../jobs/index.ts';
import { describeError, invariant, toTypeId } from '../../kernel/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import type { Contact, StoredAccount } from '../../ledger/index.ts';
import { contactOf, findAccounts } from '../../ledger/index.ts';
import type { Secrets } from '../../secrets/index.ts';
import { aboutRow } from '../../secrets/index.ts';
import { findTenant } from '../../tenants/index.ts';
import { addressDigest, isSendable } from './address.ts';
import { newLinkSecret } from './change-settings.ts';
import type { Recipient } from './compose.ts';
import { languagesFor, readerOf, recipientsOf, valuesFor } from './compose.ts';
import { countSent, endedFor, hasOptedOut, recordEmail } from './email-store.ts';
import type { EmailOutcome } from './email-store.ts';
import { emailDataOf } from './event-data.ts';
import { linkToken } from './link.ts';
import type { Mailer, SentEmail } from '../../outbound/index.ts';
import { EMAILS_PER_DAY, EMAIL_PROCESSOR, LINK_SECRET, MOST_A_DAY } from './settings.ts';
import type { StoredSettings } from './settings-store.ts';
import { addLinkSecret, findSettings, findTemplate } from './settings-store.ts';
import { render } from './template.ts';

export interface EmailOptions {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly mailer: Pick<Mailer, 'send'>;
  /** The address of the operator that every e-mail is from. */
  readonly from: string;
  /** Links to unsubscribe begin with it. */
  readonly publicUrl: string;
  /** E-mails of one tenant in 24 hours; 0: no limit. Default 10,000. */
  readonly perDay?: number | undefined;
  readonly onNotice?: ((line: string) => void) | undefined;
}

const PER_TENANT = 5;

export const unsubscribeUrl = (publicUrl: string, token: string): string => `${publicUrl}/unsubscribe/${token}`;

export function emailProcessor(options: EmailOptions): RunnableProcessor {
  const { db, secrets, mailer, from, publicUrl, perDay = EMAILS_PER_DAY, onNotice } = options;
  const domain = from.slice(from.lastIndexOf('@') + 1);

  const aside = new SetAside({ nameOf: (id) => `e-mails of ${toTypeId('job', id)}`, onNotice });

  interface Skipped {
    readonly outcome: 'unsubscribed' | 'limited';
  }

  interface Sending {
    readonly event: SequencedEvent;
    readonly data: NonNullable<ReturnType<typeof emailDataOf>>;
    readonly settings: StoredSettings;
    readonly parties: ReadonlyMap<Uuid, StoredAccount>;
    readonly tenantName: string;
    readonly linkSecret: Buffer;
  }

  const sendTo = async (
    recipient: Recipient,
    contact: Contact,
    email: string,
    sending: Sending,
  ): Promise<SentEmail> => {
    if (!isSendable(email))
      return { outcome: 'refused', code: null, error: 'the address can be read in more than one way' };
    const { event, data, settings, parties, tenantName, linkSecret } = sending;
    const { accountId, kind } = recipient;
    const { tenantId } = settings;
    const reader = readerOf(contact, settings);
    const sender = settings.fromName ?? tenantName;
    const link = unsubscribeUrl(publicUrl, linkToken(linkSecret, { tenantId, accountId }));
    const own = await findTemplate(db, tenantId, kind.name, languagesFor(reader.locale));
    const rendered = render(own ?? kind, valuesFor(recipient, data, parties, reader, sender), {
      locale: reader.locale,
      link,
    });
    return mailer.send({
      ...rendered,
      messageId: messageIdOf(event.id, accountId, domain),
      fromName: sender,
      replyTo: settings.replyTo,
      to: email,
      headers: {
        'List-Unsubscribe': `<${link}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Auto-Submitted': 'auto-generated',
        'X-Usance-Event': toTypeId('event', event.id),
      },
    });
  };

  const whySkipped = async (to: Parameters<typeof countSent>[1]): Promise<Skipped['outcome'] | null> => {
    if (await hasOptedOut(db, to)) return 'unsubscribed';
    const { toAccount, toAddress, ofTenant } = await countSent(db, to, MOST_A_DAY);
    return Math.max(toAccount, toAddress) >= MOST_A_DAY || (perDay > 0 && ofTenant >= perDay) ? 'limited' : null;
  };

  const run = async (event: SequencedEvent, { signal }: InvocationContext, claimed: ClaimedExecution) => {
    const { tenantId, jobId, clockId } = claimed;
    let settings = await findSettings(db, tenantId);
    if (!settings || settings.id !== jobId) return { sent: 0 };
    if (!settings.enabled) throw new InvocationGivenBack('e-mail is switched off', false);
    if (clockId !== null && !settings.sendTestEvents) return { sent: 0 };
    const data = emailDataOf(event);
    if (!data) return { sent: 0 };
    if (settings.linkSecret === null) {
      await addLinkSecret(db, settings, newLinkSecret(secrets, settings));
      settings = (await findSettings(db, tenantId)) ?? settings;
    }
    const done = await endedFor(db, tenantId, event.id);
    const open = recipientsOf(event, data, settings.kinds).filter(({ accountId }) => !done.has(accountId));
    if (open.length === 0) return { sent: 0 };
    const tenant = await findTenant(db, tenantId);
    const { linkSecret: encrypted } = settings;
    invariant(encrypted !== null, 'the settings to have a secret of links');
    const about = aboutRow(LINK_SECRET, settings);
    const linkSecret = aside.decrypted(settings.id, () => secrets.decrypt(encrypted, about));
    const counts: Record<EmailOutcome | 'without_address', number> = {
      sent: 0,
      refused: 0,
      unsubscribed: 0,
      limited: 0,
      without_address: 0,
    };
    let failure: string | null = null;
    let givenBack: InvocationGivenBack | null = null;
    for (const recipient of open) {
      const { accountId, kind } = recipient;
      if (signal.aborted) return counts;
      // One that cannot be written to keeps no other from its e-mail.
      try {
        const key = { tenantId, eventId: event.id, accountId, kind: kind.name };
        // As late as possible: a contact that was erased or changed a moment ago is not written to.
        const accounts = await findAccounts(db, tenantId, [
          ...new Set([data.payerId, ...data.payees.map(({ id }) => id)]),
        ]);
        const parties = new Map(accounts.map((account) => [account.id, account]));
        const account = parties.get(accountId);
        const contact = account ? aside.decrypted(jobId, () => contactOf(secrets, account)) : null;
        const email = contact?.email;
        if (!contact || email === undefined || account?.status === 'closed') counts.without_address += 1;
        else {
          const to = { tenantId, accountId, addressDigest: addressDigest(linkSecret, email) };
          const skipped = await whySkipped(to);
          const sending = { event, data, settings, parties, tenantName: tenant?.name ?? '', linkSecret };
          const ended: SentEmail | Skipped =
            skipped === null ? await sendTo(recipient, contact, email, sending) : { outcome: skipped };
          if (ended.outcome === 'failed') failure = ended.error;
          else {
            const { outcome } = ended;
            const code = outcome === 'refused' ? ended.code : null;
            await recordEmail(db, { ...key, outcome, code, addressDigest: to.addressDigest });
            counts[outcome] += 1;
          }
        }
      } catch (error) {
        if (error instanceof InvocationGivenBack) givenBack = error;
        else failure = describeError(error);
      }
    }
    if (failure !== null) throw new InvocationFailure('EMAIL_FAILED', failure);
    if (givenBack !== null) throw givenBack;
    return counts;
  };

  return {
    name: EMAIL_PROCESSOR,
    description: 'Sends e-mail about payments to payers and payees.',
    builtIn: true,
    isReady: () => secrets.isEnabled,
    concurrencyPerJob: (jobId) => (aside.has(jobId) ? 0 : PER_TENANT),
    run: (event, _execution, context, claimed) => run(event as SequencedEvent, context, claimed),
  };
}

/** The same for every attempt, so that a mail server or a reader that sees it twice can tell. */
export function messageIdOf(eventId: Uuid, accountId: Uuid, domain: string): string {
  const digest = createHash('sha256').update(`${eventId} ${accountId}`).digest('hex').slice(0, 40);
  return `<${digest}@${domain}>`;
}
