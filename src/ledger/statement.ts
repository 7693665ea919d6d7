// What an account held and what moved, over a period of one asset: an opening balance, a line for each transfer with the
// balance after it, a closing balance. Balances here are totals (available and reserved together): a reservation moves
// nothing out of the account, so it is no line.
import type { Sql } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { invariant, refuse } from '../kernel/index.ts';
import type { Transfer } from './book.ts';
import { readStatement } from './statement-store.ts';

export interface StatementOrder {
  readonly tenantId: Uuid;
  readonly accountId: Uuid;
  readonly asset: string;
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive: two statements that meet share no line. */
  readonly to: Date;
}

export interface StatementLine extends Transfer {
  /** Positive where the account was credited, negative where it was debited. */
  readonly signed: bigint;
  /** The total after this line. */
  readonly balance: bigint;
}

export interface Statement {
  readonly opening: bigint;
  readonly lines: readonly StatementLine[];
  readonly closing: bigint;
}

export const MAX_STATEMENT_LINES = 10_000;

export async function statement(sql: Sql, order: StatementOrder): Promise<Statement> {
  if (order.from >= order.to) refuse('FIELD_INVALID', 'the period ends before it begins', { param: 'to' });
  const { opening, transfers } = await readStatement(sql, order, MAX_STATEMENT_LINES + 1);
  if (transfers.length > MAX_STATEMENT_LINES) {
    refuse('STATEMENT_TOO_LONG', `the period has more than ${MAX_STATEMENT_LINES} lines; ask for a shorter one`, {
      param: 'from',
    });
  }
  let balance = opening;
  const lines = transfers.map((transfer): StatementLine => {
    invariant(
      (transfer.creditAccountId === order.accountId) !== (transfer.debitAccountId === order.accountId),
      'the account to be on one side of its transfer',
    );
    const signed = transfer.creditAccountId === order.accountId ? transfer.amount : -transfer.amount;
    balance += signed;
    return { ...transfer, signed, balance };
  });
  return { opening, lines, closing: balance };
}
