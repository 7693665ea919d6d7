// The headers of answers: what the document says of each, and which answer may have which. What every HTTP server sends is not
// among them.
import type { Idempotency } from '../../contract/index.ts';
import { API_VERSION } from '../../contract/index.ts';

const text = (description: string, example: string, more: object = {}) => ({
  description,
  schema: { type: 'string' },
  example,
  ...more,
});

export const HEADERS = {
  'X-Request-Id': text(
    'Your request id, if you sent one that can be logged, or a new one.',
    'req_01k9zt3q9d4f6h8k0m2p4r6t8w',
    { required: true },
  ),
  'Usance-Version': text('The version of the API of the response.', API_VERSION, { required: true }),
  ETag: text(
    'The version of the resource; send it as `If-Match`. The ETag of a GET also works with `If-None-Match`. Replayed responses have none.',
    '"Zk3v1J8wq0s2m4x6y8Aa1b"',
  ),
  'Idempotent-Replayed': text('`true` if the response is a replay of the first response.', 'true', {
    schema: { type: 'string', const: 'true' },
  }),
  'RateLimit-Policy': text(
    'How many requests (`q`) are accepted within how many seconds (`w`); absent if there is no limit.',
    '"key";q=6000;w=60',
  ),
  RateLimit: text(
    'How many requests are left (`r`), and in how many seconds all are available again (`t`).',
    '"key";r=5999;t=1',
  ),
  'Retry-After': text('Seconds after which the same request may succeed.', '1', {
    schema: { type: 'string', pattern: '^[0-9]+$' },
  }),
  'WWW-Authenticate': text('With 401: the authentication to send.', 'Bearer'),
  Allow: text('With 405: the methods that the path accepts.', 'POST, GET'),
};

type Name = keyof typeof HEADERS;

const refer = (names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const ALWAYS: readonly Name[] = ['X-Request-Id', 'Usance-Version', 'RateLimit-Policy', 'RateLimit'];

export const answerHeaders = (idempotency: Idempotency, isVersioned = false) =>
  refer([
    ...ALWAYS,
    ...(isVersioned ? (['ETag'] as const) : []),
    ...(idempotency === 'none' ? [] : (['Idempotent-Replayed'] as const)),
  ]);

export const problemHeaders = () => refer([...ALWAYS, 'Retry-After', 'WWW-Authenticate', 'Allow']);
