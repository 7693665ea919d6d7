// The HTTP server: every route of the contract, and what surrounds it. On its way a request meets, in this order, its id, its
// route, who sent it, how often and what they may do, its idempotency key, its body, the schema, the handler. The first that refuses answers.
// Closing is in order too: /ready turns red, so that whoever sends traffic here looks elsewhere; then nothing new is accepted,
// and what is in flight has a bounded time to finish.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import type { Answered, Engine } from '../engine.ts';
import { isScope } from '../engine.ts';
import type { Attribution } from '../kernel/index.ts';
import { SetupError, newId, parseStrictJson, refuse, toTypeId, together } from '../kernel/index.ts';
import { addressOf, createIsTrusted, listensOn, trustProxy } from './address.ts';
import type { Principal, Watch } from './auth.ts';
import { createIdentify, nameOf, requireAllowed, tenantIn } from './auth.ts';
import { SECURITY_HEADERS, addCors } from './browser.ts';
import type { Route } from '../contract/index.ts';
import {
  API_VERSION,
  DRY_RUN_MEDIA_TYPE,
  ROUTES,
  asksForDryRun,
  fingerprintOf,
  ifMatchOf,
  keyOf,
  perform,
  performDry,
  readerOf,
  requireApiVersion,
  showDryRun,
  withoutApproval,
  writes,
} from '../contract/index.ts';
import { answerClientError, rememberAnswers } from './client-error.ts';
import { addCompression, addVary } from './compress.ts';
import { isUnchanged } from './conditional.ts';
import { keepAliveFor, limitConnections } from './connections.ts';
import { requireHttpRules, requireUtf8, wantsCsv } from './http-rules.ts';
import { createLastUsed } from './last-used.ts';
import { createMethodsOf, hasEmptyParameter, pathOf, refuseOtherMethods, refuseUnknown } from './methods.ts';
import { PROBLEM_TYPE, isOurs, problemOf, retryAfterOf } from './problem.ts';
import type { RateLimits } from './rate-limit.ts';
import { createLimiter, refuseHaste } from './rate-limit.ts';
import { createSignIns } from './sign-ins.ts';
import type { StreamOptions } from './stream.ts';
import { addEventStream } from './stream.ts';
import { createDoor } from './strangers.ts';
import { addUnversioned } from './unversioned.ts';

export interface ApiOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** How long /ready is red before nothing new is accepted; default 0. A load balancer needs a few seconds. */
  readonly drainMs?: number;
  /** How long what is in flight may take when closing; default 10 s. */
  readonly closeTimeoutMs?: number;
  /** How long a request may take to arrive; default 30 s. */
  readonly requestTimeoutMs?: number;
  /** How long its headers may take; default 10 s, and no longer than the whole. */
  readonly headersTimeoutMs?: number;
  /** Connections at once; default 10,000. More are closed as they come. */
  readonly maxConnections?: number;
  /** Connections at once from one address that is no trusted proxy; default 1,000, 0 for no limit. More are closed as they come. */
  readonly maxConnectionsPerAddress?: number;
  /** How long a connection waits for its next request after one that showed no good key; default 5 s. */
  readonly strangerKeepAliveMs?: number;
  /** Left out: no limits. */
  readonly rateLimits?: Partial<RateLimits>;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed; default none. */
  readonly trustedProxies?: readonly string[];
  /** How often it is written down who came, who was refused, and which keys were used; default a minute. */
  readonly notesEveryMs?: number;
  /** Allowed CORS origins, such as https://app.example.com; default none. */
  readonly origins?: readonly string[];
  /** Show /metrics to this machine, default true: not for a port that a proxy on the same machine makes public. */
  readonly metrics?: boolean;
  readonly stream?: StreamOptions;
  /** Hears of trouble that is ours. */
  readonly onError?: (error: unknown, context: { requestId: string; method: string; route: string }) => void;
  /** Hears of every answer, for a log: nothing in it is of the caller's making but an id that is fit for that. */
  readonly onAnswered?: (answered: AnsweredRequest) => void;
}

export interface AnsweredRequest extends Answered {
  readonly requestId: string;
  /** The id of the key or the account that asked; null where neither is known. */
  readonly actor: string | null;
  /** Where it came from, of a request that was refused for what it showed (401) or for coming too often (429); else null. */
  readonly ip: string | null;
}

export interface Api {
  /** `url` reaches it from this machine; `address` is what it listens on. */
  listen(): Promise<{ url: string; address: string }>;
  close(): Promise<void>;
}

const BODY_LIMIT = 262_144;
/** Of a body: one value for so many bytes of the route's limit. Payments with all their fields have more. */
const BYTES_A_VALUE = 16;
const HEADER_LIMIT = 16_384;
const MOST_CONNECTIONS = 10_000;
const MOST_CONNECTIONS_PER_ADDRESS = 1_000;
const STRANGER_KEEP_ALIVE_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 10_000;
const NOTES_EVERY_MS = 60_000;
const PREFIX = '/v1';
const NO_ROUTE = 'none';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    isDryRun: boolean;
  }
  interface FastifyContextConfig {
    /** `/v1/holds/{id}`, as the contract writes it. */
    template?: string;
  }
}

