// One payment: why it is where it is, what would change that, and everything that happened to it.
import type { ReactNode } from 'react';
import type { Payment } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList, useRead } from '../../api/queries.ts';
import { Link } from '../../app/router.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { Actor } from '../../parts/actor.tsx';
import { formatDuration, inWords } from '../../parts/format.ts';
import { Data, Facts, PageHead, Panel } from '../../parts/layout.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { AccountLink, CopyId, Money, Payees, When, pageOf } from '../../parts/values.tsx';
import { AIMS } from '../payouts/candidates.tsx';
import { PAYMENT_ACTIONS } from './actions.ts';
import { PaymentState } from './columns.tsx';
import { Payout } from './payout.tsx';
import { Timeline } from './timeline.tsx';
import { WebhooksAndJobs } from './webhooks-and-jobs.tsx';
import { Why } from './why.tsx';

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const id = params['id'] ?? '';
  const read = useRead('payments.get', [id], () => api.payments.get(id));
  return (
    <>
      {read.data === undefined && (
        <PageHead title="Payment" back={['Payments', '/payments']} lead={<CopyId of={id} />} />
      )}
      <Loaded read={read}>{(payment) => <Whole of={payment} />}</Loaded>
    </>
  );
}

function Whole({ of: payment }: { readonly of: Payment }): ReactNode {
  const { id } = payment;
  const timeline = useList('payments.listTimeline', [id], () => api.payments.listTimeline(id, { limit: 100 }));
  return (
    <>
      <PageHead
        title={`Payment of ${payment.amountDecimal} ${payment.asset.split('/')[0] ?? ''}`}
        back={['Payments', '/payments']}
        state={<PaymentState of={payment} />}
        lead={
          <>
            <AccountLink id={payment.from} name={payment.fromRef} /> to <Payees of={payment} />
          </>
        }
      >
        {PAYMENT_ACTIONS.map((action) => (
          <ActionButton key={action.name} action={action} subject={payment} />
        ))}
      </PageHead>
      <Why payment={payment} />
      {payment.destinations !== null && <Payout of={payment} />}
      <div className="split">
        <Panel title="What happened">
          <Loaded read={timeline}>
            {(entries) =>
              entries.length === 0 ? (
                <Empty operation={timeline.operation}>Nothing happened to this payment yet.</Empty>
              ) : (
                <>
                  <Timeline of={entries} asset={payment.asset} />
                  {timeline.more !== null && (
                    <button type="button" onClick={timeline.more}>
                      Show more
                    </button>
                  )}
                </>
              )
            }
          </Loaded>
        </Panel>
        <div>
          <Terms of={payment} />
          {payment.legs.length > 1 && <Legs of={payment} />}
          {payment.metadata !== null && (
            <Panel title="Metadata">
              <Data of={payment.metadata} />
            </Panel>
          )}
        </div>
      </div>
      <WebhooksAndJobs id={id} />
    </>
  );
}

function Terms({ of: payment }: { readonly of: Payment }): ReactNode {
  const { asset, owner, retry } = payment;
  const money = (minor: string): ReactNode => <Money minor={minor} asset={asset} />;
  const ownerPage = owner === null ? null : pageOf(owner.id);
  return (
    <Panel title="Terms">
      <Facts
        rows={[
          ['Payment', <CopyId key="id" of={payment.id} />],
          ['Amount', money(payment.amount)],
          payment.captured !== '0' && ['Captured', money(payment.captured)],
          payment.released !== '0' && ['Released', money(payment.released)],
          payment.refunded !== '0' && ['Refunded', money(payment.refunded)],
          ['Due', <When key="due" at={payment.executeAt} exact />],
          payment.expiresAt !== null && ['Expires', <When key="expires" at={payment.expiresAt} exact />],
          ['Funding', payment.funding === 'reserve' ? 'reserved when it was created' : 'taken when it is due'],
          ['Rail', payment.rail === 'any' ? 'the best chain when it is due' : payment.rail],
          ...Object.entries(payment.destinations ?? {}).map(
            ([chain, address]) => [`Address on ${chain}`, <CopyId key={chain} of={String(address)} />] as const,
          ),
          payment.routePriority !== null && ['Chain chosen for', AIMS[payment.routePriority]],
          ['Priority', payment.priority],
          payment.reference !== null && ['Reference', payment.reference],
          payment.approval !== null && [
            'Approval',
            payment.approval === 'awaited' ? (
              <>
                awaited
                {payment.approvalUntil !== null && (
                  <>
                    {' '}
                    until <When at={payment.approvalUntil} exact />
                  </>
                )}
              </>
            ) : (
              'given'
            ),
          ],
          [
            'Attempts',
            `${payment.attempts}${payment.rail === 'ledger' ? ' failed' : ''}${retry === null ? '' : ` of ${retry.maxAttempts}`}`,
          ],
          retry !== null && [
            'Retries',
            `after ${formatDuration(retry.initialDelay)}, × ${retry.multiplier}, at most ${formatDuration(retry.maxDelay)}`,
          ],
          owner !== null && [
            'Made by',
            ownerPage === null ? inWords(owner.kind) : <Link key="owner" to={ownerPage}>{`the ${owner.kind}`}</Link>,
          ],
          ['Created', <When key="created" at={payment.createdAt} exact />],
          ['Created by', <Actor key="by" of={payment.createdBy} />],
          payment.endedAt !== null && ['Ended', <When key="ended" at={payment.endedAt} exact />],
        ]}
      />
    </Panel>
  );
}

function Legs({ of: { legs, asset } }: { readonly of: Payment }): ReactNode {
  return (
    <Panel title="Payees">
      <Facts
        rows={legs.map(
          ({ to, toRef, amount }) => [toRef ?? to, <Money key={to} minor={amount} asset={asset} />] as const,
        )}
      />
    </Panel>
  );
}
