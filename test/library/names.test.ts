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
import { NAMES, OTHER_COMMANDS, OTHER_EVENTS, commandOf, eventOf, routesOf } from '../../src/contract/index.ts';
import { EVENT_TYPES } from '../../src/events/index.ts';
import { createUsance } from '../../src/index.ts';
import { useUsance } from '../support/database.ts';

const rows = Object.entries<Names>(NAMES);
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

  test('is the page in the reference', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/reference/names.md'), 'utf8');
    expect(page, 'run "npm run docs:names"').toBe(namesReference());
  });
});

describe('the library', () => {
  const store = useUsance();

  test('has every method of the table once, and no other', async () => {
    const usance = await createUsance({ databaseUrl: store.runtimeUrl, migrate: false });
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
