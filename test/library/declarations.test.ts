// What an editor shows: every exported interface of the library and the client, read as text. Each member has a summary.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');
const files = ['library', 'client'].flatMap((folder) =>
  readdirSync(join(SRC, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(SRC, folder, name)),
);

interface Member {
  readonly of: string;
  readonly name: string;
  readonly described: boolean;
}

/** Members of exported interfaces, nested ones too, in the order of the file. */
function membersOf(text: string): Member[] {
  const lines = text.split('\n');
  const members: Member[] = [];
  let of: string | null = null;
  for (const [index, line] of lines.entries()) {
    of = /^export interface (\w+)/.exec(line)?.[1] ?? (line === '}' ? null : of);
    const [, name] = /^\s+(?:readonly )?(\w+)\??(?:: |\()/.exec(line) ?? [];
    // Parameters of a method that does not fit into a line are not members.
    const isParameter =
      name !== undefined && /^(id|guardian|junior|params|options)$/.test(name) && /,$|: \{$|\($/.test(line);
    if (of === null || name === undefined || isParameter) continue;
    members.push({ of, name, described: lines[index - 1]?.trim().endsWith('*/') ?? false });
  }
  return members;
}

test('every member of an exported interface has a summary', () => {
  const members = files.flatMap((file) => membersOf(readFileSync(file, 'utf8')));
  expect(members.length).toBeGreaterThan(1_200);
  expect(members.filter(({ described }) => !described).map(({ of, name }) => `${of}.${name}`)).toEqual([]);
});

test('a member without one is noticed', () => {
  const text = 'export interface Thing {\n  /** Known. */\n  readonly known: string;\n  readonly silent: string;\n}\n';
  expect(membersOf(text).filter(({ described }) => !described)).toMatchObject([{ of: 'Thing', name: 'silent' }]);
});
