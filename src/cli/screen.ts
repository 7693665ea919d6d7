// The output of a command. For people: lines on stdout, progress and notices on stderr, a little colour where a terminal
// shows it (styleText honours NO_COLOR and FORCE_COLOR). For machines: one JSON document on stdout and nothing beside it.
// A command gives both, and the screen prints the requested one.
//
// Names, reasons and lines of imported files are written by others. Everything that is printed goes through here, and characters
// that would move the cursor, start a line, paint or turn the reading direction are shown by their codes. Only colours that this
// file made reach the terminal.
import { randomUUID } from 'node:crypto';
import { styleText } from 'node:util';

export interface Screen {
  readonly json: boolean;
  /** For people: one line. A line feed in it is shown by its code. */
  line(text?: string): void;
  /** For machines, once. */
  document(value: unknown): void;
  /** One line on stderr either way: something the operator should see that is not the answer. */
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
      if (!json) process.stdout.write(`${seen(text)}\n`);
    },
    document: (value) => {
      if (json) process.stdout.write(`${toJson(value)}\n`);
    },
    notice: (text) => process.stderr.write(`${seen(text)}\n`),
    progress: (text) => {
      if (showsProgress) process.stderr.write(`\r\u001B[K${seen(text ?? '')}`);
    },
  };
}

function toJson(value: unknown): string {
  const json = JSON.stringify(
    value,
    (_key, field: unknown) => (typeof field === 'bigint' ? field.toString() : field),
    2,
  );
  // JSON has escaped line feeds inside texts; those that are left are its layout.
  return json.split('\n').map(escaped).join('\n');
}

/** Controls, line and paragraph separators, marks of the reading direction, halves of surrogate pairs. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;

/** As JSON writes them, so that an escaped document is the same document. */
const escaped = (text: string): string =>
  text.replaceAll(UNSAFE, (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Marks the start of our own escape sequences until a line is printed. Random, so that no foreign text contains it. */
const STYLE = `<${randomUUID()}>`;
const STYLES = new RegExp(`${STYLE}[0-9;]*m`, 'g');

const seen = (text: string): string => escaped(text).replaceAll(STYLE, '\u001B[');

const styled =
  (style: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    styleText(style, escaped(text)).replaceAll('\u001B[', STYLE);

export const bold = styled('bold');
export const dim = styled('dim');
export const green = styled('green');
export const yellow = styled('yellow');
export const red = styled(['red', 'bold']);

/** 1234567 → "1,234,567". */
export const grouped = (count: bigint | number): string => count.toLocaleString('en-US');

/** "1 row", "2 rows". */
export const counted = (count: bigint | number, noun: string): string =>
  `${grouped(count)} ${noun}${Number(count) === 1 ? '' : 's'}`;

/** Columns as wide as their widest cell; the last one is left ragged. */
export function aligned(rows: readonly (readonly string[])[], indent = '  '): string[] {
  const width = (cell: string): number => escaped(cell).replaceAll(STYLES, '').length;
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell))));
    return (indent + cells.join('  ')).trimEnd();
  });
}

/** A screen that is drawn again and again. Without a terminal each frame is printed below the one before. */
export interface Frames {
  readonly isLive: boolean;
  draw(lines: readonly string[]): void;
  /** Leaves the terminal as it was. */
  close(): void;
}

/** The alternate screen, without cursor and line wrap; and back. */
const ENTER = '\u001B[?1049h\u001B[?25l\u001B[?7l';
const LEAVE = '\u001B[?7h\u001B[?25h\u001B[?1049l';
const CTRL_C = '\u0003';

/** `onQuit`: q or Ctrl-C. In raw mode Ctrl-C is a character and no signal. */
export function openFrames({ onQuit }: { readonly onQuit: () => void }): Frames {
  const { stdin, stdout } = process;
  const isLive = stdout.isTTY;
  const isRaw = isLive && stdin.isTTY;
  let last: readonly string[] = [];
  const draw = (lines: readonly string[]): void => {
    last = lines;
    if (!isLive) return void stdout.write(`${lines.map(seen).join('\n')}\n`);
    const fitting = lines.slice(0, stdout.rows || lines.length);
    stdout.write(`\u001B[H${fitting.map((line) => `${seen(line)}\u001B[K`).join('\r\n')}\u001B[J`);
  };
  const onKey = (keys: Buffer): void => {
    if (/[qQ]/.test(keys.toString()) || keys.includes(CTRL_C)) onQuit();
  };
  const onResize = (): void => draw(last);
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    process.off('exit', close);
    if (isRaw) stdin.off('data', onKey).setRawMode(false).pause();
    if (isLive) stdout.off('resize', onResize).write(LEAVE);
  };
  // An error, or a second Ctrl-C, must not leave a terminal without a cursor.
  process.on('exit', close);
  if (isLive) stdout.on('resize', onResize).write(ENTER);
  if (isRaw) stdin.setRawMode(true).resume().on('data', onKey);
  return { isLive, draw, close };
}
