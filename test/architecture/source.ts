// The source as the rules see it: paths and texts. Every rule is a pure function from files to complaints, so that it can
// be shown a bad file as easily as the real ones.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface SourceFile {
  /** From the root of the repository: `src/ledger/store.ts`. */
  readonly path: string;
  readonly text: string;
}

/** What is wrong, where, and what to do instead: one sentence each. */
export type Complaint = string;

const ROOT = join(import.meta.dirname, '..', '..');

export async function readTree(folder: string): Promise<SourceFile[]> {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.toSorted().map(async (path) => ({ path: path.slice(ROOT.length + 1), text: await readFile(path, 'utf8') })),
  );
}

export function isCode(file: SourceFile): boolean {
  return file.path.endsWith('.ts') || file.path.endsWith('.tsx');
}

/** The lines with their numbers, without those that are comments: prose may name what code may not. */
export function codeLines(text: string): { number: number; line: string }[] {
  let inComment = false;
  const lines: { number: number; line: string }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (!inComment && trimmed.startsWith('/*')) inComment = true;
    if (!inComment && !trimmed.startsWith('//')) lines.push({ number: index + 1, line });
    if (inComment && trimmed.endsWith('*/')) inComment = false;
  }
  return lines;
}

/** Every match of a pattern in code, as `path:line` and the match. */
export function find(file: SourceFile, pattern: RegExp): { where: string; match: RegExpExecArray }[] {
  return codeLines(file.text).flatMap(({ number, line }) =>
    [...line.matchAll(pattern)].map((match) => ({ where: `${file.path}:${number}`, match })),
  );
}
