// Public texts outside the documents follow the same rules: the OpenAPI document, the help of every command, log lines and all other
// sentences in string literals, and the comments of the kernel, the contract, jobs, the library, the client, the commands and the configuration.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/reference/openapi.ts';
import { createProgram } from '../../src/cli/program.ts';
import { findings } from './rules.ts';
import { textsOf } from './source.ts';
import type { Text } from './source.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Every description and summary below a value, with its path. */
function described(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (name === 'example' || name === 'examples') return [];
    const isText = (name === 'description' || name === 'summary') && typeof inner === 'string';
    return isText ? [[`${path}/${name}`, inner] as [string, string]] : described(inner, `${path}/${name}`);
  });
}

const commandsOf = (command: Command, name: string): [name: string, command: Command][] => [
  [name, command],
  ...command.commands.flatMap((inner) => commandsOf(inner, `${name} ${inner.name()}`)),
];

/** The description of a command, of its arguments and options, and the whole help, in which an example follows. */
function helpOf(command: Command): string[] {
  let printed = '';
  command.configureOutput({ writeOut: (text) => (printed += text) }).outputHelp();
  const parts = [...command.registeredArguments, ...command.options].map(({ description }) => description);
  return [command.description(), ...parts, printed];
}

const filesOf = (patterns: readonly string[]): string[] => globSync(patterns, { cwd: ROOT }).toSorted();
const ALL = filesOf(['src/**/*.ts', 'examples/*.ts']);
/** Files whose comments users and operators read: public types of the kernel and the contract, jobs, the library, the client, the commands, operating, configuration, examples. */
const COMMENTED = filesOf([
  'src/{audit,cli,client,contract,events,jobs,kernel,library,ops,queue,testing}/**/*.ts',
  'src/{index,engine-types}.ts',
  'src/config*.ts',
  'examples/*.ts',
]);

function findingsIn(file: string, kind: Text['kind']): string[] {
  const texts = textsOf(readFileSync(join(ROOT, file), 'utf8')).filter((one) => one.kind === kind);
  return texts.flatMap(({ line, text }) => findings(file, text, line));
}

describe('the voice of public texts', () => {
  const descriptions = described(openApiDocument(), '');

  test('every description of the OpenAPI document has no banned construction', () => {
    expect(descriptions.length).toBeGreaterThan(500);
    expect(descriptions.flatMap(([path, text]) => findings(path, text))).toEqual([]);
  });

  test.each(commandsOf(createProgram('0.0.0'), 'usance'))(
    'the help of "%s" has no banned construction',
    (name, command) => {
      expect(helpOf(command).flatMap((text) => findings(name, text))).toEqual([]);
    },
  );

  test('every sentence that a source file has as a literal has no banned construction', () => {
    expect(ALL.length).toBeGreaterThan(300);
    expect(ALL.flatMap((file) => findingsIn(file, 'literal'))).toEqual([]);
  });

  test.each(COMMENTED)('comments of %s have no banned construction', (file) => {
    expect(findingsIn(file, 'comment')).toEqual([]);
  });
});

describe('the texts of a source file', () => {
  test('are its comments and its sentences, with their lines', () => {
    const source = [
      '// A head',
      '// of two lines.',
      "log.info('one more thing'); // said",
      '/** Nobody knows. */',
      "call('a b');",
    ];
    expect(textsOf(source.join('\n'))).toEqual([
      { kind: 'comment', line: 1, text: 'A head\nof two lines.' },
      { kind: 'literal', line: 3, text: 'one more thing' },
      { kind: 'comment', line: 4, text: 'Nobody knows. ' },
    ]);
  });

  test('are found with the line of the source', () => {
    const [comment] = textsOf('\n/**\n * A line\n * that nobody reads.\n */\n');
    expect(findings('a.ts', comment?.text ?? '', comment?.line)).toEqual([
      'a.ts:4 "nobody": name the caller, operator, tenant, process or end user',
    ]);
  });
});
