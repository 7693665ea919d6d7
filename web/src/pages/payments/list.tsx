// Payments: server-side filters and cursors, so that a million rows are as quick as a thousand.
import type { ReactNode } from 'react';
import type { Payment } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { navigate, useFilter } from '../../app/router.tsx';
import { useSession } from '../../app/session.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { PageHead, Panel } from '../../parts/layout.tsx';
import { ListTable } from '../../parts/table.tsx';
import { create } from './actions.ts';
import { PAYMENT_COLUMNS } from './columns.tsx';

type PaymentStatus = Payment['status'];

const STATUSES: readonly PaymentStatus[] = [
  'scheduled',
  'processing',
  'submitted',
  'review',
  'settled',
  'failed',
  'cancelled',
  'expired',
];

export function Page(): ReactNode {
  const { tenant } = useSession();
  const [status] = useFilter('status');
  const [account] = useFilter('account');
  const [reference] = useFilter('reference');
  const [approval] = useFilter('approval');
  const [from] = useFilter('from');
  const [before] = useFilter('before');
  const filter = {
    ...(STATUSES.some((name) => name === status) ? { status: status as PaymentStatus } : {}),
    ...(account === '' ? {} : { account }),
    ...(reference === '' ? {} : { reference }),
    ...(approval === 'awaited' || approval === 'given' ? ({ approval } as const) : {}),
    ...(from === '' ? {} : { executeFrom: new Date(`${from}T00:00`) }),
    ...(before === '' ? {} : { executeBefore: new Date(`${before}T00:00`) }),
  };
  const read = useList('payments.list', [filter], () => api.payments.list({ ...filter, limit: 50 }));
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <PageHead title="Payments" lead="Newest first. Open a payment to see why it is where it is.">
        <ActionButton
          action={create}
          subject={{ asset: tenant.defaultAsset ?? 'USD/2' }}
          onDone={(payment) => navigate(`/payments/${(payment as Payment).id}`)}
        />
      </PageHead>
      <Filters>
        <TextFilter
          name="reference"
          label="Reference or id"
          placeholder="order-1042"
          onApply={(text) => {
            if (!/^(pay|hold)_[0-9a-z]{26}$/.test(text)) return false;
            navigate(`/payments/${text}`);
            return true;
          }}
        />
        <TextFilter name="account" label="Account" placeholder="alice" />
        <SelectFilter name="status" label="State" options={STATUSES} />
        <SelectFilter name="approval" label="Approval" options={['awaited', 'given']} />
        <TextFilter name="from" label="Due from" type="date" />
        <TextFilter name="before" label="Due before" type="date" />
      </Filters>
      <Panel flush>
        <ListTable
          caption="Payments"
          read={read}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/payments/${id}`}
          columns={PAYMENT_COLUMNS}
          empty={
            isFiltered
              ? 'No payment fits these filters.'
              : 'No payment yet. POST /v1/holds creates one that reserves its money now and moves it later.'
          }
        />
      </Panel>
    </>
  );
}
