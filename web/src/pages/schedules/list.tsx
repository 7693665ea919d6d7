// Schedules: what recurs, when it runs next, and in whose words.
import type { ReactNode } from 'react';
import type { Schedule } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { Link, useFilter } from '../../app/router.tsx';
import { useAllowed } from '../../app/session.tsx';
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { PageHead, Panel, Tabs } from '../../parts/layout.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { AccountLink, Id, Money, Payees, When } from '../../parts/values.tsx';

const STATUSES: readonly Schedule['status'][] = ['active', 'paused', 'completed', 'cancelled', 'expired'];

export function SchedulesHead({ current }: { readonly current: 'list' | 'calendar' | 'outages' }): ReactNode {
  const mayCreate = useAllowed('payments:write');
  const mayOperate = useAllowed('ops:read');
  return (
    <>
      <PageHead title="Schedules" lead="Rules that make payments: in words, in their own time zone.">
        {mayCreate && (
          <Link to="/schedules/new" className="button primary">
            New schedule
          </Link>
        )}
      </PageHead>
      <Tabs
        label="Schedules"
        tabs={[
          { name: 'List', to: '/schedules', isCurrent: current === 'list' },
          { name: 'Calendar', to: '/schedules/calendar', isCurrent: current === 'calendar' },
          ...(mayOperate ? [{ name: 'Outages', to: '/schedules/outages', isCurrent: current === 'outages' }] : []),
        ]}
      />
    </>
  );
}

export function Page(): ReactNode {
  const [status] = useFilter('status');
  const [account] = useFilter('account');
  const [reference] = useFilter('reference');
  const known = STATUSES.find((name) => name === status);
  const filter = {
    ...(known === undefined ? {} : { status: known }),
    ...(account === '' ? {} : { account }),
    ...(reference === '' ? {} : { reference }),
  };
  const read = useList('schedules.list', [filter], () => api.schedules.list({ ...filter, limit: 50 }));
  return (
    <>
      <SchedulesHead current="list" />
      <Filters>
        <TextFilter name="reference" label="Reference" />
        <TextFilter name="account" label="Account" placeholder="alice" />
        <SelectFilter name="status" label="State" options={STATUSES} />
      </Filters>
      <Panel flush>
        <ListTable
          caption="Schedules"
          read={read}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/schedules/${id}`}
          empty={
            Object.keys(filter).length > 0
              ? 'No schedule fits these filters.'
              : 'No schedule yet. Create one here, or with POST /v1/schedules; a subscription and an allowance bring their own.'
          }
          columns={[
            { head: 'Amount', align: 'right', cell: ({ amount, asset }) => <Money minor={amount} asset={asset} /> },
            { head: 'State', cell: ({ status: state }) => <State of={state} /> },
            { head: 'Rule', cell: ({ summary }) => summary },
            { head: 'From', cell: ({ from, fromRef }) => <AccountLink id={from} name={fromRef} /> },
            { head: 'To', cell: (schedule) => <Payees of={schedule} /> },
            { head: 'Next', cell: ({ next }) => <When at={next?.at} /> },
            { head: 'Reference', wide: true, cell: ({ reference: text }) => text ?? '–' },
            { head: 'Schedule', wide: true, cell: ({ id }) => <Id of={id} /> },
          ]}
        />
      </Panel>
    </>
  );
}
