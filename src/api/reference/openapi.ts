// The OpenAPI 3.1 document, made from the table of routes.
import type { Route } from '../../contract/index.ts';
import {
  DRY_RUN_EXAMPLE,
  DRY_RUN_MEDIA_TYPE,
  DryRunAnswer,
  EVENT_STREAM,
  Problem,
  RESOURCES,
  ROUTES,
  dryRunPlace,
  hasVersion,
  takesIfMatch,
  withDryRun,
  writes,
} from '../../contract/index.ts';
import type { Components, JsonObject, Place } from './components.ts';
import { fieldsOf, named, requiredOf, withDefault, withDescription } from './components.ts';
import { IF_MATCH, IF_NONE_MATCH, NOT_MODIFIED, REASON, TENANT, VERSION, idempotencyKey } from './header-params.ts';
import { HEADERS, answerHeaders } from './headers.ts';
import { anyProblem, problemResponses } from './problems.ts';
import { refusalsOf } from './refusals.ts';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: JsonObject & { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> } & JsonObject;
  readonly security: readonly JsonObject[];
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly JsonObject[];
  readonly requestBody?: JsonObject;
  readonly responses: Readonly<Record<string, JsonObject>>;
  readonly security?: readonly JsonObject[];
}

/** A tag is a resource, and the routes outside /v1. */
const TAGS = [
  ...Object.entries(RESOURCES).map(([name, description]) => ({ name, description })),
  { name: 'service', description: 'Liveness, readiness, metrics and this API reference.' },
];
const tagsOf = (operationId: string): [string] => [operationId.slice(0, operationId.indexOf('.'))];

let made: OpenApiDocument | null = null;

export function openApiDocument(): OpenApiDocument {
  return (made ??= make());
}

function make(): OpenApiDocument {
  const schemas: Record<string, JsonObject> = {};
  const shared: Record<string, JsonObject> = {};
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [operationId, route] of Object.entries(ROUTES) as [string, Route][]) {
    (paths[`/v1${route.path}`] ??= {})[route.method.toLowerCase()] = operation(operationId, route, schemas, shared);
  }
  paths[`/v1${EVENT_STREAM.path}`] = { get: streamOperation(schemas, shared) };
  for (const [path, get] of Object.entries(serviceOperations())) paths[path] = { get };
  named(Problem, schemas, true);
  return {
    openapi: '3.1.1',
    info: {
      title: 'usance',
      version: '1',
      summary: 'Moves money later, exactly once.',
      description:
        'Amounts are strings of minor units; a request can give `amount_decimal` ("10.50") instead of `amount`. ' +
        'Instants are RFC 3339, durations ISO 8601. Lists take `limit` and `cursor`. A query writes several values as `status=settled,failed` ' +
        'and fields of metadata as `metadata[order]=A-1001`. ' +
        'A change takes an `Idempotency-Key`: the same key and request again return the first response, byte for byte, and change nothing. ' +
        'Every change takes `dry_run`: it responds with a `DryRun` and is rolled back. Refusals are `application/problem+json` with a ' +
        'code from the catalogue.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: TAGS,
    paths,
    components: {
      schemas,
      responses: {
        Problem: anyProblem(),
        ...shared,
      },
      headers: HEADERS,
      examples: { DryRun: { summary: 'The dry run of `POST /v1/holds`', value: DRY_RUN_EXAMPLE } },
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key, or a JWT of an end user.' } },
    },
    security: [{ key: [] }],
  };
}

function operation(operationId: string, route: Route, schemas: Components, shared: Components): Operation {
  const { example, csv } = route;
  const dryRun = dryRunPlace(route);
  const query = dryRun === 'query' ? withDryRun(route.query) : route.query;
  const body = dryRun === 'body' ? withDryRun(route.body) : route.body;
  const hasBody = Object.keys(fieldsOf(body)).length > 0;
  return {
    operationId,
    tags: tagsOf(operationId),
    summary: route.summary,
    description: described(route),
    parameters: [
      ...parameters('path', route.params, example.params, { schemas, grows: false, title: operationId }),
      ...parameters('query', query, example.query, { schemas, grows: false, title: operationId }),
      ...(route.idempotency === 'none' ? [] : [idempotencyKey(route.idempotency === 'required')]),
      ...(writes(route) ? [REASON] : []),
      VERSION,
      ...(takesIfMatch(route) ? [IF_MATCH] : []),
      ...(hasVersion(route) && route.method === 'GET' ? [IF_NONE_MATCH] : []),
      ...(route.own ? [TENANT] : []),
    ],
    ...(hasBody
      ? {
          requestBody: {
            required: requiredOf(body).length > 0 || 'x-one-of' in body,
            content: {
              'application/json': {
                schema: named(body, schemas, false, operationId),
                example: example.body ?? {},
              },
            },
          },
        }
      : {}),
    responses: {
      [route.status]: {
        description: route.summary,
        headers: answerHeaders(route.idempotency, hasVersion(route)),
        content: {
          [route.mediaType ?? 'application/json']: {
            schema: named(route.answer, schemas, true),
            example: example.answer,
          },
          ...(csv ? { 'text/csv': { schema: { type: 'string' }, example: csv(example.answer) } } : {}),
          ...(dryRun !== null && route.status === 200 ? dryRunContent(schemas) : {}),
        },
      },
      ...(dryRun !== null && route.status !== 200 ? dryRunResponse(schemas) : {}),
      ...(hasVersion(route) && route.method === 'GET' ? { 304: NOT_MODIFIED } : {}),
      ...problemResponses(refusalsOf(operationId, route), shared),
    },
  };
}

