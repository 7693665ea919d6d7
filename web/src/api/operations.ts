// The calls of the API, as pages name them: by the name of an operation ("payments.list"), or in full ("GET /v1/search").
import { OPERATIONS } from '../../../src/client/schema.ts';

export type OperationName = keyof typeof OPERATIONS;
export type RawCall = `GET /${string}`;
export type CallName = OperationName | RawCall;

const isOperation = (name: CallName): name is OperationName => name in OPERATIONS;

/** "GET /v1/payments": the call that fills a part of a page. */
export function callOf(name: CallName): string {
  if (!isOperation(name)) return name;
  const { method, path } = OPERATIONS[name];
  return `${method} ${path}`;
}
