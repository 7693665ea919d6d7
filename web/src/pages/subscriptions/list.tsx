// Subscriptions and their plans.
import type { ReactNode } from 'react';
import type { Subscription } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { useFilter } from '../../app/router.tsx';
import { Filters, SelectFilter } from '../../parts/filters.tsx';
import { PageHead, Panel } from '../../parts/layout.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { AccountLink, Id, Money, When } from '../../parts/values.tsx';

const STATUSES: readonly Subscription['status'][] = [
  'trialing',
  'active',
  'paused',
  'past_due',
  'cancelled',
  'expired',
];

export function Page(): ReactNode {
  const [chosen] = useFilter('status');
  const status = STATUSES.find((name) => name === chosen);
  const filter = status === undefined ? {} : { status };
  const read = useList('subscriptions.list', [filter], () => api.subscriptions.list({ ...filter, limit: 50 }));
  const plans = useList('plans.list', [], () => api.plans.list({ limit: 50 }));
  return (
    <>
      <PageHead title="Subscriptions" lead="Accounts that are charged by a plan." />
      <Filters>
        <SelectFilter name="status" label="State" options={STATUSES} />
      </Filters>
      <Panel flush>
        <ListTable
          caption="Subscriptions"
          read={read}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/subscriptions/${id}`}
          empty={
            status === undefined
              ? 'No subscription yet. POST /v1/subscriptions begins one by a plan.'
              : 'No subscription is in this state.'
          }
          columns={[
            { head: 'Price', align: 'right', cell: ({ price, asset }) => <Money minor={price} asset={asset} /> },
            { head: 'State', cell: ({ status: state }) => <State of={state} /> },
            { head: 'Payer', cell: ({ payer, payerRef }) => <AccountLink id={payer} name={payerRef} /> },
            { head: 'Receiver', cell: ({ receiver, receiverRef }) => <AccountLink id={receiver} name={receiverRef} /> },
            { head: 'Next', cell: ({ nextDueAt }) => <When at={nextDueAt} /> },
            {
              head: 'Paid',
              align: 'right',
              wide: true,
              cell: ({ paid, asset }) => <Money minor={paid} asset={asset} />,
            },
            { head: 'Subscription', cell: ({ id }) => <Id of={id} /> },
          ]}
        />
      </Panel>
      <Panel title="Plans" flush>
        <ListTable
          caption="Plans"
          read={plans}
          keyOf={({ id }) => id}
          empty="No plan yet. POST /v1/plans sets a price and a period."
          columns={[
            { head: 'Plan', cell: ({ name }) => <strong>{name}</strong> },
            { head: 'Price', align: 'right', cell: ({ price, asset }) => <Money minor={price} asset={asset} /> },
            { head: 'Runs', cell: ({ summary }) => summary },
            { head: 'Receiver', cell: ({ receiver, receiverRef }) => <AccountLink id={receiver} name={receiverRef} /> },
            { head: 'Trial', wide: true, cell: ({ trialDays }) => (trialDays === 0 ? 'none' : `${trialDays} days`) },
          ]}
        />
      </Panel>
    </>
  );
}
