// Links to unsubscribe. The token names a tenant and an account, and is signed with a secret of the tenant: it cannot be guessed, and that of one
// account says nothing about another's. It does not expire, because an old e-mail is unsubscribed from too, and all it can do is to stop e-mail.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Uuid } from '../../kernel/index.ts';

const MAC_BYTES = 24;
const TOKEN = /^[A-Za-z0-9_-]{75,76}$/;

export interface LinkTarget {
  readonly tenantId: Uuid;
  readonly accountId: Uuid;
}

const bytesOf = (id: Uuid): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const uuidOf = (bytes: Buffer): Uuid =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

function macOf(secret: Buffer, { tenantId, accountId }: LinkTarget): Buffer {
  const about = Buffer.concat([Buffer.from('usance unsubscribe v1\0'), bytesOf(tenantId), bytesOf(accountId)]);
  return createHmac('sha256', secret).update(about).digest().subarray(0, MAC_BYTES);
}

export function linkToken(secret: Buffer, target: LinkTarget): string {
  return Buffer.concat([bytesOf(target.tenantId), bytesOf(target.accountId), macOf(secret, target)]).toString(
    'base64url',
  );
}

/** The tenant and the account that a token names; its signature is not verified. Null if it has another form. */
export function readToken(token: string): (LinkTarget & { readonly mac: Buffer }) | null {
  if (!TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  // Only one spelling of each token.
  if (bytes.length !== 32 + MAC_BYTES || bytes.toString('base64url') !== token) return null;
  return {
    tenantId: uuidOf(bytes.subarray(0, 16)),
    accountId: uuidOf(bytes.subarray(16, 32)),
    mac: bytes.subarray(32),
  };
}

export const isSigned = (secret: Buffer, read: LinkTarget & { readonly mac: Buffer }): boolean =>
  timingSafeEqual(macOf(secret, read), read.mac);
