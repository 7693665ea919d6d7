// One encrypted value: AES-256-GCM.
//
//   1 byte   version, 1
//   4 bytes  id of the key
//   12 bytes nonce, random
//   16 bytes tag
//   n bytes  ciphertext, as long as the plain value
//
// The tag also covers the version, the key id, and what the value is about: its tenant, its purpose and the id of its row. A value that
// is copied into another row, column or tenant does not decrypt there.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Uuid } from '../kernel/index.ts';
import { BrokenInvariant, invariant } from '../kernel/index.ts';
import type { SecretKey } from './secret-key.ts';
import { KEY_ID_BYTES } from './secret-key.ts';

/** What a value is about. The same is needed to decrypt it. */
export interface About {
  readonly tenantId: Uuid;
  /** Which secret of the row it is, such as `account.contact`. Never change the purpose of stored values. */
  readonly purpose: string;
  /** The id of the row, or another text that tells rows of the purpose apart. */
  readonly id: string;
}

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const LEAST_BYTES = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

export function encryptWith(key: SecretKey, plain: Buffer | string, about: About): Buffer {
  const header = Buffer.concat([Buffer.of(VERSION), Buffer.from(key.id, 'hex')]);
  // A random nonce of 96 bits: one key is good for four billion values (NIST SP 800-38D, 8.3).
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.concat([header, aboutText(about)]));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext]);
}

export function decryptWith(key: SecretKey, stored: Buffer, about: About): Buffer {
  invariant(keyIdOf(stored) === key.id, 'the key of an encrypted value');
  const nonce = stored.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(stored.subarray(HEADER_BYTES + NONCE_BYTES, LEAST_BYTES));
  decipher.setAAD(Buffer.concat([stored.subarray(0, HEADER_BYTES), aboutText(about)]));
  try {
    return Buffer.concat([decipher.update(stored.subarray(LEAST_BYTES)), decipher.final()]);
  } catch {
    // Nothing of the value, and nothing of what it failed to become.
    throw new BrokenInvariant(
      `expected the ${about.purpose} of ${about.id} to be as it was encrypted: it was changed, or copied from another row`,
    );
  }
}

/** The id of the key that a stored value was encrypted with. */
export function keyIdOf(stored: Buffer): string {
  invariant(stored.length >= LEAST_BYTES && stored[0] === VERSION, 'an encrypted value of a known version');
  return stored.subarray(1, HEADER_BYTES).toString('hex');
}

/** JSON of a list: no two different triples have the same text. */
function aboutText({ tenantId, purpose, id }: About): Buffer {
  return Buffer.from(JSON.stringify([tenantId, purpose, id]));
}
