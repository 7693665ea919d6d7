// The two forms an opening balance comes in: a CSV line under a header, or a JSON object a line. Either way a record has
// a line number, because "line 48,213: amount" is what somebody with a large file needs to hear.
import { Refusal, parseAmount, parseStrictJson, refuse } from '../kernel/index.ts';

export type ImportFormat = 'csv' | 'jsonl';

export interface OpeningBalance {
  readonly line: number;
  /** The tenant's own ref of the account. */
  readonly account: string;
  /** Full name or code of an asset that the tenant has. */
  readonly asset: string;
  readonly amount: bigint;
}

export async function* readOpeningBalances(
  lines: AsyncIterable<string>,
  format: ImportFormat,
): AsyncGenerator<OpeningBalance> {
  let number = 0;
  let header: string[] | null = null;
  for await (const line of lines) {
    number += 1;
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (text.trim() === '') continue;
    if (format === 'jsonl') {
      yield toRecord(number, parseJson(number, text));
    } else if (header === null) {
      header = splitCsv(number, text).map((name) => name.trim().toLowerCase());
      for (const needed of ['account', 'asset', 'amount']) {
        if (!header.includes(needed)) fail(number, `the header has no column "${needed}"`);
      }
      if (new Set(header).size < header.length) fail(number, 'the header has a column twice');
    } else {
      const cells = splitCsv(number, text);
      if (cells.length !== header.length) fail(number, `${cells.length} cells under ${header.length} columns`);
      yield toRecord(number, Object.fromEntries(header.map((name, index) => [name, cells[index]?.trim()])));
    }
  }
}

function toRecord(line: number, fields: Record<string, unknown>): OpeningBalance {
  const { account, asset } = fields;
  if (typeof account !== 'string' || account === '') return fail(line, 'account is missing');
  if (typeof asset !== 'string' || asset === '') return fail(line, 'asset is missing');
  return { line, account, asset, amount: onLine(line, () => parseAmount(fields['amount'])) };
}

function parseJson(line: number, text: string): Record<string, unknown> {
  const value = onLine(line, () => parseStrictJson(text));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return fail(line, 'not a JSON object');
}

/** What is refused of it is refused with its line. */
function onLine<T>(line: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return fail(line, error.message);
    throw error;
  }
}

/** One line of CSV: commas, double quotes around a cell, a doubled quote for a quote inside. No line breaks in cells. */
function splitCsv(line: number, text: string): string[] {
  const cells: string[] = [];
  let position = 0;
  while (position <= text.length) {
    if (text[position] === '"') {
      let cell = '';
      for (;;) {
        const end = text.indexOf('"', position + 1);
        if (end < 0) return fail(line, 'a quote is not closed');
        cell += text.slice(position + 1, end);
        position = end + 1;
        if (text[position] !== '"') break;
        cell += '"';
      }
      if (position < text.length && text[position] !== ',') fail(line, 'text after a closing quote');
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

function fail(line: number, what: string): never {
  return refuse('IMPORT_INVALID', `line ${line}: ${what}`);
}
