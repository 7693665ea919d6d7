// A key of 32 random bytes, its id and its check value. Both are computed from the key: the id is written into every value, so that a
// process knows which of its keys decrypts it, and the check value tells two keys apart that happen to share an id.
import { createHmac, randomBytes } from 'node:crypto';
import { SetupError } from '../kernel/index.ts';

export interface SecretKey {
  /** Eight hexadecimal digits. Not a secret. */
  readonly id: string;
  readonly bytes: Buffer;
  /** Recognizes the key, and says nothing about it. */
  readonly check: Buffer;
  /** The key of digests. */
  readonly digestBytes: Buffer;
}

export const KEY_BYTES = 32;
export const KEY_ID_BYTES = 4;
const CHECK_BYTES = 16;

/** Base64, with or without padding and in either alphabet, or hexadecimal digits. `name` is the setting, for the message. */
export function parseSecretKey(name: string, text: string): SecretKey {
  const given = text.trim();
  const bytes = /^[0-9a-f]{64}$/i.test(given)
    ? Buffer.from(given, 'hex')
    : /^[\w+/-]{43}=?$/.test(given)
      ? Buffer.from(given, 'base64')
      : Buffer.alloc(0);
  // The value stays out of the message. A key of one repeated byte is a placeholder.
  if (bytes.length === KEY_BYTES && new Set(bytes).size > 1) return secretKey(bytes);
  throw new SetupError(
    `${name} must be 32 random bytes in base64 or hexadecimal digits: print a new one with "usance encryption-key"`,
  );
}

/** A new key, as `USANCE_ENCRYPTION_KEY` takes it. */
export function newSecretKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

function secretKey(bytes: Buffer): SecretKey {
  const derived = (label: string): Buffer => createHmac('sha256', bytes).update(label).digest();
  return {
    bytes,
    id: derived('usance encryption key id').subarray(0, KEY_ID_BYTES).toString('hex'),
    check: derived('usance encryption key check').subarray(0, CHECK_BYTES),
    digestBytes: derived('usance digest key'),
  };
}
