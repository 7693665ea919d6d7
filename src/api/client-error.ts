// Bytes that cannot be read as HTTP never become a request: they are answered on the bare socket, with a problem like any other.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Refused } from '../kernel/index.ts';
import { newId, refused, toTypeId } from '../kernel/index.ts';
import { SECURITY_HEADERS } from './browser.ts';
import { PROBLEM_TYPE, problemFrom } from './problem.ts';

const CAUSES: Readonly<Record<string, Refused>> = {
  ERR_HTTP_REQUEST_TIMEOUT: refused('REQUEST_TIMEOUT'),
  HPE_HEADER_OVERFLOW: refused('HEADERS_TOO_LARGE', { max: 16 }),
};

/** The last request of a connection that was answered. */
const lastAnswered = new WeakMap<Socket, IncomingMessage>();

/** The rest of a request that was answered early is not answered again: the client would read it as the answer to its next request. */
export function rememberAnswers(server: Server): void {
  server.on('request', (request, response) => {
    response.once('finish', () => lastAnswered.set(request.socket, request));
  });
}

/** Whether a request was answered before all of it had come, and the rest is what comes now. */
const isAnswered = (socket: Socket): boolean => lastAnswered.get(socket)?.complete === false;

/** Returns the answer, or null if the connection is gone or was answered. */
export function answerClientError(
  error: Error & { readonly code?: string; readonly rawPacket?: unknown },
  socket: Socket,
): { requestId: string; status: number } | null {
  // The client has gone, or an answer is half-way out.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed || isAnswered(socket)) {
    socket.destroy();
    return null;
  }
  const requestId = toTypeId('request', newId());
  const told = problemFrom(CAUSES[error.code ?? ''] ?? refused('REQUEST_MALFORMED/not_http'), requestId);
  const body = JSON.stringify(told);
  socket.end(
    [
      `HTTP/1.1 ${told.status} ${told.title}`,
      `Content-Type: ${PROBLEM_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      `Date: ${new Date().toUTCString()}`,
      'Cache-Control: no-store',
      ...(told.retryable ? ['Retry-After: 1'] : []),
      ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      // The answer to HEAD has no body, also if the rest of the request cannot be read.
      isHead(error.rawPacket) ? '' : body,
    ].join('\r\n'),
  );
  return { requestId, status: told.status };
}

/** By the first bytes: there is no request to ask. */
function isHead(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && packet.subarray(0, 5).toString('latin1') === 'HEAD ';
}
