// One subscription: what was charged, and what comes next.
import type { ReactNode } from 'react';
import type { Subscription } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Link } from '../../app/router.tsx';
import type { Action } from '../../parts/action.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { formatDuration, formatMoney, sentenceCase } from '../../parts/format.ts';
import { Facts, PageHead, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { AccountLink, CopyId, Id, Money, When } from '../../parts/values.tsx';

const isOpen = ({ status }: Subscription): boolean => status !== 'cancelled' && status !== 'expired';

const pause: Action<Subscription> = {
  name: 'subscriptions.pause',
  label: 'Pause',
  scope: 'payments:write',
  reason: 'body',
  isVersioned: true,
  applies: ({ status }) => status === 'active' || status === 'trialing',
  lead: ({ price, asset }) => `No charge of ${formatMoney(price, asset)} is made until it is resumed.`,
  run: ({ id }, { reason = '' }, options) => api.subscriptions.pause(id, { reason }, options),
  done: () => 'Paused the subscription.',
};

const resume: Action<Subscription> = {
  name: 'subscriptions.resume',
  label: 'Resume',
  tone: 'primary',
  scope: 'payments:write',
  reason: 'body',
  isVersioned: true,
  applies: ({ status }) => status === 'paused' || status === 'past_due' || status === 'expired',
  lead: ({ price, asset }) => `Charges of ${formatMoney(price, asset)} go on.`,
  run: ({ id }, { reason = '' }, options) => api.subscriptions.resume(id, { reason }, options),
  done: () => 'Resumed the subscription.',
};

const cancel: Action<Subscription> = {
  name: 'subscriptions.cancel',
  label: 'Cancel',
  tone: 'danger',
  scope: 'payments:write',
  reason: 'body',
  isVersioned: true,
  applies: isOpen,
  lead: () => 'The subscription ends, and nothing is charged any more.',
  run: ({ id }, { reason = '' }, options) => api.subscriptions.cancel(id, { reason }, options),
  done: () => 'Cancelled the subscription.',
};

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const id = params['id'] ?? '';
  const read = useRead('subscriptions.get', [id], () => api.subscriptions.get(id));
  return (
    <>
      {read.data === undefined && (
        <PageHead title="Subscription" back={['Subscriptions', '/subscriptions']} lead={<CopyId of={id} />} />
      )}
      <Loaded read={read}>{(subscription) => <Whole of={subscription} />}</Loaded>
    </>
  );
}

function Whole({ of: subscription }: { readonly of: Subscription }): ReactNode {
  const { asset, retry } = subscription;
  return (
    <>
      <PageHead
        title={`Subscription of ${formatMoney(subscription.price, asset)}`}
        back={['Subscriptions', '/subscriptions']}
        state={<State of={subscription.status} />}
        lead={
          <>
            <AccountLink id={subscription.payer} name={subscription.payerRef} /> to{' '}
            <AccountLink id={subscription.receiver} name={subscription.receiverRef} />
            {subscription.statusReason !== null && <>. {sentenceCase(subscription.statusReason)}</>}
          </>
        }
      >
        {[resume, pause, cancel].map((action) => (
          <ActionButton key={action.name} action={action} subject={subscription} />
        ))}
      </PageHead>
      <div className="columns">
        <Panel title="Charges">
          <Facts
            rows={[
              ['Next', <When key="next" at={subscription.nextDueAt} exact />],
              [
                'Made',
                `${subscription.chargesMade}${subscription.charges === null ? '' : ` of ${subscription.charges}`}`,
              ],
              ['Paid', String(subscription.chargesPaid)],
              ['Skipped', String(subscription.chargesSkipped)],
              ['Paid in all', <Money key="paid" minor={subscription.paid} asset={asset} />],
              subscription.credit !== '0' && [
                'Credit',
                <Money key="credit" minor={subscription.credit} asset={asset} />,
              ],
              subscription.approved !== null && [
                'Approved in all',
                <Money key="approved" minor={subscription.approved} asset={asset} />,
              ],
              subscription.lastPayment !== null && ['Last payment', <Id key="last" of={subscription.lastPayment} />],
              subscription.trialEndsAt !== null && [
                'Trial ends',
                <When key="trial" at={subscription.trialEndsAt} exact />,
              ],
              subscription.cancelAt !== null && ['Ends', <When key="ends" at={subscription.cancelAt} exact />],
            ]}
          />
        </Panel>
        <Panel title="Terms">
          <Facts
            rows={[
              ['Subscription', <CopyId key="id" of={subscription.id} />],
              [
                'Plan',
                <span key="plan" className="mono">
                  {subscription.plan}
                </span>,
              ],
              [
                'Schedule',
                <Link key="schedule" to={`/schedules/${subscription.schedule}`}>
                  open it
                </Link>,
              ],
              retry !== null && [
                'Attempts',
                `${retry.maxAttempts}, the first retry after ${formatDuration(retry.initialDelay)}`,
              ],
              subscription.reference !== null && ['Reference', subscription.reference],
              ['Created', <When key="created" at={subscription.createdAt} exact />],
              subscription.endedAt !== null && ['Ended', <When key="ended" at={subscription.endedAt} exact />],
            ]}
          />
        </Panel>
      </div>
    </>
  );
}
