// Guards of payouts: listed addresses, caps, and the policy about new addresses.
import type { ReactNode } from 'react';
import type { PayoutCap, PayoutDestination, PayoutPolicy } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList, useRead } from '../../api/queries.ts';
import { Link } from '../../app/router.tsx';
import { useTenantNow } from '../../app/tenant-time.ts';
import { ActionButton } from '../../parts/action.tsx';
import { Actor } from '../../parts/actor.tsx';
import { formatDuration, isPast, secondsOf } from '../../parts/format.ts';
import { Facts, PageHead, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { CopyId, Money, When } from '../../parts/values.tsx';
import { addDestination, approveDestination, removeDestination, setCap, setPolicy } from './guard-actions.ts';

export function Page(): ReactNode {
  const policy = useRead('payoutPolicy.get', [], () => api.payoutPolicy.get());
  const caps = useList('payoutCaps.list', [], () => api.payoutCaps.list());
  const destinations = useList('payoutDestinations.list', [], () => api.payoutDestinations.list({ limit: 50 }));
  return (
    <>
      <PageHead
        title="Payout guards"
        lead={
          <>
            What a payout may pay, and where to. A <Link to="/settings/pauses">pause</Link> of a chain bars it at once.
          </>
        }
      />
      <Panel
        title="Policy"
        actions={policy.data !== undefined && <ActionButton action={setPolicy} subject={policy.data} />}
      >
        <Loaded read={policy}>{(now) => <Policy of={now} />}</Loaded>
      </Panel>
      <Panel title="Caps" actions={<ActionButton action={setCap} subject={null} />} flush>
        <ListTable
          caption="Caps of payouts"
          read={caps}
          keyOf={({ asset, chain }) => `${asset} ${chain ?? ''}`}
          empty="No cap is set: a payout may be as large as its payer's funds."
          columns={[
            { head: 'Asset', cell: ({ asset }) => <strong>{asset}</strong> },
            { head: 'Chain', cell: ({ chain }) => chain ?? 'all together' },
            { head: 'Most a payout', align: 'right', cell: ({ maxAmount, asset }) => money(maxAmount, asset) },
            { head: 'Most a day', align: 'right', cell: ({ dailyAmount, asset }) => money(dailyAmount, asset) },
            {
              head: 'Change',
              cell: (cap: PayoutCap) => (
                <ActionButton action={{ ...setCap, label: 'Change the cap' }} subject={cap} quiet />
              ),
            },
          ]}
        />
      </Panel>
      <Panel title="Addresses" actions={<ActionButton action={addDestination} subject={null} />} flush>
        <ListTable
          caption="Addresses for payouts"
          read={destinations}
          keyOf={({ id }) => id}
          empty="No address is listed. While the policy asks for listed addresses, no payout can be created without one."
          columns={[
            {
              head: 'Address',
              cell: ({ address, label }) => (
                <>
                  {label !== null && <strong>{label}</strong>} <CopyId of={address} />
                </>
              ),
            },
            { head: 'Chain', cell: ({ chain }) => chain },
            { head: 'State', cell: (destination) => <DestinationState of={destination} /> },
            { head: 'Added', wide: true, cell: ({ addedAt }) => <When at={addedAt} /> },
            { head: 'Added by', wide: true, cell: ({ addedBy }) => <Actor of={addedBy} /> },
            {
              head: 'Approved by',
              wide: true,
              cell: ({ approvedBy }) =>
                approvedBy === null ? <span className="soft">–</span> : <Actor of={approvedBy} />,
            },
            {
              head: 'Decide',
              cell: (destination) => (
                <span className="actions">
                  <ActionButton action={approveDestination} subject={destination} />
                  <ActionButton action={removeDestination} subject={destination} quiet />
                </span>
              ),
            },
          ]}
        />
      </Panel>
    </>
  );
}

const money = (amount: string | null, asset: string): ReactNode =>
  amount === null ? <span className="soft">none</span> : <Money minor={amount} asset={asset} />;

function Policy({ of: { listedOnly, wait, secondPerson } }: { readonly of: PayoutPolicy }): ReactNode {
  return (
    <Facts
      rows={[
        ['Payouts go', listedOnly ? 'to listed addresses only' : 'to any address'],
        ['A new address', secondsOf(wait) === 0 ? 'may be paid at once' : `may be paid after ${formatDuration(wait)}`],
        ['A second person', secondPerson ? 'approves each new address' : 'is not asked'],
      ]}
    />
  );
}

/** The wait is one of the tenant's time. */
function DestinationState({ of: { usableAt } }: { readonly of: PayoutDestination }): ReactNode {
  const now = useTenantNow();
  if (usableAt === null) return <State of="awaits approval" />;
  if (now !== null && isPast(usableAt, now)) return <State of="active" word="may be paid" />;
  return (
    <>
      <State of="waiting" word="may be paid" /> from <When at={usableAt} exact />
    </>
  );
}
