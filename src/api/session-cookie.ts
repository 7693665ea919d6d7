// The cookie of a session. Its value is opaque; the database knows its digest only. `SameSite=Strict` keeps it out of every request that
// another site causes, `HttpOnly` out of scripts.
import type { FastifyRequest } from 'fastify';

export const SESSION_PATH = '/session';
export const SESSION_METHODS = ['GET', 'POST', 'DELETE'] as const;

const NAME = 'usance_session';
const VALUE = /^uss_[A-Za-z0-9_-]{43}$/;

/** Null without a cookie that could be one of a session. Two different ones: another site of this host set one of them, so neither counts. */
export function cookieOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const given = new Set(
    (headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim().split('='))
      .filter(([name]) => name === NAME)
      .map(([, value = '']) => value),
  );
  const [only = ''] = given;
  return given.size === 1 && VALUE.test(only) ? only : null;
}

/** Without Max-Age: closing the browser removes it, and the server ends it earlier. */
export const setCookie = (value: string, isSecure: boolean): string =>
  `${NAME}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

export const clearCookie = (isSecure: boolean): string => `${setCookie('', isSecure)}; Max-Age=0`;
