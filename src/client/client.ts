// The client: a method for every operation of the OpenAPI document, by resource, built from the table that is generated together with
// their types (schema.ts). Every route has a method, and every method a route.
import { fromWire, toWire } from './case.ts';
import { withETagOf } from './etag.ts';
import { createFollow } from './follow.ts';
import type { Page } from './pages.ts';
import { createPages } from './pages.ts';
import type { Query } from './query.ts';
import { queryOf } from './query.ts';
import type { Client } from './schema.ts';
import { OPERATIONS } from './schema.ts';
import type { CallOptions, DryRunCallOptions, Send, ClientOptions } from './send.ts';
import { createSend } from './send.ts';

interface Call {
  readonly path: string;
  /** The argument after the parts of the path: a body, a query, or nothing. */
  readonly input: 'body' | 'query' | null;
}

interface Read extends Call {
  readonly method: 'GET';
  /** Operations that answer with pages. They send nothing before they are iterated, so a change cannot be one of them. */
  readonly list?: true;
}

interface Change extends Call {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly list?: never;
}

/** A row of `OPERATIONS`: method, path and input of a route. */
export type Operation = Read | Change;

/** Returns a client for one server and one API key or token. It opens no connection before the first call. */
export function createClient(options: ClientOptions): Client {
  requireAddressAndKey(options);
  const send = createSend(options);
  const resources: Record<string, Record<string, unknown>> = { events: { follow: createFollow(options) } };
  for (const [name, operation] of Object.entries<Operation>(OPERATIONS)) {
    const [resource = '', method = ''] = name.split('.');
    (resources[resource] ??= {})[method] = (...given: unknown[]) => call(send, operation, given);
  }
  return resources as unknown as Client;
}

/** A caller without types can leave them out, or pass a variable that is not set. */
function requireAddressAndKey({ url, key }: ClientOptions): void {
  if (typeof url !== 'string' || !/^https?:\/\/[^/]/.test(url))
    throw new TypeError('createClient needs `url`, the address of the server, such as http://127.0.0.1:3001');
  if (typeof key !== 'string' || key === '') throw new TypeError('createClient needs `key`, an API key or a token');
}

function call(send: Send, { method, path, input, list }: Operation, given: readonly unknown[]): unknown {
  const rest = [...given];
  const place = path.replace(/\{\w+\}/g, (part) => {
    const value = rest.shift();
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value);
    throw new TypeError(`${method} ${path} needs its ${part.slice(1, -1)}`);
  });
  const [value] = input === null ? [] : [rest.shift()];
  const [callOptions] = rest as [(CallOptions | DryRunCallOptions)?];
  const dryRun = isDryRun(callOptions);
  if (list) {
    return createPages((cursor) => {
      const at = { ...(toWire(value ?? {}) as Query), ...(cursor === undefined ? {} : { cursor }) };
      return answered(send({ method, path: place + queryOf(at) }, callOptions)) as Promise<Page<unknown>>;
    });
  }
  const fields = { ...(toWire(value ?? {}) as Query), ...(dryRun ? { dry_run: true } : {}) };
  if (input === 'query' || method === 'DELETE') {
    return answered(send({ method, path: place + queryOf(fields) }, callOptions));
  }
  const body = input === 'body' || dryRun ? { body: fields } : {};
  return answered(send({ method, path: place, ...body }, callOptions));
}

/** A value that is not a boolean could execute the change, or skip it, by accident. */
function isDryRun(options: CallOptions | DryRunCallOptions | undefined): boolean {
  const given: unknown = options?.dryRun;
  if (given === undefined || typeof given === 'boolean') return given === true;
  throw new TypeError('dryRun must be a boolean');
}

async function answered(answer: Promise<unknown>): Promise<unknown> {
  const value = await answer;
  return withETagOf(value, fromWire(value));
}