/** A media type of its own: an answer that is no dry run keeps one schema. */
const dryRunContent = (schemas: Components): JsonObject => ({
  [DRY_RUN_MEDIA_TYPE]: {
    schema: named(DryRunAnswer, schemas, true),
    examples: { hold: { $ref: '#/components/examples/DryRun' } },
  },
});

/** Of operations that answer with another status than 200. */
const dryRunResponse = (schemas: Components): Record<string, JsonObject> => ({
  200: {
    description: 'The dry run, with `dry_run`',
    headers: answerHeaders('none'),
    content: dryRunContent(schemas),
  },
});

function described({ description, scope, own }: Pick<Route, 'description' | 'scope' | 'own'>): string {
  const asks = `Requires \`${scope}\`${own ? ', or an end-user token, limited to the account of that user' : ''}.`;
  return description === undefined ? asks : `${description} ${asks}`;
}

/** It has no end, so no schema describes the whole of it: its example does, and what is in it is an `Event`. */
function streamOperation(schemas: Components, shared: Components): Operation {
  const { summary, query, example } = EVENT_STREAM;
  return {
    operationId: 'events.follow',
    tags: tagsOf('events.follow'),
    summary,
    description: described(EVENT_STREAM),
    parameters: [
      ...parameters('query', query, example.query, { schemas, grows: false, title: 'events.follow' }),
      {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description: 'The `id` of the last event that you received; overrides `after`.',
        schema: { type: 'string', pattern: '^[0-9]{1,18}$' },
      },
    ],
    responses: {
      200: {
        description: summary,
        headers: answerHeaders('none'),
        content: { 'text/event-stream': { schema: { type: 'string' }, example: example.answer } },
      },
      ...problemResponses(refusalsOf('events.follow', EVENT_STREAM), shared),
    },
  };
}

function parameters(
  place: 'path' | 'query',
  schema: object,
  example: Readonly<Record<string, string>> | undefined,
  { schemas, grows, title }: Place,
): JsonObject[] {
  const required = requiredOf(schema);
  return Object.entries(fieldsOf(schema)).map(([name, field]) => {
    const described = withDescription(named(field, schemas, grows, title), title, name);
    const { description, ...rest } = place === 'path' ? described : withDefault(described, schema, title, name);
    const shown = example?.[name];
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...styleOf(rest),
      schema: rest,
      ...(shown === undefined ? {} : { example: exampleOf(rest, shown) }),
    };
  });
}

/** How a query writes a list (`a,b`) and an object (`metadata[order]=A-1001`). */
function styleOf({ type }: JsonObject): JsonObject {
  if (type === 'array') return { style: 'form', explode: false };
  return type === 'object' ? { style: 'deepObject', explode: true } : {};
}

function exampleOf({ type }: JsonObject, text: string): unknown {
  if (type === 'integer') return Number(text);
  return type === 'array' ? text.split(',') : text;
}

function serviceOperations(): Record<string, Operation> {
  const open = { tags: ['service'], parameters: [], security: [] };
  const answers = (description: string, type: string, schema: JsonObject, example?: unknown): JsonObject => ({
    description,
    content: { [type]: { schema, ...(example === undefined ? {} : { example }) } },
  });
  const status = { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] };
  const health = {
    type: 'object',
    properties: { status: { type: 'string' }, tz: { type: ['string', 'null'] } },
    required: ['status', 'tz'],
  };
  /** Of a request that cannot be read at all. */
  const refused = { default: { $ref: '#/components/responses/Problem' } };
  return {
    '/health': {
      ...open,
      operationId: 'health',
      summary: 'Check that the process is alive',
      description: '`tz` is the version of the time zone data that schedules use; null if Node does not report it.',
      responses: {
        200: answers('The process is alive', 'application/json', health, { status: 'ok', tz: '2026c' }),
        ...refused,
      },
    },
    '/ready': {
      ...open,
      operationId: 'ready',
      summary: 'Check that the process accepts requests',
      responses: {
        200: answers('The process is ready', 'application/json', status, { status: 'ready' }),
        503: answers('The process is stopping, or its database is unavailable', 'application/json', status, {
          status: 'stopping',
        }),
        ...refused,
      },
    },
    '/metrics': {
      ...open,
      operationId: 'metrics',
      summary: 'Metrics for Prometheus',
      description: 'Only from this machine; other machines use METRICS_PORT.',
      responses: {
        200: answers('Text format 0.0.4', 'text/plain', { type: 'string' }),
        ...refused,
      },
    },
    '/openapi.json': {
      ...open,
      operationId: 'openapi',
      summary: 'This document',
      responses: {
        200: answers('OpenAPI 3.1', 'application/json', { type: 'object', additionalProperties: true }),
        ...refused,
      },
    },
    '/docs': {
      ...open,
      operationId: 'docs',
      summary: 'API reference as a web page',
      responses: { 200: answers('A page', 'text/html', { type: 'string' }), ...refused },
    },
  };
}
