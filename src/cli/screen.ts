// Where a command's words go. For people: lines on stdout, progress and notices on stderr, a little colour where a terminal
// shows it (styleText honours NO_COLOR and FORCE_COLOR). For machines: one JSON document on stdout and nothing beside it.
// A command says both, and the screen leaves out what was not asked for.
import { styleText } from 'node:util';

export interface Screen {
  readonly json: boolean;
  /** For people. */
  line(text?: string): void;
  /** For machines, once. */
  document(value: unknown): void;
  /** On stderr either way: something the operator should see that is not the answer. */
  notice(text: string): void;
  /** One line that is written over, on a terminal only; null takes it away. */
  progress(text: string | null): void;
}

export function createScreen(json: boolean): Screen {
  const showsProgress = !json && process.stderr.isTTY;
  // A reader that went away (`usance verify | head`) is no reason to die in the middle of something.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  return {
    json,
    line: (text = '') => {
      if (!json) process.stdout.write(`${text}\n`);
    },
    document: (value) => {
      if (json) process.stdout.write(`${toJson(value)}\n`);
    },
    notice: (text) => process.stderr.write(`${text}\n`),
    progress: (text) => {
      if (showsProgress) process.stderr.write(`\r\u001B[K${text ?? ''}`);
    },
  };
}

function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) => (typeof field === 'bigint' ? field.toString() : field), 2);
}

export const bold = (text: string): string => styleText('bold', text);
export const dim = (text: string): string => styleText('dim', text);
export const green = (text: string): string => styleText('green', text);
export const yellow = (text: string): string => styleText('yellow', text);
export const red = (text: string): string => styleText(['red', 'bold'], text);

/** 1234567 → "1,234,567". */
export const grouped = (count: bigint | number): string => count.toLocaleString('en-US');

/** "1 row", "2 rows". */
export const counted = (count: bigint | number, noun: string): string =>
  `${grouped(count)} ${noun}${Number(count) === 1 ? '' : 's'}`;

/** Columns as wide as their widest cell; the last one is left ragged. */
export function aligned(rows: readonly (readonly string[])[], indent = '  '): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => (indent + row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).trimEnd());
}
