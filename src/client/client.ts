// The client: one method for every operation of the OpenAPI document, made from the table that is written beside their
// types (schema.ts), so that a route without a method, or a method without a route, cannot be.
import type { FollowEvents } from './follow.ts';
import { createFollow } from './follow.ts';
import type { Page } from './pages.ts';
import { createPages } from './pages.ts';
import type { Client } from './schema.ts';
import { OPERATIONS } from './schema.ts';
import type { CallOptions, Send, SendOptions } from './send.ts';
import { createSend } from './send.ts';

interface Call {
  readonly path: string;
  /** What comes after the parts of the path: a body, a query, or nothing. */
  readonly input: 'body' | 'query' | null;
}

interface Read extends Call {
  readonly method: 'GET';
  /** Answers with pages. They send nothing before they are iterated, so a change cannot have them. */
  readonly list?: true;
}

interface Change extends Call {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly list?: never;
}

export type Operation = Read | Change;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A method for every operation, and the stream of events. */
export interface UsanceClient extends Client {
  readonly followEvents: FollowEvents;
}

export function createClient(options: SendOptions): UsanceClient {
  const send = createSend(options);
  const methods = Object.entries<Operation>(OPERATIONS).map(
    ([name, operation]) => [name, (...given: unknown[]) => call(send, operation, given)] as const,
  );
  return { ...(Object.fromEntries(methods) as unknown as Client), followEvents: createFollow(options) };
}

function call(send: Send, { method, path, input, list }: Operation, given: readonly unknown[]): unknown {
  const rest = [...given];
  const place = path.replace(/\{\w+\}/g, (part) => {
    const value = rest.shift();
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value);
    throw new TypeError(`${method} ${path} needs its ${part.slice(1, -1)}`);
  });
  const [value] = input === null ? [] : [rest.shift()];
  const [callOptions] = rest as [CallOptions?];
  if (list) {
    const query = (value ?? {}) as Query;
    return createPages((cursor) => {
      const at = { ...query, ...(cursor === undefined ? {} : { cursor }) };
      return send({ method, path: place + queryOf(at) }, callOptions) as Promise<Page<unknown>>;
    });
  }
  if (input === 'query') return send({ method, path: place + queryOf((value ?? {}) as Query) }, callOptions);
  return send({ method, path: place, ...(input === 'body' ? { body: value ?? {} } : {}) }, callOptions);
}

function queryOf(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
