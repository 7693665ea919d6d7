// API keys: opaque, random, kept as a SHA-256 digest (they are long random strings, so a slow hash would only slow every
// request), shown once. Whoever has one acts for its tenant, within its scopes, until it expires or is revoked. Expiry is of
// real time, by the database's clock, also where the tenant lives by a test clock.
import { createHash, randomBytes } from 'node:crypto';
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Allowed, Role, Scope } from './scope.ts';
import { allowedBy } from './scope.ts';

export interface ApiKey {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  readonly name: string;
  /** Enough to recognise it, not to use it: the first characters of a key made here, a piece of the digest of a chosen one. */
  readonly prefix: string;
  readonly role: Role | null;
  /** Beside those of the role. */
  readonly scopes: readonly Scope[];
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** To the minute, and written afterwards: a key in use may show an older instant. */
  readonly lastUsedAt: Date | null;
  /** The key it was made to take the place of. */
  readonly replaces: Uuid | null;
  /** The first key of its rotation chain; its own id for a key that replaces none. A lineage is one caller. */
  readonly lineageId: Uuid;
  /** The key that created it, or rotated into it; null where the library or a command did. */
  readonly parentId: Uuid | null;
  /** The person who holds it; keys of one person are one person for approvals. */
  readonly person: string | null;
}

export interface ApiKeyOrder {
  readonly name: string;
  /** One of the two at least. */
  readonly role?: Role;
  readonly scopes?: readonly Scope[];
  /** For a bootstrap key that an operator chose; at least 24 characters. Left out: a random one. */
  readonly secret?: string;
  readonly expiresAt?: Date;
  /** The person who will hold it: any name, compared without regard to case and spacing. */
  readonly person?: string;
}

export interface MadeKey {
  readonly key: ApiKey;
  /** In this answer and nowhere else. */
  readonly secret: string;
}

const SHORTEST_SECRET = 24;
const LONGEST_SECRET = 200;
const PREFIX_LENGTH = 10;

export const allowedTo = (key: Pick<ApiKey, 'role' | 'scopes'>): Allowed => allowedBy(key.role, key.scopes);

export const newSecret = (): string => `usk_${randomBytes(30).toString('base64url')}`;
/** Six of the forty random characters of a key that was made here. */
export const prefixOf = (secret: string): string => secret.slice(0, PREFIX_LENGTH);

/** An operator's own secret may be short or guessable, so no character of it is shown: a hash of its digest is. */
export const prefixOfChosen = (secret: string): string => `own_${digestOf(digestOf(secret)).slice(0, 6)}`;

export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function couldBeSecret(text: string): boolean {
  return text.length >= SHORTEST_SECRET && text.length <= LONGEST_SECRET;
}

export function requireSecret(secret: string): void {
  if (couldBeSecret(secret) && /^[!-~]+$/.test(secret)) return;
  refuse('FIELD_INVALID/not_printable', { param: 'secret', min: SHORTEST_SECRET, max: LONGEST_SECRET });
}
