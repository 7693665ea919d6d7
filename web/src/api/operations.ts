// The operations of the API by name ("payments.list"), as pages name the call that fills a part of them.
import { OPERATIONS } from '../../../src/client/schema.ts';

export type OperationName = keyof typeof OPERATIONS;

/** "GET /v1/payments" for "payments.list". */
export function callOf(name: OperationName): string {
  const { method, path } = OPERATIONS[name];
  return `${method} ${path}`;
}
