// A refusal over HTTP, held against its schema and the catalogue; what is returned is what differs from case to case.
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import { Problem } from '../../src/api/schemas.ts';
import type { Code } from '../../src/kernel/index.ts';
import { CATALOGUE } from '../../src/kernel/index.ts';
import type { Answer } from './api.ts';

const shape = Compile(Problem);

export function problemIn(answer: Answer): { code: string; param: unknown; detail: string } {
  expect(answer.headers.get('content-type'), answer.text).toBe('application/problem+json; charset=utf-8');
  expect([...shape.Errors(answer.body)]).toEqual([]);
  const code = answer.word('code');
  const { status, title, retryable } = CATALOGUE[code as Code];
  expect(answer.body).toMatchObject({ status, title, retryable, type: `/docs#${code}` });
  expect(answer.status).toBe(status);
  expect(answer.get('request_id')).toBe(answer.headers.get('x-request-id'));
  return { code, param: answer.get('param'), detail: answer.word('detail') };
}
