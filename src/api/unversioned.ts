// What is asked without a key and outside /v1: is it alive, is it ready, what does it count, and what is the contract.
// Metrics are of every tenant, so no tenant's key opens them: they are for this machine, or have a port of their own.
import type { FastifyInstance } from 'fastify';
import type { Usance } from '../engine.ts';
import { METRICS_TYPE, refuse } from '../kernel/index.ts';
import { DOCS_POLICY, docsPage } from './reference/page.ts';
import { openApiDocument } from './reference/openapi.ts';

export function addUnversioned(
  app: FastifyInstance,
  usance: Usance,
  state: { readonly stopping: boolean },
  showsMetrics: boolean,
): void {
  const document = JSON.stringify(openApiDocument());
  const page = docsPage(openApiDocument());

  app.get('/health', async () => ({ status: 'ok' }));

  app.get('/ready', async (_request, reply) => {
    if (state.stopping) return reply.code(503).send({ status: 'stopping' });
    if (!(await usance.monitoring.answers())) return reply.code(503).send({ status: 'database unavailable' });
    return { status: 'ready' };
  });

  app.get('/metrics', async (request, reply) => {
    if (!showsMetrics || !isLoopback(request.socket.remoteAddress)) {
      return refuse('ROUTE_NOT_FOUND', 'metrics are not shown here: set METRICS_PORT and ask that port');
    }
    return reply.header('content-type', METRICS_TYPE).send(await usance.monitoring.metrics());
  });

  app.get('/openapi.json', async (_request, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('access-control-allow-origin', '*')
      .send(document),
  );

  // Who opens the address that is on the screen wants to see something.
  app.get('/', async (_request, reply) => reply.redirect('/docs'));

  app.get('/docs', async (_request, reply) =>
    reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', DOCS_POLICY).send(page),
  );
}

export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(address);
}
