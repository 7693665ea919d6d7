// Which methods a path takes. A path that exists is told apart from one that does not: 405 with Allow, not 404; OPTIONS
// answers with the same list.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../contract/index.ts';
import { EVENT_STREAM, ROUTES } from '../contract/index.ts';
import { refuse } from '../kernel/index.ts';
import { SESSION_METHODS, SESSION_PATH } from './session-cookie.ts';
import { UNVERSIONED } from './unversioned.ts';

/** The methods that a path takes; empty where there is no such path. */
export type MethodsOf = (path: string) => readonly string[];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const TABLE: readonly Pick<Route, 'method' | 'path'>[] = [...(Object.values(ROUTES) as Route[]), EVENT_STREAM];

const allowedBy = (methods: readonly string[]): string[] => [
  ...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
  'OPTIONS',
];

export function createMethodsOf(prefix: string): MethodsOf {
  const known = [...Map.groupBy(TABLE, ({ path }) => path)]
    .map(([path, routes]) => ({
      pattern: new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      parameters: path.split('{').length,
      methods: allowedBy(routes.map(({ method }) => method)),
    }))
    // As the router does: /payments/bulk is not a payment named bulk.
    .toSorted((a, b) => a.parameters - b.parameters);
  const unversioned = new Set<string>(UNVERSIONED);
  return (path) => {
    if (path === '*') return allowedBy(['GET', 'POST', 'PATCH', 'DELETE']);
    if (path === SESSION_PATH) return allowedBy(SESSION_METHODS);
    return unversioned.has(path)
      ? allowedBy(['GET'])
      : (known.find(({ pattern }) => pattern.test(path))?.methods ?? []);
  };
}

/** Registers the other methods of every path, so that the router does not take /payments/bulk for a payment's id. */
export function refuseOtherMethods(
  app: FastifyInstance,
  prefix: string,
  countStranger: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  for (const [path, routes] of Map.groupBy(TABLE, (route) => route.path)) {
    const allowed = allowedBy(routes.map((route) => route.method));
    app.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url: prefix + path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { template: prefix + path },
      // Before the body is read: it is not wanted.
      onRequest: async (request, reply) => {
        countStranger(request, reply);
        refuseUnknown(request, reply, prefix, allowed);
      },
      handler: () => undefined,
    });
  }
}

export function refuseUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  prefix: string,
  allowed: readonly string[],
): never {
  const path = pathOf(request);
  if (allowed.length > 0) {
    reply.header('allow', allowed.join(', '));
    refuse('METHOD_NOT_ALLOWED', { path, allowed });
  }
  const asked = { method: request.method, path };
  if (!path.startsWith(`${prefix}/`)) return refuse('ROUTE_NOT_FOUND/outside', { ...asked, prefix });
  return refuse(path.endsWith('/') ? 'ROUTE_NOT_FOUND/trailing_slash' : 'ROUTE_NOT_FOUND/unknown', asked);
}

/** `/payments/` would be a payment whose id is empty. */
export const hasEmptyParameter = ({ params }: FastifyRequest): boolean =>
  Object.entries(Object(params) as object).some(([name, value]) => value === '' && name !== '*');

export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
