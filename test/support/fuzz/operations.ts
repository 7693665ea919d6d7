// The operations of the OpenAPI document, as it is served: the fuzzer knows nothing else of the program.
import { Compile } from 'typebox/compile';
import type { Schema } from './values.ts';

export interface Operation {
  readonly name: string;
  readonly method: string;
  /** `/v1/holds/{id}` */
  readonly path: string;
  readonly query: readonly { name: string; schema: Schema; example?: unknown }[];
  readonly takesKey: boolean;
  readonly body: { schema: Schema; example: unknown } | null;
  /** What is wrong with an answer; null where it is as documented. */
  misfit(status: number, type: string, body: string): string | null;
}

type Document = { paths: Record<string, Record<string, Schema>>; components: Record<string, Record<string, Schema>> };

export function operationsOf(document: unknown): Operation[] {
  const { paths, components } = document as Document;
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref: reference } = value as { $ref?: string };
    if (reference !== undefined) {
      const [, , group = '', name = ''] = reference.split('/');
      return plain(components[group]?.[name]);
    }
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => [method, plain(operation) as Schema] as const)
      .filter(([, operation]) => !goesOn(operation))
      .map(([method, operation]) => readOperation(path, method.toUpperCase(), operation)),
  );
}

/** An answer without an end is nothing to wait for: the stream of events has tests of its own. */
const goesOn = ({ responses }: Schema): boolean =>
  Object.values(responses as Record<string, { content?: object }>).some(
    ({ content = {} }) => 'text/event-stream' in content,
  );

type Content = Record<string, { schema: Schema; example?: unknown }>;

function readOperation(path: string, method: string, operation: Schema): Operation {
  const parameters = (operation['parameters'] ?? []) as {
    name: string;
    in: string;
    schema: Schema;
    example?: unknown;
  }[];
  const content = (operation['requestBody'] as { content: Content } | undefined)?.content['application/json'];
  const responses = operation['responses'] as Record<string, { content?: Content }>;
  const checks = new Map<string, (value: unknown) => string | null>();

  const misfit = (status: number, type: string, body: string): string | null => {
    const documented = responses[status] ?? responses['default'];
    if (!documented) return `${status} is not documented`;
    const bare = type.split(';', 1)[0]?.trim() ?? '';
    const schema = documented.content?.[bare]?.schema;
    if (!schema) return body === '' && !documented.content ? null : `${status} as "${type}" is not documented`;
    if (!bare.endsWith('json')) return null;
    const name = `${status} ${bare}`;
    let check = checks.get(name);
    if (!check) {
      const validator = Compile(schema);
      check = (value) =>
        validator.Check(value) ? null : JSON.stringify([...validator.Errors(value)].slice(0, 2)).slice(0, 500);
      checks.set(name, check);
    }
    try {
      return check(JSON.parse(body));
    } catch {
      return 'the answer is no JSON';
    }
  };
  return {
    name: String(operation['operationId']),
    method,
    path,
    query: parameters.filter((parameter) => parameter.in === 'query'),
    takesKey: parameters.some((parameter) => parameter.name === 'Idempotency-Key'),
    body: content ? { schema: content.schema, example: content.example } : null,
    misfit,
  };
}

/** The operation that a method and a path as it was sent belong to, as a router would say. */
export function operationAt(operations: readonly Operation[], method: string, target: string): Operation | null {
  // A target may name a host before its path, as for a proxy; servers have to understand that.
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?;#]/, 1)[0] ?? '';
  const segments = path.split('/').map(decoded);
  const fits = operations.filter((operation) => {
    if (operation.method !== method) return false;
    const wanted = operation.path.split('/');
    return (
      wanted.length === segments.length &&
      wanted.every((segment, at) => segment.startsWith('{') || segment === segments[at])
    );
  });
  return fits.toSorted((a, b) => braces(a.path) - braces(b.path))[0] ?? null;
}

const braces = (path: string): number => path.split('{').length;

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