export function createApi(usance: Engine, options: ApiOptions): Api {
  const state = { stopping: false };
  const answered = (answer: AnsweredRequest): void => {
    usance.monitoring.answered(answer);
    options.onAnswered?.(answer);
  };
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const headersTimeout = Math.min(options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS, requestTimeout);
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout,
    http: {
      requestTimeout,
      headersTimeout,
      connectionsCheckingInterval: Math.min(headersTimeout, 5_000),
      maxHeaderSize: HEADER_LIMIT,
      // Refused below, in our own words.
      requireHostHeader: false,
    },
    // A ref of 200 characters, percent-encoded.
    routerOptions: { maxParamLength: 600 },
    genReqId: requestId,
    trustProxy: trustProxy(options.trustedProxies ?? []),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => {
      const told = answerClientError(error, socket);
      if (told)
        answered({ ...told, method: NO_ROUTE, route: NO_ROUTE, durationMs: 0, isDryRun: false, actor: null, ip: null });
    },
    frameworkErrors: (error, request, reply) => {
      const { id: requestId, method } = request;
      const told = { requestId, method, route: NO_ROUTE, durationMs: 0, isDryRun: false, actor: null, ip: null };
      reply.raw.once('finish', () => answered({ ...told, status: reply.raw.statusCode }));
      reply.headers(SECURITY_HEADERS).header('x-request-id', requestId).header('cache-control', 'no-store');
      void sendProblem(reply, error, requestId);
    },
  });
  rememberAnswers(app.server);
  const tellError = (error: unknown, request: FastifyRequest): void => {
    if (!isOurs(error)) return;
    options.onError?.(error, { requestId: request.id, method: request.method, route: templateOf(request) });
  };

  // Node would answer with a bare 417; it is refused further on.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.maxConnections = options.maxConnections ?? MOST_CONNECTIONS;
  const mostPerAddress = options.maxConnectionsPerAddress ?? MOST_CONNECTIONS_PER_ADDRESS;
  limitConnections(app.server, mostPerAddress, createIsTrusted(options.trustedProxies ?? []));
  app.decorateRequest('principal', null);
  app.decorateRequest('isDryRun', false);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      requireUtf8(request);
      const most = (request.routeOptions.bodyLimit ?? BODY_LIMIT) / BYTES_A_VALUE;
      done(null, body.length === 0 ? undefined : parseStrictJson(body, most));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook('onRequest', async (request, reply) => {
    // What is in an answer is for who asked, now: nobody on the way keeps it.
    reply
      .headers(SECURITY_HEADERS)
      .header('x-request-id', request.id)
      .header('usance-version', API_VERSION)
      .header('cache-control', 'no-store');
    requireHttpRules(request);
    requireApiVersion(request.headers['usance-version']);
  });
  const methodsOf = createMethodsOf(PREFIX);
  addCors(app, PREFIX, options.origins ?? [], methodsOf);
  const door = createDoor(options.rateLimits?.perAddress ?? 0);
  // Before the body is read: no path takes it.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 && !hasEmptyParameter(request)) return;
    door.take(addressOf(request), reply);
    const allowed = methodsOf(pathOf(request));
    if (request.method !== 'OPTIONS' || allowed.length === 0) refuseUnknown(request, reply, PREFIX, allowed);
    return reply.code(204).header('allow', allowed.join(', ')).send();
  });
  addCompression(app);
  app.addHook('onSend', (_request, reply, payload, done) => {
    // A connection that stayed open would be waited for.
    if (state.stopping) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    answered({
      requestId: request.id,
      method: request.method,
      route: templateOf(request),
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      isDryRun: request.isDryRun,
      actor: options.onAnswered && request.principal ? nameOf(request.principal) : null,
      ip: [401, 429].includes(reply.statusCode) ? addressOf(request) : null,
    });
    if (!request.principal) keepAliveFor(request.raw.socket, options.strangerKeepAliveMs ?? STRANGER_KEEP_ALIVE_MS);
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    tellError(error, request);
    return sendProblem(reply, error, request.id);
  });
  // Refused on its way already; what comes here is a path that broke in the router.
  app.setNotFoundHandler((request, reply) => refuseUnknown(request, reply, PREFIX, []));

  const notesEveryMs = options.notesEveryMs ?? NOTES_EVERY_MS;
  const lastUsed = createLastUsed(usance, notesEveryMs);
  const signIns = createSignIns(usance, notesEveryMs);
  const identify = createIdentify(usance.authenticate);
  const limiters = {
    key: createLimiter('key', options.rateLimits?.perKey ?? 0),
    user: createLimiter('user', options.rateLimits?.perUser ?? 0),
  };
  const admit: Admit = async (request, reply) => {
    const origin = originOf(request);
    const watch = {
      asStranger: (look: () => Promise<Principal>) => door.ask(origin.ip, reply, look),
      onRefused: (refused: Parameters<Watch['onRefused']>[0]) => signIns.refused(refused, origin),
    };
    const principal = await identify(request.headers.authorization, watch, tenantIn(request.headers));
    if (principal.key) lastUsed.note(principal.key);
    const name = nameOf(principal);
    signIns.accepted(name, principal, origin);
    charge(principal, reply, 1);
    return principal;
  };
  const charge: Charge = (principal, reply, cost) => {
    const taken = limiters[principal.key ? 'key' : 'user'].take(principal.scope, cost);
    if (!taken) return;
    reply.headers(taken.headers);
    if (taken.retryAfterS === null) return;
    reply.header('retry-after', String(taken.retryAfterS));
    refuseHaste(taken.retryAfterS);
  };
  requireScopes(ROUTES);
  for (const route of Object.values(ROUTES) as Route[]) addRoute(app, route, admit, charge);
  const streams = addEventStream(app, PREFIX, admit, identify, usance, options.stream);
  const countStranger = (request: FastifyRequest, reply: FastifyReply): void => door.take(addressOf(request), reply);
  addUnversioned(app, usance, state, { showsMetrics: options.metrics ?? true, countStranger });
  refuseOtherMethods(app, PREFIX, countStranger);

  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    state.stopping = true;
    if (options.drainMs) await new Promise((resolve) => setTimeout(resolve, options.drainMs));
    // A stream would never finish by itself; its reader goes on elsewhere from where it was.
    streams.close();
    const late = setTimeout(() => app.server.closeAllConnections(), options.closeTimeoutMs ?? CLOSE_TIMEOUT_MS);
    await app.close().finally(() => clearTimeout(late));
    await Promise.all([lastUsed.close(), signIns.close()]);
  };
  return {
    async listen() {
      const url = await app.listen({ host: options.host, port: options.port });
      lastUsed.loop.start();
      signIns.loop.start();
      return { url, address: listensOn(app.server.address(), url) };
    },
    close: () => (closing ??= close()),
  };
}

