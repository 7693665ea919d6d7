// The headers of answers, as they came and as the document has them.
import { SECURITY_HEADERS } from '../../src/api/browser.ts';
import { openApiDocument } from '../../src/api/index.ts';
import { DRY_RUN_MEDIA_TYPE } from '../../src/contract/index.ts';

/** What every HTTP server sends, and what is for browsers and proxies. */
const USUAL = new Set([
  ...Object.keys(SECURITY_HEADERS),
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-accel-buffering',
]);

export function headersIn({ headers }: { readonly headers: Headers }): string[] {
  return [...headers.keys()].filter((name) => !USUAL.has(name)).toSorted();
}

/** Of the answer to an operation that is no dry run; of every refusal, where none is named. */
export function describedHeaders(operationId?: string): string[] {
  const { paths, components } = openApiDocument();
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const { responses = {} } = operations.find((one) => one.operationId === operationId) ?? {};
  const answer = Object.values(responses).find(({ content }) => Object.keys(Object(content))[0] !== DRY_RUN_MEDIA_TYPE);
  const refusal = (components['responses'] as { readonly Problem: object }).Problem;
  const { headers } = (operationId === undefined ? refusal : answer) as { readonly headers: object };
  return Object.keys(headers)
    .map((name) => name.toLowerCase())
    .toSorted();
}
