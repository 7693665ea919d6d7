// Payouts: those in review first, because they wait for a person.
import type { ReactNode } from 'react';
import type { PaymentIntent } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList, useRead } from '../../api/queries.ts';
import { navigate, useFilter } from '../../app/router.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { inWords, shortAddress } from '../../parts/format.ts';
import { PageHead, Panel } from '../../parts/layout.tsx';
import { State } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { ListTable } from '../../parts/table.tsx';
import { AccountLink, Destinations, Money, When } from '../../parts/values.tsx';
import { resolve } from './resolve.tsx';

type IntentStatus = PaymentIntent['status'];

/** The words of payments, which the other pages use, and the tone of each. */
const STATES: Readonly<Record<IntentStatus, readonly [tone: string, word: string]>> = {
  manual_review: ['review', 'in review'],
  route_selected: ['scheduled', 'scheduled'],
  broadcasting: ['processing', 'processing'],
  broadcasted: ['submitted', 'submitted'],
  settled: ['settled', 'settled'],
  failed: ['failed', 'failed'],
  cancelled: ['cancelled', 'cancelled'],
  expired: ['expired', 'expired'],
};
const STATUSES = Object.keys(STATES) as IntentStatus[];

function IntentState({ of }: { readonly of: IntentStatus }): ReactNode {
  const [tone, word] = STATES[of];
  return <State of={tone} word={word} />;
}

/** The address on the chosen chain, which the next column names; before that one of them. */
function Payee({ of: { destinations, selectedChain } }: { readonly of: PaymentIntent }): ReactNode {
  const address = selectedChain === null ? undefined : destinations[selectedChain];
  if (typeof address !== 'string') return <Destinations of={destinations} />;
  return (
    <span className="mono" title={`${selectedChain}: ${address}`}>
      {shortAddress(address)}
    </span>
  );
}

const COLUMNS: readonly Column<PaymentIntent>[] = [
  { head: 'Amount', align: 'right', opens: true, cell: ({ amount, asset }) => <Money minor={amount} asset={asset} /> },
  { head: 'State', cell: ({ status }) => <IntentState of={status} /> },
  { head: 'From', cell: ({ from, fromRef }) => <AccountLink id={from} name={fromRef} /> },
  { head: 'To', cell: (payout) => <Payee of={payout} /> },
  { head: 'Chain', cell: ({ selectedChain }) => selectedChain ?? <span className="soft">when due</span> },
  {
    head: 'Fee',
    align: 'right',
    wide: true,
    cell: ({ fee, feeAsset }) =>
      fee === null || feeAsset === null ? <span className="soft">–</span> : <Money minor={fee} asset={feeAsset} />,
  },
  { head: 'Due', cell: ({ executeAt }) => <When at={executeAt} /> },
  { head: 'Reference', wide: true, cell: ({ reference }) => reference ?? <span className="soft">–</span> },
];

export function Page(): ReactNode {
  const [chosen] = useFilter('status');
  const [reference] = useFilter('reference');
  const status = STATUSES.find((name) => name === chosen);
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(reference === '' ? {} : { reference }),
  };
  const waiting = useList('paymentIntents.list', ['review'], () =>
    api.paymentIntents.list({ status: 'manual_review', limit: 20 }),
  );
  const read = useList('paymentIntents.list', [filter], () => api.paymentIntents.list({ ...filter, limit: 50 }));
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <PageHead
        title="Payouts"
        lead="Payments over chains. Open one to see its route, its attempts and what the chain says."
      />
      <Panel
        title="In review"
        note="Not final ten minutes after it was sent: a person decides, or the chain does."
        flush
      >
        <ListTable
          caption="Payouts in review"
          read={waiting}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/payments/${id}`}
          columns={[...COLUMNS, { head: 'Decide', cell: ({ id }) => <Decide id={id} /> }]}
          empty="No payout waits for a person."
        />
      </Panel>
      <Filters>
        <TextFilter
          name="reference"
          label="Reference or id"
          placeholder="payout-17"
          onApply={(text) => {
            if (!/^pay_[0-9a-z]{26}$/.test(text)) return false;
            navigate(`/payments/${text}`);
            return true;
          }}
        />
        <SelectFilter name="status" label="State" options={STATUSES} words={wordOf} />
      </Filters>
      <Panel title="All payouts" flush>
        <ListTable
          caption="Payouts"
          read={read}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/payments/${id}`}
          columns={COLUMNS}
          empty={
            isFiltered
              ? 'No payout fits these filters.'
              : 'No payout yet. POST /v1/quotes scores the chains, and accepting the quote creates one; so does POST /v1/payments with destinations.'
          }
        />
      </Panel>
    </>
  );
}

/** An item of a list has no version: the payment that is decided about is read by itself. */
function Decide({ id }: { readonly id: string }): ReactNode {
  const { data } = useRead('payments.get', [id], () => api.payments.get(id));
  return data === undefined ? null : <ActionButton action={resolve} subject={data} />;
}

const wordOf = (name: string): string => STATES[name as IntentStatus]?.[1] ?? inWords(name);
