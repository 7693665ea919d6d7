// The statement of a month: opening balance, every line, closing balance; as CSV too.
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { AccountWithBalances } from '../../../../src/client/index.ts';
import { api, readText } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useFilter } from '../../app/router.tsx';
import { useTenantNowOrReal } from '../../app/tenant-time.ts';
import { inWords } from '../../parts/format.ts';
import { Note, Panel } from '../../parts/layout.tsx';
import { Empty, Loaded, ProblemText } from '../../parts/loaded.tsx';
import { Table } from '../../parts/table.tsx';
import { AccountLink, Money, When } from '../../parts/values.tsx';

export function StatementPanel({ account }: { readonly account: AccountWithBalances }): ReactNode {
  const [month, setMonth] = useFilter('month');
  const now = useTenantNowOrReal();
  const [chosenAsset, setAsset] = useFilter('asset');
  const [error, setError] = useState<unknown>(null);
  const assets = account.balances.map(({ asset }) => asset);
  const asset = assets.includes(chosenAsset) ? chosenAsset : assets[0];
  const shown = /^\d{4}-\d{2}$/.test(month) ? month : new Date(now).toISOString().slice(0, 7);
  const range = rangeOf(shown);
  const read = useRead(
    'accounts.getStatement',
    [account.id, asset, shown],
    () => api.accounts.getStatement(account.id, { ...range, ...(asset === undefined ? {} : { asset }) }),
    { enabled: asset !== undefined },
  );
  const download = async (): Promise<void> => {
    setError(null);
    try {
      const query = new URLSearchParams({ ...range, ...(asset === undefined ? {} : { asset }) });
      const text = await readText(
        `/v1/accounts/${encodeURIComponent(account.id)}/statement?${query.toString()}`,
        'text/csv',
      );
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
      link.download = `statement-${account.ref}-${shown}.csv`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (problem) {
      setError(problem);
    }
  };
  if (asset === undefined)
    return <Empty operation="accounts.getStatement">Nothing was ever booked to this account.</Empty>;
  return (
    <Panel
      flush
      title="Statement"
      actions={
        <>
          <input type="month" aria-label="Month" value={shown} onChange={({ target }) => setMonth(target.value)} />
          <select aria-label="Asset" value={asset} onChange={({ target }) => setAsset(target.value)}>
            {assets.map((own) => (
              <option key={own}>{own}</option>
            ))}
          </select>
          <button type="button" onClick={() => void download()}>
            Download CSV
          </button>
        </>
      }
    >
      {error !== null && (
        <Note tone="bad">
          <ProblemText error={error} />
        </Note>
      )}
      <Loaded read={read}>
        {({ lines, openingBalance, closingBalance, final }) => (
          <>
            <p className="statement-line">
              Opening balance <Money minor={openingBalance} asset={asset} />
            </p>
            {lines.length === 0 ? (
              <Empty operation="accounts.getStatement">Nothing was booked in this month.</Empty>
            ) : (
              <Table
                caption="Lines of the statement"
                rows={lines}
                keyOf={({ transfer }) => transfer}
                columns={[
                  { head: 'Booked', cell: ({ postedAt }) => <When at={postedAt} exact /> },
                  { head: 'Kind', cell: ({ kind }) => inWords(kind) },
                  {
                    head: 'With',
                    cell: ({ counterparty, counterpartyRef }) => (
                      <AccountLink id={counterparty} name={counterpartyRef} />
                    ),
                  },
                  { head: 'Description', wide: true, cell: ({ description }) => description ?? '' },
                  { head: 'Amount', align: 'right', cell: ({ amount }) => <Money minor={amount} asset={asset} /> },
                  { head: 'Balance', align: 'right', cell: ({ balance }) => <Money minor={balance} asset={asset} /> },
                ]}
              />
            )}
            <p className="statement-line">
              Closing balance <Money minor={closingBalance} asset={asset} />
              {!final && <span className="soft"> so far</span>}
            </p>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** A month in UTC, as the books have it. */
function rangeOf(month: string): { readonly from: string; readonly to: string } {
  const [year = 0, index = 1] = month.split('-').map(Number);
  return { from: new Date(Date.UTC(year, index - 1)).toISOString(), to: new Date(Date.UTC(year, index)).toISOString() };
}
