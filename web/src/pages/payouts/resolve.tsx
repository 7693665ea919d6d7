// A person decides about a payout in review. The dialog shows what the chain last said, and the dry run asks the chain again.
import type { ReactNode } from 'react';
import type { Payment, PayoutAttempt } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import type { Action } from '../../parts/action.tsx';
import { formatMoney, inWords, plural } from '../../parts/format.ts';
import { Facts } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { CopyId, When } from '../../parts/values.tsx';

const money = ({ amount, asset }: Payment): string => formatMoney(amount, asset);

export const resolve: Action<Payment> = {
  name: 'payments.resolve',
  label: 'Resolve',
  tone: 'primary',
  // The API asks for ops:write too: as dead, the payout is signed again, so money leaves the ledger.
  scope: 'ledger:money',
  reason: 'body',
  isVersioned: true,
  applies: ({ status }) => status === 'review',
  lead: (payout) =>
    `The chain did not confirm the payout of ${money(payout)} in time. Look its transaction up in an explorer, and say what became of it. The chain is asked again first: an outcome that it contradicts is refused.`,
  detail: ({ id }) => <ChainSays paymentId={id} />,
  fields: (_, { outcome }) => [
    {
      name: 'outcome',
      label: 'Outcome',
      kind: 'select',
      isRequired: true,
      options: [
        ['', 'choose'],
        ['paid', 'paid: its transaction is final'],
        ['dead', 'dead: it has not paid, and never will'],
      ],
    },
    {
      name: 'transactionId',
      label: 'Transaction',
      kind: 'text',
      isRequired: outcome === 'paid',
      hint:
        outcome === 'paid'
          ? 'The one that you looked up.'
          : 'The one that you looked up. For dead it is that of the payout if you leave it empty.',
    },
  ],
  trouble: (_, { outcome, transactionId = '' }) =>
    outcome === 'paid' && transactionId.trim() === '' ? 'Enter the transaction that paid it.' : null,
  run: ({ id }, { outcome, transactionId = '', reason = '' }, options) =>
    api.payments.resolve(
      id,
      {
        outcome: outcome === 'paid' ? 'paid' : 'dead',
        ...(transactionId.trim() === '' ? {} : { transactionId: transactionId.trim() }),
        reason,
      },
      options,
    ),
  done: (payout) => `Resolved the payout of ${money(payout)}.`,
};

function ChainSays({ paymentId }: { readonly paymentId: string }): ReactNode {
  const read = useRead('payments.listAttempts', [paymentId, 'newest'], async () => {
    let newest: PayoutAttempt | null = null;
    for await (const attempt of api.payments.listAttempts(paymentId)) newest = attempt;
    return newest;
  });
  return (
    <section className="chain-says" aria-label="What the chain said last">
      <h3>What the chain said last</h3>
      <Loaded read={read}>
        {(attempt) => (attempt === null ? <p className="soft">No attempt has begun.</p> : <Said of={attempt} />)}
      </Loaded>
    </section>
  );
}

function Said({ of }: { readonly of: PayoutAttempt }): ReactNode {
  const { chain, transactionId, lastSeen, checks, broadcasts, lastValidHeight, sentAt } = of;
  return (
    <Facts
      rows={[
        ['Chain', chain ?? 'none yet'],
        transactionId !== null && ['Transaction', <CopyId key="transaction" of={transactionId} />],
        ['Last answer', lastSeen === null ? 'none' : inWords(lastSeen)],
        ['Asked', `${plural(checks, 'time')}; its bytes were sent ${plural(broadcasts, 'time')}`],
        lastValidHeight !== null && ['Can land until', `block ${lastValidHeight}`],
        sentAt !== null && ['Sent', <When key="sent" at={sentAt} exact />],
      ]}
    />
  );
}
