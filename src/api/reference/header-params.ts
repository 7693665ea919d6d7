// Headers of requests, as the document describes them, and the answer that one of them brings about.
import { API_VERSION, VERSION_HEADER } from '../../contract/index.ts';
import { answerHeaders } from './headers.ts';

type JsonObject = { readonly [name: string]: unknown };

export const VERSION: JsonObject = {
  name: VERSION_HEADER,
  in: 'header',
  required: false,
  description:
    'The version of the API that your program was written for. One that the server does not have is refused with `VERSION_UNKNOWN`.',
  schema: { type: 'string', maxLength: 10 },
  example: API_VERSION,
};
export const IF_MATCH: JsonObject = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an earlier response: the change is made only if the resource is still in that version, and refused with ' +
    '`PRECONDITION_FAILED` (412) otherwise. The comparison and the change are one transaction.',
  schema: { type: 'string', maxLength: 2_000 },
  example: '"Zk3v1J8wq0s2m4x6y8Aa1b"',
};
export const IF_NONE_MATCH: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the response that you have: 304 without a body if it is still the same.',
  schema: { type: 'string', maxLength: 2_000 },
};
export const NOT_MODIFIED: JsonObject = {
  description: 'With `If-None-Match`: unchanged',
  headers: answerHeaders('none', true),
};

/** Of changes. */
export const REASON: JsonObject = {
  name: 'Usance-Reason',
  in: 'header',
  required: false,
  description:
    'Why you make the change: at most 500 characters, in percent-encoded UTF-8 (`encodeURIComponent`). Recorded in the audit log with ' +
    'every event of the request: an end user sees only the reasons of their own requests; jobs, the event stream and webhooks get none. ' +
    'Requests to erase record none. It is not part of what an `Idempotency-Key` is compared by.',
  schema: { type: 'string', pattern: '^[ -~]*$', maxLength: 6_000 },
  example: 'asked%20for%20by%20the%20customer',
};

/** Of routes that are open to end users. */
export const TENANT: JsonObject = {
  name: 'Usance-Tenant',
  in: 'header',
  required: false,
  description:
    'With a token of an end user: the id or name of its tenant. Required if several tenants trust the token; an API ' +
    'key identifies its tenant.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  example: 'shop',
};

export const idempotencyKey = (required: boolean): JsonObject => ({
  name: 'Idempotency-Key',
  in: 'header',
  required,
  description:
    'Your own key, a new one for each new request; kept for 30 days unless `USANCE_KEEP_IDEMPOTENCY_KEYS` sets another time.',
  schema: { type: 'string', pattern: '^[ -~]{1,255}$', minLength: 1, maxLength: 255 },
  example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
});
