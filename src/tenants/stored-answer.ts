// Answers as they are remembered under idempotency keys. A contact in an answer is encrypted, as it is in the row of its account, and
// the digest of such a request, and of one with a secret in it, is keyed: without the key, a reader of the database could guess an address and compare. Answers from before
// encryption are read as they are; they leave with their keys.
import { isSecretFingerprint, refuse } from '../kernel/index.ts';
import type { About, Secrets } from '../secrets/index.ts';
import type { IdempotencyScope, Json } from './once.ts';
import type { KeyRecord } from './store.ts';

const ENCRYPTED = '$encrypted';
/** Looked for before anything is taken apart: hardly any answer has a contact. */
const HAS_CONTACT = '"contact":{';
const HAS_ENCRYPTED = `"contact":{"${ENCRYPTED}":"`;

export function toStored(
  secrets: Secrets,
  scope: IdempotencyScope,
  answer: Json,
): Pick<KeyRecord, 'fingerprint' | 'answer'> {
  const text = JSON.stringify(answer);
  const { fingerprint } = scope;
  const hasContact = text.includes(HAS_CONTACT);
  if (!secrets.isEnabled || !(hasContact || isSecretFingerprint(fingerprint))) return { fingerprint, answer: text };
  const about = aboutAnswer(scope);
  if (!hasContact) return { fingerprint: secrets.digest(fingerprint, about), answer: text };
  const encrypted = JSON.stringify(answer, (name, value: unknown) =>
    name === 'contact' && typeof value === 'object' && value !== null
      ? { [ENCRYPTED]: secrets.encrypt(JSON.stringify(value), about).toString('hex') }
      : value,
  );
  return { fingerprint: secrets.digest(fingerprint, about), answer: encrypted };
}

/** The first answer again, if it was the same request. */
export function fromStored<T extends Json>(secrets: Secrets, scope: IdempotencyScope, record: KeyRecord): T {
  const { key, fingerprint } = scope;
  const about = aboutAnswer(scope);
  // What was asked is erased with the answer, and cannot be compared. Of a key that has been rotated out, neither can be read.
  if (record.answer === null) refuse('IDEMPOTENCY_RESPONSE_ERASED', { key });
  const isSame = record.fingerprint === fingerprint || secrets.isDigestOf(record.fingerprint, fingerprint, about);
  if (isSame === null) refuse('IDEMPOTENCY_RESPONSE_ERASED', { key });
  if (!isSame) refuse('IDEMPOTENCY_MISMATCH', { key });
  if (!record.answer.includes(HAS_ENCRYPTED)) return JSON.parse(record.answer) as T;
  return JSON.parse(record.answer, (name, value: unknown) =>
    name === 'contact' && isEncrypted(value)
      ? (JSON.parse(secrets.decrypt(Buffer.from(value[ENCRYPTED], 'hex'), about).toString()) as unknown)
      : value,
  ) as T;
}

const aboutAnswer = ({ tenantId, actor, key }: IdempotencyScope): About => ({
  tenantId,
  purpose: 'idempotency.answer',
  id: JSON.stringify([actor, key]),
});

function isEncrypted(value: unknown): value is { readonly [ENCRYPTED]: string } {
  return typeof value === 'object' && value !== null && ENCRYPTED in value && typeof value[ENCRYPTED] === 'string';
}
