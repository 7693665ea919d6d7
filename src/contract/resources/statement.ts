import { Type } from 'typebox';
import type { Static } from 'typebox';
import { parseInstant } from '../../engine.ts';
import { route } from '../route.ts';
import { accountId, accountKey } from '../wire-format.ts';
import { AccountName, Amount, AssetName, Instant, closed, idOf, instantIn, oneOf } from '../schemas.ts';
import { Transfer, showTransfer } from './account-money.ts';
import { assetOr } from './asset-or.ts';
import { ALICE, CREATED_AT, TRANSFER, WORLD } from './examples.ts';

const Line = closed(
  {
    transfer: idOf('transfer'),
    posted_at: Instant,
    kind: Type.String(),
    counterparty: idOf('account'),
    description: Transfer.properties.description,
    amount: Type.String({ description: 'Minor units; negative for outgoing money.', pattern: '^-?[0-9]+$' }),
    balance: Amount,
  },
  { title: 'StatementLine' },
);

const Statement = closed(
  {
    account: idOf('account'),
    asset: Type.String(),
    from: Instant,
    to: Instant,
    opening_balance: Amount,
    lines: Type.Array(Line),
    closing_balance: Amount,
    final: Type.Boolean({
      description:
        'True if no further transfer can be posted into the period, so that the same request always returns the same statement. False ' +
        'before `to`, for `world` and `fees`, and while a transaction that could post into the period is open: request it again later.',
    }),
  },
  { title: 'Statement' },
);

export const statementRoutes = {
  'accounts.getStatement': route({
    method: 'GET',
    path: '/accounts/{id}/statement',
    summary: 'Get a statement',
    description:
      'The opening balance, a line for each transfer with the balance after it, and the closing balance, from `from` (inclusive) to ' +
      '`to` (exclusive). Balances are totals that include reserved funds. At most 10,000 lines. Returns CSV with `Accept: text/csv` or ' +
      '`?format=csv`.',
    scope: 'ledger:read',
    own: true,
    params: closed({ id: AccountName }),
    query: closed({
      from: instantIn('Start of the period, included.'),
      to: instantIn('End of the period, excluded.'),
      asset: Type.Optional(AssetName),
      format: Type.Optional(
        oneOf(['json', 'csv'], { description: 'Default: `csv` with `Accept: text/csv`, otherwise `json`.' }),
      ),
    }),
    answer: Statement,
    example: {
      params: { id: 'alice' },
      query: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z', asset: 'USD/2' },
      answer: {
        account: ALICE,
        asset: 'USD/2',
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-12-01T00:00:00.000Z',
        opening_balance: '0',
        lines: [
          {
            transfer: TRANSFER,
            posted_at: CREATED_AT,
            kind: 'deposit',
            counterparty: WORLD,
            description: 'card top-up',
            amount: '25000',
            balance: '25000',
          },
        ],
        closing_balance: '25000',
        final: true,
      },
    },
    async handle({ tenant, params, query }) {
      const { id } = await tenant.account(accountKey(params.id));
      const [from, to] = [parseInstant(query.from, 'from'), parseInstant(query.to, 'to')];
      const asset = await assetOr(tenant, query.asset);
      const named = (await tenant.assets()).find(({ name, code }) => name === asset || code === asset);
      const { opening, lines, closing, final } = await tenant.statement(id, { asset, from, to });
      return {
        account: accountId(id),
        asset: named?.name ?? asset,
        from: from.toISOString(),
        to: to.toISOString(),
        opening_balance: opening.toString(),
        lines: lines.map((line) => ({
          transfer: showTransfer(line).id,
          posted_at: line.postedAt.toISOString(),
          kind: line.kind,
          counterparty: accountId(line.creditAccountId === id ? line.debitAccountId : line.creditAccountId),
          description: line.description,
          amount: line.signed.toString(),
          balance: line.balance.toString(),
        })),
        closing_balance: closing.toString(),
        final,
      };
    },
    csv: (statement) => toCsv(statement),
  }),
};

const COLUMNS = ['posted_at', 'kind', 'transfer', 'counterparty', 'description', 'amount', 'balance'] as const;

function toCsv(statement: Static<typeof Statement>): string {
  const rows: (readonly string[])[] = [
    COLUMNS,
    [statement.from, 'opening balance', '', '', '', '', statement.opening_balance],
    ...statement.lines.map((line) =>
      COLUMNS.map((column) => (column === 'description' ? harmless(line.description ?? '') : (line[column] ?? ''))),
    ),
    [
      statement.to,
      statement.final ? 'closing balance' : 'closing balance (not final)',
      '',
      '',
      '',
      '',
      statement.closing_balance,
    ],
  ];
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

const quoted = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/** Text of another author, which a spreadsheet must not read as a formula. */
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
