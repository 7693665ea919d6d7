import { refuse } from '../kernel/index.ts';
import type { Contact } from './account.ts';

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/;
const PHONE = /^\+[0-9]{6,15}$/;

/** A contact is for sending notices and for local time: what cannot serve that is refused. */
export function checkedContact(contact: Contact | null): Contact | null {
  if (!contact) return null;
  if (contact.email !== undefined && !EMAIL.test(contact.email)) {
    refuse('FIELD_INVALID/email', { param: 'contact.email' });
  }
  if (contact.phone !== undefined && !PHONE.test(contact.phone)) {
    refuse('FIELD_INVALID/phone', { param: 'contact.phone' });
  }
  if (contact.zone !== undefined && !isTimeZone(contact.zone)) {
    refuse('FIELD_INVALID/zone', { param: 'contact.zone' });
  }
  return contact;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
