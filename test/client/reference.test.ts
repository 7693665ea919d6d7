// docs/reference/library.md, client.md and the pages of the resources: current, complete, and with examples that compile.
import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { libraryReference } from '../../scripts/library-reference.ts';
import * as client from '../../src/client/index.ts';
import { OPERATIONS } from '../../src/client/inner.ts';
import * as library from '../../src/index.ts';
import { useFolder } from '../cli/cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const REFERENCE = join(ROOT, 'docs/reference');
const run = promisify(execFile);
const folder = useFolder();
const pages = await libraryReference();
const everything = [...pages.values()].join('\n');

test('the pages are current: npm run docs:library', () => {
  const written = globSync(['library.md', 'client.md', 'events.md', 'resources/*.md'], { cwd: REFERENCE });
  expect(written.toSorted()).toEqual([...pages.keys()].toSorted());
  for (const [file, text] of pages) expect(readFileSync(join(REFERENCE, file), 'utf8'), file).toBe(text);
});

test.each([
  ['usance', library, 'library.md'],
  ['usance/client', client, 'client.md'],
])('every value that %s exports has a section', (_, exported, file) => {
  const headings = headingsOf(pages.get(file) ?? '');
  expect(Object.keys(exported).length).toBeGreaterThan(4);
  expect(Object.keys(exported).filter((name) => !headings.includes(name))).toEqual([]);
});

test.each(['src/index.ts', 'src/client/index.ts'])('every type that %s exports is on a page', (file) => {
  const headings = headingsOf(everything);
  const names = typesOf(file);
  expect(names.length).toBeGreaterThan(90);
  expect(names.filter((name) => !headings.includes(name) && !inCode(name))).toEqual([]);
});

test('every method has its section, its result and its refusals', () => {
  const operations = Object.keys(OPERATIONS);
  expect(operations.length).toBeGreaterThan(90);
  for (const operation of operations) {
    const [resource = ''] = operation.split('.');
    const [, section = ''] = (pages.get(`resources/${resource}.md`) ?? '').split(`\n## ${operation}\n`);
    const own = section.split('\n## ')[0] ?? '';
    for (const part of [`${operation}(`, '- Returns: ', '- Refuses with: ', `shop.${operation}(`])
      expect(own, operation).toContain(part);
  }
});

test('every row of a table has a description', () => {
  const rows = everything.split('\n').filter((line) => line.startsWith('| '));
  expect(rows.length).toBeGreaterThan(1_000);
  expect(rows.filter((row) => /\| +\|$/.test(row))).toEqual([]);
});

test('every section of the library page starts with a sentence', () => {
  const page = pages.get('library.md') ?? '';
  expect([...page.matchAll(/^### (\w+)\n\n(?:```|\|)/gm)].map(([, name]) => name)).toEqual([]);
});

test('every link leads to a file and a heading', () => {
  const broken = [...pages].flatMap(([from, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !target.startsWith('http') && !leads(from, target))
      .map((target) => `${from}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('every example compiles with the types of the library and of the client', async () => {
  const examples = [...pages]
    .filter(([file]) => file.startsWith('resources/'))
    .flatMap(([, text]) => [...text.matchAll(/```ts\n((?:const|for await).*?)```/gs)].map(([, code = '']) => code));
  expect(examples).toHaveLength(Object.keys(OPERATIONS).length);
  const declared = (type: string, from: string): string =>
    `import type { ${type} } from '${join(ROOT, from)}';\ndeclare const shop: ${type};\n`;
  const blocks = examples.map((example) => `{\n${example}}\n`).join('');
  writeFileSync(join(folder, 'library.ts'), declared('Resources', 'src/library/resources.ts') + blocks);
  writeFileSync(join(folder, 'client.ts'), declared('Client', 'src/client/index.ts') + blocks);
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--ignoreConfig', '--lib', 'es2024,dom,dom.iterable', '--types', ''];
  const modules = ['--target', 'es2024', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const files = [join(folder, 'library.ts'), join(folder, 'client.ts')];
  const compiled = run(process.execPath, [compiler, ...options, ...modules, '--allowImportingTsExtensions', ...files]);
  expect(await compiled.catch((error: { stdout: string }) => error.stdout)).toMatchObject({ stdout: '' });
});

function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
}

/** Parameters of methods and interfaces of resources have no heading: they are named in a signature or an introduction. */
function inCode(name: string): boolean {
  const isInterface = /(Resource|Resources|Client)$/.test(name) && everything.includes(`\`${name}\``);
  // The type of an event is named in the section of its event.
  const isEvent = everything.includes(`TypeScript: \`${name}\``);
  return isInterface || isEvent || new RegExp(String.raw`params\??: ${name}\b`).test(everything);
}

/** The types that a file exports, those of the files it exports from included. */
function typesOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const listed = [...text.matchAll(/^export type \{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().split(' ').at(-1) ?? ''),
  );
  const declared = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name);
  const others = [...text.matchAll(/^export type \* from '(.*)'/gm)].flatMap(([, from = '']) =>
    typesOf(join(dirname(file), from)),
  );
  return [...new Set([...listed, ...declared, ...others])].filter((name) => name !== '');
}

function leads(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? join(REFERENCE, from) : join(REFERENCE, dirname(from), path);
  const text = readIf(file);
  if (text === null || anchor === undefined) return text !== null;
  return headingsOf(text).some(
    (each) =>
      each
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-') === anchor,
  );
}

function readIf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
