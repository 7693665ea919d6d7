// Encryption of stored secrets with the keys of this process: new values with the current one, stored values with either.
import { refuse } from '../kernel/index.ts';
import type { About } from './cipher.ts';
import { decryptWith, encryptWith, keyIdOf } from './cipher.ts';
import { parseSecretKey } from './secret-key.ts';
import type { SecretKey } from './secret-key.ts';

export interface SecretsOptions {
  /** Encrypts new values: 32 bytes in base64 or hexadecimal digits. Null: nothing can be encrypted. */
  readonly key?: string | null;
  /** Decrypts values of the key before, or of the next one, during a rotation. */
  readonly previousKey?: string | null;
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
}

export function createSecrets({ key = null, previousKey = null }: SecretsOptions): Secrets {
  const current = key === null ? null : parseSecretKey('USANCE_ENCRYPTION_KEY', key);
  const previous = previousKey === null ? null : parseSecretKey('USANCE_ENCRYPTION_KEY_PREVIOUS', previousKey);
  const keys = [current, previous].filter((one) => one !== null);
  const byId = new Map(keys.map((one) => [one.id, one]));
  return {
    isEnabled: current !== null,
    keyId: current?.id ?? null,
    keys,
    encrypt: (plain, about) => encryptWith(current ?? refuse('ENCRYPTION_KEY_MISSING'), plain, about),
    decrypt(stored, about) {
      const id = keyIdOf(stored);
      return decryptWith(byId.get(id) ?? refuse('ENCRYPTION_KEY_UNKNOWN/not_here', { key: id }), stored, about);
    },
  };
}

/** Of a process without a key. */
export const NO_SECRETS: Secrets = createSecrets({});

/** Refuses what would have to be encrypted, before anything else is done. `param` is the field of the request. */
export function requireSecrets(secrets: Secrets, param?: string): void {
  if (!secrets.isEnabled) refuse('ENCRYPTION_KEY_MISSING', param === undefined ? {} : { param });
}
