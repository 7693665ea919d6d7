// Tenants: separate sets of everything.
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { ApiKeyMade, TenantMade } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useSession } from '../../app/session.tsx';
import { useList } from '../../api/queries.ts';
import type { Action } from '../../parts/action.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { Panel } from '../../parts/layout.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { When } from '../../parts/values.tsx';
import { FirstTenantOnly, SettingsHead } from './head.tsx';
import { KeySecret } from './keys.tsx';

const create: Action<null> = {
  name: 'tenants.create',
  label: 'New tenant',
  tone: 'primary',
  scope: 'tenants:write',
  reason: 'required',
  lead: () => 'A separate set of accounts, payments and keys. Its first key is shown once.',
  fields: () => [
    { name: 'name', label: 'Name', kind: 'text', isRequired: true, placeholder: 'acme' },
    {
      name: 'kind',
      label: 'Kind',
      kind: 'select',
      initial: 'test',
      isRequired: true,
      options: [
        ['test', 'test: may have a clock'],
        ['live', 'live'],
      ],
    },
  ],
  run: (_, { name = '', kind }, options) =>
    api.tenants.create({ name: name.trim(), kind: kind as 'live' | 'test' }, options),
  done: () => 'Created the tenant.',
};

export function Page(): ReactNode {
  const [made, setMade] = useState<ApiKeyMade | null>(null);
  const { tenant } = useSession();
  const read = useList('tenants.list', [], () => api.tenants.list(), { enabled: tenant.first });
  return (
    <>
      <SettingsHead current="Tenants" lead="Separate sets of everything. A key belongs to one of them.">
        {tenant.first && (
          <ActionButton action={create} subject={null} onDone={(answer) => setMade((answer as TenantMade).key)} />
        )}
      </SettingsHead>
      {!tenant.first && <FirstTenantOnly />}
      {tenant.first && (
        <Panel flush>
          <ListTable
            caption="Tenants"
            read={read}
            keyOf={({ id }) => id}
            empty="No other tenant."
            columns={[
              { head: 'Tenant', cell: ({ name }) => <strong>{name}</strong> },
              { head: 'Kind', cell: ({ kind }) => <State of={kind === 'live' ? 'active' : 'waiting'} word={kind} /> },
              { head: 'Default asset', cell: ({ defaultAsset }) => defaultAsset ?? '–' },
              { head: 'Created', cell: ({ createdAt }) => <When at={createdAt} exact of="real" /> },
              { head: 'Id', wide: true, cell: ({ id }) => <span className="mono">{id}</span> },
            ]}
          />
        </Panel>
      )}
      {made !== null && <KeySecret of={made} onClose={() => setMade(null)} />}
    </>
  );
}
