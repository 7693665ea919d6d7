// docs/reference/names.md, from the table of names (src/contract/names-table.ts), the routes and the list of events.
import type { Names, Route } from '../src/contract/index.ts';
import { NAMES, OTHER_COMMANDS, OTHER_EVENTS, ROUTES, nounOf } from '../src/contract/index.ts';
import { EVENT_TYPES } from '../src/events/index.ts';

const rows = Object.entries<Names>(NAMES);

/** Method and path of an operation, null where only the library has it. */
export function routeOf(name: string, { route }: Names): string | null {
  const known = (ROUTES as Readonly<Record<string, Route>>)[name];
  return route ?? (known ? `${known.method} ${known.path}` : null);
}

export function namesReference(): string {
  const sections = [...Map.groupBy(rows, ([name]) => name.slice(0, name.indexOf('.')))].map(sectionOf);
  const events = Object.entries(EVENT_TYPES).map(([type, says]) => [code(type), says, causesOf(type)]);
  const commands = Object.entries(OTHER_COMMANDS).map(([command, says]) => [code(`usance ${command}`), says]);
  return `${[
    INTRODUCTION,
    ...sections,
    '## Events',
    'Every event type, and the operations or the other cause that emit it.',
    table(['event', 'meaning', 'emitted by'], events),
    '## Other commands',
    'Commands that are not an operation.',
    table(['command', 'what it does'], commands),
  ].join('\n\n')}\n`;
}

function sectionOf([resource, own]: [string, [string, Names][]]): string {
  const notes = own.flatMap(([name, { because, note = because }]) =>
    note === undefined ? [] : [`- ${code(name)}: ${note}`],
  );
  return [
    `## ${resource}`,
    `Noun: ${code(nounOf(resource))}.`,
    table(['verb', 'route', 'client', 'library', 'event', 'command'], own.map(rowOf)),
    ...(notes.length === 0 ? [] : [notes.join('\n')]),
  ].join('\n\n');
}

function rowOf([name, names]: [string, Names]): string[] {
  const method = code(name);
  const route = routeOf(name, names);
  return [
    name.slice(name.indexOf('.') + 1),
    route === null ? '–' : code(route.replace(' ', ' /v1')),
    names.only === 'library' ? '–' : method,
    method,
    names.own ? 'the one that is given' : names.events.length === 0 ? '–' : names.events.map(code).join(' or '),
    names.command === null ? '–' : code(`usance ${names.command}`),
  ];
}

export function causesOf(type: string): string {
  const emitting = (events: readonly string[] = []): boolean => events.includes(type);
  const operations = rows.filter(([, { events, also }]) => emitting(events) || emitting(also)).map(([name]) => name);
  const other = (OTHER_EVENTS as Readonly<Record<string, string>>)[type];
  return [...(other === undefined ? [] : [other]), ...operations.map(code)].join(', ');
}

const code = (text: string): string => `\`${text}\``;

const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const INTRODUCTION = `# Names

An operation has one name, \`resource.verb\`. It is the method of the client (\`client.payments.cancel\`) and of the library
(\`shop.payments.cancel\`), and the other names follow from it:

- **route**: \`create\` is \`POST /v1/payments\`, \`list\` and \`get\` are \`GET\`, \`update\` is \`PATCH\`, \`delete\` is \`DELETE\`. Another verb is the last
  part of the path: \`POST /v1/payments/{id}/run-now\`. \`listX\` and \`getX\` read a part of one: \`GET /v1/accounts/{id}/transfers\`.
- **event**: the noun and the past participle of the verb: \`payment.cancelled\`. A verb with an object has it first: \`account.tokens_revoked\`. In the
  audit log and in \`usance_docs.audit_events\` it is written \`PAYMENT_CANCELLED\`; only \`payment.settled\` is \`PAYMENT_COMPLETED\` there
  ([compatibility](compatibility.md)).
- **command**: the same two words in kebab case: \`usance payments run-now\`. Most operations have no command.

A name that differs from these rules has its reason below its table. *–* means that the cell does not exist. \`npm run docs:names\` writes this page; a test compares
it with the OpenAPI document, the methods of the client and the library, the commands and the events that the examples of the reference emit.`;
