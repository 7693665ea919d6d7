// ETag and If-None-Match of single resources. An ETag is the version of the resource, which If-Match compares, and of a read also a
// hash of the text, which If-None-Match compares: an account read again after a deposit has the same version and another text.
// A compressed text has a separate ETag, because a strong ETag names bytes; If-Match takes either.
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isCompressed } from './compress.ts';

/** Sets the ETag. True where the caller has this text already: then 304 is the answer. */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, version: string, text: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    reply.header('etag', `"${version}"`);
    return false;
  }
  const encoding = isCompressed(request, text) ? '-gzip' : '';
  const tag = `"${version}-${hash('sha256', text, 'base64url').slice(0, 22)}${encoding}"`;
  reply.header('etag', tag);
  return isKnown(request, tag);
}

/** Whether the caller has the text of this ETag. */
export function isKnown(request: FastifyRequest, tag: string): boolean {
  const known = request.headers['if-none-match'];
  return known !== undefined && (known.trim() === '*' || known.split(',').some((each) => sameTag(each, tag)));
}

/** The weak comparison of RFC 9110, 13.1.2: a proxy that compresses may have made the tag weak. */
const sameTag = (given: string, tag: string): boolean => given.trim().replace(/^W\//, '') === tag;
