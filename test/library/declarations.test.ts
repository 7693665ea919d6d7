// What an editor shows: the declarations of the built package. Every member has a summary, an optional one its default, a measured one its
// unit, and every type in a signature can be imported.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { useFolder } from '../cli/cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const folder = useFolder();

beforeAll(async () => {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', folder];
  await run(process.execPath, [compiler, ...options], { cwd: ROOT });
}, 120_000);

interface Declared {
  readonly name: string;
  readonly doc: string;
  /** From `export` to the end of the declaration. */
  readonly text: string;
}

/** The public names of a file, and the declaration of each. */
function exportsOf(file: string): Map<string, Declared> {
  const text = readFileSync(join(folder, file), 'utf8');
  const found = new Map<string, Declared>();
  const beside = (from: string): string => join(dirname(file), from.replace(/\.(?:js|ts)$/, '.d.ts'));
  for (const [, from = ''] of text.matchAll(/^export (?:type )?\* from '([^']*)';/gm)) {
    for (const [name, declared] of exportsOf(beside(from))) if (!found.has(name)) found.set(name, declared);
  }
  for (const [, names = '', from = ''] of text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']*)';/gm)) {
    const inner = exportsOf(beside(from));
    for (const each of names.split(',').map((name) => name.trim())) {
      const [own = '', shown = own] = each.split(' as ');
      const declared = inner.get(own);
      if (declared) found.set(shown, declared);
    }
  }
  for (const declared of declarationsIn(text)) found.set(declared.name, declared);
  return found;
}

function declarationsIn(text: string): Declared[] {
  const heads =
    /^((?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)?)export (?:declare )?(?:interface|class|type|function|const) (\w+)/gm;
  return [...text.matchAll(heads)].map(({ 0: head, 1: doc = '', 2: name = '', index }) => ({
    name,
    doc,
    text: text.slice(index + doc.length, endOf(text, index + head.length)),
  }));
}

/** The end of a declaration: its closing brace or semicolon in the first column of nesting. */
function endOf(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const comment = text.startsWith('/**', at) ? text.indexOf('*/', at) : -1;
    if (comment > 0) at = comment + 1;
    const letter = text[at] ?? '';
    if ('{(['.includes(letter)) depth += 1;
    if ('})]'.includes(letter)) depth -= 1;
    if (depth === 0 && (letter === ';' || (letter === '}' && text[at + 1] === '\n'))) return at + 1;
  }
  return text.length;
}

interface Member {
  readonly of: string;
  readonly name: string;
  readonly optional: boolean;
  readonly type: string;
  readonly doc: string;
}

