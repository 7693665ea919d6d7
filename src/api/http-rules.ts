// Rules of HTTP (RFC 9110, RFC 9112) that Node and Fastify leave to the application. Node joins the lines of a repeated header
// field with a comma, or keeps the first; a field that has one value is refused instead, because a proxy may have read the other.
import type { FastifyRequest } from 'fastify';
import { refuse } from '../kernel/index.ts';

/** Header fields with one value; Node itself refuses a second Content-Length. */
const SINGLE = new Set([
  'host',
  'authorization',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'usance-reason',
  'usance-tenant',
  'usance-version',
  'x-usance-csrf',
]);

// RFC 3986: a name or an address in brackets, and a port.
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::[0-9]*)?$/i;

export function requireHttpRules({ headers, raw }: FastifyRequest): void {
  refuseRepeated(raw.rawHeaders);
  const { host, expect } = headers;
  if (host === undefined ? raw.httpVersion === '1.1' : !HOST.test(host)) {
    refuse('REQUEST_MALFORMED/host', { param: 'Host' });
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    refuse('REQUEST_MALFORMED/expect', { param: 'Expect' });
  }
}

/** `rawHeaders` has names and values in turn, as they came. */
function refuseRepeated(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? '';
    const name = given.toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) {
      const isKey = name === 'idempotency-key';
      refuse(isKey ? 'IDEMPOTENCY_KEY_INVALID/sent_twice' : 'REQUEST_MALFORMED/repeated_header', { param: given });
    }
    seen.add(name);
  }
}

export function requireUtf8(request: FastifyRequest): void {
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if ((charset === undefined || /^utf-?8$/i.test(charset)) && encoding === 'identity') return;
  refuse('CONTENT_TYPE_UNSUPPORTED/not_utf8');
}

/** The query decides, then Accept. JSON where both are equally welcome, or neither is: a refusal (406) would help no caller. */
export function wantsCsv(request: FastifyRequest): boolean {
  const { format } = request.query as { format?: string };
  if (format !== undefined) return format === 'csv';
  const { accept } = request.headers;
  if (accept === undefined) return false;
  const [csv, json] = [preferenceFor('text/csv', accept), preferenceFor('application/json', accept)];
  return csv.quality > json.quality || (csv.quality > 0 && csv.quality === json.quality && csv.rank > json.rank);
}

interface Preference {
  /** 0 where it is not accepted. */
  readonly quality: number;
  /** Which range decided: 2 the type itself, 1 its family (`text/*`), 0 anything; -1 none. */
  readonly rank: number;
}

/** RFC 9110, 12.5.1: the most specific range of Accept decides. */
function preferenceFor(type: string, accept: string): Preference {
  const ranges = ['*/*', `${type.split('/', 1)[0]}/*`, type];
  return accept.split(',').reduce<Preference>(
    (best, part) => {
      const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const rank = ranges.indexOf(range);
      if (rank <= best.rank) return best;
      return { rank, quality: qualityIn(parameters) };
    },
    { quality: 0, rank: -1 },
  );
}

/** The weight of a range, `q=0.5`; 1 without one, 0 for a weight that is not well-formed. */
function qualityIn(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}

/** Whether Accept-Encoding allows gzip (RFC 9110, 12.5.3): by name, or by `*` where it is not named. */
export function acceptsGzip({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const given = headers['accept-encoding'];
  if (given === undefined) return false;
  const codings = (Array.isArray(given) ? given.join(',') : given).split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return { name, quality: qualityIn(parameters) };
  });
  const named = codings.find(({ name }) => name === 'gzip' || name === 'x-gzip');
  return ((named ?? codings.find(({ name }) => name === '*'))?.quality ?? 0) > 0;
}
