// Where a request came from, as the audit log records it.
import type { FastifyRequest } from 'fastify';
import type { Attribution } from '../kernel/index.ts';
import { addressOf } from './address.ts';

export function originOf(request: FastifyRequest): Omit<Attribution, 'actor'> {
  const { 'user-agent': userAgent = null, traceparent } = request.headers;
  // Two of them arrive as one text with a comma, which is none.
  const traceContext = typeof traceparent === 'string' ? traceparent : null;
  return { ip: addressOf(request), userAgent, requestId: request.id, traceContext };
}
