// One table of names, compared with every surface: a name that is missing on either side, or that differs from the rule without a
// reason, fails here.
import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namesReference, routeOf } from '../../scripts/names-reference.ts';
import { openApiDocument } from '../../src/api/index.ts';
import { createProgram } from '../../src/cli/program.ts';
import { createClient } from '../../src/client/index.ts';
import type { Names } from '../../src/contract/index.ts';
import {
  NAMES,
  OTHER_COMMANDS,
  OTHER_EVENTS,
  RESOURCES,
  commandOf,
  eventOf,
  routesOf,
} from '../../src/contract/index.ts';
import { EVENT_TYPES } from '../../src/events/index.ts';
import { createUsance } from '../../src/index.ts';
import { TEST_KEY, useUsance } from '../support/database.ts';

const rows = Object.entries<Names>(NAMES);
const read = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const partsOf = (name: string): [resource: string, verb: string] => {
  const [resource = '', verb = ''] = name.split('.');
  return [resource, verb];
};
const methodsOf = (resources: object): string[] =>
  Object.entries(resources).flatMap(([resource, methods]) =>
    typeof methods === 'object' && methods !== null
      ? Object.keys(methods as object).map((method) => `${resource}.${method}`)
      : [],
  );

describe('the table of names', () => {
  test('has every route of the OpenAPI document once, and no other', () => {
    const documented = Object.entries(openApiDocument().paths)
      .filter(([path]) => path.startsWith('/v1/'))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [
          operationId,
          `${method.toUpperCase()} ${path.slice('/v1'.length)}`,
        ]),
      );
    const named = rows.flatMap(([name, names]) => {
      const route = routeOf(name, names);
      return route === null ? [] : [[name, route]];
    });
    expect(new Set(named.map(String))).toEqual(new Set(documented.map(String)));
    expect(named).toHaveLength(documented.length);
  });

  test('has every method of the client once, and no other', () => {
    const methods = methodsOf(createClient({ url: 'http://localhost', key: 'usk_x' }));
    expect(rows.flatMap(([name, { only }]) => (only === 'library' ? [] : [name])).toSorted()).toEqual(
      methods.toSorted(),
    );
  });

  test('has every command once, and no other', () => {
    const commands = rows.flatMap(([, { command }]) => command ?? []);
    expect([...commands, ...Object.keys(OTHER_COMMANDS)].toSorted()).toEqual(leavesOf(createProgram('0')).toSorted());
  });

  test('has every event type, as that of an operation or with its cause', () => {
    const named = new Set<string>(rows.flatMap(([, { events }]) => events));
    const other = Object.keys(OTHER_EVENTS);
    expect(other.filter((type) => named.has(type))).toEqual([]);
    expect([...named, ...other].toSorted()).toEqual(Object.keys(EVENT_TYPES).toSorted());
  });

  test.each(rows)('%s follows the rules, or says why not', (name, names) => {
    const [resource, verb] = partsOf(name);
    const route = routeOf(name, names);
    const differing = [
      ...[route ?? []].flat().filter((each) => !routesOf(resource, verb).includes(each)),
      ...names.events.filter((event) => event !== eventOf(resource, verb)),
      ...[names.command ?? []].flat().filter((command) => command !== commandOf(resource, verb)),
    ];
    if (names.because === undefined) expect(differing).toEqual([]);
    else expect(differing, 'a reason for no difference').not.toEqual([]);
    if (names.route !== undefined) expect(routesOf(resource, verb)).not.toContain(names.route);
  });

  test('has every tag of the OpenAPI document, which is a resource', () => {
    const tags = Object.fromEntries(openApiDocument().tags.map(({ name, description }) => [name, description]));
    expect(tags).toEqual({ ...RESOURCES, service: expect.any(String) as string });
    for (const [path, methods] of Object.entries(openApiDocument().paths))
      for (const { operationId, tags: own } of Object.values(methods))
        expect(own, path).toEqual([path.startsWith('/v1/') ? partsOf(operationId)[0] : 'service']);
  });

  test.each(['library', 'client'] as const)('has every method in the index of the %s', (surface) => {
    const lines = read(`docs/reference/${surface}.md`).matchAll(
      /^\| \[`(\w+)`\]\(resources\/\w+\.md\) \| (.+?) \| (.+) \|$/gm,
    );
    const indexed = [...lines].flatMap(([, resource = '', says, links = '']) => {
      expect(RESOURCES).toHaveProperty(resource, says);
      return [...links.matchAll(/\[(\w+)\]\(/g)].map(([, method]) => `${resource}.${method}`);
    });
    const named = rows.filter(([name, { only }]) =>
      surface === 'client' ? only !== 'library' : !name.startsWith('tenants.'),
    );
    expect(indexed.toSorted()).toEqual(named.map(([name]) => name).toSorted());
  });

  test('has the sentence of every resource that the library extends', () => {
    const own = read('src/library/usance.ts').matchAll(
      /\/\*\* (.+) \*\/\n {2}readonly (\w+): (?:Tenant)?Resources\['\w+'\] &/g,
    );
    const sentences = [...own].map(([, says, resource = '']) => [resource, says]);
    expect(sentences.length).toBeGreaterThan(4);
    for (const [resource = '', says] of sentences) expect(RESOURCES).toHaveProperty(resource, says);
  });

  test('names every operation on the page of states and conditions', () => {
    const page = read('docs/reference/verbs.md').split('\n## ').slice(1).join('\n## ');
    const known = new Set([
      ...rows.map(([name]) => name),
      ...Object.keys(OTHER_COMMANDS).map((name) => `usance ${name}`),
    ]);
    const named = new Set([...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name));
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
    // Operations that write, except those that another row of the page stands for, and those outside the matrix.
    const writing = rows.filter(([, { events }]) => events.length > 0).map(([name]) => name);
    const missing = writing.filter(
      (name) =>
        !named.has(name) &&
        !/^(?:holds\.|paymentIntents\.|quotes\.|payout(?:Policy|Destinations|Caps)\.|treasuryWallets\.|\w+\.ensure$|events\.subscribe$)/.test(
          name,
        ),
    );
    expect(missing).toEqual([]);
  });

  test('is the page in the reference', () => {
    expect(read('docs/reference/names.md'), 'run "npm run docs:names"').toBe(namesReference());
  });
});

describe('the library', () => {
  const store = useUsance();

  test('has every method of the table once, and no other', async () => {
    const usance = await createUsance({ databaseUrl: store.runtimeUrl, encryption: { key: TEST_KEY }, migrate: false });
    try {
      const shop = await usance.tenant('shop');
      // Tenants are created beside a tenant, not in one: the library has their methods on top.
      const methods = [...methodsOf(shop), ...methodsOf({ tenants: usance.tenants })];
      const own = methods.filter((name, index) => methods.indexOf(name) === index);
      expect(rows.map(([name]) => name).toSorted()).toEqual(own.toSorted());
    } finally {
      await usance.close();
    }
  });
});

/** `payments run-now`: every command that does something itself. */
function leavesOf(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  return command.commands.flatMap((each) => leavesOf(each, [...path, each.name()]));
}
