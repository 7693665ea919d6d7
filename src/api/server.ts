// The HTTP server: every route of the contract, and what surrounds it. On its way a request meets, in this order, its id, its
// route, who sent it, how often and what they may do, its idempotency key, its body, the schema, the handler. The first that refuses answers.
// Closing is in order too: /ready turns red, so that whoever sends traffic here looks elsewhere; then nothing new is accepted,
// and what is in flight has a bounded time to finish.
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import type { Answered, Engine } from '../engine.ts';
import { isScope } from '../engine.ts';
import { SetupError, newId, parseStrictJson, toTypeId } from '../kernel/index.ts';
import { addressOf, createIsTrusted, listensOn, trustProxy } from './address.ts';
import { createAdmission } from './admit.ts';
import type { Principal } from './auth.ts';
import { nameOf } from './auth.ts';
import { SECURITY_HEADERS, addCors } from './browser.ts';
import type { Route } from '../contract/index.ts';
import { API_VERSION, ROUTES, requireApiVersion } from '../contract/index.ts';
import { answerClientError, rememberAnswers } from './client-error.ts';
import { addCompression } from './compress.ts';
import { keepAliveFor, limitConnections } from './connections.ts';
import { requireHttpRules, requireUtf8 } from './http-rules.ts';
import { createLastUsed } from './last-used.ts';
import { createMethodsOf, hasEmptyParameter, pathOf, refuseOtherMethods, refuseUnknown } from './methods.ts';
import { addRoute } from './operation-routes.ts';
import { PROBLEM_TYPE, isOurs, problemOf, retryAfterOf } from './problem.ts';
import type { RateLimits } from './rate-limit.ts';
import { addSessionRoutes } from './session-routes.ts';
import { addSite } from './site.ts';
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
  /** The folder of the dashboard's build; default that of the package. */
  readonly site?: string;
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
    /** Of a file of the dashboard, which has no route of its own; else null. */
    siteRoute: string | null;
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
  app.decorateRequest('siteRoute', null);
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
  addSite(app, options.site);
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
  const admission = createAdmission(usance, { door, lastUsed, signIns, limits: options.rateLimits });
  const { admit, charge } = admission;
  requireScopes(ROUTES);
  for (const route of Object.values(ROUTES) as Route[]) addRoute(app, PREFIX, route, admit, charge);
  const streams = addEventStream(app, PREFIX, admission, usance, options.stream);
  const countStranger = (request: FastifyRequest, reply: FastifyReply): void => door.take(addressOf(request), reply);
  addSessionRoutes(app, usance, {
    signInsPerMinute: options.rateLimits?.signIns,
    admission,
    onRefused: signIns.refused,
    countStranger,
  });
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
    await Promise.all([lastUsed.close(), signIns.close(), admission.sessions.close()]);
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

/** No route is one name: a path that somebody made up must not become a series of a metric. */
function templateOf({ routeOptions, siteRoute }: FastifyRequest): string {
  return siteRoute ?? routeOptions.config.template ?? routeOptions.url ?? NO_ROUTE;
}
