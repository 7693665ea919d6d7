// Encryption of stored secrets with the keys of this process: new values with the current one, stored values with either.
import { createHmac } from 'node:crypto';
import { refuse } from '../kernel/index.ts';
import type { About } from './cipher.ts';
import { decryptWith, encryptWith, keyIdOf } from './cipher.ts';
import { parseSecretKey } from './secret-key.ts';
import type { SecretKey } from './secret-key.ts';

export interface SecretsOptions {
  /** Encrypts new values: 32 bytes in base64 or hexadecimal digits. Null: nothing can be encrypted. */
  readonly key?: string | null | undefined;
  /** Decrypts values of the key before, or of the next one, during a rotation. */
  readonly previousKey?: string | null | undefined;
}

export interface Secrets {
  /** Whether there is a key. Without one, everything that needs to be encrypted is refused. */
  readonly isEnabled: boolean;
  /** The id of the key of new values; null without a key. */
  readonly keyId: string | null;
  /** Current key first. */
  readonly keys: readonly SecretKey[];
  /** Refused with `ENCRYPTION_KEY_MISSING` without a key. */
  encrypt(plain: Buffer | string, about: About): Buffer;
  /** Refused with `ENCRYPTION_KEY_UNKNOWN` where this process does not have the key of the value. */
  decrypt(stored: Buffer, about: About): Buffer;
  /** A digest that only a process with the key can compare with a guess: `k1.<key id>.<HMAC-SHA256>`. */
  digest(text: string, about: About): string;
  /** Whether a stored digest is that of a text; null where this process does not have its key. */
  isDigestOf(stored: string, text: string, about: About): boolean | null;
}

export function createSecrets({ key = null, previousKey = null }: SecretsOptions): Secrets {
  const current = key === null ? null : parseSecretKey('USANCE_ENCRYPTION_KEY', key);
  const previous = previousKey === null ? null : parseSecretKey('USANCE_ENCRYPTION_KEY_PREVIOUS', previousKey);
  const keys = [current, previous].filter((one) => one !== null);
  const byId = new Map(keys.map((one) => [one.id, one]));
  const must = (): SecretKey => current ?? refuse('ENCRYPTION_KEY_MISSING');
  return {
    isEnabled: current !== null,
    keyId: current?.id ?? null,
    keys,
    encrypt: (plain, about) => encryptWith(must(), plain, about),
    decrypt(stored, about) {
      const id = keyIdOf(stored);
      return decryptWith(byId.get(id) ?? refuse('ENCRYPTION_KEY_UNKNOWN/not_here', { key: id }), stored, about);
    },
    digest: (text, about) => digestWith(must(), text, about),
    isDigestOf(stored, text, about) {
      const [, id] = DIGEST.exec(stored) ?? [];
      if (id === undefined) return false;
      const own = byId.get(id);
      return own ? digestWith(own, text, about) === stored : null;
    },
  };
}

const DIGEST = /^k1\.([0-9a-f]{8})\.[0-9a-f]{64}$/;

function digestWith({ id, digestBytes }: SecretKey, text: string, { tenantId, purpose, id: row }: About): string {
  const hmac = createHmac('sha256', digestBytes).update(JSON.stringify([tenantId, purpose, row, text]));
  return `k1.${id}.${hmac.digest('hex')}`;
}

/** Of a process without a key. */
export const NO_SECRETS: Secrets = createSecrets({});

/** Refuses what would have to be encrypted, before anything else is done. `param` is the field of the request. */
export function requireSecrets(secrets: Secrets, param?: string): void {
  if (!secrets.isEnabled) refuse('ENCRYPTION_KEY_MISSING', param === undefined ? {} : { param });
}
