// Accounts: who holds money here.
import type { ReactNode } from 'react';
import type { Account } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { navigate, useFilter } from '../../app/router.tsx';
import { useAllowed } from '../../app/session.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { PageHead, Panel } from '../../parts/layout.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { Id, When } from '../../parts/values.tsx';
import { create } from './actions.ts';

const KINDS: readonly Account['kind'][] = ['user', 'merchant', 'treasury', 'system'];
const STATUSES: readonly Account['status'][] = ['active', 'suspended', 'closed'];

export function Page(): ReactNode {
  const [kind] = useFilter('kind');
  const [status] = useFilter('status');
  const mayWrite = useAllowed('ledger:write');
  const ofKind = KINDS.find((name) => name === kind);
  const ofStatus = STATUSES.find((name) => name === status);
  const filter = {
    ...(ofKind === undefined ? {} : { kind: ofKind }),
    ...(ofStatus === undefined ? {} : { status: ofStatus }),
  };
  const read = useList('accounts.list', [filter], () => api.accounts.list({ ...filter, limit: 50 }));
  return (
    <>
      <PageHead title="Accounts" lead="Holders of balances. Open one by its id or your own ref.">
        {mayWrite && (
          <ActionButton
            action={create}
            subject={null}
            onDone={(account) => navigate(`/accounts/${(account as Account).id}`)}
          />
        )}
      </PageHead>
      <Filters>
        <TextFilter
          name="open"
          label="Ref or id"
          placeholder="alice"
          onApply={(text) => {
            if (text !== '') navigate(`/accounts/${encodeURIComponent(text)}`);
            return true;
          }}
        />
        <SelectFilter name="kind" label="Kind" options={KINDS} />
        <SelectFilter name="status" label="State" options={STATUSES} />
      </Filters>
      <Panel flush>
        <ListTable
          caption="Accounts"
          read={read}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/accounts/${id}`}
          empty="No account fits these filters. POST /v1/accounts opens one."
          columns={[
            { head: 'Ref', cell: ({ ref }) => <strong>{ref}</strong> },
            { head: 'Name', cell: ({ name }) => name ?? <span className="soft">–</span> },
            { head: 'Kind', cell: ({ kind: own }) => own },
            { head: 'State', cell: ({ status: state }) => <State of={state} /> },
            { head: 'Guardian', wide: true, cell: ({ guardianRef }) => guardianRef ?? '–' },
            { head: 'Opened', wide: true, cell: ({ createdAt }) => <When at={createdAt} /> },
            { head: 'Account', cell: ({ id }) => <Id of={id} /> },
          ]}
        />
      </Panel>
    </>
  );
}
