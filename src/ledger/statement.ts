// What an account held and what moved, over a period of one asset: an opening balance, a line for each transfer with the
// balance after it, a closing balance. Balances here are totals (available and reserved together): a reservation moves
// nothing out of the account, so it is no line.
//
// A statement says whether it is final: whether a transaction that is still open could post into its period. Every posting
// takes its instant while it holds the balance, so a reader that has held the balance at an instant knows that later
// postings are later (docs/decisions/0027). A statement is not final where this cannot be told: for `world` and `fees`,
// which have no balance to lock; inside a transaction of the caller's, whose own postings may be rolled back; and while
// another transaction keeps the balance locked for longer than the reader waits.
import type { Database } from '../db/index.ts';
import { isContention, sqlState } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { invariant, refuse } from '../kernel/index.ts';
import type { Transfer } from './book.ts';
import { readPostedThrough, readStatement, totalsAt } from './statement-store.ts';
import { derivedAccount } from './system-accounts.ts';
import type { VerbContext } from './verbs.ts';

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
  /** Nothing more can be posted into the period: the same statement will be the same for ever. */
  readonly final: boolean;
}

export interface TotalsAt {
  readonly totals: readonly { readonly asset: string; readonly total: bigint }[];
  /** As of a statement. */
  readonly final: boolean;
}

export const MAX_STATEMENT_LINES = 10_000;

export async function statement(context: StatementContext, order: StatementOrder): Promise<Statement> {
  if (order.from >= order.to) refuse('FIELD_INVALID/not_after', { param: 'to', start: 'from' });
  // Asked first: what is final is then seen by the snapshot that reads the lines.
  const through = await postedThrough(context, order.accountId);
  const { opening, transfers } = await readStatement(context.sql, order, MAX_STATEMENT_LINES + 1);
  if (transfers.length > MAX_STATEMENT_LINES) {
    refuse('STATEMENT_TOO_LONG', { max: MAX_STATEMENT_LINES, param: 'from' });
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
  return { opening, lines, closing: balance, final: through !== null && order.to <= through };
}

/** The total of every asset the account ever held, as it was at an instant; postings of that instant count. */
export async function balancesAt(context: StatementContext, accountId: Uuid, at: Date): Promise<TotalsAt> {
  const through = await postedThrough(context, accountId);
  const totals = await totalsAt(context.sql, context.tenantId, accountId, at);
  return { totals, final: through !== null && at < through };
}

type StatementContext = Pick<VerbContext, 'tenantId' | 'sql' | 'moment' | 'database'>;

/** Long enough for a batch of a thousand, and shorter than the server waits before it looks for a deadlock. */
const FINAL_WAIT_MS = 500;
const READ_ONLY_TRANSACTION = '25006';

/** Every posting to the account before this instant is visible to a snapshot taken from now on; null where unknown. */
async function postedThrough(context: StatementContext, accountId: Uuid): Promise<Date | null> {
  const { tenantId, database } = context;
  if (!database || derivedAccount(tenantId, accountId)) return null;
  // A test clock moves on only when every transaction that reads it has ended.
  const clock = await context.moment(context.sql);
  if (clock.clockId !== null) return clock.now;
  return lockedThrough(database, tenantId, accountId);
}

/** In a transaction of its own, so that nothing waits for the lines to be read. */
async function lockedThrough(database: Database, tenantId: Uuid, accountId: Uuid): Promise<Date | null> {
  try {
    return await database.transaction((tx) => readPostedThrough(tx, tenantId, accountId), {
      lockTimeoutMs: FINAL_WAIT_MS,
    });
  } catch (error) {
    // Not locked, or a read-only server, which takes no locks: whether the period is final is unknown.
    if (isContention(error) || sqlState(error) === READ_ONLY_TRANSACTION) return null;
    throw error;
  }
}
