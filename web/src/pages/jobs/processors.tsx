// The processors that workers have announced.
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { Panel } from '../../parts/layout.tsx';
import { ListTable } from '../../parts/table.tsx';
import { When } from '../../parts/values.tsx';
import { JobsHead } from './list.tsx';

export function Page(): ReactNode {
  const read = useList('processors.list', [], () => api.processors.list());
  return (
    <>
      <JobsHead current="processors" />
      <Panel flush>
        <ListTable
          caption="Processors"
          read={read}
          keyOf={({ name }) => name}
          empty="No worker has announced a processor. usance worker --processors starts one that does."
          columns={[
            { head: 'Processor', cell: ({ name }) => <code>{name}</code> },
            { head: 'What it does', cell: ({ description }) => description },
            { head: 'Last seen', cell: ({ lastSeenAt }) => <When at={lastSeenAt} of="real" /> },
            { head: 'Announced', wide: true, cell: ({ announcedAt }) => <When at={announcedAt} of="real" /> },
          ]}
        />
      </Panel>
    </>
  );
}
