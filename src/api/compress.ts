// Responses above one kilobyte are compressed with gzip if the client accepts it. Two kinds never are: the event stream, which must
// arrive event by event, and responses that show a secret, because the length of a compressed secret beside text that the
// caller chose tells something about the secret (BREACH).
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from './http-rules.ts';

/** Bytes: a shorter response fits into one packet, compressed or not. */
export const COMPRESSED_FROM = 1_024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response can have a secret: it is never compressed. */
    showsSecret?: boolean;
  }
}

const compress = promisify(gzip);

/** Whether this text is sent compressed. Its ETag differs then: it names the bytes that are sent. */
export function isCompressed(request: FastifyRequest, text: string): boolean {
  if (request.routeOptions.config.showsSecret || !acceptsGzip(request)) return false;
  return text.length >= COMPRESSED_FROM || Buffer.byteLength(text) >= COMPRESSED_FROM;
}

export function addCompression(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const hasContent = typeof payload === 'string' || Buffer.isBuffer(payload) || reply.statusCode === 304;
    if (request.routeOptions.config.showsSecret || !hasContent || payload === '') return payload;
    addVary(reply, 'Accept-Encoding');
    if (typeof payload !== 'string' || reply.hasHeader('content-encoding') || !isCompressed(request, payload)) {
      return payload;
    }
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return compress(payload);
  });
}

/** For a text that is the same for the life of the process: it is compressed once. */
export function createConstant(
  text: string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<string | Buffer> {
  let compressed: Promise<Buffer> | undefined;
  return async (request, reply) => {
    if (!isCompressed(request, text)) return text;
    reply.header('content-encoding', 'gzip');
    return (compressed ??= compress(text));
  };
}

/** Adds a field to those on which the response depends. */
export function addVary(reply: FastifyReply, field: string): void {
  reply.header('vary', [reply.getHeader('vary') ?? [], field].flat().join(', '));
}
