// Files of records: CSV under a header, or a JSON object a line. Every record has its line number, because "line 48,213: amount"
// is what the owner of a large file needs to read. A line that cannot be read is a problem of that line; reading goes on.
import { Refusal } from './errors/index.ts';
import { parseStrictJson } from './strict-json.ts';

export type RecordFormat = 'csv' | 'jsonl';

export type FileRecord =
  | { readonly line: number; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly problem: string };

/** `needed`: columns that the header of a CSV file must have. Without its header a CSV file cannot be read: reading ends there. */
export async function* readRecords(
  lines: AsyncIterable<string>,
  format: RecordFormat,
  needed: readonly string[],
): AsyncGenerator<FileRecord> {
  let line = 0;
  let header: readonly string[] | null = null;
  for await (const given of lines) {
    line += 1;
    const text = line === 1 ? given.replace(/^\uFEFF/, '') : given;
    if (text.trim() === '') continue;
    if (format === 'jsonl') {
      yield recordOf(line, () => parseObject(text));
    } else if (header === null) {
      const read = recordOf(line, () => ({ names: parseHeader(text, needed) }));
      if ('problem' in read) return yield read;
      header = read.fields['names'] as readonly string[];
    } else {
      const names = header;
      yield recordOf(line, () => parseCells(text, names));
    }
  }
}

class Unreadable extends Error {}

function recordOf(line: number, read: () => Record<string, unknown>): FileRecord {
  try {
    return { line, fields: read() };
  } catch (error) {
    if (error instanceof Refusal || error instanceof Unreadable) return { line, problem: error.message };
    throw error;
  }
}

function parseObject(text: string): Record<string, unknown> {
  const value = parseStrictJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  const isArray = text.trimStart().startsWith('[');
  throw new Unreadable(
    isArray
      ? 'a JSON array; write one object per line, for example with `jq -c ".[]"`'
      : 'not a JSON object; the file has one object a line',
  );
}

function parseHeader(text: string, needed: readonly string[]): string[] {
  const names = splitCsv(text).map((name) => name.trim().toLowerCase());
  for (const one of needed) if (!names.includes(one)) throw new Unreadable(`the header has no column "${one}"`);
  if (new Set(names).size < names.length) throw new Unreadable('the header has a column twice');
  return names;
}

function parseCells(text: string, header: readonly string[]): Record<string, unknown> {
  const cells = splitCsv(text);
  if (cells.length !== header.length) throw new Unreadable(`${cells.length} cells under ${header.length} columns`);
  return Object.fromEntries(header.map((name, index) => [name, cells[index]?.trim()]));
}

/** One line of CSV: commas, double quotes around a cell, a doubled quote for a quote inside. No line breaks in cells. */
function splitCsv(text: string): string[] {
  const cells: string[] = [];
  let position = 0;
  while (position <= text.length) {
    if (text[position] === '"') {
      let cell = '';
      for (;;) {
        const end = text.indexOf('"', position + 1);
        if (end < 0) throw new Unreadable('a quote is not closed');
        cell += text.slice(position + 1, end);
        position = end + 1;
        if (text[position] !== '"') break;
        cell += '"';
      }
      if (position < text.length && text[position] !== ',') throw new Unreadable('text after a closing quote');
      cells.push(cell);
      position += 1;
    } else {
      const end = text.indexOf(',', position);
      cells.push(text.slice(position, end < 0 ? text.length : end));
      position = end < 0 ? text.length + 1 : end + 1;
    }
  }
  return cells;
}
