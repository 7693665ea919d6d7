// Addresses that are sent to, and the digest by which e-mails to one address are counted.
import { createHmac } from 'node:crypto';

/**
 * Only forms that every mail server reads in the same way. `%` and `!` route a message onwards, a leading `-` is an option of a command, and a domain
 * without a dot is a machine of the operator's own network.
 */
const LOCAL = /^[A-Za-z0-9_](?:[A-Za-z0-9.#$&'*+/=?^_`{|}~-]{0,63})$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const LONGEST = 255;

export function isSendable(address: string): boolean {
  const [local = '', domain = '', ...more] = address.split('@');
  const labels = domain.split('.');
  return (
    address.length <= LONGEST &&
    more.length === 0 &&
    LOCAL.test(local) &&
    !local.includes('..') &&
    !local.endsWith('.') &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    // Otherwise it is an address of IPv4.
    /^[A-Za-z]/.test(labels.at(-1) ?? '')
  );
}

/** Providers that ignore dots in the local part. */
const WITHOUT_DOTS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/** One text for the spellings that reach the same mailbox: without case, and without what is behind a `+`. */
function normalized(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  const [box = ''] = local.split('+');
  return `${WITHOUT_DOTS.has(domain) ? box.replaceAll('.', '') : box}@${domain}`;
}

/** Under the secret of the tenant's links, which outlives a rotation of the encryption key: without it nobody can try addresses. */
export const addressDigest = (linkSecret: Buffer, address: string): string =>
  createHmac('sha256', linkSecret)
    .update(`usance address v1\0${normalized(address)}`)
    .digest('hex');