/** Members of interfaces, classes and type literals, nested ones too. */
function membersOf({ name: of, text }: Declared): Member[] {
  const pattern =
    /^ +((?:\/\*\*(?:(?!\*\/)[^])*\*\/\n +)?)(?:readonly |override |get )*(\w+)(\??)(?::|\(|<)([^\n]*)$/gm;
  return [...text.matchAll(pattern)]
    .filter(([, , name]) => name !== 'constructor')
    .map(([, doc = '', name = '', optional = '', type = '']) => ({ of, name, optional: optional === '?', type, doc }));
}

describe.each([
  ['index.d.ts', 1_000],
  ['client/index.d.ts', 1_000],
  ['testing/index.d.ts', 15],
])('%s', (entry, atLeast) => {
  // The types of constants are data: the catalogue and the table of operations.
  const declared = (): Declared[] =>
    [...new Set(exportsOf(entry).values())].filter(({ text }) => !/^export (?:declare )?const /.test(text));
  const members = (): Member[] => declared().flatMap(membersOf);
  const named = (some: readonly Member[]): string[] => [...new Set(some.map(({ of, name }) => `${of}.${name}`))];

  test('every member has a summary', () => {
    expect(members().length).toBeGreaterThan(atLeast);
    expect(named(members().filter(({ doc }) => doc === ''))).toEqual([]);
  });

  test('every declaration that is written by hand has a summary', () => {
    const generated = new Set(
      [...declarationsIn(read('client/schema.d.ts')), ...declarationsIn(read('library/resources.d.ts'))].map(
        ({ name }) => name,
      ),
    );
    expect(
      declared()
        .filter(({ name, doc }) => doc === '' && !generated.has(name))
        .map(({ name }) => name),
    ).toEqual([]);
  });

  test('every optional member has its default, or says when it is absent', () => {
    const silent = members().filter(
      ({ optional, doc }) => optional && !/\bdefault\b|\babsent\b|\bonly if\b|\bgive this or\b/i.test(doc),
    );
    expect(named(silent)).toEqual([]);
  });

  test('every measured member has its unit', () => {
    const units: readonly (readonly [RegExp, RegExp])[] = [
      [/Ms$/, /millisecond/i],
      [/PerSecond$/, /per second/],
      [/Seconds$|^seconds$/, /second/],
      [/^days$/, /days/i],
      [/^(?:amount|price|captured|released|refunded|available|reserved)$/, /minor units/i],
      [/^amountDecimal$/, /decimal/],
    ];
    const silent = members().filter(({ name, type, doc }) =>
      units.some(([measured, unit]) => measured.test(name) && !type.includes('boolean') && !unit.test(doc)),
    );
    expect(named(silent)).toEqual([]);
  });

  test('every type in a signature is exported', () => {
    // Types of the library are imported from `usance`.
    const exported = new Map([...exportsOf(entry), ...(entry.startsWith('testing/') ? exportsOf('index.d.ts') : [])]);
    const missing = declared().flatMap(({ name, text }) =>
      typesIn(text)
        .filter((type) => !exported.has(type) && !GLOBALS.has(type))
        .map((type) => `${name}: ${type}`),
    );
    expect([...new Set(missing)]).toEqual([]);
  });

  test('nothing internal is declared', () => {
    expect(
      declared()
        .filter(({ text }) => text.includes('@internal'))
        .map(({ name }) => name),
    ).toEqual([]);
  });
});

const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

const GLOBALS = new Set(
  [
    'Promise',
    'PromiseLike',
    'AsyncIterable',
    'Iterable',
    'ReadonlyMap',
    'Map',
    'Set',
    'Date',
    'Error',
    'AbortSignal',
    'ArrayBuffer',
    'Headers',
    'Uint8Array',
  ].concat(['Readonly', 'Partial', 'Pick', 'Omit', 'Record', 'NonNullable', 'Required', 'Extract', 'Exclude']),
);

/** Names of types in a declaration: capitalized, outside comments and strings, and no parameter of a generic type. */
function typesIn(text: string): string[] {
  const code = text.replaceAll(/\/\*\*.*?\*\//gs, '').replaceAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, '');
  // `interface Page<T>`, `savepoint<T>(…)`, `list<E extends Any>(…)`, `[Each in Field]`.
  const parameters =
    /^export (?:declare )?\w+ \w+<([A-Z]\w*)|\w\??<([A-Z]\w*)>\(|[<,]\s*([A-Z]\w*) extends |\[([A-Z]\w*) in /g;
  const own = new Set([...code.matchAll(parameters)].flatMap(([, ...names]) => names));
  return [...code.matchAll(/(?<![\w.#]|typeof )([A-Z]\w+|[A-Z])(?![\w?]*(?:\??:|\())/g)]
    .map(([, name = '']) => name)
    .filter((name) => !own.has(name));
}

test('a member without a summary, a default or a unit is noticed', () => {
  const text =
    'export interface Thing {\n    /** Known. */\n    readonly known: string;\n    readonly silent?: string;\n    nested: {\n        readonly waitMs: number;\n    };\n}\n';
  const [thing] = declarationsIn(text);
  expect(thing && membersOf(thing)).toMatchObject([
    { name: 'known', optional: false, doc: expect.stringContaining('Known.') },
    { name: 'silent', optional: true, doc: '' },
    { name: 'nested', doc: '' },
    { name: 'waitMs', doc: '' },
  ]);
  expect(typesIn('export interface Page<T> { readonly of: Other<T>; readonly FOO: string }')).toEqual([
    'Page',
    'Other',
  ]);
});
