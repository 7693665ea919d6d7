import { refuse } from '../kernel/index.ts';
import type { EncryptedColumn, Secrets } from '../secrets/index.ts';
import { aboutRow, requireSecrets } from '../secrets/index.ts';
import type { Account, Contact, StoredAccount, StoredContact } from './account.ts';

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/;
const PHONE = /^\+[0-9]{6,15}$/;

export const ENCRYPTED_CONTACTS: EncryptedColumn = {
  table: 'accounts',
  column: 'contact_encrypted',
  keyColumn: 'contact_key',
  purpose: 'account.contact',
  nouns: 'contacts of accounts',
  plainColumn: 'contact',
};

/** A contact is for sending notices and for local time: what cannot serve that is refused. */
export function checkedContact(
  contact: Contact | null,
  /** The field of the request that has a field of the contact, for refusals. */
  paramOf: (field: keyof Contact) => string = (field) => `contact.${field}`,
): Contact | null {
  if (!contact) return null;
  if (contact.email !== undefined && !EMAIL.test(contact.email)) {
    refuse('FIELD_INVALID/email', { param: paramOf('email') });
  }
  if (contact.phone !== undefined && !PHONE.test(contact.phone)) {
    refuse('FIELD_INVALID/phone', { param: paramOf('phone') });
  }
  if (contact.zone !== undefined && !isTimeZone(contact.zone)) {
    refuse('FIELD_INVALID/zone', { param: paramOf('zone') });
  }
  if (contact.locale !== undefined && !isLocale(contact.locale)) {
    refuse('FIELD_INVALID/locale', { param: paramOf('locale') });
  }
  return contact;
}

type Key = Pick<StoredAccount, 'tenantId' | 'id'>;

/** Encrypts the contact of an account. Refused without an encryption key. */
export function encryptContact(secrets: Secrets, key: Key, contact: Contact | null): StoredContact | null {
  if (contact === null) return null;
  requireSecrets(secrets, 'contact');
  return { encrypted: secrets.encrypt(JSON.stringify(contact), aboutRow(ENCRYPTED_CONTACTS, key)) };
}

/** Decrypts the contact of an account. */
export function contactOf(secrets: Secrets, account: Key & Pick<StoredAccount, 'contact'>): Contact | null {
  const { contact } = account;
  if (contact === null) return null;
  if ('plain' in contact) return contact.plain;
  const json = secrets.decrypt(contact.encrypted, aboutRow(ENCRYPTED_CONTACTS, account));
  return JSON.parse(json.toString()) as Contact;
}

/** The account, whose contact is decrypted when it is read: most callers need only its id or ref, and some processes have no key. */
export function withLazyContact(secrets: Secrets, account: StoredAccount): Account {
  return {
    ...account,
    get contact() {
      return contactOf(secrets, account);
    },
  };
}

/** The account with its contact decrypted: for changes, which are refused before they commit if it cannot be shown. */
export function withContact(secrets: Secrets, account: StoredAccount): Account {
  return { ...account, contact: contactOf(secrets, account) };
}

/** Whatever the order of the fields. */
export function isSameContact(one: Contact | null, other: Contact | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.email === other.email && one.phone === other.phone && one.zone === other.zone && one.locale === other.locale
  );
}

/** One that dates and amounts can be written in. Extensions (`-u-nu-arab`) are refused: they change digits and calendars. */
function isLocale(tag: string): boolean {
  try {
    return (
      /^[A-Za-z0-9-]{2,35}$/.test(tag) && !tag.includes('-u-') && Intl.NumberFormat.supportedLocalesOf(tag).length === 1
    );
  } catch {
    return false;
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
