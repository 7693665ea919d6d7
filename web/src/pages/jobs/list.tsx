// Jobs: which events run which code, with the processors that workers have announced.
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { useFilter } from '../../app/router.tsx';
import { Filters, SelectFilter } from '../../parts/filters.tsx';
import { PageHead, Panel, Tabs } from '../../parts/layout.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { Id, Pattern, When } from '../../parts/values.tsx';

export function JobsHead({ current }: { readonly current: 'jobs' | 'executions' | 'processors' }): ReactNode {
  return (
    <>
      <PageHead
        title="Jobs"
        lead="Your code on events: a pattern, a processor and a retry policy. Every matching event has one execution."
      />
      <Tabs
        label="Jobs"
        tabs={[
          { name: 'Jobs', to: '/jobs', isCurrent: current === 'jobs' },
          { name: 'Executions', to: '/executions', isCurrent: current === 'executions' },
          { name: 'Processors', to: '/processors', isCurrent: current === 'processors' },
        ]}
      />
    </>
  );
}

export function Page(): ReactNode {
  const [enabled] = useFilter('enabled');
  const filter = enabled === 'yes' || enabled === 'no' ? { enabled: enabled === 'yes' } : {};
  const read = useList('jobs.list', [filter], () => api.jobs.list({ ...filter, limit: 50 }));
  return (
    <>
      <JobsHead current="jobs" />
      <Filters>
        <SelectFilter name="enabled" label="Enabled" options={['yes', 'no']} />
      </Filters>
      <Panel flush>
        <ListTable
          caption="Jobs"
          read={read}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/jobs/${id}`}
          empty="No job yet. POST /v1/jobs adds one, and so does every webhook endpoint."
          columns={[
            { head: 'Job', cell: ({ name }) => <strong className="breaks">{name}</strong> },
            { head: 'State', cell: ({ enabled: isOn }) => <State of={isOn ? 'enabled' : 'disabled'} /> },
            { head: 'On', cell: ({ eventPattern }) => <Pattern of={eventPattern} /> },
            { head: 'Runs', cell: ({ processorName }) => <code>{processorName}</code> },
            { head: 'Kind', wide: true, cell: ({ managed }) => (managed ? 'of a webhook or channel' : 'yours') },
            { head: 'Changed', wide: true, cell: ({ updatedAt }) => <When at={updatedAt} /> },
            { head: 'Id', cell: ({ id }) => <Id of={id} /> },
          ]}
        />
      </Panel>
    </>
  );
}
