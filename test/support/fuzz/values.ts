// Values for bodies and queries: some that a schema would take, and many that nothing should.
import type { Random } from './random.ts';

export type Schema = Readonly<Record<string, unknown>>;

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
};

export const NASTY_TEXTS: readonly string[] = [
  '',
  ' ',
  'null',
  'undefined',
  'NaN',
  '0',
  '-1',
  '1e3',
  '0x10',
  '1_000',
  '٣',
  '١٢٣',
  '1'.repeat(400),
  '-9223372036854775809',
  '9223372036854775807',
  '9223372036854775808',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\u202eevil\u202c',
  'مرحبا',
  '💶'.repeat(50),
  'e\u0301'.repeat(30),
  '\u200b\ufeff',
  '\n\r\t\u0007\u001b[31m',
  'x'.repeat(201),
  'x'.repeat(20_000),
  "'; drop table usance.payments; --",
  '$1::uuid',
  '{}',
  '%00%ff',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '<script>alert(1)</script>',
  'USD/2',
  'USD/10',
  'usd/2',
  'USD/-1',
  'pay_7zzzzzzzzzzzzzzzzzzzzzzzzz',
  'acct_8zzzzzzzzzzzzzzzzzzzzzzzzz',
  'acct_00000000000000000000000000',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00+99:99',
  'P1Y2M3DT4H5M6.789S',
  'PT99999999999999999999S',
  '99999999999999d',
  '-5s',
];

const NASTY_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e-7,
  2 ** 53 - 1,
  -(2 ** 53 - 1),
  2 ** 31,
  1e15,
  [],
  [[]],
  {},
  { a: 1 },
  [null],
  { __proto__x: 1, constructor: { prototype: 1 }, toString: 'x' },
  deep(31),
  deep(40),
  Array.from({ length: 200 }, () => 1),
  Object.fromEntries(Array.from({ length: 200 }, (_none, at) => [`k${at}`, at])),
];

export const nastyText = (random: Random): string => random.pick(NASTY_TEXTS);

export const nasty = (random: Random): unknown => (random.chance(0.55) ? nastyText(random) : random.pick(NASTY_VALUES));

/** One that fits, as far as a schema says it. */
export function fitting(schema: Schema, random: Random): unknown {
  if (Array.isArray(schema['examples']) && random.chance(0.7)) return random.pick(schema['examples'] as unknown[]);
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'] as unknown[]);
  if ('const' in schema) return schema['const'];
  const union = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(union)) return fitting(random.pick(union as Schema[]), random);
  const types = [schema['type'] ?? 'string'].flat() as string[];
  switch (random.pick(types)) {
    case 'object':
      return fittingObject(schema, random);
    case 'array':
      return Array.from({ length: 1 + random.int(3) }, () => fitting((schema['items'] ?? {}) as Schema, random));
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 0) + random.int(100);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return 'w'.repeat(Math.max(Number(schema['minLength'] ?? 0), 1 + random.int(8)));
  }
}

function fittingObject(schema: Schema, random: Random): Record<string, unknown> {
  const required = (schema['required'] ?? []) as string[];
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  return Object.fromEntries(
    properties
      .filter(([name]) => required.includes(name) || random.chance(0.3))
      .map(([name, field]) => [name, fitting(field, random)]),
  );
}

/** Changes one place of a value, anywhere in it. */
export function bent(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return nasty(random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2)) return [...(value as unknown[]), nasty(random)];
    const at = random.int(value.length);
    return (value as unknown[]).map((item, index) => (index === at ? bent(item, random) : item));
  }
  const fields = Object.entries(value);
  const [name] = fields.length === 0 ? ['x'] : random.pick(fields);
  if (random.chance(0.15)) return { ...value, [nastyText(random)]: nasty(random) };
  if (random.chance(0.15)) return Object.fromEntries(fields.filter(([other]) => other !== name));
  return { ...value, [name]: bent((value as Record<string, unknown>)[name], random) };
}
