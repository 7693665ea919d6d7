// The caller of a request, by its Authorization header or, without one, by the cookie of a session: found, limited and recorded.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Engine, SessionFound } from '../engine.ts';
import { refuse } from '../kernel/index.ts';
import type { Principal, Watch } from './auth.ts';
import { createIdentify, nameOf, tenantIn } from './auth.ts';
import type { LastUsed } from './last-used.ts';
import { originOf } from './origin.ts';
import type { RateLimits } from './rate-limit.ts';
import { createLimiter, refuseHaste } from './rate-limit.ts';
import type { SessionAuth } from './session-auth.ts';
import { createSessionAuth, isBackground, requireCsrf } from './session-auth.ts';
import { cookieOf } from './session-cookie.ts';
import type { SignIns } from './sign-ins.ts';
import type { Door } from './strangers.ts';

/** The caller of a request, if it may send one now. */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<Principal>;

/** Counts a request as several; refuses it where that is too many. */
export type Charge = (principal: Principal, reply: FastifyReply, cost: number) => void;

export interface Admission {
  readonly admit: Admit;
  /** The same for a request that does not extend a session: a stream lasts as long as its page is open. */
  readonly admitStream: Admit;
  /** The session of a request, whatever else it sends. */
  admitSession(request: FastifyRequest, reply: FastifyReply): Promise<SessionFound>;
  /** Whether the caller of a long response still exists. Costs no query: a caller is remembered for a few seconds. */
  isStillAllowed(request: FastifyRequest): Promise<boolean>;
  readonly charge: Charge;
  readonly sessions: SessionAuth;
}

export interface AdmissionParts {
  readonly door: Door;
  readonly lastUsed: LastUsed;
  readonly signIns: SignIns;
  readonly limits: Partial<RateLimits> | undefined;
}

export function createAdmission(usance: Engine, { door, lastUsed, signIns, limits }: AdmissionParts): Admission {
  const identify = createIdentify(usance.authenticate);
  const sessions = createSessionAuth(usance);
  const limiters = {
    key: createLimiter('key', limits?.perKey ?? 0),
    user: createLimiter('user', limits?.perUser ?? 0),
  };

  const charge: Charge = (principal, reply, cost) => {
    const taken = limiters[principal.key ? 'key' : 'user'].take(principal.scope, cost);
    if (!taken) return;
    reply.headers(taken.headers);
    if (taken.retryAfterS === null) return;
    reply.header('retry-after', String(taken.retryAfterS));
    refuseHaste(taken.retryAfterS);
  };
  const watchOf = (request: FastifyRequest, reply: FastifyReply): Watch => {
    const origin = originOf(request);
    return {
      asStranger: (look) => door.ask(origin.ip, reply, look),
      onRefused: (refused) => signIns.refused(refused, origin),
    };
  };
  const welcome = <P extends Principal>(principal: P, request: FastifyRequest, reply: FastifyReply): P => {
    if (principal.key) lastUsed.note(principal.key);
    signIns.accepted(nameOf(principal), principal, originOf(request));
    charge(principal, reply, 1);
    return principal;
  };
  const bySession = async (
    cookie: string,
    request: FastifyRequest,
    reply: FastifyReply,
    isUse: boolean,
  ): Promise<SessionFound> => {
    const session = await sessions.identify(cookie, request, watchOf(request, reply));
    requireCsrf(cookie, [session.tenant], request);
    if (isUse && !isBackground(request)) sessions.use(cookie);
    return welcome(session, request, reply);
  };
  const admitted =
    (isUse: boolean): Admit =>
    async (request, reply) => {
      const cookie = sessionIn(request);
      if (cookie !== null) return bySession(cookie, request, reply, isUse);
      const { authorization } = request.headers;
      return welcome(await identify(authorization, watchOf(request, reply), tenantIn(request.headers)), request, reply);
    };
  return {
    admit: admitted(true),
    admitStream: admitted(false),
    admitSession: async (request, reply) => {
      const cookie = cookieOf(request);
      return cookie === null ? refuse('AUTH_REQUIRED', { param: 'Cookie' }) : bySession(cookie, request, reply, true);
    },
    async isStillAllowed(request) {
      const cookie = sessionIn(request);
      const found: Promise<unknown> =
        cookie === null
          ? identify(request.headers.authorization, undefined, tenantIn(request.headers))
          : sessions.identify(cookie, request);
      return found.then(
        () => true,
        () => false,
      );
    },
    charge,
    sessions,
  };
}

/** A program that sends Authorization means its key, whatever cookies its HTTP client keeps. */
const sessionIn = (request: FastifyRequest): string | null =>
  request.headers.authorization === undefined ? cookieOf(request) : null;
