// Why the payment is where it is, and what would change that: the first thing on its page.
import type { ReactNode } from 'react';
import type { Payment, PaymentWhy, PaymentWhyChange } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { ActionButton } from '../../parts/action.tsx';
import { asSentence } from '../../parts/format.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { withInstants } from '../../parts/text.tsx';
import { PAYMENT_ACTIONS } from './actions.ts';

const TONES: Partial<Record<PaymentWhy['code'], string>> = {
  settled: 'good',
  failed: 'bad',
  frozen: 'bad',
  cancelled: 'idle',
  expired: 'idle',
  not_due: 'info',
  due: 'info',
};

export function Why({ payment }: { readonly payment: Payment }): ReactNode {
  const read = useRead('payments.why', [payment.id], () => api.payments.why(payment.id));
  return (
    <section className="why-box" aria-labelledby="why">
      <h2 id="why">Why</h2>
      <Loaded read={read}>
        {(why) => (
          <div className={`why ${TONES[why.code] ?? 'warn'}`}>
            <p className="reason">{withInstants(asSentence(why.sentence))}</p>
            <Changes of={why.changes} payment={payment} />
            {why.also.map((reason) => (
              <div key={reason.code} className="also">
                <p>And then: {withInstants(asSentence(reason.sentence))}</p>
                <Changes of={reason.changes} payment={payment} />
              </div>
            ))}
          </div>
        )}
      </Loaded>
    </section>
  );
}

function Changes({
  of: changes,
  payment,
}: {
  readonly of: readonly PaymentWhyChange[];
  readonly payment: Payment;
}): ReactNode {
  if (changes.length === 0) return null;
  return (
    <ul className="would" aria-label="What would change that">
      {changes.map(({ operation, sentence }) => {
        const action = PAYMENT_ACTIONS.find(({ name }) => name === operation);
        return (
          <li key={sentence}>
            <span>{withInstants(sentence)}</span>
            {action && <ActionButton action={action} subject={payment} />}
          </li>
        );
      })}
    </ul>
  );
}
