// Who sends a request. A key that was found is believed for a few seconds, so that a busy client costs no query a request; a
// revoked one is refused within five. Keys that were not found are asked for every time: a new key works at once.
// Tokens of end users and what a scope allows will be decided here too; routes name their scope already.
import { createHash } from 'node:crypto';
import type { ApiKey, TenantHandle, Usance } from '../engine.ts';
import { refuse } from '../kernel/index.ts';

export interface Principal {
  readonly handle: TenantHandle;
  readonly key: ApiKey;
}

export type Identify = (authorization: string | undefined) => Promise<Principal>;

const BELIEVED_FOR_MS = 3_000;
const MOST_REMEMBERED = 10_000;

interface Remembered {
  readonly principal: Promise<Principal | null>;
  readonly untilMs: number;
}

export function createIdentify(usance: Usance): Identify {
  const known = new Map<string, Remembered>();

  const ask = (secret: string, digest: string): Promise<Principal | null> => {
    const principal = usance.authenticate(secret);
    // Many requests of one new client ask once. What failed or found nobody is forgotten.
    known.set(digest, { principal, untilMs: performance.now() + BELIEVED_FOR_MS });
    const forget = (): void => void known.delete(digest);
    principal.then((found) => (found ? undefined : forget()), forget);
    if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value ?? '');
    return principal;
  };

  return async (authorization) => {
    if (authorization === undefined) {
      refuse('AUTH_REQUIRED', 'send your API key as "Authorization: Bearer <key>"', { param: 'Authorization' });
    }
    const [, secret] = /^bearer +([!-~]{1,4096})$/i.exec(authorization) ?? [];
    if (secret === undefined) {
      return refuse('AUTH_INVALID', 'Authorization is not "Bearer <key>"', { param: 'Authorization' });
    }
    const digest = createHash('sha256').update(secret).digest('base64');
    const remembered = known.get(digest);
    const principal = remembered && remembered.untilMs > performance.now() ? remembered.principal : ask(secret, digest);
    return (
      (await principal) ??
      refuse('AUTH_INVALID', 'the API key is unknown, revoked or expired', { param: 'Authorization' })
    );
  };
}