/** A route that says not what it asks for would be open to every key: nothing is served then. */
export function requireScopes(routes: Readonly<Record<string, { readonly scope?: string }>>): void {
  for (const [name, { scope }] of Object.entries(routes)) {
    if (scope === undefined || !isScope(scope)) {
      throw new SetupError(
        `the route ${name} asks for ${scope ?? 'no scope'}: name one of SCOPES (src/access/scope.ts)`,
      );
    }
  }
}

/** Who sends a request, if they may send one now. */
type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<Principal>;

/** Counts a request as several; refuses it where that is too many. */
type Charge = (principal: Principal, reply: FastifyReply, cost: number) => void;

/** An end user can ask for any amount without having it, so that many answers add up to the tenant's limits. */
const COST_OF_A_USERS_DRY_RUN = 10;

/** A dry run needs no key and leaves nothing, but works as hard as the real call: a list counts as its payments or events. */
function dryRunCost({ key }: Principal, body: unknown): number {
  const { payments, events = payments } = body as { readonly payments?: unknown; readonly events?: unknown };
  return Array.isArray(events) ? events.length : key ? 1 : COST_OF_A_USERS_DRY_RUN;
}

function addRoute(app: FastifyInstance, route: Route, admit: Admit, charge: Charge): void {
  const read = readerOf(route);
  app.route({
    method: route.method,
    url: PREFIX + route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { template: PREFIX + route.path, showsSecret: route.remembers !== undefined },
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
      const { key, understood } = together({
        key: () => (isDry ? null : keyOf(request.headers['idempotency-key'], route.idempotency)),
        understood: () => read(request),
      });
      if (expands(understood.query)) requireAllowed(principal, { scope: 'ledger:read', own: true });
      const fingerprint = key === null ? '' : fingerprintOf(request.method, pathOf(request), understood.body);
      // What only looks leaves no record of where it came from, and is spared a handle of its own.
      const tenant = route.method === 'GET' ? principal.handle : principal.handle.from(originOf(request));
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

function sendProblem(reply: FastifyReply, error: unknown, requestId: string): FastifyReply {
  const problem = problemOf(error, requestId);
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  if (problem.retryable && problem.status !== 422 && !reply.hasHeader('retry-after'))
    reply.header('retry-after', retryAfterOf(problem));
  return reply.code(problem.status).header('content-type', PROBLEM_TYPE).send(JSON.stringify(problem));
}

/** The caller's own id where it is fit to be logged, or a new one. */
function requestId(request: { headers: Readonly<Record<string, string | string[] | undefined>> }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(given) ? given : toTypeId('request', newId());
}

function originOf(request: FastifyRequest): Omit<Attribution, 'actor'> {
  const { 'user-agent': userAgent = null, traceparent } = request.headers;
  // Two of them arrive as one text with a comma, which is none.
  const traceContext = typeof traceparent === 'string' ? traceparent : null;
  return { ip: addressOf(request), userAgent, requestId: request.id, traceContext };
}

/** No route is one name: a path that somebody made up must not become a series of a metric. */
function templateOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.config.template ?? routeOptions.url ?? NO_ROUTE;
}
