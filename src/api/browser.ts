// What browsers are told. Every answer says that it is not to be guessed at, framed or run; and pages of FRONTEND_URL, to the
// letter of their origin, may ask from there. They send a bearer token, so cookies have no part in it: credentials are never
// allowed, and neither is every origin.
import type { FastifyInstance } from 'fastify';
import type { MethodsOf } from './methods.ts';
import { pathOf } from './methods.ts';

export const SECURITY_HEADERS = {
  'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const ASKED =
  'authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, usance-reason, usance-tenant, usance-version, x-request-id';
const SHOWN =
  'x-request-id, usance-version, etag, idempotent-replayed, ratelimit, ratelimit-policy, retry-after, allow';
const METHODS = 'GET, POST, PATCH, DELETE';
const PREFLIGHT_S = 600;

export function addCors(app: FastifyInstance, prefix: string, origins: readonly string[], methodsOf: MethodsOf): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  // Before anything can refuse: a page must be able to read why.
  app.addHook('onRequest', async ({ headers, url }, reply) => {
    if (!url.startsWith(`${prefix}/`)) return;
    reply.header('vary', 'Origin');
    if (headers.origin === undefined || !allowed.has(headers.origin)) return;
    reply.header('access-control-allow-origin', headers.origin).header('access-control-expose-headers', SHOWN);
  });
  app.options(`${prefix}/*`, async (request, reply) => {
    const taken = methodsOf(pathOf(request));
    if (taken.length > 0) reply.header('allow', taken.join(', '));
    if (reply.hasHeader('access-control-allow-origin')) {
      reply
        .header('access-control-allow-methods', METHODS)
        .header('access-control-allow-headers', ASKED)
        .header('access-control-max-age', String(PREFLIGHT_S));
    }
    return reply.code(204).send();
  });
}
