// Executions: one event handled by one job.
import type { ReactNode } from 'react';
import type { Execution } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { useFilter } from '../../app/router.tsx';
import { Filters, SelectFilter } from '../../parts/filters.tsx';
import { Panel } from '../../parts/layout.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { Id, When } from '../../parts/values.tsx';
import { JobsHead } from './list.tsx';

const STATUSES: readonly Execution['status'][] = ['pending', 'running', 'completed', 'failed', 'cancelled'];

export function Page(): ReactNode {
  return (
    <>
      <JobsHead current="executions" />
      <Panel flush>
        <Executions />
      </Panel>
    </>
  );
}

export function Executions({ jobId }: { readonly jobId?: string }): ReactNode {
  const [chosen] = useFilter('status');
  const status = STATUSES.find((name) => name === chosen);
  const filter = { ...(jobId === undefined ? {} : { jobId }), ...(status === undefined ? {} : { status }) };
  const read = useList('executions.list', [filter], () => api.executions.list({ ...filter, limit: 50 }));
  return (
    <>
      <Filters>
        <SelectFilter name="status" label="State" options={STATUSES} />
      </Filters>
      <ListTable
        caption="Executions"
        read={read}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/executions/${id}`}
        empty={status === undefined ? 'No execution yet: no event matched a job.' : 'No execution is in this state.'}
        columns={[
          { head: 'State', cell: ({ status: state }) => <State of={state} /> },
          { head: 'Attempt', align: 'right', cell: ({ attemptNumber }) => attemptNumber },
          { head: 'Why', long: true, cell: ({ error }) => error ?? '' },
          { head: 'Next', cell: ({ nextRetryAt }) => <When at={nextRetryAt} /> },
          ...(jobId === undefined
            ? [{ head: 'Job', wide: true, cell: ({ jobId: job }: Execution) => <Id of={job} /> }]
            : []),
          { head: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
          { head: 'Execution', cell: ({ id }) => <Id of={id} /> },
        ]}
      />
    </>
  );
}
