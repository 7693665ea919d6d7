// Tokens for tests, well made and badly made.
import type { KeyObject } from 'node:crypto';
import { constants, createHmac, generateKeyPairSync, sign } from 'node:crypto';

export const ISSUER = 'https://login.example.com/';
export const AUDIENCE = 'shop';

export interface Signer {
  readonly algorithm: string;
  readonly kid?: string;
  sign(signed: string): Buffer;
}

export const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Seconds of real time, from now. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

export const claimsOf = (sub: unknown, other: object = {}): object => ({
  iss: ISSUER,
  aud: AUDIENCE,
  sub,
  exp: inSeconds(600),
  ...other,
});

/** Issued now, where the claims do not say when; `iat: undefined` leaves it out. */
const issued = (claims: unknown): unknown =>
  typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? { iat: inSeconds(0), ...claims } : claims;

export function token(signer: Signer, claims: unknown, header: object = {}): string {
  const { algorithm: alg, kid } = signer;
  const signed = `${part({ alg, typ: 'JWT', ...(kid === undefined ? {} : { kid }), ...header })}.${part(issued(claims))}`;
  return `${signed}.${signer.sign(signed).toString('base64url')}`;
}

export const shared = (secret: string | KeyObject): Signer => ({
  algorithm: 'HS256',
  sign: (signed) => createHmac('sha256', secret).update(signed).digest(),
});

/** A pair of keys that signs in the way the algorithm wants. */
export function pair(algorithm: 'RS256' | 'PS256' | 'ES256' | 'ES384' | 'EdDSA', kid?: string) {
  const { publicKey, privateKey } = newPair(algorithm);
  const hash = algorithm === 'EdDSA' ? null : algorithm === 'ES384' ? 'sha384' : 'sha256';
  const how = algorithm.startsWith('ES')
    ? { dsaEncoding: 'ieee-p1363' as const }
    : algorithm === 'PS256'
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : {};
  const named = kid === undefined ? {} : { kid };
  const signer: Signer = {
    algorithm,
    ...named,
    sign: (signed) => sign(hash, Buffer.from(signed), { key: privateKey, ...how }),
  };
  return {
    signer,
    publicKey,
    privateKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), ...named },
    pem: publicKey.export({ format: 'pem', type: 'spki' }),
  };
}

function newPair(algorithm: string): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519');
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  if (algorithm === 'ES384') return generateKeyPairSync('ec', { namedCurve: 'P-384' });
  return generateKeyPairSync('rsa', { modulusLength: 2_048 });
}
