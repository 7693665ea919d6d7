// Callers that were found are believed for a few seconds, so that a busy client costs no query a request; a revoked one is refused
// within five. Credentials that were not found are looked up every time: a new key works at once.
import { hash } from 'node:crypto';

export interface Believed<Found> {
  /** Whether a caller was found by this credential before, however long ago. */
  isGood(digest: string): boolean;
  /** The remembered caller, or a new lookup. Many requests of one new client look up once. */
  find(digest: string, look: () => Promise<Found | null>): Promise<Found | null>;
  /** Forgets every credential that starts with this digest. */
  forget(digest: string): void;
}

const BELIEVED_FOR_MS = 3_000;
const MOST_REMEMBERED = 10_000;

interface Remembered<Found> {
  readonly found: Promise<Found | null>;
  untilMs: number;
  isGood: boolean;
}

export const digestOfText = (text: string): string => hash('sha256', text, 'base64');

export function createBelieved<Found extends { readonly validForMs: number | null }>(): Believed<Found> {
  const known = new Map<string, Remembered<Found>>();

  const ask = (digest: string, look: () => Promise<Found | null>): Promise<Found | null> => {
    const found = look();
    const askedMs = performance.now();
    // Failed lookups and unknown credentials are forgotten; a credential that expires is not believed longer.
    const wasGood = known.get(digest)?.isGood ?? false;
    const entry: Remembered<Found> = { found, untilMs: askedMs + BELIEVED_FOR_MS, isGood: wasGood };
    known.set(digest, entry);
    const forget = (): void => {
      if (known.get(digest) === entry) known.delete(digest);
    };
    found.then((one) => {
      if (!one) return forget();
      entry.isGood = true;
      entry.untilMs = askedMs + Math.min(BELIEVED_FOR_MS, one.validForMs ?? BELIEVED_FOR_MS);
    }, forget);
    if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value ?? '');
    return found;
  };

  return {
    isGood: (digest) => known.get(digest)?.isGood ?? false,
    async find(digest, look) {
      const remembered = known.get(digest);
      return remembered !== undefined && remembered.untilMs > performance.now() ? remembered.found : ask(digest, look);
    },
    forget(digest) {
      for (const each of known.keys()) if (each.startsWith(digest)) known.delete(each);
    },
  };
}
