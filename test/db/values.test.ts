// Values on their way to the server: whatever they are, alone, in arrays and as what an insert writes, they arrive as they left.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/db/index.ts';
import { asDate, condense, encode } from '../../src/db/index.ts';
import { useDatabase } from '../support/database.ts';

const AWKWARD = [
  null,
  'NULL',
  'null',
  '',
  ' ',
  ' padded ',
  'a,b',
  '{braces}',
  'a"quote',
  "it's",
  'back\\slash',
  '\\"',
  'line\nbreak',
  'tab\t',
  'ünïcödé 💶 東京',
  '-5',
  '$1',
  '%',
];

describe('values', () => {
  const store = useDatabase();
  const back = async (cast: string, value: Value): Promise<unknown> =>
    (await store.db.query(`select $1::${cast} as value`, [value]))[0]?.['value'];

  test('an array of any texts arrives as it left', async () => {
    expect(await back('text[]', AWKWARD)).toEqual(AWKWARD);
  });

  test('any text at all arrives as it left, alone and in arrays', async () => {
    const text = fc
      .string({ unit: 'binary' })
      .filter((candidate) => !candidate.includes('\0') && candidate.isWellFormed());
    const texts = fc.array(fc.option(text), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(text, texts, async (one, many) => {
        const [row] = await store.db.query('select $1::text as one, $2::text[] as many', [one, many]);
        expect(row).toEqual({ one, many });
      }),
    );
  });

  test('numbers, bigints, booleans, instants and ids keep their value in arrays too', async () => {
    const instant = new Date('2026-02-28T23:59:59.999Z');
    const id = '01890a5d-ac96-774b-bcce-b302099a8057';
    const extremes = [-(2n ** 63n), 0n, 2n ** 63n - 1n];
    expect(await back('bigint[]', extremes)).toEqual(extremes.map(String));
    expect(await back('int[]', [1, -1, null])).toEqual([1, -1, null]);
    expect(await back('boolean[]', [true, false, null])).toEqual([true, false, null]);
    expect(await back('timestamptz[]', [instant, null])).toEqual([instant, null]);
    expect(await back('uuid[]', [id])).toEqual([id]);
    expect(await back('text[]', [])).toEqual([]);
    expect(await back('jsonb[]', ['{"a":"\\"\\\\ü"}', null])).toEqual([{ a: '"\\ü' }, null]);
    expect(asDate(await back('timestamptz', instant))).toEqual(instant);
    expect(await back('boolean', false)).toBe(false);
    expect(await back('text', null)).toBeNull();
  });

  test('an instant is read whatever zone the session writes it in, milliseconds cut', () => {
    const written = ['2026-02-28 23:59:59.999999+00', '2026-03-01 05:29:59.999+05:30', '2026-02-28 15:59:59.9999-08'];
    for (const text of written) expect(asDate(text).toISOString()).toBe('2026-02-28T23:59:59.999Z');
    expect(asDate('2026-02-28 23:59:59+00').toISOString()).toBe('2026-02-28T23:59:59.000Z');
    // The server leaves out zeros at the end of a fraction.
    const fractions = { '.5+00': '500', '.05+00': '050', '.12+00': '120', '.120001+00': '120', '.7Z': '700', Z: '000' };
    for (const [fraction, ms] of Object.entries(fractions))
      expect(asDate(`2026-02-28 23:59:59${fraction}`).toISOString()).toBe(`2026-02-28T23:59:59.${ms}Z`);
    expect(() => asDate('infinity')).toThrow('an instant');
  });

  const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
  const manyIds = (last: string | null): (string | null)[] => [
    ...Array.from({ length: 20 }, (_, index) => ID.slice(0, -2) + (0xa0 + index).toString(16)),
    last,
  ];

  test('an array of ids arrives as it left, with nulls, in capitals and in any form that the server knows', async () => {
    const forms = [ID, null, ID.toUpperCase(), ID.replaceAll('-', ''), `{${ID}}`];
    for (const last of forms) expect(await back('uuid[]', manyIds(last))).toEqual(manyIds(last === null ? null : ID));
  });

  test('any id arrives as it left in a long array', async () => {
    const ids = fc.array(fc.option(fc.uuid()), { minLength: 16, maxLength: 40 });
    const arrives = fc.asyncProperty(ids, async (given) => {
      expect(await back('uuid[]', given)).toEqual(given);
    });
    await fc.assert(arrives, { numRuns: 50 });
  });

  test.each([
    ['a character that is no digit', ID.replace('a', 'g')],
    ['a character beyond ASCII', ID.replace('a', 'ä')],
    ['a dash out of place', '01890a5dac-96774b-bcce-b302099a80-57'],
    ['a digit too few', ID.slice(0, -1)],
    ['nothing', ''],
  ])('an id with %s is refused by the server, in a long array too', async (_, wrong) => {
    await expect(back('uuid[]', manyIds(wrong))).rejects.toThrow('invalid input syntax for type uuid');
  });

  test('places of rows arrive as they left', async () => {
    const places = ['(0,1)', '(4294967295,65535)', null, ...Array.from({ length: 20 }, (_, index) => `(${index},7)`)];
    expect(await back('tid[]::text[]', places)).toEqual(places);
    for (const wrong of ['(4294967296,1)', '(1,65536)', '(1)', '1,1', '(a,1)'])
      await expect(back('tid[]::text[]', [...places, wrong])).rejects.toThrow('type tid');
  });

  test('travel as text', () => {
    expect(encode(5n)).toBe('5');
    expect(encode([1, null, 'a b', 'NULL'])).toBe('{1,NULL,"a b","NULL"}');
    expect([encode([]), encode([7]), encode(['x', 'x', 'y'])]).toEqual(['{}', '{7}', '{x,x,y}']);
  });
});

