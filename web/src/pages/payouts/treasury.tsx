// The wallets of the treasury: what the books say, what the chain says, and whether they agree.
import type { ReactNode } from 'react';
import type { TreasuryBalance, TreasuryWallet } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { Link } from '../../app/router.tsx';
import { useAllowed } from '../../app/session.tsx';
import type { Action } from '../../parts/action.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { formatAmount, formatInstant, formatMoney } from '../../parts/format.ts';
import { Note, PageHead, Panel } from '../../parts/layout.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { AccountLink, CopyId, When } from '../../parts/values.tsx';

interface Frozen {
  readonly wallet: TreasuryWallet;
  readonly mayBook: boolean;
}

/** What the chain has more than the books expect; null where it was not read. */
const differenceOf = ({ onChain, expected }: TreasuryBalance): bigint | null =>
  onChain === null || expected === null ? null : BigInt(onChain) - BigInt(expected);

/**
 * What the books expect beyond what is available and reserved. The server computes it at the comparison, from the transfers that one side has and
 * the other does not (src/payouts/treasury); payouts that ended since then are in it too, until the next comparison.
 */
const underWayOf = ({ available, reserved, expected }: TreasuryBalance): bigint | null =>
  expected === null ? null : BigInt(expected) - BigInt(available) - BigInt(reserved);

const unfreeze: Action<Frozen> = {
  name: 'treasuryWallets.unfreeze',
  label: 'Unfreeze',
  tone: 'primary',
  scope: 'ops:write',
  reason: 'body',
  applies: ({ wallet }) => wallet.frozenAt !== null,
  lead: ({ wallet }) =>
    `The wallet on ${wallet.chain} signs again. If it still differs from its chain, the next comparison freezes it again.`,
  detail: ({ wallet }) => (
    <ul className="plain small">
      {wallet.balances.map((balance) => (
        <li key={balance.asset}>{differenceText(balance)}</li>
      ))}
    </ul>
  ),
  fields: ({ mayBook }) =>
    mayBook
      ? [
          {
            name: 'bookDifference',
            label: 'Book the difference: the books take over what the chain has',
            kind: 'check',
          },
        ]
      : [],
  run: ({ wallet }, { bookDifference, reason = '' }, options) =>
    api.treasuryWallets.unfreeze(
      wallet.chain,
      { reason, ...(bookDifference === 'true' ? { bookDifference: true } : {}) },
      options,
    ),
  done: ({ wallet }) => `The wallet on ${wallet.chain} signs again.`,
};

function differenceText(balance: TreasuryBalance): string {
  const difference = differenceOf(balance);
  const { asset } = balance;
  if (difference === null) return `${asset}: the chain was not read.`;
  if (difference === 0n) return `${asset}: the same in the books and on the chain.`;
  const amount = formatMoney((difference < 0n ? -difference : difference).toString(), asset);
  return `${asset}: the chain has ${amount} ${difference > 0n ? 'more' : 'less'} than the books expect.`;
}

const VERDICTS: Readonly<Record<NonNullable<TreasuryBalance['verdict']>, readonly [tone: string, word: string]>> = {
  even: ['ok', 'the same'],
  open: ['pending', 'open transfers'],
  different: ['frozen', 'different'],
  unread: ['degraded', 'chain not read'],
};

export function Page(): ReactNode {
  const read = useList('treasuryWallets.list', [], () => api.treasuryWallets.list());
  return (
    <>
      <PageHead
        title="Treasury"
        lead="The wallets that payouts are paid from. Each is compared with its chain every minute, and freezes if a difference has no explanation."
      />
      <Loaded read={read}>
        {(wallets) =>
          wallets.length === 0 ? (
            <Panel>
              <Empty operation={read.operation}>No wallet yet: the first payout over a chain opens one.</Empty>
            </Panel>
          ) : (
            wallets.map((wallet) => <Wallet key={wallet.chain} of={wallet} />)
          )
        }
      </Loaded>
    </>
  );
}

function Wallet({ of: wallet }: { readonly of: TreasuryWallet }): ReactNode {
  const mayBook = useAllowed('ledger:money');
  const { chain, address, accountId, accountRef, frozenAt, frozenReason, balances } = wallet;
  return (
    <Panel
      title={`Wallet on ${chain}`}
      note={
        <>
          <State of={frozenAt === null ? 'active' : 'frozen'} /> account{' '}
          <AccountLink id={accountId} name={accountRef} />
          {', '}
          <Link to={`/chains/${chain}`}>health of the chain</Link>
        </>
      }
      actions={<ActionButton action={unfreeze} subject={{ wallet, mayBook }} />}
      flush
    >
      {frozenAt !== null && (
        <Note tone="bad">
          <p>
            <strong>It signs nothing since {formatInstant(frozenAt)}.</strong> {frozenReason}
          </p>
        </Note>
      )}
      <p className="inset small">
        <CopyId of={address} />
      </p>
      <Table
        caption={`Balances of the wallet on ${chain}`}
        rows={balances}
        keyOf={({ asset }) => asset}
        columns={[
          { head: 'Asset', cell: ({ asset }) => <strong>{asset}</strong> },
          {
            head: 'Available',
            align: 'right',
            cell: ({ available, asset }) => <Units of={available} asset={asset} />,
          },
          { head: 'Reserved', align: 'right', cell: ({ reserved, asset }) => <Units of={reserved} asset={asset} /> },
          {
            head: 'Under way',
            align: 'right',
            cell: (balance) => <Units of={underWayOf(balance)?.toString() ?? null} asset={balance.asset} />,
          },
          {
            head: 'Books expect',
            align: 'right',
            cell: ({ expected, asset }) => <Units of={expected} asset={asset} />,
          },
          { head: 'On the chain', align: 'right', cell: ({ onChain, asset }) => <Units of={onChain} asset={asset} /> },
          { head: 'Comparison', cell: (balance) => <Verdict of={balance} /> },
          { head: 'Compared', cell: ({ checkedAt }) => <When at={checkedAt} of="real" /> },
        ]}
      />
      <p className="inset soft small">
        Available, reserved and under way add up to what the books expect. Under way are payouts that one side has and
        the other does not: minus those that the chain has and the books do not have yet, plus those that the books have
        and the block that was compared does not.
      </p>
    </Panel>
  );
}

/** Without its code, which is in the first column: with it the table is wider than a window. */
function Units({ of: minor, asset }: { readonly of: string | null; readonly asset: string }): ReactNode {
  return minor === null ? (
    <span className="soft">not read</span>
  ) : (
    <span className="number">{formatAmount(minor, asset)}</span>
  );
}

function Verdict({ of: balance }: { readonly of: TreasuryBalance }): ReactNode {
  const { verdict, asset } = balance;
  if (verdict === null) return <span className="soft">not compared yet</span>;
  const [tone, word] = VERDICTS[verdict];
  const difference = differenceOf(balance) ?? 0n;
  return (
    <>
      <State of={tone} word={word} />
      {difference !== 0n && (
        <>
          {' '}
          <span className="number">
            {difference > 0n && '+'}
            {formatAmount(difference.toString(), asset)}
          </span>
        </>
      )}
    </>
  );
}
