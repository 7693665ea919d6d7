import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BrokenInvariant, Refusal, SetupError, newId } from '../../src/kernel/index.ts';
import { createSecrets, keyIdOf, newSecretKey, parseSecretKey, requireSecrets } from '../../src/secrets/index.ts';

const key = newSecretKey();
const secrets = createSecrets({ key });
const about = { tenantId: newId(), purpose: 'account.contact', id: newId() };

const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

test('every value decrypts to what it was', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string({ minLength: 1 }), (bytes, purpose) => {
      const of = { ...about, purpose };
      const plain = Buffer.from(bytes);
      expect(secrets.decrypt(secrets.encrypt(plain, of), of)).toEqual(plain);
    }),
  );
  expect(secrets.decrypt(secrets.encrypt('Zoë', about), about).toString()).toBe('Zoë');
});

test('the same value is encrypted differently each time, and shows nothing of itself', () => {
  const stored = Array.from({ length: 50 }, () => secrets.encrypt('alice@example.com', about).toString('latin1'));
  expect(new Set(stored).size).toBe(50);
  expect(stored.filter((text) => text.includes('alice'))).toEqual([]);
});

test('a value does not decrypt in another row, another column or another tenant', () => {
  const stored = secrets.encrypt('alice@example.com', about);
  const others = [
    { ...about, tenantId: newId() },
    { ...about, id: newId() },
    { ...about, purpose: 'account.contac' },
    // The same letters, divided otherwise.
    { ...about, purpose: `${about.purpose}","${about.id.slice(0, 4)}`, id: about.id.slice(4) },
  ];
  for (const other of others) expect(() => secrets.decrypt(stored, other)).toThrow(BrokenInvariant);
});

test('a change of any byte is noticed', () => {
  const stored = secrets.encrypt('alice@example.com', about);
  for (let place = 0; place < stored.length; place += 1) {
    const changed = Buffer.from(stored);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(() => secrets.decrypt(changed, about), `byte ${place}`).toThrow(
      /^expected|^ENCRYPTION_KEY_UNKNOWN|is encrypted with the key/,
    );
  }
  for (let length = 0; length < stored.length; length += 1)
    expect(() => secrets.decrypt(stored.subarray(0, length), about), `${length} bytes`).toThrow(BrokenInvariant);
});

test('no error shows the value', () => {
  const stored = secrets.encrypt('alice@example.com', about);
  try {
    secrets.decrypt(stored, { ...about, id: newId() });
    expect.unreachable();
  } catch (error) {
    expect(String(error)).not.toMatch(/alice/);
    expect((error as Error).cause).toBeUndefined();
  }
});

test('during a rotation both keys decrypt, and the current one encrypts', () => {
  const next = newSecretKey();
  const old = secrets.encrypt('old', about);
  const rotating = createSecrets({ key: next, previousKey: key });
  expect(rotating.decrypt(old, about).toString()).toBe('old');
  const made = rotating.encrypt('new', about);
  expect(keyIdOf(made)).toBe(rotating.keyId);
  expect(keyIdOf(made)).not.toBe(keyIdOf(old));
  expect(createSecrets({ key: next }).decrypt(made, about).toString()).toBe('new');
  // A process that was not restarted yet.
  expect(codeOf(() => secrets.decrypt(made, about))).toBe('ENCRYPTION_KEY_UNKNOWN');
  // Before the rotation every process can be told of the next key.
  expect(createSecrets({ key, previousKey: next }).decrypt(made, about).toString()).toBe('new');
});

test('without a key nothing is encrypted', () => {
  const none = createSecrets({});
  expect(none.isEnabled).toBe(false);
  expect(none.keyId).toBeNull();
  expect(codeOf(() => none.encrypt('x', about))).toBe('ENCRYPTION_KEY_MISSING');
  expect(codeOf(() => requireSecrets(none, 'contact'))).toBe('ENCRYPTION_KEY_MISSING');
  expect(codeOf(() => none.decrypt(secrets.encrypt('x', about), about))).toBe('ENCRYPTION_KEY_UNKNOWN');
  expect(requireSecrets(secrets)).toBeUndefined();
});

test('a key is read in base64, in base64url and in hexadecimal digits', () => {
  const bytes = randomBytes(32);
  const spellings = [
    bytes.toString('base64'),
    bytes.toString('base64').replace('=', ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ` ${bytes.toString('base64')}\n`,
  ];
  const ids = spellings.map((text) => parseSecretKey('KEY', text).id);
  expect(new Set(ids)).toEqual(new Set([parseSecretKey('KEY', bytes.toString('hex')).id]));
  expect(ids[0]).toMatch(/^[0-9a-f]{8}$/);
});

test.each([
  ['empty', ''],
  ['16 bytes', randomBytes(16).toString('hex')],
  ['33 bytes', randomBytes(33).toString('base64')],
  ['31 bytes', randomBytes(31).toString('base64')],
  ['a passphrase', 'correct horse battery staple, correct horse'],
  ['a placeholder', '0'.repeat(64)],
  ['the other placeholder', 'A'.repeat(43)],
])('a key that is %s is refused without showing it', (_, text) => {
  const parse = (): unknown => parseSecretKey('USANCE_ENCRYPTION_KEY', text);
  expect(parse).toThrow(SetupError);
  expect(parse).toThrow(/USANCE_ENCRYPTION_KEY must be 32 random bytes .* "usance encryption-key"/);
  if (text !== '') expect(parse).not.toThrow(text);
});
