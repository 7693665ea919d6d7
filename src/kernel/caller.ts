// The caller of a verb: who it is, where the request came from, and what identifies it across rotated keys.
import { isIP } from 'node:net';
import { refuse } from './errors/index.ts';
import type { Uuid } from './type-id.ts';
import { countedAs, personsOf } from './person.ts';
import { isStorable } from './text.ts';
import { parseTraceparent } from './traceparent.ts';

/** The part of a caller that every event records. */
export interface Attribution {
  /** `key:0199…`, `cli:jo`, `library`; `system` for changes that the engine makes by itself. */
  readonly actor: string;
  /** The IP address of the caller. */
  readonly ip: string | null;
  /** The user agent, cut to 200 characters. */
  readonly userAgent: string | null;
  /** The id of the HTTP request: the same in the response header, the log and the audit log. */
  readonly requestId: string | null;
  /** The W3C `traceparent` of the call (`00-4bf9…-00f0…-01`). An invalid one is ignored. Default: none. */
  readonly traceContext?: string | null;
  /** Why the caller made the change, in words: up to 500 characters, in the audit log only. Default: none. */
  readonly reason?: string | null;
}

/** The origin of a request: an attribution without its actor and its reason. */
export type Origin = Omit<Attribution, 'actor' | 'reason'>;

/** Facts of authentication beyond the name. */
export interface Identity {
  /**
   * The scope of idempotency keys and rate limits. All keys of a rotation lineage share one, `key:<id of the first key>`; every other
   * caller has its actor.
   */
  readonly scope: string;
  /**
   * The names under which approval thresholds count what the caller sends. Keys of one person share a name; every other caller is a
   * person by its actor, without the prefix of commands too: `cli:jo` and keys of the person Jo share a name.
   */
  readonly countsFor: readonly string[];
  /**
   * Whether what the caller does may move money, now or later, from or to `world` or out of `fees`: an API key with the scope
   * ledger:money, the library, commands and the engine itself.
   */
  readonly mayMoveExternalMoney: boolean;
}

/** A caller as the audit log and limits know it. */
export interface Caller extends Attribution, Identity {
  /** The W3C `traceparent` of the call; null if it has none. */
  readonly traceContext: string | null;
  /** Why the caller made the change; null if it gave no reason. */
  readonly reason: string | null;
}

/** A caller outside HTTP: `actor` is its name in the audit log, 1 to 200 characters. */
export type CallerOrder = Pick<Attribution, 'actor'> & Partial<Attribution>;

const LONGEST = 200;
/** In characters as PostgreSQL counts them: code points. */
export const LONGEST_CALLER_REASON = 500;

/** A user agent that is too long is truncated rather than refused: it must not keep a payment from being made. */
export function callerOf(order: CallerOrder, identity: Partial<Identity> = {}): Caller {
  const { actor, ip, userAgent, requestId, traceContext, reason } = order;
  if (actor.length < 1 || actor.length > LONGEST || !isStorable(actor))
    refuse('FIELD_INVALID/wrong_length', { param: 'actor', min: 1, max: LONGEST });
  // An address can name the interface it was seen on (fe80::1%eth0), which is not part of it.
  const address = ip?.replace(/%.*$/, '') ?? '';
  const attribution = {
    actor,
    ip: isIP(address) ? address : null,
    userAgent: cut(userAgent),
    requestId: cut(requestId),
    traceContext: parseTraceparent(traceContext),
    reason: parseCallerReason(reason),
  };
  const countsFor = identity.countsFor ?? personsOf(actor).map(countedAs);
  return { scope: actor, mayMoveExternalMoney: true, ...identity, countsFor, ...attribution };
}

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A reason without the spaces around it; null for none. One that is too long is refused, because a part of it could say something else. */
export function parseCallerReason(given: string | null | undefined, param = 'reason'): string | null {
  const reason = given?.trim() ?? '';
  if (reason === '') return null;
  // A code point is at most two units.
  const fits = reason.length <= 2 * LONGEST_CALLER_REASON && Array.from(reason).length <= LONGEST_CALLER_REASON;
  // Only spaces and marks of the reading direction: no reason.
  if (fits && isStorable(reason)) return VISIBLE.test(reason) ? reason : null;
  return refuse('FIELD_INVALID/wrong_length', { param, min: 0, max: LONGEST_CALLER_REASON });
}

/** The first words of names that the engine gives: to API keys, end users, schedules, and what it does by itself. */
const RESERVED = ['key', 'user', 'schedule', 'system'];

/** A caller that names itself, in the library or a command. It cannot be audited under a name that the engine uses. */
export function namedCaller(order: CallerOrder): Caller {
  if (RESERVED.includes(order.actor.split(':')[0] ?? ''))
    refuse('FIELD_INVALID/actor_reserved', { param: 'actor', reserved: RESERVED });
  return callerOf(order);
}

/** The actor that an end user is: the account that the user's tokens name. */
export const userActor = (accountId: Uuid): string => `user:${accountId}`;

function cut(text: string | null | undefined): string | null {
  return text?.slice(0, LONGEST).toWellFormed().replaceAll('\0', '') || null;
}

export const SYSTEM = callerOf({ actor: 'system' });
export const LIBRARY = callerOf({ actor: 'library' });
