// The cookie of a session. Its value is opaque; the database knows its digest only. `SameSite=Strict` keeps it out of every request that
// another site causes, `HttpOnly` out of scripts.
import type { FastifyRequest } from 'fastify';

export const SESSION_PATH = '/session';
export const SESSION_METHODS = ['GET', 'POST', 'DELETE'] as const;

/** Over https the name has a prefix for which browsers refuse a cookie with a Domain: no other host of the domain can set it. */
const [NAME, NAME_OVER_HTTPS] = ['usance_session', '__Host-usance_session'];
const VALUE = /^uss_[A-Za-z0-9_-]{43}$/;

/** Null without a cookie that could be one of a session. Two different ones: another site of this host set one of them, so neither counts. */
export function cookieOf({ headers, protocol }: Pick<FastifyRequest, 'headers' | 'protocol'>): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  // A proxy that ends TLS may not tell: the prefix tells then.
  const isOverHttps = protocol === 'https' || pairs.some(([name]) => name === NAME_OVER_HTTPS);
  const own = pairs.filter(([name]) => name === (isOverHttps ? NAME_OVER_HTTPS : NAME));
  const given = new Set(own.map(([, value = '']) => value));
  const [only = ''] = given;
  return given.size === 1 && VALUE.test(only) ? only : null;
}

/** Without Max-Age: closing the browser removes it, and the server ends it earlier. */
export const setCookie = (value: string, isSecure: boolean): string =>
  `${isSecure ? NAME_OVER_HTTPS : NAME}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

export const clearCookie = (isSecure: boolean): string => `${setCookie('', isSecure)}; Max-Age=0`;
