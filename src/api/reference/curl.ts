// The example of an operation, ready to be pasted.
import type { JsonObject } from './components.ts';
import type { Operation } from './openapi.ts';

const LONGEST_LINE = 44;

export function curlOf(path: string, method: string, operation: Operation): string {
  const given = (place: string): JsonObject[] =>
    operation.parameters.filter((parameter) => parameter['in'] === place && parameter['example'] !== undefined);
  const filled = given('path').reduce(
    (made, parameter) => made.replace(`{${text(parameter['name'])}}`, encodeURIComponent(text(parameter['example']))),
    path,
  );
  const query = new URLSearchParams(
    given('query').map((parameter): [string, string] => [text(parameter['name']), text(parameter['example'])]),
  ).toString();
  const url = `http://localhost:3001${filled}${query === '' ? '' : `?${query}`}`;
  const body = bodyOf(operation.requestBody);
  return [
    `curl ${goesOn(operation) ? '-N ' : ''}${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quoted(url)}`,
    ...(operation.security ? [] : ['-H "Authorization: Bearer $USANCE_API_KEY"']),
    ...(given('header').some((parameter) => parameter['required']) ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** What has no end is shown as it comes. */
const goesOn = ({ responses }: Operation): boolean =>
  Object.values(responses).some(({ content }) => Object.hasOwn(Object(content), 'text/event-stream'));

function bodyOf(requestBody: JsonObject | undefined): string | null {
  const content = requestBody?.['content'] as Readonly<Record<string, { readonly example?: unknown }>> | undefined;
  const example = content?.['application/json']?.example;
  // An operation that takes `dry_run` and nothing else is sent without a body.
  if (example === undefined || isEmpty(example)) return null;
  const short = JSON.stringify(example);
  return short.length <= LONGEST_LINE ? short : JSON.stringify(example, null, 2);
}

const isEmpty = (example: unknown): boolean => Object.keys(Object(example)).length === 0;

const quoted = (value: string): string => `'${value.replaceAll(`'`, `'\\''`)}'`;
const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
