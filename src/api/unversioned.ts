// What is asked without a key and outside /v1: is it alive, is it ready, and what is the contract.
import type { FastifyInstance } from 'fastify';
import type { Usance } from '../engine.ts';
import { DOCS_POLICY, docsPage } from './reference/page.ts';
import { openApiDocument } from './reference/openapi.ts';

const PATIENCE_MS = 2_000;

export function addUnversioned(app: FastifyInstance, usance: Usance, state: { readonly stopping: boolean }): void {
  const document = JSON.stringify(openApiDocument());
  const page = docsPage(openApiDocument());

  app.get('/health', async () => ({ status: 'ok' }));

  app.get('/ready', async (_request, reply) => {
    if (state.stopping) return reply.code(503).send({ status: 'stopping' });
    if (!(await answers(usance))) return reply.code(503).send({ status: 'database unavailable' });
    return { status: 'ready' };
  });

  app.get('/openapi.json', async (_request, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('access-control-allow-origin', '*')
      .send(document),
  );

  app.get('/docs', async (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', DOCS_POLICY)
      .header('x-content-type-options', 'nosniff')
      .send(page),
  );
}

async function answers(usance: Usance): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  const asked = usance.db.query('select 1').then(
    () => true,
    () => false,
  );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
