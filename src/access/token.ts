// Reads and checks JSON Web Tokens. `jose` verifies the signature. The token's header selects one of the issuer's keys and nothing
// else: the issuer fixes the algorithm and the kind of key, and keys or URLs in the header are ignored. Every fault before a valid
// signature gets the same answer. Header and claims are parsed strictly here, before `jose` reads them: JSON.parse would accept a
// name that is given twice.
import type { CompactVerifyGetKey } from 'jose';
import { JOSEError } from 'jose/errors';
import { compactVerify } from 'jose/jws/compact/verify';
import type { RefusalKey } from '../kernel/index.ts';
import { parseStrictJson, refuse } from '../kernel/index.ts';

export interface Token {
  /** The whole token, as it was received. */
  readonly text: string;
  readonly issuer: string | null;
  readonly audiences: readonly string[];
  /** The key that its header names. */
  readonly kid: string | null;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Clocks differ. */
export const LEEWAY_MS = 30_000;

const FORM = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/;
const LONGEST = 4_096;
const LONGEST_KID = 200;
const MOST_AUDIENCES = 20;
const TYPES = new Set([undefined, 'JWT', 'jwt', 'at+jwt']);

/** Whether it is one at all, rather than an API key. */
export const looksLikeToken = (text: string): boolean => text.startsWith('ey') && FORM.test(text);

/** Nothing in it is to be believed yet. */
export function readToken(text: string): Token {
  const [, head = '', body = ''] = (text.length <= LONGEST && FORM.exec(text)) || [];
  const header = jsonOf(head);
  const claims = jsonOf(body);
  if (!header || !claims) return refuseToken();
  const { kid, typ } = header;
  // An extension that has to be understood, and is not.
  if ('crit' in header || !TYPES.has(typ as string)) return refuseToken();
  if (kid !== undefined && !(typeof kid === 'string' && kid.length <= LONGEST_KID)) return refuseToken();
  const aud = Array.isArray(claims['aud']) ? (claims['aud'] as unknown[]) : [claims['aud']];
  return {
    text,
    issuer: isName(claims['iss']) ? claims['iss'] : null,
    audiences: aud.filter(isName).slice(0, MOST_AUDIENCES),
    kid: kid ?? null,
    claims,
  };
}

/**
 * Verifies the signature by the issuer's algorithm, never the token's. False also where the token names no key of the issuer. Other
 * errors are faults of this server and propagate.
 */
export async function hasSignature({ text }: Token, algorithm: string, key: CompactVerifyGetKey): Promise<boolean> {
  try {
    await compactVerify(text, key, { algorithms: [algorithm] });
    return true;
  } catch (error) {
    if (error instanceof JOSEError) return false;
    throw error;
  }
}

export interface Claims {
  readonly subject: string;
  readonly issuedAt: Date;
  readonly validForMs: number;
}

/** Whose it is and for how long, of a token whose signature holds. So its bearer may be told what is wrong with it. */
export function requireClaims({ claims }: Token, now: Date, longestMs: number): Claims {
  const { sub, exp, nbf, iat } = claims;
  if (!isInstant(exp)) return refuseToken('exp_missing');
  if (exp * 1_000 + LEEWAY_MS <= now.getTime()) return refuseToken('expired');
  if (nbf !== undefined && !(isInstant(nbf) && nbf * 1_000 - LEEWAY_MS <= now.getTime())) {
    return refuseToken('not_valid_yet');
  }
  if (!isInstant(iat)) return refuseToken('iat_missing');
  if (iat * 1_000 - LEEWAY_MS > now.getTime()) return refuseToken('issued_in_the_future');
  if ((exp - iat) * 1_000 > longestMs) {
    return refuse('AUTH_INVALID/lasts_too_long', { param: 'Authorization', max: longestMs / 1_000 });
  }
  // A ref: what looks like one and is not (another alphabet's letters) is nobody's.
  if (typeof sub !== 'string' || !/^[!-~]{1,200}$/.test(sub)) {
    return refuseToken('sub_missing');
  }
  return { subject: sub, issuedAt: new Date(iat * 1_000), validForMs: exp * 1_000 + LEEWAY_MS - now.getTime() };
}

type ReasonOf<Key> = Key extends `AUTH_INVALID/${infer Reason}` ? Reason : never;

export function refuseToken(reason: Exclude<ReasonOf<RefusalKey>, 'lasts_too_long'> = 'unknown_token'): never {
  return refuse(`AUTH_INVALID/${reason}`, { param: 'Authorization' });
}

/** As an issuer's row has its names: nothing else could be one. */
const isName = (value: unknown): value is string => typeof value === 'string' && /^[!-~]{1,500}$/.test(value);

/** Seconds that JavaScript can make an instant of. */
const isInstant = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 8.64e12;

function jsonOf(part: string): Record<string, unknown> | null {
  try {
    // Says no to a name that is there twice, which two readers could read two ways.
    const value = parseStrictJson(Buffer.from(part, 'base64url'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
