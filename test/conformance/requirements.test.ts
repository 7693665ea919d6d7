// docs/reference/requirements.md is current, has every requirement once, and names tests and commands that exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirementsReference } from '../../scripts/requirements-reference.ts';
import { createProgram } from '../../src/cli/program.ts';
import { BOUNDARIES } from '../faults/boundaries.ts';
import { REQUIREMENTS } from './rows/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const rows = Object.values(REQUIREMENTS).flat();
const proofs = rows.flatMap(({ id, shown }) => shown.map((proof) => ({ id, proof })));
const named = [
  ...new Map(
    proofs.flatMap(({ proof }) => ('file' in proof ? [[`${proof.file} ${proof.title}`, proof] as const] : [])),
  ).values(),
];

test('docs/reference/requirements.md is current: npm run docs:requirements', () => {
  expect(read('docs/reference/requirements.md')).toBe(requirementsReference());
});

test('every requirement is there once, in order', () => {
  const range = (design: number, last: number, first = 1): string[] =>
    Array.from({ length: last - first + 1 }, (_, index) => `S${design}-${String(index + first).padStart(2, '0')}`);
  expect(rows.map(({ id }) => id)).toEqual([
    ...range(0, 82),
    ...range(1, 50),
    ...range(2, 72),
    ...range(3, 52, 3),
    ...range(4, 62),
  ]);
  for (const { id, says, shown } of rows) {
    expect(says.length, id).toBeGreaterThan(10);
    expect(says, id).not.toContain('|');
    expect(new Set(shown.map((proof) => JSON.stringify(proof))).size, id).toBe(shown.length);
  }
});

/** What the title belongs to: the last call of `test` or `describe` before it, with what it is chained to. */
function callBefore(text: string, title: string): string | null {
  const written = ["'", '"', '`'].map((quote) => `${quote}${title}${quote}`);
  const before = written.flatMap((quoted) => text.split(quoted).slice(0, -1));
  const found = before.findIndex((part) => /[([]\s*$/.test(part));
  if (found === -1) return null;
  const calls = [
    ...before
      .slice(0, found + 1)
      .join('')
      .matchAll(/(?<![\w.])(?:test|it|describe)(?:\.\w+)*(?=[(<`])/g),
  ];
  return calls.at(-1)?.[0] ?? null;
}

test.each(named)('$file has a test: $title', ({ file, title }) => {
  expect(existsSync(join(ROOT, file)), file).toBe(true);
  expect(callBefore(read(file), title)).toMatch(/^test(?:\.each|\.runIf)?$/);
  expect(read(file)).not.toMatch(/(?<![\w.])(?:test|describe)\.(?:skip|todo|only)\b/);
});

test('a group, a skipped test and a missing one show nothing', () => {
  const text = `describe('a', () => { test.skip('b', x); test('c', x); test.each([1])(\n  'd', x); test.each([['e', 1]])('%s', x) })`;
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map((title) => callBefore(text, title))).toEqual([
    'describe',
    'test.skip',
    'test',
    'test.each',
    'test.each',
    null,
  ]);
});

test('every scenario of a crash is one there is', () => {
  const named = proofs.flatMap(({ proof }) =>
    'scenario' in proof && proof.scenario !== undefined ? [proof.scenario] : [],
  );
  expect(named).not.toEqual([]);
  for (const scenario of named) expect(Object.keys(BOUNDARIES)).toContain(scenario);
});

test('every command is one there is', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
  const commands = createProgram('0.0.0').commands.map((command) => command.name());
  const run = proofs.flatMap(({ proof }) => ('command' in proof ? [proof.command] : []));
  expect(run.length).toBeGreaterThan(0);
  for (const command of run) {
    const [program, first = '', second = ''] = command.split(' ');
    if (program === 'npm') expect(Object.keys(scripts)).toContain(second);
    else expect([program, commands]).toEqual(['usance', expect.arrayContaining([first])]);
  }
});
