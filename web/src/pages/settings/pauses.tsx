// Pauses: stop what leaves, for the tenant, an asset or a rail.
import type { ReactNode } from 'react';
import type { Pause } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import type { Action } from '../../parts/action.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { Actor } from '../../parts/actor.tsx';
import { Panel } from '../../parts/layout.tsx';
import { ListTable } from '../../parts/table.tsx';
import { When } from '../../parts/values.tsx';
import { SettingsHead } from './head.tsx';

const textOf = ({ scope, value }: Pause): string =>
  scope === 'tenant' ? 'the whole tenant' : `the ${scope} ${value ?? ''}`;

const create: Action<null> = {
  name: 'pauses.create',
  label: 'Pause payments',
  tone: 'danger',
  scope: 'ops:write',
  reason: 'body',
  lead: () => 'Outgoing payments wait until the pause is lifted. They still expire at their time.',
  fields: () => [
    {
      name: 'scope',
      label: 'What',
      kind: 'select',
      initial: 'tenant',
      isRequired: true,
      options: [
        ['tenant', 'the whole tenant'],
        ['asset', 'one asset'],
        ['rail', 'one rail'],
      ],
    },
    { name: 'value', label: 'Which asset or rail', kind: 'text', placeholder: 'USD/2 or ledger' },
  ],
  run: (_, { scope, value = '', reason = '' }, options) =>
    api.pauses.create(
      { scope: scope as Pause['scope'], ...(value.trim() === '' ? {} : { value: value.trim() }), reason },
      options,
    ),
  done: () => 'Paused outgoing payments.',
};

const lift: Action<Pause> = {
  name: 'pauses.lift',
  label: 'Lift',
  tone: 'primary',
  scope: 'ops:write',
  reason: 'required',
  lead: (pause) => `Payments of ${textOf(pause)} run again. What became due meanwhile runs at once.`,
  run: ({ id }, _values, options) => api.pauses.lift(id, options),
  done: () => 'Lifted the pause.',
};

export function Page(): ReactNode {
  const read = useList('pauses.list', [], () => api.pauses.list());
  return (
    <>
      <SettingsHead
        current="Pauses"
        lead="Stop what leaves, for the tenant, an asset or a rail, until it is safe again."
      >
        <ActionButton action={create} subject={null} />
      </SettingsHead>
      <Panel flush>
        <ListTable
          caption="Pauses"
          read={read}
          keyOf={({ id }) => id}
          empty="Nothing is paused."
          columns={[
            { head: 'What', cell: (pause) => <strong>{textOf(pause)}</strong> },
            { head: 'Reason', cell: ({ reason }) => reason },
            { head: 'Since', cell: ({ pausedAt }) => <When at={pausedAt} of="real" /> },
            { head: 'By', cell: ({ pausedBy }) => <Actor of={pausedBy} /> },
            { head: 'Change', cell: (pause) => <ActionButton action={lift} subject={pause} /> },
          ]}
        />
      </Panel>
    </>
  );
}
