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
    const { line } = record;
    if ('problem' in record) refuse('IMPORT_INVALID/unreadable', { line, problem: record.problem });
    yield toRecord(line, record.fields);
  }
}

function toRecord(line: number, fields: Readonly<Record<string, unknown>>): OpeningBalance {
  const { account, asset } = fields;
  if (typeof account !== 'string' || account === '') refuse('IMPORT_INVALID/missing', { line, column: 'account' });
  if (typeof asset !== 'string' || asset === '') refuse('IMPORT_INVALID/missing', { line, column: 'asset' });
  try {
    return { line, account, asset, amount: parseAmount(fields['amount']) };
  } catch (error) {
    if (error instanceof Refusal) refuse('IMPORT_INVALID/unreadable', { line, problem: error.message });
    throw error;
  }
}
