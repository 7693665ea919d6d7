// Who asks, and from where. Whatever is done on the way is on record for this.
import { isIP } from 'node:net';
import { refuse } from './errors.ts';
import { isStorable } from './text.ts';

export interface Caller {
  /** `key:0199…`, `cli:jo`, `library`; `system` for what the engine does by itself. */
  readonly actor: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** The id of the HTTP request: the same in the answer's header, the log and the record. */
  readonly requestId: string | null;
}

/** Where there is no request, there is nothing to say but who. */
export type CallerOrder = Pick<Caller, 'actor'> & Partial<Caller>;

const LONGEST = 200;

/** What a browser calls itself is cut rather than refused: it must not keep a payment from being made. */
export function callerOf(order: CallerOrder): Caller {
  const { actor, ip, userAgent, requestId } = order;
  if (actor.length < 1 || actor.length > LONGEST || !isStorable(actor))
    refuse('FIELD_INVALID', `an actor is 1 to ${LONGEST} characters`, { param: 'actor' });
  // An address may name the interface it was seen on (fe80::1%eth0), which is no part of it.
  const address = ip?.replace(/%.*$/, '') ?? '';
  return { actor, ip: isIP(address) ? address : null, userAgent: cut(userAgent), requestId: cut(requestId) };
}

function cut(text: string | null | undefined): string | null {
  return text?.slice(0, LONGEST).toWellFormed().replaceAll('\0', '') || null;
}

export const SYSTEM = callerOf({ actor: 'system' });
export const LIBRARY = callerOf({ actor: 'library' });
