// The routes of the contract: authorization, the idempotency key, the schemas, the handler.
import type { FastifyInstance } from 'fastify';
import type { Route } from '../contract/index.ts';
import {
  DRY_RUN_MEDIA_TYPE,
  asksForDryRun,
  fingerprintOf,
  ifMatchOf,
  keyOf,
  perform,
  performDry,
  readerOf,
  showDryRun,
  withoutApproval,
  writes,
} from '../contract/index.ts';
import { refuse, together } from '../kernel/index.ts';
import type { Admit, Charge } from './admit.ts';
import type { Principal } from './auth.ts';
import { requireAllowed } from './auth.ts';
import { addVary } from './compress.ts';
import { isUnchanged } from './conditional.ts';
import { wantsCsv } from './http-rules.ts';
import { pathOf } from './methods.ts';
import { originOf, reasonOf } from './origin.ts';

/** An end user can ask for any amount without having it, so that many answers add up to the tenant's limits. */
const COST_OF_A_USERS_DRY_RUN = 10;

/** A dry run needs no key and leaves nothing, but works as hard as the real call: a list counts as its payments or events. */
function dryRunCost({ key }: Principal, body: unknown): number {
  const { payments, events = payments } = body as { readonly payments?: unknown; readonly events?: unknown };
  return Array.isArray(events) ? events.length : key ? 1 : COST_OF_A_USERS_DRY_RUN;
}

export function addRoute(app: FastifyInstance, prefix: string, route: Route, admit: Admit, charge: Charge): void {
  const read = readerOf(route);
  app.route({
    method: route.method,
    url: prefix + route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { template: prefix + route.path, showsSecret: route.remembers !== undefined },
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
    onRequest: async (request, reply) => {
      const principal = await admit(request, reply);
      // Before the scopes: a refusal for want of one is logged with the caller's name.
      request.principal = principal;
      requireAllowed(principal, route);
      // Whether one is missing is known once the body was read: a dry run needs none.
      keyOf(request.headers['idempotency-key'], writes(route) ? 'accepted' : 'none');
    },
    handler: async (request, reply) => {
      const { principal } = request;
      if (!principal) return refuse('AUTH_REQUIRED', { param: 'Authorization' });
      const isDry = asksForDryRun(route, request);
      request.isDryRun = isDry;
      const { key, understood, reason } = together({
        key: () => (isDry ? null : keyOf(request.headers['idempotency-key'], route.idempotency)),
        understood: () => read(request),
        reason: () => (writes(route) ? reasonOf(request) : null),
      });
      if (expands(understood.query)) requireAllowed(principal, { scope: 'ledger:read', own: true });
      const fingerprint =
        key === null ? '' : fingerprintOf(request.method, pathOf(request), understood.body, route.bodyHasSecret);
      // A read appends no event, so it needs no origin and no separate handle.
      const isRead = route.method === 'GET';
      const tenant = isRead ? principal.handle : principal.handle.from({ ...originOf(request), reason });
      const call = { tenant, ...understood };
      const ifMatch = ifMatchOf(route, request.headers['if-match']);
      if (isDry) {
        const cost = dryRunCost(principal, understood.body);
        if (cost > 1) charge(principal, reply, cost - 1);
        const run = await performDry(route, call, ifMatch);
        const shown = showDryRun(principal.key ? run : withoutApproval(run));
        return reply.header('content-type', `${DRY_RUN_MEDIA_TYPE}; charset=utf-8`).send(JSON.stringify(shown));
      }
      const { answer, replayed, version } = await perform(
        route,
        call,
        key === null ? null : { key, fingerprint },
        ifMatch,
      );
      if (replayed) reply.header('idempotent-replayed', 'true');
      reply.code(route.status);
      if (route.mediaType !== undefined)
        return reply.header('content-type', `${route.mediaType}; charset=utf-8`).send(answer);
      if (route.csv) addVary(reply, 'Accept');
      if (route.csv && wantsCsv(request)) {
        return reply.header('content-type', 'text/csv; charset=utf-8').send(route.csv(answer));
      }
      const text = JSON.stringify(answer);
      if (version !== undefined && isUnchanged(request, reply, version, text)) return reply.code(304).send();
      return reply.header('content-type', 'application/json; charset=utf-8').send(text);
    },
  });
}

/** Whether accounts are to be shown beside their ids: that is reading them. */
const expands = (query: unknown): boolean => typeof query === 'object' && query !== null && 'expand' in query;
