// Quotes: the chains that payouts could take, as they were scored at an instant.
import type { ReactNode } from 'react';
import type { Quote } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { navigate } from '../../app/router.tsx';
import type { Action } from '../../parts/action.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { requireMinor } from '../../parts/fields.tsx';
import { PageHead, Panel } from '../../parts/layout.tsx';
import { ListTable } from '../../parts/table.tsx';
import { Destinations, Id, Money, When } from '../../parts/values.tsx';
import { AIMS } from './candidates.tsx';
import { QuoteState } from './quote.tsx';

interface Offer {
  readonly chains: readonly string[];
}

const ADDRESS = 'address ';

const create: Action<Offer> = {
  name: 'quotes.create',
  label: 'New quote',
  tone: 'primary',
  scope: 'payments:write',
  reason: 'optional',
  lead: () => 'Scores the chains on which the payee has an address. Nothing is reserved; a quote lives five minutes.',
  fields: ({ chains }) => [
    { name: 'asset', label: 'Asset', kind: 'text', initial: 'USDC/6', isRequired: true },
    { name: 'amount', label: 'Amount', kind: 'text', placeholder: '25.00', isRequired: true },
    ...chains.map((chain) => ({
      name: ADDRESS + chain,
      label: `Address on ${chain}`,
      kind: 'text' as const,
      isRequired: chains.length === 1,
    })),
    {
      name: 'priority',
      label: 'Aim',
      kind: 'select',
      initial: 'low_fee',
      isRequired: true,
      options: Object.entries(AIMS),
    },
  ],
  trouble: ({ chains }, values) =>
    chains.every((chain) => (values[ADDRESS + chain] ?? '').trim() === '') ? 'Enter an address on a chain.' : null,
  run: async ({ chains }, values, options) => {
    const { asset = '', amount = '', priority } = values;
    const minor = requireMinor(amount, asset);
    const destinations = Object.fromEntries(
      chains.flatMap((chain) => {
        const address = (values[ADDRESS + chain] ?? '').trim();
        return address === '' ? [] : [[chain, address]];
      }),
    );
    return api.quotes.create(
      { asset: asset.trim(), amount: minor, destinations, priority: priority as Quote['priority'] },
      options,
    );
  },
  done: () => 'Created the quote.',
};

export function Page(): ReactNode {
  const chains = useList('chains.list', [], () => api.chains.list());
  const read = useList('quotes.list', [], () => api.quotes.list({ limit: 50 }));
  return (
    <>
      <PageHead
        title="Quotes"
        lead="Each says which chain a payout would take, and why. It can be accepted once, within five minutes."
      >
        {chains.data !== undefined && chains.data.length > 0 && (
          <ActionButton
            action={create}
            subject={{ chains: chains.data.map(({ name }) => name) }}
            onDone={(quote) => navigate(`/quotes/${(quote as Quote).id}`)}
          />
        )}
      </PageHead>
      <Panel flush>
        <ListTable
          caption="Quotes"
          read={read}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/quotes/${id}`}
          empty='No quote of the last day. "New quote" makes one, as POST /v1/quotes does; those that were accepted are kept.'
          columns={[
            { head: 'Amount', align: 'right', cell: ({ amount, asset }) => <Money minor={amount} asset={asset} /> },
            { head: 'State', cell: (quote) => <QuoteState of={quote} /> },
            { head: 'To', cell: ({ destinations }) => <Destinations of={destinations} /> },
            { head: 'Aim', cell: ({ priority }) => AIMS[priority] },
            { head: 'Chain', cell: ({ chain }) => <strong>{chain}</strong> },
            {
              head: 'Score',
              align: 'right',
              cell: ({ candidates }) => <span className="number">{candidates[0]?.score?.toFixed(3) ?? '–'}</span>,
            },
            { head: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
            { head: 'Quote', cell: ({ id }) => <Id of={id} /> },
          ]}
        />
      </Panel>
    </>
  );
}
