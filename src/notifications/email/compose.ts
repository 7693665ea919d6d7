// Who gets which e-mail about an event, and its texts.
import type { SequencedEvent } from '../../events/index.ts';
import type { Uuid } from '../../kernel/index.ts';
import { toTypeId } from '../../kernel/index.ts';
import type { Account } from '../../ledger/index.ts';
import type { EmailData } from './event-data.ts';
import { formatInstant, formatMoney } from './format.ts';
import type { EmailKind, EmailKindName, Values } from './kind.ts';
import { KINDS } from './kinds/index.ts';
import type { EmailSettings } from './settings.ts';

export interface Recipient {
  readonly accountId: Uuid;
  readonly kind: EmailKind;
  readonly amount: bigint;
}

/** One for each account at most: a payer that is also paid gets the first of the kinds. */
export function recipientsOf(
  event: Pick<SequencedEvent, 'type'>,
  data: EmailData,
  kinds: readonly EmailKindName[],
): Recipient[] {
  const found = new Map<Uuid, Recipient>();
  for (const name of kinds) {
    const kind = KINDS[name];
    if (kind.eventType !== event.type || !kind.appliesTo(data)) continue;
    const parties =
      kind.sentTo === 'payer'
        ? [{ id: data.payerId, amount: data.amount }]
        : data.payees.length === 1
          ? data.payees.map(({ id }) => ({ id, amount: data.amount }))
          : data.payees;
    for (const { id, amount } of parties)
      if (!found.has(id)) found.set(id, { accountId: id, kind, amount: kind.amountOf?.(data) ?? amount });
  }
  return [...found.values()];
}

export type Party = Pick<Account, 'id' | 'name' | 'ref'>;
const nameOf = (party: Party | undefined): string => party?.name ?? party?.ref ?? '';

export interface Reader {
  readonly locale: string;
  readonly zone: string;
}

export function valuesFor(
  { kind, amount, accountId }: Recipient,
  data: EmailData,
  parties: ReadonlyMap<Uuid, Party>,
  { locale, zone }: Reader,
  sender: string,
): Values {
  const [first, ...others] = data.payees;
  const payee = nameOf(first && parties.get(first.id));
  return {
    amount: formatMoney(amount, data.asset, locale),
    date: formatInstant(kind.name === 'payment_upcoming' ? data.executeAt : data.occurredAt, locale, zone),
    payer: nameOf(parties.get(data.payerId)),
    payee: others.length === 0 ? payee : `${payee} +${others.length}`,
    recipient: nameOf(parties.get(accountId)),
    payment_id: toTypeId('payment', data.paymentId),
    reason: data.code ?? '',
    sender,
  };
}

/** The languages of the texts for a reader, the best first: that of the locale, and the one for all languages. */
export function languagesFor(locale: string): string[] {
  const [language = ''] = locale.toLowerCase().split('-');
  return [language, ''];
}

export const readerOf = (
  contact: { readonly locale?: string; readonly zone?: string } | null,
  settings: Pick<EmailSettings, 'locale' | 'zone'>,
): Reader => ({ locale: contact?.locale ?? settings.locale, zone: contact?.zone ?? settings.zone });
