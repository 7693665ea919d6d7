/** Whether PostgreSQL can keep a text: it has no NUL, and takes no half of a surrogate pair inside JSON. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Whether a text can be an idempotency key: 1 to 255 printable ASCII characters, as a header carries them. */
export function isIdempotencyKey(text: unknown): text is string {
  return typeof text === 'string' && /^[ -~]{1,255}$/.test(text);
}

/** A name that needs no quotes, and is none of the server's own. */
export function isSchemaName(text: string): boolean {
  return /^[a-z_][a-z0-9_]{0,62}$/.test(text) && !text.startsWith('pg_');
}

const OF_A_SECRET = 'secret.';
/** The fingerprint of a request with a secret in it, which is never stored as it is. */
export const secretFingerprint = (digest: string): string => OF_A_SECRET + digest;
export const isSecretFingerprint = (fingerprint: string): boolean => fingerprint.startsWith(OF_A_SECRET);
