// Where a request came from and why it was sent, as the audit log records it.
import type { FastifyRequest } from 'fastify';
import type { Origin } from '../kernel/index.ts';
import { parseCallerReason, refuse } from '../kernel/index.ts';
import { addressOf } from './address.ts';

export function originOf(request: FastifyRequest): Origin {
  const { 'user-agent': userAgent = null, traceparent } = request.headers;
  // Two of them arrive as one text with a comma, which is none.
  const traceContext = typeof traceparent === 'string' ? traceparent : null;
  return { ip: addressOf(request), userAgent, requestId: request.id, traceContext };
}

const REASON = 'Usance-Reason';

/**
 * The reason that the caller gave, in percent-encoded UTF-8 (as in RFC 8187, or by `encodeURIComponent`): browsers send no other characters
 * than those of Latin-1 in a header, and a proxy may read them in another encoding. Printable ASCII other than `%` can be sent as it is.
 */
export function reasonOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const given = headers['usance-reason'];
  if (typeof given !== 'string') return null;
  return parseCallerReason(decoded(given) ?? refuse('FIELD_INVALID/not_percent_encoded', { param: REASON }), REASON);
}

function decoded(text: string): string | null {
  if (!/^[ -~]*$/.test(text)) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
