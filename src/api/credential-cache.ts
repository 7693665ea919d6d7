// Valid credentials are cached for three seconds, so that a busy client costs no query a request, and a revoked one is refused within five.
// Unknown credentials are looked up every time: a new key works at once. A cache of a credential that ends sooner ends with it.
import { hash } from 'node:crypto';

export interface CredentialCache<Found> {
  /** Whether this process has seen the credential as valid, however long ago. */
  wasValid(digest: string): boolean;
  /** The cached caller, or a new lookup. Concurrent requests with one new credential look it up once. */
  find(digest: string, look: () => Promise<Found | null>): Promise<Found | null>;
  /** Forgets every credential that starts with this digest. */
  forget(digest: string): void;
}

const CACHED_FOR_MS = 3_000;
const MOST_REMEMBERED = 10_000;

interface Cached<Found> {
  readonly found: Promise<Found | null>;
  untilMs: number;
  wasValid: boolean;
}

export const digestOfText = (text: string): string => hash('sha256', text, 'base64');

export function createCredentialCache<Found extends { readonly validForMs: number | null }>(): CredentialCache<Found> {
  const known = new Map<string, Cached<Found>>();

  const ask = (digest: string, look: () => Promise<Found | null>): Promise<Found | null> => {
    const found = look();
    const askedMs = performance.now();
    // Failed lookups and unknown credentials are forgotten; a credential that expires is not cached for longer.
    const wasValid = known.get(digest)?.wasValid ?? false;
    const entry: Cached<Found> = { found, untilMs: askedMs + CACHED_FOR_MS, wasValid };
    known.set(digest, entry);
    const forget = (): void => {
      if (known.get(digest) === entry) known.delete(digest);
    };
    found.then((one) => {
      if (!one) return forget();
      entry.wasValid = true;
      entry.untilMs = askedMs + Math.min(CACHED_FOR_MS, one.validForMs ?? CACHED_FOR_MS);
    }, forget);
    if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value ?? '');
    return found;
  };

  return {
    wasValid: (digest) => known.get(digest)?.wasValid ?? false,
    async find(digest, look) {
      const cached = known.get(digest);
      return cached !== undefined && cached.untilMs > performance.now() ? cached.found : ask(digest, look);
    },
    forget(digest) {
      for (const each of known.keys()) if (each.startsWith(digest)) known.delete(each);
    },
  };
}
