// The inbox of payments that await a second person.
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { Actor } from '../../parts/actor.tsx';
import { PageHead, Panel } from '../../parts/layout.tsx';
import { ListTable } from '../../parts/table.tsx';
import { AccountLink, Id, Money, Payees, When } from '../../parts/values.tsx';

export function Page(): ReactNode {
  const { key } = useSession();
  const filter = { approval: 'awaited', status: 'scheduled' } as const;
  const read = useList('payments.list', [filter], () => api.payments.list({ ...filter, limit: 50 }));
  return (
    <>
      <PageHead
        title="Approvals"
        lead={`Payments above the approval limit wait here for a second person. You are ${key.person ?? key.name}: a payment that you created or changed needs another person.`}
      />
      <Panel flush>
        <ListTable
          caption="Payments that await approval"
          read={read}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/payments/${id}`}
          empty="Nothing awaits approval. A limit with approvalAbove makes payments wait here."
          columns={[
            { head: 'Amount', align: 'right', cell: ({ amount, asset }) => <Money minor={amount} asset={asset} /> },
            { head: 'From', cell: ({ from, fromRef }) => <AccountLink id={from} name={fromRef} /> },
            { head: 'To', cell: (payment) => <Payees of={payment} /> },
            { head: 'Due', cell: ({ executeAt }) => <When at={executeAt} /> },
            { head: 'Expires', cell: ({ approvalUntil }) => <When at={approvalUntil} /> },
            { head: 'Asked by', wide: true, cell: ({ createdBy }) => <Actor of={createdBy} /> },
            { head: 'Reference', wide: true, cell: ({ reference }) => reference ?? '–' },
            { head: 'Decide', cell: ({ id }) => <Id of={id} /> },
          ]}
        />
      </Panel>
    </>
  );
}
