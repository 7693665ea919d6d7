// Regular expressions that take time which grows with the square of their input, or faster. V8 searches by trying every beginning with every end, so
// two repetitions that can match the same characters, or one behind a beginning that occurs often, let a text of a few kilobytes stop a process. Each
// literal of the source is given strings made of its own characters. A linear one takes well under a millisecond for each of them.
import { parseSync } from 'rolldown/utils';
import type { Complaint, SourceFile } from './source.ts';
import { isCode } from './source.ts';

/** A cubic expression takes hundreds of milliseconds for one of the first, a quadratic one for the last. */
const LENGTHS = [1_000, 4_000, 30_000];
const MOST_MS = 100;
const TRIES = 3;

export interface Literal {
  readonly where: string;
  readonly pattern: RegExp;
}

export function literalsOf(file: SourceFile): Literal[] {
  const found: Literal[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    const { type, value, start } = node as { type?: unknown; value?: unknown; start?: unknown };
    if (type === 'Literal' && value instanceof RegExp && typeof start === 'number')
      found.push({ where: `${file.path}:${file.text.slice(0, start).split('\n').length}`, pattern: value });
    Object.values(node).forEach(visit);
  };
  if (isCode(file)) visit(parseSync(file.path, file.text).program);
  return found;
}

/** Words and characters that the expression names, and those that its classes usually have. */
function piecesOf({ source }: RegExp): string[] {
  const words = source.replaceAll(/\\[a-zA-Z]|\[[^\]]*\]|\{\d+,?\d*\}/g, ' ').match(/[a-zA-Z]{2,}/g) ?? [];
  const marks = source.replaceAll(/\\[a-zA-Z]/g, '').match(/[^a-zA-Z0-9\s]/g) ?? [];
  return [...new Set([...marks.slice(0, 8), ' ', 'a', '0', ...words])].slice(0, 13);
}

function* stringsFor(pattern: RegExp, length: number): Generator<string> {
  const pieces = piecesOf(pattern);
  for (const one of pieces) {
    const many = one.repeat(length / one.length);
    yield `${many}\u0000`;
    for (const other of pieces) {
      if (other === one) continue;
      yield `${other}${many}\u0000`;
      yield `${many.slice(0, length / 2)}${other.repeat(length / 2 / other.length)}\u0000`;
      yield `${`${one}${other}`.repeat(length / (one.length + other.length))}\u0000`;
    }
  }
}

function msOf(pattern: RegExp, text: string): number {
  const before = performance.now();
  text.search(pattern);
  return performance.now() - before;
}

/** Whether no string takes longer than an expression of linear time could. Another process may use the processor meanwhile: the best of three counts. */
export function slowString(pattern: RegExp): string | null {
  if (!/[*+]|,\}/.test(pattern.source)) return null;
  for (const length of LENGTHS)
    for (const text of stringsFor(pattern, length)) {
      let tries = 0;
      while (tries < TRIES && msOf(pattern, text) > MOST_MS) tries += 1;
      if (tries === TRIES) return text;
    }
  return null;
}

export function checkExpressions(files: readonly SourceFile[]): Complaint[] {
  return files.flatMap(literalsOf).flatMap(({ where, pattern }) => {
    const slow = slowString(pattern);
    if (slow === null) return [];
    return [
      `${where}: ${String(pattern)} takes more than ${MOST_MS} ms for ${slow.length} characters such as ${JSON.stringify(slow.slice(0, 20))}…: give each repetition a bound, or read the text with a loop`,
    ];
  });
}
