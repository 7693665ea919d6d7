// What is asked without a key and outside /v1: is it alive, is it ready, what does it count, and what is the contract.
// Metrics are of every tenant, so no tenant's key opens them: they are for this machine, or have a port of their own.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../engine.ts';
import { METRICS_TYPE, refuse } from '../kernel/index.ts';
import { createConstant } from './compress.ts';
import { DOCS_POLICY, docsPage } from './reference/page.ts';
import { addUnsubscribe } from './unsubscribe.ts';
import { openApiDocument } from './reference/openapi.ts';

export const UNVERSIONED = ['/health', '/ready', '/metrics', '/openapi.json', '/', '/docs'] as const;

export interface UnversionedOptions {
  readonly showsMetrics: boolean;
  /**
   * Counts a request by its address. Probes (/health, /ready) are not counted: a stranger behind the same address could turn this
   * process red. They cost nothing: what /ready says of the database is remembered for a second.
   */
  countStranger(request: FastifyRequest, reply: FastifyReply): void;
}

export function addUnversioned(
  app: FastifyInstance,
  usance: Engine,
  state: { readonly stopping: boolean },
  { showsMetrics, countStranger }: UnversionedOptions,
): void {
  const document = createConstant(JSON.stringify(openApiDocument()));
  const page = createConstant(docsPage(openApiDocument()));

  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    countStranger(request, reply);

  addUnsubscribe(app, usance, countStranger);

  app.get('/health', async () => ({ status: 'ok', tz: process.versions['tz'] ?? null }));

  app.get('/ready', async (_request, reply) => {
    if (state.stopping) return reply.code(503).send({ status: 'stopping' });
    if (!(await usance.monitoring.answers())) return reply.code(503).send({ status: 'database unavailable' });
    return { status: 'ready' };
  });

  app.get('/metrics', { onRequest }, async (request, reply) => {
    if (!showsMetrics || !isLoopback(request.socket.remoteAddress)) {
      return refuse('ROUTE_NOT_FOUND/metrics');
    }
    return reply.header('content-type', METRICS_TYPE).send(await usance.monitoring.metrics());
  });

  app.get('/openapi.json', { onRequest }, async (request, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('access-control-allow-origin', '*')
      .send(await document(request, reply)),
  );

  app.get('/docs', { onRequest }, async (request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', DOCS_POLICY)
      .send(await page(request, reply)),
  );
}

export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(address);
}
