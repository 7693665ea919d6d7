// Refusals in the OpenAPI document: a response for each status of an operation, with its codes. A response that many
// operations share is a component.
import type { Code } from '../../kernel/index.ts';
import { CATALOGUE } from '../../kernel/index.ts';
import { problemHeaders } from './headers.ts';
import type { JsonObject } from './components.ts';

const CONTENT = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

/** The responses of one operation, by status, and `default` for a status that a later version adds. */
export function problemResponses(
  refusals: ReadonlyMap<number, readonly Code[]>,
  shared: Record<string, JsonObject>,
): Record<string, JsonObject> {
  const responses = [...refusals].map(([status, codes]): [string, JsonObject] => {
    const response = {
      description: codes.map((code) => `\`${code}\`: ${CATALOGUE[code].title}.`).join(' '),
      headers: problemHeaders(),
      content: CONTENT,
      'x-codes': codes,
    };
    const name = `Problem${status}`;
    shared[name] ??= response;
    const isShared = JSON.stringify(shared[name]) === JSON.stringify(response);
    return [String(status), isShared ? { $ref: `#/components/responses/${name}` } : response];
  });
  return Object.fromEntries([...responses, ['default', { $ref: '#/components/responses/Problem' }]]);
}

export const anyProblem = (): JsonObject => ({
  description: 'A refusal. `code` is one of the catalogue; a later version can add codes.',
  headers: problemHeaders(),
  content: CONTENT,
});
