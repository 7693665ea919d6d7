// One quote: the chains side by side, and the payout that it would create.
import type { ReactNode } from 'react';
import type { Payment, Quote } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { navigate } from '../../app/router.tsx';
import { useTenantNow } from '../../app/tenant-time.ts';
import type { Action } from '../../parts/action.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { instantOf } from '../../parts/fields.tsx';
import { formatAmount, formatInstant, formatMoney, isPast } from '../../parts/format.ts';
import { Facts, PageHead, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { CopyId, Money, When } from '../../parts/values.tsx';
import { AIMS, Candidates, Explanation } from './candidates.tsx';

const accept: Action<Quote> = {
  name: 'quotes.accept',
  label: 'Accept',
  tone: 'primary',
  // Beside payments:write, because the money leaves the ledger.
  scope: 'ledger:money',
  reason: 'required',
  applies: ({ acceptedAt }) => acceptedAt === null,
  lead: (quote) =>
    `Creates a payout of ${formatMoney(quote.amount, quote.asset)} over ${quote.chain}. It takes another chain only if ${quote.chain} does not qualify any more, or its fee has risen, when it runs. The quote can be accepted until ${formatInstant(quote.expiresAt)}.`,
  fields: () => [
    { name: 'from', label: 'From', kind: 'text', placeholder: 'alice', isRequired: true },
    { name: 'executeAt', label: 'Runs', kind: 'instant', hint: 'Empty: at once.' },
    { name: 'reference', label: 'Reference', kind: 'text', placeholder: 'payout-17' },
  ],
  confirm: (quote) => `Pay ${formatMoney(quote.amount, quote.asset)}`,
  run: ({ id }, { from = '', executeAt = '', reference = '' }, options) =>
    api.quotes.accept(
      id,
      {
        from: from.trim(),
        ...(executeAt === '' ? {} : { executeAt: instantOf(executeAt) }),
        ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
      },
      options,
    ),
  done: () => 'Created the payout.',
};

export function QuoteState({ of: { acceptedAt, expiresAt } }: { readonly of: Quote }): ReactNode {
  const now = useTenantNow();
  if (acceptedAt !== null) return <State of="made" word="accepted" />;
  if (now !== null && isPast(expiresAt, now)) return <State of="expired" />;
  return <State of="waiting" word="not accepted" />;
}

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const id = params['id'] ?? '';
  const read = useRead('quotes.get', [id], () => api.quotes.get(id));
  return (
    <>
      {read.data === undefined && <PageHead title="Quote" back={['Quotes', '/quotes']} lead={<CopyId of={id} />} />}
      <Loaded read={read}>{(quote) => <Whole of={quote} />}</Loaded>
    </>
  );
}

function Whole({ of: quote }: { readonly of: Quote }): ReactNode {
  const { id, asset, amount, priority, chain, explanation, candidates, createdAt, expiresAt, acceptedAt } = quote;
  return (
    <>
      <PageHead
        title={`Quote of ${formatAmount(amount, asset)} ${asset.split('/')[0] ?? ''}`}
        back={['Quotes', '/quotes']}
        state={<QuoteState of={quote} />}
        lead={
          <>
            Over <strong>{chain}</strong>, chosen for: {AIMS[priority]}
          </>
        }
      >
        <ActionButton
          action={accept}
          subject={quote}
          onDone={(payment) => navigate(`/payments/${(payment as Payment).id}`)}
        />
      </PageHead>
      <section className="why-box" aria-labelledby="why">
        <h2 id="why">Why this chain</h2>
        <div className="why info">
          <Explanation of={explanation} />
        </div>
      </section>
      <Panel title="Chains side by side" flush>
        <Candidates of={candidates} />
      </Panel>
      <Panel title="Terms">
        <Facts
          rows={[
            ['Quote', <CopyId key="id" of={id} />],
            ['Amount', <Money key="amount" minor={amount} asset={asset} />],
            ['Aim', AIMS[priority]],
            ...Object.entries(quote.destinations).map(
              ([name, address]) => [`Address on ${name}`, <CopyId key={name} of={String(address)} />] as const,
            ),
            ['Created', <When key="created" at={createdAt} exact />],
            ['Can be accepted until', <When key="expires" at={expiresAt} exact />],
            acceptedAt !== null && ['Accepted', <When key="accepted" at={acceptedAt} exact />],
          ]}
        />
      </Panel>
    </>
  );
}
