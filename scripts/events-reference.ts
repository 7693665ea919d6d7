// docs/reference/events.md: every type of event with its fields and an example, from the catalogue (src/events/schemas).
import { exampleOfEvent } from '../src/contract/index.ts';
import type { EventType } from '../src/events/index.ts';
import { EVENT_CATALOGUE, RESERVED_NOUNS } from '../src/events/index.ts';
import { schemas } from './client-schema.ts';
import { causesOf } from './names-reference.ts';
import { code, table } from './resource-pages.ts';
import type { Schema } from './typescript-of.ts';
import { refOf } from './typescript-of.ts';

const TYPES = Object.keys(EVENT_CATALOGUE) as EventType[];
const ENVELOPE = 'EventEnvelope';
const OWN_EVENT = 'OwnEvent';
const PARTS = ['PaymentEventData', ...partsOf()];

export function eventsReference(): string {
  const nouns = [...Map.groupBy(TYPES, (type) => type.slice(0, type.indexOf('.')))];
  return `${[
    INTRODUCTION,
    table(
      ['noun', 'types'],
      nouns.map(([noun, types]) => [code(noun), types.map((type) => `[${code(type)}](#${anchorOf(type)})`).join(', ')]),
    ),
    '## Every event',
    '### EventEnvelope',
    'The fields that every event of usance has.',
    fieldTable(schemas[ENVELOPE] ?? {}),
    '## Events of your application',
    OWN_EVENTS,
    '### OwnEvent',
    'The fields of an event that your application appended.',
    fieldTable(schemas[OWN_EVENT] ?? {}),
    '## Types',
    ...TYPES.map(sectionOf),
    '## Parts',
    ...PARTS.map((name) =>
      [`### ${name}`, INTRODUCED[name] ?? schemas[name]?.description ?? '', fieldTable(schemas[name] ?? {})].join(
        '\n\n',
      ),
    ),
    '`npm run docs:library` writes this page from the schemas in `src/events/schemas`.',
  ].join('\n\n')}\n`;
}

const INTRODUCED: Readonly<Record<string, string>> = {
  PaymentEventData:
    'The data of every event of a payment: the payment as it is after the change. Refs, `reference` and `metadata` are read when the event is shown, so that they can be erased: they are those that the account and the payment have now. Only the event that set `reference` or `metadata` keeps what it set.',
};

function sectionOf(type: EventType): string {
  const { says, version } = EVENT_CATALOGUE[type];
  const name = nameOf(type);
  const data = dataOf(schemas[name] ?? {});
  const [base, own = data] = data.allOf ?? [];
  const shared = base
    ? ` It has the fields of [${code(refOf(base))}](#${refOf(base).toLowerCase()})${fieldsIn(own) ? ', and these' : ''}.`
    : '';
  return [
    `### ${type}`,
    `${says}${shared}`,
    [`- Emitted by: ${causesOf(type)}.`, `- Version ${version}. TypeScript: ${code(name)}.`].join('\n'),
    ...(fieldsIn(own) ? [fieldTable(own)] : base ? [] : ['Its data has no fields.']),
    `\`\`\`json\n${JSON.stringify(exampleOfEvent(type), null, 2)}\n\`\`\``,
  ].join('\n\n');
}

const nameOf = (type: string): string =>
  refOf((schemas['Event']?.anyOf ?? []).find((each) => typeIn(schemas[refOf(each)] ?? {}) === type) ?? {});
const typeIn = (schema: Schema): unknown => schema.allOf?.[1]?.properties?.['type']?.const;
const dataOf = (schema: Schema): Schema => schema.allOf?.[1]?.properties?.['data']?.anyOf?.[0] ?? {};
const fieldsIn = ({ properties = {} }: Schema): boolean => Object.keys(properties).length > 0;
const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-z0-9_ -]/g, '');

/** Schemas with a name that data of events refer to. */
function partsOf(): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const name = '$ref' in value ? refOf(value as Schema) : '';
    if (name !== '' && !found.has(name)) {
      found.add(name);
      visit(schemas[name]);
    }
    Object.values(value).forEach(visit);
  };
  (schemas['Event']?.anyOf ?? []).forEach((each) => visit(schemas[refOf(each)]));
  return [...found].filter((name) => name !== ENVELOPE && name !== OWN_EVENT && name !== 'PaymentEventData');
}

const fieldTable = (schema: Schema): string => table(['field', 'type', 'description'], rowsOf(schema));

/** One row a field; a field that can be left out has a question mark. Objects that are written in place have a row for each of their fields. */
function rowsOf({ properties = {}, required = [] }: Schema, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}${required.includes(name) ? '' : '?'}`;
    const inner = innerOf(field);
    const text = (field.description ?? schemas[refOf(field)]?.description ?? '').replaceAll('|', '\\|');
    const mark = field.type === 'array' ? '[]' : '';
    return [[code(path), wordFor(field), text], ...inner.flatMap((one) => rowsOf(one, `${prefix}${name}${mark}.`))];
  });
}

/** The objects in a field whose fields are not on this page elsewhere. */
function innerOf(field: Schema): Schema[] {
  const branches = field.anyOf ?? (field.items ? [field.items] : [field]);
  return branches.filter(({ properties }) => properties !== undefined);
}

function wordFor(field: Schema): string {
  if (field.$ref !== undefined) return `[${code(refOf(field))}](#${refOf(field).toLowerCase()})`;
  if (field.anyOf) return [...new Set(field.anyOf.map(wordFor))].join(' or ');
  if (field.enum) return field.enum.map((word) => code(String(word))).join(', ');
  if (field.items) return `array of ${wordFor(field.items)}`;
  if (field.format === 'date-time') return 'string';
  return typeof field.type === 'string' ? field.type : (field.type ?? ['object']).join(' or ');
}

const OWN_EVENTS = `Your application appends events of its own with \`POST /v1/events\` and \`events.append\`: see [Your own events](../guides/own-events.md). Their \`source\` is
\`application\`, and their \`data\` is returned as you gave it, also by the client and the library. In TypeScript, name the types that you read:
\`events.list<Event | OwnEvent<'posts.created', { title: string }>>()\`; a comparison of \`event.type\` then narrows \`event.data\` to yours, too.

A type is two or more words with dots between them. These first words are reserved for usance, and so are they as a \`resource\`: ${RESERVED_NOUNS.map((noun) => `\`${noun}\``).join(', ')}.`;

const INTRODUCTION = `# Event catalogue

Every change emits an event in the same transaction. \`GET /v1/events\` lists events, \`GET /v1/events/stream\` and \`events.follow\` follow them, and the audit log
and timelines show the same data.

- The fields of \`data\` depend on \`type\`. In TypeScript, a comparison of \`event.type\` narrows the type of \`event.data\`.
- This page writes fields as HTTP does, in snake_case. The client and the library have them in camelCase; the contents of \`metadata\` stay as they are.
- \`version\` is the version of the schema. New fields and new types can appear without a new version: ignore those that you do not know. A change that breaks a
  reader gets the next version.
- Amounts are strings of minor units, instants are RFC 3339 in UTC, ids are TypeIDs.
- \`data\` is null after the details of the event were erased.
- A question mark after a field means that it can be absent.`;
