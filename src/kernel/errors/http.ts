// HTTP and JSON, limits on requests, and trouble of the server.
import { invalid, missing, retryable, withStatus } from './entry.ts';
import { REQUEST_ID } from './example-values.ts';

export const HTTP_ERRORS = {
  REQUEST_MALFORMED: invalid({
    title: 'The request is not valid HTTP',
    detail: {
      not_http: 'the request cannot be read as HTTP/1.1',
      host: 'send one {param} header with the name of the server',
      expect: 'the header {param} can only be 100-continue',
      repeated_header: 'the header {param} was sent twice; send it once',
      content_length: 'the body is not as long as Content-Length says',
      body_ended: 'the body ended too early',
      path: 'the path cannot be decoded',
    },
    example: ['host', { param: 'Host' }],
    cause:
      'The request breaks a rule of HTTP: a repeated header that has one value, a wrong Content-Length, or a path that is not valid percent-encoding.',
    remedy: 'Use an HTTP library to build the request, and check proxies that rewrite headers.',
  }),
  REQUEST_TIMEOUT: retryable(
    withStatus(408)({
      title: 'The request took too long to arrive',
      detail: 'the request did not arrive in time; send it again',
      cause: 'The headers or the body did not arrive completely before the server stopped waiting. Nothing was done.',
      remedy: 'Send the request again, with the same `Idempotency-Key`. Check the network between client and server.',
    }),
  ),
  HEADERS_TOO_LARGE: withStatus(431)({
    title: 'The headers are too large',
    detail: 'the headers are larger than {max} KB; send less',
    example: { max: 16 },
    cause: 'The headers of the request are larger in total than the server reads.',
    remedy: 'Remove headers and cookies that the API does not need.',
  }),
  BODY_TOO_LARGE: withStatus(413)({
    title: 'The body is too large',
    detail: 'the body is larger than this route takes; send less at once',
    cause: 'The body has more bytes than the operation accepts.',
    remedy: 'Split the request: send fewer payments in one bulk request, or less metadata.',
  }),
  CONTENT_TYPE_UNSUPPORTED: withStatus(415)({
    title: 'The body is not JSON in UTF-8',
    detail: {
      not_json: 'send the body as Content-Type: application/json',
      not_utf8: 'send the body as JSON in UTF-8, not compressed',
    },
    example: ['not_json'],
    cause: 'The request has a body of another content type, another charset, or a compressed body.',
    remedy: 'Send `Content-Type: application/json`, encode the body in UTF-8, and do not compress it.',
  }),
  JSON_MALFORMED: invalid({
    title: 'The body is not well-formed JSON',
    detail: {
      not_json: 'the text is not JSON',
      not_utf8: 'the JSON is not UTF-8',
      breaks: 'the JSON breaks at character {at}',
      ends_early: 'the JSON ends too early',
      too_deep: 'the JSON is nested more than {max} levels deep',
    },
    example: ['breaks', { at: 42 }],
    cause: 'The body, or a line of an import file, cannot be parsed as JSON, or is nested too deeply.',
    remedy: 'Write the JSON with a JSON library instead of building text.',
  }),
  JSON_TOO_COMPLEX: invalid({
    title: 'The body has more values than a request may have',
    detail: 'the JSON has more than {max} values; send fewer in one request',
    example: { max: 16_384 },
    cause: 'The body has more fields, items, objects and lists in total than the operation accepts.',
    remedy: 'Split the request, or send less metadata.',
  }),
  JSON_DUPLICATE_KEY: invalid({
    title: 'The body has a duplicate field',
    detail: '{param:quoted} is given twice; give it once',
    example: { param: 'amount' },
    cause:
      'An object in the body has two fields with the same name. JSON parsers disagree about which one counts, so none is used.',
    remedy: 'Send each field once.',
  }),
  JSON_INTEGER_UNSAFE: invalid({
    title: 'The body has an integer that JSON cannot represent exactly',
    detail: '{param:given} is a number that JSON parsers round; write it as a string',
    example: { param: 'amount' },
    cause:
      'A number in the body has more digits than a double-precision number holds, so a JSON parser would silently change it.',
    remedy: 'Send the number as a string. Amounts are accepted as strings everywhere.',
  }),
  PRECONDITION_FAILED: withStatus(412)({
    title: 'The resource has changed since it was read',
    detail: 'the resource has changed since you read it: it is now at ETag {current}; read it again',
    example: { param: 'If-Match', current: '"Zk3v1J8wq0s2m4x6y8Aa1b"' },
    cause:
      'The request has an If-Match header (the option ifMatch) with the ETag of an earlier version of the payment, schedule, subscription or account.',
    remedy: 'Read the resource again, decide again, and send the request with the new ETag.',
  }),
  PRECONDITION_INVALID: invalid({
    title: 'The precondition cannot be checked',
    detail: {
      malformed: '{param} must be an ETag that a response had, or several separated by commas',
      unsupported:
        'this operation does not take {param}: send it with changes of a payment, hold, schedule, subscription or account',
    },
    example: ['malformed', { param: 'If-Match' }],
    cause: 'If-Match is not an ETag of usance, or the operation does not change a single resource that has one.',
    remedy: 'Send the ETag header of an earlier response unchanged, or leave If-Match out.',
  }),
  VERSION_UNKNOWN: invalid({
    title: 'The server does not have this version of the API',
    detail: '{param} must be {known:list}',
    example: { param: 'Usance-Version', known: ['2026-11-16'] },
    cause:
      'The request names a version of the API that this server does not have: a later one, one that is no longer supported, or none at all.',
    remedy:
      'Send a version that the server has, or leave the header out. With usance/client, update the server before the client.',
  }),
  RATE_LIMITED: retryable(
    withStatus(429)({
      title: 'Too many requests',
      detail: {
        requests: 'too many requests within a minute; retry in {seconds} s',
        streams: 'the tenant has {open} event streams open on this server already; end one first',
        streams_of_key: 'the API key has {open} event streams open on this server already; end one first',
        receipts: 'the server makes another receipt of the tenant at this moment; retry when that one is done',
      },
      example: ['requests', { seconds: 12 }],
      cause:
        'The API key, the end user or the address has sent more requests within a minute than its limit, or the tenant or the key has too many event streams open, or asks for a second receipt while the first is made.',
      remedy:
        'Wait for as many seconds as the `Retry-After` header says, and spread requests evenly. The `RateLimit` header shows how many requests are left.',
    }),
  ),
  ROUTE_NOT_FOUND: missing({
    title: 'No route matches the path',
    detail: {
      unknown: 'there is no route {method} {path}; see /docs',
      trailing_slash: 'there is no route {method} {path}; leave out the slash at the end, or see /docs',
      outside: 'there is no route {method} {path}: routes are below {prefix}; see /docs',
      metrics: 'metrics are not served on this port: set METRICS_PORT and use that port',
    },
    example: ['unknown', { method: 'GET', path: '/v1/payment' }],
    cause: 'The path is misspelled, lacks the version prefix, or has an empty id.',
    remedy: 'Compare the path with the reference at `/docs`.',
  }),
  METHOD_NOT_ALLOWED: withStatus(405)({
    title: 'The route does not support this method',
    detail: '{path} supports {allowed:list}',
    example: { path: '/v1/payments', allowed: ['GET', 'HEAD', 'POST', 'OPTIONS'] },
    cause: 'The path exists, but not with this HTTP method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  }),
  INTERNAL_ERROR: retryable(
    withStatus(500)({
      title: 'Internal error',
      detail: 'the server failed unexpectedly; report the request id {request}',
      example: { request: REQUEST_ID },
      cause: 'A fault of the server. Its log has the details under the request id.',
      remedy:
        'Send the request again, with the same `Idempotency-Key`. If it fails again, report the request id to the operator.',
    }),
  ),
  SERVICE_UNAVAILABLE: retryable(
    withStatus(503)({
      title: 'The service is temporarily unavailable',
      detail: {
        database:
          'the database did not answer; whether something was done is unknown: retry with the same Idempotency-Key',
        streams: 'too many event streams are open on this server; retry later',
        receipts: 'the server makes as many receipts at once as it allows; retry later',
      },
      example: ['database'],
      cause:
        'The database is unreachable, restarting or overloaded, or the server has as many event streams open, or makes as many receipts, as it allows.',
      remedy: 'Send the request again after a pause, with the same `Idempotency-Key`: nothing happens twice.',
    }),
  ),
};
