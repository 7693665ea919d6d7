// Payments in tables.
import type { ReactNode } from 'react';
import type { Payment } from '../../../../src/client/index.ts';
import type { Column } from '../../parts/table.tsx';
import { State } from '../../parts/state.tsx';
import { AccountLink, Id, Money, Payees, When } from '../../parts/values.tsx';

export function PaymentState({ of }: { readonly of: Payment }): ReactNode {
  if (of.status === 'scheduled' && of.approval === 'awaited') return <State of="awaits approval" />;
  if (of.status === 'scheduled' && of.attempts > 0)
    return <State of="failing" word={`retrying, ${of.attempts} failed`} />;
  if (of.status === 'settled' && of.refunded !== '0')
    return <State of="settled" word={of.refunded === of.captured ? 'refunded' : 'partly refunded'} />;
  return <State of={of.status} />;
}

export const PAYMENT_COLUMNS: readonly Column<Payment>[] = [
  { head: 'Amount', align: 'right', cell: ({ amount, asset }) => <Money minor={amount} asset={asset} /> },
  { head: 'State', cell: (payment) => <PaymentState of={payment} /> },
  { head: 'From', cell: ({ from, fromRef }) => <AccountLink id={from} name={fromRef} /> },
  { head: 'To', cell: (payment) => <Payees of={payment} /> },
  { head: 'Due', cell: ({ executeAt }) => <When at={executeAt} /> },
  { head: 'Reference', wide: true, cell: ({ reference }) => reference ?? <span className="soft">–</span> },
  { head: 'Created', wide: true, cell: ({ createdAt }) => <When at={createdAt} /> },
  { head: 'Payment', cell: ({ id }) => <Id of={id} /> },
];
