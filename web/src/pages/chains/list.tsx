// The chains of this deployment, each with its newest health.
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { formatSeconds } from '../../parts/format.ts';
import { PageHead, Panel } from '../../parts/layout.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { When } from '../../parts/values.tsx';

/** Fees are fractions of a cent on some chains: the digits that count are kept. */
export const formatFee = (usd: number): string =>
  `${usd === 0 || usd >= 0.01 ? usd.toFixed(2) : String(Number(usd.toPrecision(2)))} USD`;

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

export function Page(): ReactNode {
  const read = useList('chains.list', [], () => api.chains.list());
  return (
    <>
      <PageHead
        title="Chains"
        lead="The chains that payouts can take, as the health loop last measured them. A route is chosen by these figures."
      />
      <Panel flush>
        <ListTable
          caption="Chains"
          read={read}
          keyOf={({ name }) => name}
          linkOf={({ name }) => `/chains/${name}`}
          empty="No chain is configured. usance dev has the simulated chain; others come with their configuration."
          columns={[
            { head: 'Chain', opens: true, cell: ({ name }) => <strong>{name}</strong> },
            {
              head: 'State',
              cell: ({ status, stale }) => (
                <State of={stale ? 'waiting' : status} word={stale ? `${status}, not measured lately` : status} />
              ),
            },
            { head: 'Assets', cell: ({ assets }) => assets.map(({ code }) => code).join(', ') },
            {
              head: 'Confirms in',
              align: 'right',
              cell: ({ health }) => (health === null ? '–' : formatSeconds(health.avgConfirmationSeconds)),
            },
            {
              head: 'Errors',
              align: 'right',
              cell: ({ health }) => (health === null ? '–' : percent(health.rpcErrorRate)),
            },
            {
              head: 'Fee',
              align: 'right',
              cell: ({ health }) =>
                health === null || health.estimatedFeeUsd === null ? '–' : formatFee(health.estimatedFeeUsd),
            },
            { head: 'Measured', cell: ({ health }) => <When at={health?.takenAt} of="real" /> },
          ]}
        />
      </Panel>
    </>
  );
}
