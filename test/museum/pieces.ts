// The pieces of the museum, read from their files. README.md describes the format.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Piece {
  /** The file's name without its ending. */
  readonly name: string;
  readonly path: string;
  readonly finding: string;
  readonly what: string;
  /** The test file, from the root of the project. */
  readonly caughtBy: string;
  /** A part of the title of the test. */
  readonly title: string;
  /** The files it changes. */
  readonly changed: readonly string[];
}

const FIELDS = ['finding', 'what', 'caught by', 'title'] as const;

export function readPieces(): Piece[] {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.patch'));
  return names.toSorted().map((name) => readPiece(join(import.meta.dirname, name), name.slice(0, -'.patch'.length)));
}

function readPiece(path: string, name: string): Piece {
  const text = readFileSync(path, 'utf8');
  const [header = ''] = text.split(/^(?:diff --git |--- )/m);
  const fields = new Map<string, string>();
  for (const line of header.split('\n')) {
    const [, field, value] = /^([a-z ]+): (.+)$/.exec(line) ?? [];
    if (field && value) fields.set(field, value.trim());
  }
  const [finding, what, caughtBy, title] = FIELDS.map((field) => {
    const value = fields.get(field);
    if (value === undefined) throw new Error(`${name}.patch has no line "${field}: …" (see test/museum/README.md)`);
    return value;
  }) as [string, string, string, string];
  const changed = [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file]) => file ?? '');
  return { name, path, finding, what, caughtBy, title, changed };
}

/** Applies a piece to a tree, or only says whether it would apply. Throws what git says where it does not. */
export function applyPiece(piece: Piece, folder: string, mode: 'check' | 'apply' | 'undo' = 'apply'): void {
  const flag = { check: ['--check'], apply: [], undo: ['-R'] }[mode];
  // Outside a repository, git applies to plain files; GIT_DIR keeps it from finding one further up.
  execFileSync('git', ['apply', '--recount', '-C1', '--whitespace=nowarn', ...flag, piece.path], {
    cwd: folder,
    env: { ...process.env, GIT_DIR: '/dev/null' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}
