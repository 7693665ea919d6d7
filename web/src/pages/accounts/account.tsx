// One account: balances now and over time, reservations, statement, and what the future takes.
import type { ReactNode } from 'react';
import type { AccountWithBalances } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList, useRead } from '../../api/queries.ts';
import { useFilter } from '../../app/router.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { inWords } from '../../parts/format.ts';
import { Facts, PageHead, Panel, Tabs } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { AccountLink, CopyId, Id, Money, When } from '../../parts/values.tsx';
import { PAYMENT_COLUMNS } from '../payments/columns.tsx';
import { ACCOUNT_ACTIONS } from './actions.ts';
import { History } from './history.tsx';
import { Forecasts } from './forecast.tsx';
import { StatementPanel } from './statement.tsx';

const TABS = ['overview', 'payments', 'transfers', 'reservations', 'statement'] as const;

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const id = params['id'] ?? '';
  const read = useRead('accounts.get', [id], () => api.accounts.get(id));
  return (
    <>
      {read.data === undefined && (
        <PageHead title="Account" back={['Accounts', '/accounts']} lead={<CopyId of={id} />} />
      )}
      <Loaded read={read}>{(account) => <Whole of={account} />}</Loaded>
    </>
  );
}

function Whole({ of: account }: { readonly of: AccountWithBalances }): ReactNode {
  const [chosen] = useFilter('tab');
  const tab = TABS.find((name) => name === chosen) ?? 'overview';
  const { id, ref, name, status, kind } = account;
  return (
    <>
      <PageHead
        title={name ?? ref}
        back={['Accounts', '/accounts']}
        state={<State of={status} />}
        lead={
          <>
            {inWords(kind)} account <strong>{ref}</strong>
            {account.statusReason !== null && <>: {account.statusReason}</>}
          </>
        }
      >
        {ACCOUNT_ACTIONS.map((action) => (
          <ActionButton key={action.name} action={action} subject={account} />
        ))}
      </PageHead>
      <Tabs
        label={`Account ${ref}`}
        tabs={TABS.map((own) => ({
          name: own.slice(0, 1).toUpperCase() + own.slice(1),
          to: `/accounts/${id}${own === 'overview' ? '' : `?tab=${own}`}`,
          isCurrent: own === tab,
        }))}
      />
      {tab === 'overview' && <OverviewTab of={account} />}
      {tab === 'payments' && <PaymentsTab id={id} />}
      {tab === 'transfers' && <TransfersTab id={id} />}
      {tab === 'reservations' && <ReservationsTab id={id} />}
      {tab === 'statement' && <StatementPanel account={account} />}
    </>
  );
}

function OverviewTab({ of: account }: { readonly of: AccountWithBalances }): ReactNode {
  return (
    <>
      <div className="tiles of-money">
        {account.balances.map(({ asset, available, reserved, total }) => (
          <div key={asset} className="tile">
            <span className="label">{asset}</span>
            <span className="value">
              <Money minor={total} asset={asset} />
            </span>
            <span className="note-line small">
              {available === null || reserved === null ? (
                'The total of a system account is derived.'
              ) : (
                <>
                  available <Money minor={available} asset={asset} />, reserved <Money minor={reserved} asset={asset} />
                </>
              )}
            </span>
          </div>
        ))}
        {account.balances.length === 0 && (
          <p className="soft">No balance yet: nothing was ever booked to this account.</p>
        )}
      </div>
      <Forecasts account={account} />
      {account.balances.map(({ asset }) => (
        <History key={asset} account={account} asset={asset} />
      ))}
      <Panel title="Account">
        <Facts
          rows={[
            ['Id', <CopyId key="id" of={account.id} />],
            account.guardian !== null && [
              'Guardian',
              <AccountLink key="guardian" id={account.guardian} name={account.guardianRef} />,
            ],
            account.contact?.email !== undefined && ['E-mail', account.contact.email],
            account.contact?.phone !== undefined && ['Phone', account.contact.phone],
            account.contact?.zone !== undefined && ['Time zone', account.contact.zone],
            ['Opened', <When key="created" at={account.createdAt} exact />],
            ['Changed', <When key="updated" at={account.updatedAt} exact />],
          ]}
        />
      </Panel>
    </>
  );
}

function PaymentsTab({ id }: { readonly id: string }): ReactNode {
  const read = useList('payments.list', [{ account: id }], () => api.payments.list({ account: id, limit: 50 }));
  return (
    <Panel flush>
      <ListTable
        caption="Payments of the account"
        read={read}
        keyOf={({ id: payment }) => payment}
        linkOf={({ id: payment }) => `/payments/${payment}`}
        columns={PAYMENT_COLUMNS}
        empty="No payment from or to this account."
      />
    </Panel>
  );
}

function TransfersTab({ id }: { readonly id: string }): ReactNode {
  const read = useList('accounts.listTransfers', [id], () => api.accounts.listTransfers(id, { limit: 50 }));
  return (
    <Panel flush>
      <ListTable
        caption="Transfers of the account"
        read={read}
        keyOf={({ id: transfer }) => transfer}
        linkOf={({ payment }) => (payment === null ? null : `/payments/${payment}`)}
        empty="Nothing was booked to or from this account yet."
        columns={[
          {
            head: 'Amount',
            align: 'right',
            cell: ({ from, amount, asset }) => <Money minor={from === id ? `-${amount}` : amount} asset={asset} />,
          },
          { head: 'Kind', cell: ({ kind }) => inWords(kind) },
          {
            head: 'With',
            cell: ({ from, fromRef, to, toRef }) =>
              from === id ? <AccountLink id={to} name={toRef} /> : <AccountLink id={from} name={fromRef} />,
          },
          { head: 'Booked', cell: ({ postedAt }) => <When at={postedAt} exact /> },
          { head: 'Description', wide: true, cell: ({ description }) => description ?? '' },
          { head: 'Payment', cell: ({ payment }) => (payment === null ? '–' : <Id of={payment} />) },
        ]}
      />
    </Panel>
  );
}

function ReservationsTab({ id }: { readonly id: string }): ReactNode {
  const read = useList('accounts.listReservations', [id], () => api.accounts.listReservations(id, { limit: 50 }));
  return (
    <Panel flush>
      <ListTable
        caption="Reservations of the account"
        read={read}
        keyOf={({ id: reservation }) => reservation}
        empty="Nothing is reserved on this account. A hold reserves its money when it is created."
        columns={[
          { head: 'Reserved', align: 'right', cell: ({ amount, asset }) => <Money minor={amount} asset={asset} /> },
          { head: 'Captured', align: 'right', cell: ({ captured, asset }) => <Money minor={captured} asset={asset} /> },
          { head: 'Released', align: 'right', cell: ({ released, asset }) => <Money minor={released} asset={asset} /> },
          {
            head: 'State',
            cell: ({ resolvedAt }) => (
              <State
                of={resolvedAt === null ? 'waiting' : 'completed'}
                word={resolvedAt === null ? 'open' : 'resolved'}
              />
            ),
          },
          { head: 'Created', cell: ({ createdAt }) => <When at={createdAt} exact /> },
          { head: 'Resolved', cell: ({ resolvedAt }) => <When at={resolvedAt} exact /> },
        ]}
      />
    </Panel>
  );
}
