// A refusal over HTTP, held against its schema, its headers and the catalogue; what is returned is what differs from case to case.
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import { openApiDocument } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/api/reference/components.ts';
import { Problem } from '../../src/contract/index.ts';
import type { Code } from '../../src/kernel/index.ts';
import { CATALOGUE } from '../../src/kernel/index.ts';
import type { Answer } from './api.ts';
import { describedHeaders, headersIn } from './headers.ts';

const shape = Compile(Problem);

export function problemIn(answer: Answer): { code: string; param: unknown; detail: string } {
  expect(answer.headers.get('content-type'), answer.text).toBe('application/problem+json; charset=utf-8');
  expect([...shape.Errors(answer.body)]).toEqual([]);
  const code = answer.word('code');
  const { status, title, retryable } = CATALOGUE[code as Code];
  expect(answer.body).toMatchObject({ status, title, retryable, type: `/docs#${code}` });
  expect(answer.status).toBe(status);
  expect(answer.get('request_id')).toBe(answer.headers.get('x-request-id'));
  const headers = headersIn(answer);
  expect(describedHeaders()).toEqual(expect.arrayContaining(headers));
  expect(headers.includes('retry-after'), code).toBe(retryable && status !== 422);
  expect(headers.includes('www-authenticate'), code).toBe(status === 401);
  expect(headers.includes('allow'), code).toBe(status === 405);
  return { code, param: answer.get('param'), detail: answer.word('detail') };
}

/** The codes that the OpenAPI document lists for the operation of a request; null where there is no such operation. */
export function documentedCodes(request: string): readonly string[] | null {
  const [method = '', path = ''] = request.split(/[ ?]/);
  const { paths, components } = openApiDocument();
  const shared = components['responses'] as Readonly<Record<string, JsonObject>>;
  const [found] = Object.entries(paths)
    .filter(([template]) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`/v1${path}`))
    .toSorted(([a], [b]) => a.split('{').length - b.split('{').length);
  const operation = found?.[1][method.toLowerCase()];
  if (!operation) return null;
  return Object.values(operation.responses).flatMap((response) => {
    const { $ref = '' } = response as { $ref?: string };
    return ((shared[$ref.slice('#/components/responses/'.length)] ?? response)['x-codes'] ?? []) as string[];
  });
}
