// An opening balance as a file has it. The first line that is wrong refuses the file.
import type { RecordFormat } from '../kernel/index.ts';
import { Refusal, parseAmount, readRecords, refuse } from '../kernel/index.ts';

export type ImportFormat = RecordFormat;

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
  for await (const record of readRecords(lines, format, ['account', 'asset', 'amount'])) {
    yield 'problem' in record ? fail(record.line, record.problem) : toRecord(record.line, record.fields);
  }
}

function toRecord(line: number, fields: Readonly<Record<string, unknown>>): OpeningBalance {
  const { account, asset } = fields;
  if (typeof account !== 'string' || account === '') return fail(line, 'account is missing');
  if (typeof asset !== 'string' || asset === '') return fail(line, 'asset is missing');
  try {
    return { line, account, asset, amount: parseAmount(fields['amount']) };
  } catch (error) {
    if (error instanceof Refusal) return fail(line, error.message);
    throw error;
  }
}

function fail(line: number, what: string): never {
  return refuse('IMPORT_INVALID', `line ${line}: ${what}`);
}
