// Every piece of the museum, applied to a copy of the tree: its test fails there, and passes on the copy without it.
import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Piece } from '../museum/pieces.ts';
import { applyPiece, readPieces } from '../museum/pieces.ts';
import { banner } from './banner.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const NOT_COPIED = new Set(['.git', 'node_modules', 'dist', '.usance', '.env']);
const wanted = process.env['MUSEUM'] ?? '';
const pieces = readPieces().filter(({ name }) => name.startsWith(wanted));

let folder = '';
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'usance-museum-')));
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
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the museum is complete', () => {
  banner('museum', { pieces: pieces.length, findings: new Set(pieces.map(({ finding }) => finding)).size });
  expect(pieces.length).toBeGreaterThan(0);
});

describe.each(pieces)('$name', (piece) => {
  test('is caught by its test, which passes without it', async () => {
    const sound = await runTest(piece);
    expect(sound, `without the defect: ${piece.caughtBy} -t "${piece.title}"`).toMatchObject({ failed: 0 });
    expect(sound.passed, 'tests with that title').toBeGreaterThan(0);
    applyPiece(piece, folder);
    try {
      expect((await runTest(piece)).failed, `with the defect: ${piece.what}`).toBeGreaterThan(0);
    } finally {
      applyPiece(piece, folder, 'undo');
    }
  });
});

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

/** Tests that failed by themselves; a file that does not load counts as neither, so a patch that breaks the build catches nothing. */
async function runTest({ caughtBy, title, name }: Piece): Promise<Outcome> {
  const report = join(folder, `${name}.json`);
  const pattern = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const args = ['run', '--project', 'postgres-18', caughtBy, '-t', pattern, '--reporter=json', '--outputFile', report];
  await new Promise<void>((resolve) => {
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    execFile(
      process.execPath,
      [vitest, ...args],
      { cwd: folder, env: { ...process.env, CI: '' }, timeout: 300_000 },
      () => resolve(),
    );
  });
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(await readFile(report, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
  };
  await rm(report);
  return { passed, failed };
}