describe('a value that a whole batch shares', () => {
  const store = useDatabase();
  const many = <T>(value: T): T[] => Array.from({ length: 20 }, () => value);

  test('travels once', () => {
    const statement = 'select $1::uuid[], $2::text[] is null, unnest($2::text[]), $3::int';
    expect(condense(statement, [many('a'), many('b'), 7])).toEqual({
      text: 'select array_fill($1::uuid, array[20]), array_fill($2::text, array[20]) is null, unnest(array_fill($2::text, array[20])), $3::int',
      values: ['a', 'b', 7],
    });
  });

  test('is not taken for one that some of it share, nor are a few or none', () => {
    const asItIs = {
      text: 'select $1::int[], $2::int[], $3::int[], $4::text',
      values: [[...many(1), 2], [1, 1], [], 'x'],
    };
    expect(condense(asItIs.text, asItIs.values)).toEqual(asItIs);
  });

  test.each([
    ['text', 'a"b, \\ {NULL}'],
    ['text', ''],
    ['text', null],
    ['bigint', 9_223_372_036_854_775_807n],
    ['boolean', false],
    ['timestamptz', new Date('2026-02-28T23:59:59.999Z')],
    ['jsonb', '{"a": [1, "x"]}'],
    ['uuid', '01a1e04b-ced9-7000-89a0-643fd3df9701'],
  ])('arrives as it was: %s %s', async (type, value) => {
    const texts = `select array_agg(v::text) as v, count(*)::int as n from unnest($1::${type}[]) v`;
    const [shared] = await store.owner.query(texts, [many(value)]);
    const [alone] = await store.owner.query(`select $1::${type}::text as v`, [value]);
    expect(shared).toEqual({ v: many(alone?.['v']), n: 20 });
  });
});

describe('what an insert writes', () => {
  const store = useDatabase();
  const many = <T>(make: (index: number) => T): T[] => Array.from({ length: 20 }, (_, index) => make(index));
  const ids = many((index) => `01a1e04b-ced9-7000-89a0-${String(index).padStart(12, '0')}`);
  const documents = many((index) => JSON.stringify({ n: index, text: '],["' }));

  test('is taken apart side by side', () => {
    const insert = `insert into t (a, b, c, d)
      select a, b, c, d from unnest($1::uuid[], $2::text[], $3::jsonb[],
                                    $4::int[]) v (a, b, c, d)
      on conflict do nothing`;
    expect(condense(insert, [ids, many(() => 'x'), documents, many((index) => index)])).toEqual({
      text: `insert into t (a, b, c, d)
      select a, b, c, d from (select unnest($1::uuid[]), $2::text, jsonb_array_elements($3::jsonb), unnest($4::int[])) v (a, b, c, d)
      on conflict do nothing`,
      values: [ids, 'x', `[${documents.join(',')}]`, many((index) => index)],
    });
  });

  test('stays a table where something is joined to it, where columns are not of one length, and where all are one value', () => {
    const [source, rows] = ['from unnest($1::uuid[], $2::int[]) v (a, b)', many((index) => index)];
    const joined = `select a ${source} join t using (a)`;
    const uneven = `insert into t select a, b ${source}`;
    expect(condense(joined, [ids, rows]).text).toBe(joined);
    expect(condense(uneven, [ids, rows.slice(1)]).text).toBe(uneven);
    expect(condense(uneven, [many(() => ids[0] ?? ''), many(() => 1)]).text).toBe(
      'insert into t select a, b from unnest(array_fill($1::uuid, array[20]), array_fill($2::int, array[20])) v (a, b)',
    );
  });

  test('arrives as it left, in order', async () => {
    const json = fc.option(
      fc.json({ noUnicodeString: false }).filter((text) => !/\\u(0000|[dD][89a-fA-F])/.test(text)),
    );
    const text = fc.option(fc.constantFrom(...AWKWARD));
    const instant = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
    const row = fc.record({
      json,
      whole: fc.jsonValue(),
      text,
      instant,
      number: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    });
    const varied = fc.array(row, { minLength: 16, maxLength: 40 });
    const alike = fc
      .tuple(row, fc.integer({ min: 16, max: 40 }))
      .map(([one, times]) => Array.from({ length: times }, () => one));
    await store.owner.query(
      'create table arrived (n int, json jsonb, whole jsonb, text text, instant timestamptz, number bigint)',
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(varied, alike), async (rows) => {
        const columns: Value[] = [
          rows.map((_, index) => index),
          rows.map((each) => each.json),
          rows.map((each) => JSON.stringify(each.whole)),
          rows.map((each) => each.text),
          rows.map((each) => new Date(each.instant)),
          rows.map((each) => each.number),
        ];
        await store.owner.query('delete from arrived');
        await store.owner.query(
          `insert into arrived select * from unnest($1::int[], $2::jsonb[], $3::jsonb[], $4::text[], $5::timestamptz[], $6::bigint[])`,
          columns,
        );
        const arrived = await store.owner.query(
          'select json::text, whole::text, text, instant, number::text from arrived order by n',
        );
        const one = async (type: string, value: Value): Promise<unknown> =>
          (await store.owner.query(`select $1::${type}::text as value`, [value]))[0]?.['value'];
        expect(arrived.length).toBe(rows.length);
        for (const [index, each] of rows.entries()) {
          const got = arrived[index];
          expect(got?.['text']).toBe(each.text);
          expect(got?.['number']).toBe(String(each.number));
          expect(asDate(got?.['instant'])).toEqual(each.instant);
          if (index > 3) continue;
          expect(got?.['json']).toBe(await one('jsonb', each.json));
          expect(got?.['whole']).toBe(await one('jsonb', JSON.stringify(each.whole)));
        }
      }),
      { numRuns: 40 },
    );
  });
});
