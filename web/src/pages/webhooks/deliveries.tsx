// Deliveries: one event for one endpoint.
import type { ReactNode } from 'react';
import type { Delivery } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { useFilter } from '../../app/router.tsx';
import { Filters, SelectFilter } from '../../parts/filters.tsx';
import { Panel } from '../../parts/layout.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { Id, When } from '../../parts/values.tsx';
import { WebhooksHead } from './list.tsx';

const STATUSES: readonly Delivery['status'][] = ['pending', 'running', 'completed', 'failed', 'cancelled'];

export function Page(): ReactNode {
  return (
    <>
      <WebhooksHead current="deliveries" />
      <Panel flush>
        <Deliveries />
      </Panel>
    </>
  );
}

export function Deliveries({ endpointId }: { readonly endpointId?: string }): ReactNode {
  const [chosen] = useFilter('status');
  const status = STATUSES.find((name) => name === chosen);
  const filter = { ...(endpointId === undefined ? {} : { endpointId }), ...(status === undefined ? {} : { status }) };
  const read = useList('deliveries.list', [filter], () => api.deliveries.list({ ...filter, limit: 50 }));
  return (
    <>
      <Filters>
        <SelectFilter name="status" label="State" options={STATUSES} />
      </Filters>
      <ListTable
        caption="Deliveries"
        read={read}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/deliveries/${id}`}
        empty={status === undefined ? 'No delivery yet: no event matched.' : 'No delivery is in this state.'}
        columns={[
          {
            head: 'State',
            opens: true,
            cell: ({ status: state }) => <State of={state} word={state === 'completed' ? 'delivered' : state} />,
          },
          { head: 'Answer', align: 'right', cell: ({ responseStatus }) => responseStatus ?? '–' },
          { head: 'Attempt', align: 'right', cell: ({ attemptNumber }) => attemptNumber },
          { head: 'Why', long: true, cell: ({ error }) => error ?? '' },
          { head: 'Next', wide: true, cell: ({ nextRetryAt }) => <When at={nextRetryAt} /> },
          ...(endpointId === undefined
            ? [{ head: 'Endpoint', wide: true, cell: ({ endpointId: id }: Delivery) => <Id of={id} /> }]
            : []),
          { head: 'Event', align: 'right' as const, cell: ({ seq }) => <span className="number">{seq}</span> },
          { head: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
        ]}
      />
    </>
  );
}
