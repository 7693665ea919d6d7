// The idempotency key of a request, and the fingerprint that a repeated request is compared by. The fingerprint covers method, path and
// the parsed body in canonical form (fields sorted, no white space), so a retry with differently formatted JSON is recognised.
import { hash } from 'node:crypto';
import { isIdempotencyKey, refuse, secretFingerprint } from '../kernel/index.ts';
import { canonical } from './canonical.ts';
import type { Idempotency } from './route.ts';

const HEADER = 'Idempotency-Key';

/** `name` is what the caller calls it: a header over HTTP, an option in the library. */
export function keyOf(
  header: string | readonly string[] | undefined,
  wanted: Idempotency,
  name = HEADER,
): string | null {
  if (wanted === 'none') return null;
  if (header === undefined) {
    if (wanted === 'accepted') return null;
    refuse('IDEMPOTENCY_KEY_MISSING', { param: name });
  }
  if (isIdempotencyKey(header)) return header;
  return refuse('IDEMPOTENCY_KEY_INVALID/wrong_form', { param: name });
}

/** That of a body with a secret in it says so: it is stored as a keyed digest, because a plain one would confirm guesses of the secret. */
export function fingerprintOf(method: string, path: string, body: unknown, hasSecret = false): string {
  const digest = hash('sha256', `${method} ${path}\n${canonical(body)}`);
  return hasSecret ? secretFingerprint(digest) : digest;
}
