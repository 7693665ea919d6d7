// Everything that is stored encrypted, in one list: for the loop that encrypts it, for the start of a process, and for the doctor.
import type { Database, Sql } from '../db/index.ts';
import type { LoopDefinition } from '../kernel/index.ts';
import { SetupError, describeError } from '../kernel/index.ts';
import { ENCRYPTED_CONTACTS } from '../ledger/index.ts';
import { ENCRYPTED_NOTIFICATIONS } from '../notifications/index.ts';
import type { EncryptedColumn, Secrets, SecretsOptions } from '../secrets/index.ts';
import { countPlainValues, countValuesOf, createSecrets, encryptLoop, keptKey, readKeys } from '../secrets/index.ts';
import { ENCRYPTED_WEBHOOKS } from '../webhooks/index.ts';
import type { Finding } from './finding.ts';
import { fail, ok, warn } from './finding.ts';

/** A module that stores values encrypted adds its columns here. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  ENCRYPTED_CONTACTS,
  ...ENCRYPTED_WEBHOOKS,
  ...ENCRYPTED_NOTIFICATIONS,
];

/** The loop `encrypt`. */
export function encryptStored(
  db: Database,
  secrets: Secrets,
  onNotice: (line: string) => void = () => undefined,
): LoopDefinition {
  return encryptLoop(db, secrets, ENCRYPTED_COLUMNS, {
    onSetAside: ({ nouns }, id, error) =>
      onNotice(`of the ${nouns}, that of ${id} was set aside: ${describeError(error)}`),
  });
}

export interface EncryptionFacts {
  /** Null: none is set. */
  readonly keyId: string | null;
  readonly previousKeyId: string | null;
  /** How many values each key has, for keys that have any. */
  readonly values: ReadonlyMap<string, number>;
  /** Values that are not encrypted. */
  readonly plain: number;
}

/** The keys of the environment, or the one in the file, and the values in the database. */
export async function examineEncryption(
  sql: Sql,
  given: SecretsOptions & { readonly keyFile?: string | null },
): Promise<Finding> {
  try {
    const key = given.key ?? (given.keyFile ? await keptKey(given.keyFile, { make: false }) : null);
    const { keyId, keys } = createSecrets({ ...given, key });
    const values = new Map<string, number>();
    for (const { id } of await readKeys(sql)) {
      const counts = await Promise.all(ENCRYPTED_COLUMNS.map((column) => countValuesOf(sql, column, id)));
      const count = counts.reduce((sum, one) => sum + one, 0);
      if (count > 0) values.set(id, count);
    }
    const plain = await Promise.all(ENCRYPTED_COLUMNS.map((column) => countPlainValues(sql, column)));
    const previousKeyId = keys.find(({ id }) => id !== keyId)?.id ?? null;
    return judgeEncryption({ keyId, previousKeyId, values, plain: plain.reduce((sum, one) => sum + one, 0) });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return fail('encryption', error.message);
  }
}

const RUN_WORKER = 'keep "usance worker" running: its loop "encrypt" does the rest';

export function judgeEncryption({ keyId, previousKeyId, values, plain }: EncryptionFacts): Finding {
  const name = 'encryption';
  const unknown = [...values].filter(([id]) => id !== keyId && id !== previousKeyId);
  if (unknown.length > 0) {
    const which = unknown.map(([id, count]) => `${count} with the key ${id}`).join(', ');
    const says = `stored values are encrypted, ${which}, and ${keyId === null ? 'no key is set' : `the key is ${keyId}`}`;
    return fail(
      name,
      says,
      'set USANCE_ENCRYPTION_KEY to that key, or USANCE_ENCRYPTION_KEY_PREVIOUS during a rotation',
    );
  }
  if (keyId === null) {
    return plain === 0
      ? ok(
          name,
          'USANCE_ENCRYPTION_KEY is not set: contacts, webhook endpoints, notification channels and e-mail are refused, and nothing is encrypted',
        )
      : warn(
          name,
          `${plain} stored values are not encrypted`,
          'set USANCE_ENCRYPTION_KEY: "usance encryption-key" prints one',
        );
  }
  const previous = previousKeyId === null ? 0 : (values.get(previousKeyId) ?? 0);
  if (previous > 0 || plain > 0) {
    const left = [
      ...(previous > 0 ? [`${previous} still with the previous key ${previousKeyId}`] : []),
      ...(plain > 0 ? [`${plain} not at all`] : []),
    ];
    const says = `${values.get(keyId) ?? 0} stored values are encrypted with the key ${keyId}, ${left.join(', ')}`;
    return warn(
      name,
      says,
      previous > 0 ? `${RUN_WORKER}, and keep USANCE_ENCRYPTION_KEY_PREVIOUS until then` : RUN_WORKER,
    );
  }
  const rest = previousKeyId === null ? '' : '; USANCE_ENCRYPTION_KEY_PREVIOUS is not needed any more';
  return ok(name, `${values.get(keyId) ?? 0} stored values are encrypted with the key ${keyId}${rest}`);
}
