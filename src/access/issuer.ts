// Who may sign tokens for a tenant's end users: an issuer and an audience, the one algorithm it signs with, and the public
// keys. Only public halves are kept, so that whoever reads the database can forge nothing; the one shared secret is
// JWT_SECRET, which is in the environment and belongs to the first tenant. Keys are uploaded, or fetched from a URL (key-sets.ts).
import { createHash, createPublicKey } from 'node:crypto';
import type { CompactVerifyGetKey, CryptoKey } from 'jose';
import { createLocalJWKSet } from 'jose/jwks/local';
import { importJWK } from 'jose/key/import';
import type { Uuid } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';

export interface TokenIssuer {
  readonly tenantId: Uuid;
  readonly id: Uuid;
  /** `iss`, to the letter. */
  readonly issuer: string;
  /** Has to be among `aud`. */
  readonly audience: string;
  readonly algorithm: Algorithm;
  /** Uploaded, or as they were last seen at `jwksUrl`; none before they were fetched for the first time. */
  readonly keys: readonly PublicJwk[];
  /** Null: the keys were uploaded. */
  readonly jwksUrl: string | null;
  readonly keysFetchedAt: Date | null;
  /** Why the last attempt to fetch the keys failed. */
  readonly keysError: string | null;
  readonly createdBy: string;
  /** Every actor that installed keys, the last one last. */
  readonly keyedBy: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Of a JWK what a public key needs, and the name that a token may choose it by. */
export type PublicJwk = Readonly<Partial<Record<'kty' | 'n' | 'e' | 'crv' | 'x' | 'y' | 'kid', string>>>;

/** What a key has to be to be used with an algorithm. The token's word for it is only compared, never followed. */
export const ALGORITHMS = {
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
} as const satisfies Record<string, { kty: string; crv?: string }>;
export type Algorithm = keyof typeof ALGORITHMS;

const MOST_KEYS = 20;
const FEWEST_RSA_BITS = 2_048;
/** A check takes time by the square of it. */
const MOST_RSA_BITS = 8_192;
/** With an exponent of 1 every text is its own signature; small ones forgive bad padding. */
const LEAST_RSA_EXPONENT = 65_537n;
const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const PUBLIC = ['kty', 'n', 'e', 'crv', 'x', 'y', 'kid'] as const;

export function isAlgorithm(text: string): text is Algorithm {
  return Object.hasOwn(ALGORITHMS, text);
}

/** The keys of a JWK Set that fit the algorithm. What an identity provider has in it beside those is left out. */
export async function readJwks(document: unknown, algorithm: Algorithm): Promise<PublicJwk[]> {
  const all = isRecord(document) && Array.isArray(document['keys']) ? (document['keys'] as unknown[]) : null;
  if (!all || all.length === 0 || all.length > MOST_KEYS || !all.every(isRecord)) {
    return refuse('FIELD_INVALID/not_a_key_set', { param: 'jwks', max: MOST_KEYS });
  }
  const fitting = all.filter((jwk) => fits(jwk, algorithm));
  const keys = await Promise.all(fitting.map((jwk) => publicHalf(jwk, algorithm)));
  if (keys.length === 0) return refuse('FIELD_INVALID/no_fitting_key', { param: 'jwks', algorithm });
  const names = keys.map((key) => key.kid);
  if (keys.length > 1 && (names.includes(undefined) || new Set(names).size < keys.length)) {
    refuse('FIELD_INVALID/kid_missing', { param: 'jwks' });
  }
  return keys;
}

/** One public key in PEM, as a set of one that has no name. */
export async function readPem(pem: string, algorithm: Algorithm): Promise<PublicJwk[]> {
  if (/PRIVATE KEY/.test(pem)) keepPrivate('public_key');
  try {
    return await readJwks({ keys: [createPublicKey(pem).export({ format: 'jwk' })] }, algorithm);
  } catch {
    return refuse('FIELD_INVALID/not_a_public_key', { param: 'publicKey', algorithm });
  }
}

/** Key sets of this many issuers stay open, the last used ones. Opening a key takes longer than verifying a signature with it. */
const MOST_OPEN = 1_000;
const open = new Map<string, CompactVerifyGetKey>();

/**
 * Selects the key that a token names by `kid`, or the only one. A key in PEM has no name: it verifies the token whatever `kid` says,
 * because the issuer has no other. Open sets are found by the keys themselves, so a changed issuer never meets its old keys.
 */
export function keySetOf(keys: readonly PublicJwk[], algorithm: Algorithm): CompactVerifyGetKey {
  const name = JSON.stringify([algorithm, keys]);
  const found = open.get(name) ?? openKeySet(keys, algorithm);
  open.delete(name);
  open.set(name, found);
  if (open.size > MOST_OPEN) open.delete(open.keys().next().value ?? '');
  return found;
}

function openKeySet(keys: readonly PublicJwk[], algorithm: Algorithm): CompactVerifyGetKey {
  const set = createLocalJWKSet({ keys: keys.map((jwk) => ({ ...jwk, kty: ALGORITHMS[algorithm].kty })) });
  const [key, another] = keys;
  return key && !another && key.kid === undefined ? ({ kid: _kid, ...header }, jws) => set(header, jws) : set;
}

/** The public key of a JWK. `jose` returns bytes for shared secrets only. */
const importKey = async (jwk: PublicJwk, algorithm: Algorithm): Promise<CryptoKey> =>
  (await importJWK(jwk, algorithm)) as CryptoKey;

function fits(jwk: Readonly<Record<string, unknown>>, algorithm: Algorithm): boolean {
  if (PRIVATE.some((name) => name in jwk)) keepPrivate('jwks');
  const wanted: { kty: string; crv?: string } = ALGORITHMS[algorithm];
  return (
    jwk['kty'] === wanted.kty &&
    (wanted.crv === undefined || jwk['crv'] === wanted.crv) &&
    [undefined, 'sig'].includes(jwk['use'] as undefined) &&
    [undefined, algorithm].includes(jwk['alg'] as undefined)
  );
}

async function publicHalf(jwk: Readonly<Record<string, unknown>>, algorithm: Algorithm): Promise<PublicJwk> {
  const half = Object.fromEntries(PUBLIC.flatMap((name) => (name in jwk ? [[name, jwk[name]]] : [])));
  const wrong = (): never => refuse('FIELD_INVALID/unreadable_key', { param: 'jwks' });
  if (!Object.values(half).every((field) => typeof field === 'string' && /^[ -~]{1,2000}$/.test(field))) return wrong();
  // Opened as it will be opened to verify tokens: a key that is stored can be used.
  const key = await importKey(half, algorithm).catch(wrong);
  const { modulusLength: bits, publicExponent } = key.algorithm as {
    modulusLength?: number;
    publicExponent?: Uint8Array;
  };
  const exponent = publicExponent && BigInt(`0x${Buffer.from(publicExponent).toString('hex')}`);
  if (bits !== undefined && (bits < FEWEST_RSA_BITS || bits > MOST_RSA_BITS)) {
    refuse('FIELD_INVALID/rsa_size', { param: 'jwks', min: FEWEST_RSA_BITS, max: MOST_RSA_BITS });
  }
  if (exponent !== undefined && (exponent < LEAST_RSA_EXPONENT || exponent % 2n === 0n)) {
    refuse('FIELD_INVALID/rsa_exponent', { param: 'jwks', min: LEAST_RSA_EXPONENT });
  }
  return half;
}

/** RFC 7638, with SHA-256: names a key by what it is, so that the record says which key was installed. */
export function thumbprintOf({ kid: _kid, ...members }: PublicJwk): string {
  const sorted = Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url');
}

/** The issuer as its events have it. */
export function issuerData({ issuer, audience, algorithm, keys, jwksUrl }: TokenIssuer) {
  return {
    issuer,
    audience,
    algorithm,
    keys: keys.map(({ kid }) => kid ?? null),
    thumbprints: keys.map(thumbprintOf),
    ...(jwksUrl === null ? {} : { jwksUrl }),
  };
}

function keepPrivate(param: string): never {
  return refuse('FIELD_INVALID/private_key', { param });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
