// The events of the tenant in their order, as the stream has them.
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Event } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { useFilter } from '../../app/router.tsx';
import { Actor } from '../../parts/actor.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Filters, TextFilter } from '../../parts/filters.tsx';
import { Data, Facts, PageHead, Panel } from '../../parts/layout.tsx';
import { ListTable } from '../../parts/table.tsx';
import { CopyId, Id, When } from '../../parts/values.tsx';

export function Page(): ReactNode {
  const [type] = useFilter('type');
  const [resourceId] = useFilter('resource_id');
  const [after] = useFilter('after');
  const [shown, show] = useState<Event | null>(null);
  const filter = {
    ...(type === '' ? {} : { type }),
    ...(resourceId === '' ? {} : { resourceId }),
    ...(after === '' ? {} : { after }),
  };
  const read = useList('events.list', [filter], () => api.events.list({ ...filter, limit: 50 }));
  return (
    <>
      <PageHead
        title="Events"
        lead="Every change as a fact, oldest first. Jobs, webhooks and the stream follow this order."
      />
      <Filters>
        <TextFilter name="type" label="Type" placeholder="payment.*" />
        <TextFilter name="resource_id" label="Resource" placeholder="pay_…" />
        <TextFilter name="after" label="After number" placeholder="0" />
      </Filters>
      <Panel flush>
        <ListTable
          caption="Events"
          read={read}
          keyOf={({ id }) => id}
          empty="No event fits these filters."
          columns={[
            { head: 'Number', align: 'right', cell: ({ seq }) => <span className="number">{seq}</span> },
            {
              head: 'Event',
              cell: (event) => (
                <button type="button" className="link" onClick={() => show(event)}>
                  {event.type}
                </button>
              ),
            },
            { head: 'Of', cell: ({ resourceId: id }) => <Id of={id} /> },
            { head: 'Happened', cell: ({ occurredAt }) => <When at={occurredAt} exact /> },
            { head: 'By', wide: true, cell: ({ actor }) => <Actor of={actor} /> },
          ]}
        />
      </Panel>
      {shown !== null && (
        <Dialog title={shown.type} onClose={() => show(null)}>
          <Facts
            rows={[
              ['Event', <CopyId key="id" of={shown.id} />],
              ['Number', String(shown.seq)],
              ['Of', <Id key="of" of={shown.resourceId} full />],
              ['Happened', <When key="at" at={shown.occurredAt} exact />],
            ]}
          />
          <h3>Data</h3>
          <Data of={shown.data} />
        </Dialog>
      )}
    </>
  );
}
