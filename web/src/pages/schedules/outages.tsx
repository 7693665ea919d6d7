// Runs that were held after an outage, until an operator decides.
import type { ReactNode } from 'react';
import type { Outage } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import type { Action } from '../../parts/action.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { formatInstant, plural } from '../../parts/format.ts';
import { Panel } from '../../parts/layout.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { Money } from '../../parts/values.tsx';
import { SchedulesHead } from './list.tsx';

const release: Action<Outage> = {
  name: 'outages.release',
  label: 'Release',
  tone: 'primary',
  scope: 'ops:write',
  reason: 'body',
  applies: ({ status }) => status === 'waiting',
  lead: ({ overdue }) =>
    `${plural(
      overdue.reduce((total, { count }) => total + count, 0),
      'held run',
    )} become payments, as the rules of their schedules say.`,
  run: ({ id }, { reason = '' }, options) => api.outages.release(id, { reason }, options),
  done: () => 'Released the held runs.',
};

const discard: Action<Outage> = {
  name: 'outages.discard',
  label: 'Discard',
  tone: 'danger',
  scope: 'ops:write',
  reason: 'body',
  applies: ({ status }) => status === 'waiting',
  lead: ({ overdue }) =>
    `${plural(
      overdue.reduce((total, { count }) => total + count, 0),
      'held run',
    )} are skipped and never become payments.`,
  run: ({ id }, { reason = '' }, options) => api.outages.discard(id, { reason }, options),
  done: () => 'Discarded the held runs.',
};

export function Page(): ReactNode {
  const read = useList('outages.list', [], () => api.outages.list());
  return (
    <>
      <SchedulesHead current="outages" />
      <Panel flush>
        <ListTable
          caption="Outages"
          read={read}
          keyOf={({ id }) => id}
          empty="No outage held any run. The outage guard holds runs when more are overdue than it allows."
          columns={[
            { head: 'State', cell: ({ status }) => <State of={status} /> },
            { head: 'Since', cell: ({ since }) => formatInstant(since) },
            { head: 'Until', cell: ({ through }) => formatInstant(through) },
            {
              head: 'Held',
              cell: ({ overdue }) =>
                overdue.map(({ asset, count, amount }) => (
                  <div key={asset}>
                    {plural(count, 'run')}, <Money minor={amount} asset={asset} />
                  </div>
                )),
            },
            { head: 'Reason', wide: true, cell: ({ reason }) => reason ?? '' },
            {
              head: 'Decide',
              cell: (outage) => (
                <span className="actions">
                  <ActionButton action={release} subject={outage} />
                  <ActionButton action={discard} subject={outage} />
                </span>
              ),
            },
          ]}
        />
      </Panel>
    </>
  );
}
