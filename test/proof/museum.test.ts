// Every piece of the museum, applied to a copy of the tree: its test fails there, and passes on the copy without it.
import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyPiece, readPieces } from '../museum/pieces.ts';
import { banner } from './banner.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const NOT_COPIED = new Set(['.git', 'node_modules', 'dist', '.usance', '.env']);
const wanted = (process.env['MUSEUM'] ?? '').split(',');
const pieces = readPieces().filter(({ name }) => wanted.some((beginning) => name.startsWith(beginning)));

/** Copies of the tree: each has one defect at a time. */
const COPIES = 2;
const free: string[] = [];
const waiting: ((folder: string) => void)[] = [];
const folders: string[] = [];
/** The titles of the tests that passed on the tree as it is, and of those that did not, by their file. */
const sound = new Map<string, { readonly title: string; readonly passed: boolean }[]>();

beforeAll(async () => {
  for (let n = 0; n < COPIES; n++) folders.push(await copyTree());
  free.push(...folders);
  const [folder = ''] = folders;
  const files = [...new Set(pieces.map(({ caughtBy }) => caughtBy))];
  const titles = [...new Set(pieces.map(({ title }) => title))];
  for (const { file, title, passed } of await runTests(folder, files, titles))
    sound.set(file, [...(sound.get(file) ?? []), { title, passed }]);
}, 60 * 60_000);
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function copyTree(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'usance-museum-')));
  // Open to the account that the embedded server runs as when root starts it.
  await chmod(folder, 0o755);
  for (const name of await readdir(ROOT)) {
    if (NOT_COPIED.has(name)) continue;
    await cp(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (path) => !NOT_COPIED.has(basename(path)),
    });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function inCopy<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = free.pop() ?? (await new Promise<string>((resolve) => waiting.push(resolve)));
  try {
    return await work(folder);
  } finally {
    const next = waiting.shift();
    if (next) next(folder);
    else free.push(folder);
  }
}

test('the museum is complete', () => {
  banner('museum', { pieces: pieces.length, findings: new Set(pieces.map(({ finding }) => finding)).size });
  expect(pieces.length).toBeGreaterThan(0);
});

describe.concurrent.each(pieces)('$name', (piece) => {
  test('is caught by its test, which passes without it', async ({ expect }) => {
    const without = (sound.get(piece.caughtBy) ?? []).filter(({ title }) => title.includes(piece.title));
    expect(without.length, `tests of ${piece.caughtBy} with the title "${piece.title}"`).toBeGreaterThan(0);
    expect(without.filter(({ passed }) => !passed)).toEqual([]);
    await inCopy(async (folder) => {
      applyPiece(piece, folder);
      try {
        const outcomes = await runTests(folder, [piece.caughtBy], [piece.title]);
        expect(
          outcomes.filter(({ passed }) => !passed),
          `with the defect: ${piece.what}`,
        ).not.toEqual([]);
      } finally {
        applyPiece(piece, folder, 'undo');
      }
    });
  });
});

interface Outcome {
  readonly file: string;
  readonly title: string;
  readonly passed: boolean;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Tests that ran; a file that does not load has none, so a patch that breaks the build catches nothing. */
async function runTests(folder: string, files: readonly string[], titles: readonly string[]): Promise<Outcome[]> {
  const report = join(folder, 'museum.json');
  const pattern = titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
  const args = ['run', '--project', 'postgres-18', ...files, '-t', pattern, '--reporter=json', '--outputFile', report];
  await new Promise<void>((resolve) => {
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    execFile(
      process.execPath,
      [vitest, ...args],
      { cwd: folder, env: { ...process.env, CI: '' }, timeout: files.length * 300_000 },
      () => resolve(),
    );
  });
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
  await rm(report);
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status }) => ({
        file: relative(folder, name),
        title: fullName,
        passed: status === 'passed',
      })),
  );
}
