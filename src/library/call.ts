// Runs an operation of the contract in this process: the same schema, handler and answer as over HTTP, without the wire. So the
// library cannot differ from the HTTP API in what it accepts, refuses or returns.
import type { Route } from '../contract/index.ts';
import {
  ROUTES,
  fingerprintOf,
  ifMatchOf,
  keyOf,
  perform,
  performDry,
  readerOf,
  showDryRun,
  writes,
} from '../contract/index.ts';
import type { Page } from '../client/index.ts';
import type { Operation } from '../client/inner.ts';
import { OPERATIONS, createPages, fromWire, rememberETag, toWire } from '../client/inner.ts';
import type { TenantHandle } from '../engine.ts';
import { refuse, together } from '../kernel/index.ts';
import type { DryRunOptions, KeyOptions } from './options.ts';

/** The target of a call: a tenant, or a tenant inside a transaction of the caller. */
export type Target = Pick<TenantHandle, keyof TenantHandle>;

type Method = (...given: readonly unknown[]) => unknown;

const NAMES = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[];
const METHODS = Map.groupBy(NAMES, (name) => name.slice(0, name.indexOf('.')));
const READERS = new Map<string, ReturnType<typeof readerOf>>();

/** Methods in addition to the operations of a resource, which they receive. */
export type More = Readonly<Record<string, (resource: never) => object>>;

/** The resources of a tenant, each built when it is first used. */
export function addResources(to: object, target: Target, more: More): void {
  for (const [resource, names] of METHODS) {
    let built: object | undefined;
    const build = (): object => {
      const methods = resourceOf(names, target);
      return { ...methods, ...more[resource]?.(methods as never) };
    };
    Object.defineProperty(to, resource, { enumerable: true, get: () => (built ??= build()) });
  }
}

function resourceOf(names: readonly (keyof typeof OPERATIONS)[], target: Target): Record<string, Method> {
  return Object.fromEntries(names.map((name) => [name.slice(name.indexOf('.') + 1), methodOf(name, target)]));
}

function methodOf(name: keyof typeof OPERATIONS, target: Target): Method {
  const operation: Operation = OPERATIONS[name];
  const parts = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, part = '']) => part);
  return (...given) => {
    const path = Object.fromEntries(parts.map((part, index) => [part, given[index]]));
    const [value, options] = operation.input === null ? [undefined, given[parts.length]] : given.slice(parts.length);
    const run = (params: object): Promise<unknown> => call(name, target, { path, params, options: options ?? {} });
    const params = value ?? {};
    if (!operation.list) return run(params);
    return createPages(
      (cursor) => run(cursor === undefined ? params : { ...params, cursor }) as Promise<Page<unknown>>,
    );
  };
}

interface Given {
  readonly path: Readonly<Record<string, unknown>>;
  readonly params: object;
  readonly options: KeyOptions | DryRunOptions;
}

async function call(name: keyof typeof OPERATIONS, target: Target, given: Given): Promise<unknown> {
  const route = ROUTES[name] as Route;
  const { input, method, path }: Operation = OPERATIONS[name];
  const dryRun = requireOptions(given, OPTIONS) && writes(route);
  const wire = toWire(given.params) as Record<string, unknown>;
  const { key, understood } = together({
    key: () => (dryRun ? null : keyOf(given.options.idempotencyKey, route.idempotency, 'idempotencyKey')),
    understood: () =>
      reader(
        name,
        route,
      )({
        params: given.path,
        query: input === 'query' ? texts(wire) : {},
        body: input === 'body' ? wire : {},
      }),
  });
  const fingerprint =
    key === null ? '' : fingerprintOf(method, filled(path, given.path), understood.body, route.bodyHasSecret);
  const asked = { tenant: target, ...understood } as Parameters<typeof perform>[1];
  // A condition that is undefined would be a change without one.
  if ('ifMatch' in given.options && typeof given.options.ifMatch !== 'string')
    refuse('PRECONDITION_INVALID/malformed', { param: 'ifMatch' });
  const ifMatch = ifMatchOf(route, given.options.ifMatch, 'ifMatch');
  if (dryRun) return fromWire(showDryRun(await performDry(route, asked, ifMatch)));
  const { answer, version } = await perform(route, asked, key === null ? null : { key, fingerprint }, ifMatch);
  return rememberETag(fromWire(answer), version === undefined ? null : `"${version}"`);
}

const OPTIONS: readonly string[] = ['idempotencyKey', 'dryRun', 'ifMatch'] satisfies (keyof DryRunOptions)[];

/**
 * Whether it is a dry run. A misspelt option would be ignored, and `dryRun` among the params would make the change, so both are
 * refused. A value that is not a boolean could make the change, or skip it, by accident.
 */
export function requireOptions(
  { params, options }: { readonly params: object; readonly options: { readonly dryRun?: boolean } },
  known: readonly string[],
): boolean {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) refuse('FIELD_UNKNOWN/unknown', { param: unknown, known });
  if ('dryRun' in params || 'dry_run' in params) refuse('FIELD_UNKNOWN/option', { param: 'dryRun' });
  const given: unknown = options.dryRun;
  if (given === undefined || typeof given === 'boolean') return given === true;
  return refuse('FIELD_INVALID/wrong_type', { param: 'dryRun', expected: ['a boolean'] });
}

function reader(name: string, route: Route): ReturnType<typeof readerOf> {
  let found = READERS.get(name);
  if (!found) READERS.set(name, (found = readerOf(route)));
  return found;
}

/** A query consists of strings, here too: the reader converts them to the types of the schema. */
function texts(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, isPlain(value) ? String(value) : value]),
  );
}

function filled(template: string, parts: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, part: string) => String(parts[part]));
}
