// What only a payout has: the route with the chains side by side, and its attempts on them.
import type { ReactNode } from 'react';
import type { Payment, PayoutAttempt, PayoutRoute } from '../../../../src/client/index.ts';
import { UsanceProblem } from '../../../../src/client/problem.ts';
import { api } from '../../api/client.ts';
import { useList, useRead } from '../../api/queries.ts';
import { Link } from '../../app/router.tsx';
import { Actor } from '../../parts/actor.tsx';
import { inWords, shortAddress } from '../../parts/format.ts';
import { Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { Money, When } from '../../parts/values.tsx';
import { Candidates, Explanation } from '../payouts/candidates.tsx';

const CAUSES: Readonly<Record<PayoutRoute['cause'], string>> = {
  quote: 'of the accepted quote',
  due: 'chosen when it was due',
  requote: 'chosen again: the quoted chain did not qualify any more, or its fee had risen',
  retry: 'the same chain again',
  next_best: 'the next best, after an attempt on another chain',
};

const ATTEMPTS: Readonly<Record<PayoutAttempt['state'], readonly [tone: string, word: string]>> = {
  claimed: ['processing', 'begun, nothing signed'],
  sent: ['submitted', 'sent'],
  finalized: ['finalized', 'paid in a final block'],
  reverted: ['failed', 'failed in a final block'],
  dead: ['failed', 'can never land'],
  abandoned: ['discarded', 'given up, nothing signed'],
};

/** Null: the payout has no route yet, because it is routed when it is due. */
async function routeOf(id: string): Promise<PayoutRoute | null> {
  try {
    return await api.payments.getRoute(id);
  } catch (error) {
    if (error instanceof UsanceProblem && error.code === 'ROUTE_NOT_CHOSEN') return null;
    throw error;
  }
}

export function Payout({ of: { id } }: { readonly of: Payment }): ReactNode {
  const route = useRead('payments.getRoute', [id], () => routeOf(id));
  const attempts = useList('payments.listAttempts', [id], () => api.payments.listAttempts(id, { limit: 20 }));
  return (
    <>
      <Panel title="Route" note={route.data ? <RouteNote of={route.data} /> : undefined} flush>
        <Loaded read={route}>
          {(chosen) =>
            chosen === null ? (
              <p className="inset soft">No chain is chosen yet: a payout without a quote is routed when it is due.</p>
            ) : (
              <>
                <div className="inset">
                  <Explanation of={chosen.explanation} />
                </div>
                <Candidates of={chosen.candidates} />
              </>
            )
          }
        </Loaded>
      </Panel>
      <Panel title="Attempts" note="At most one of them can still land." flush>
        <ListTable
          caption="Attempts"
          read={attempts}
          keyOf={({ number }) => String(number)}
          empty="No attempt has begun."
          columns={[
            { head: 'No.', align: 'right', cell: ({ number }) => number },
            { head: 'State', cell: (attempt) => <AttemptState of={attempt} /> },
            { head: 'Chain', cell: ({ chain }) => chain ?? <span className="soft">none yet</span> },
            { head: 'Transaction', cell: ({ transactionId }) => <Short of={transactionId} /> },
            {
              head: 'Chain says',
              cell: ({ lastSeen, checks }) =>
                lastSeen === null ? (
                  <span className="soft">not asked</span>
                ) : (
                  <span title={`Asked ${checks} times`}>{inWords(lastSeen)}</span>
                ),
            },
            {
              head: 'Fee',
              align: 'right',
              cell: ({ fee, feeAsset }) =>
                fee === null || feeAsset === null ? (
                  <span className="soft">–</span>
                ) : (
                  <Money minor={fee} asset={feeAsset} />
                ),
            },
            { head: 'Began', wide: true, cell: ({ beganAt }) => <When at={beganAt} /> },
            { head: 'Ended', wide: true, cell: ({ endedAt }) => <When at={endedAt} /> },
            { head: 'Why', cell: ({ error, resolvedBy }) => <Cause error={error} resolvedBy={resolvedBy} /> },
          ]}
        />
      </Panel>
    </>
  );
}

function RouteNote({ of: { cause, number, quoteId, replays, chosenAt } }: { readonly of: PayoutRoute }): ReactNode {
  return (
    <>
      {number !== null && `No. ${number}, `}
      {quoteId === null ? CAUSES[cause] : <Link to={`/quotes/${quoteId}`}>{CAUSES[cause]}</Link>},{' '}
      <When at={chosenAt} exact />.{' '}
      {replays
        ? 'Computed again now, its inputs give the same choice.'
        : 'Computed again now, its inputs give another choice.'}
    </>
  );
}

function AttemptState({ of: { state } }: { readonly of: PayoutAttempt }): ReactNode {
  const [tone, word] = ATTEMPTS[state];
  return <State of={tone} word={word} />;
}

function Short({ of: text }: { readonly of: string | null }): ReactNode {
  return text === null ? (
    <span className="soft">–</span>
  ) : (
    <span className="mono" title={text}>
      {shortAddress(text)}
    </span>
  );
}

function Cause({ error, resolvedBy }: Pick<PayoutAttempt, 'error' | 'resolvedBy'>): ReactNode {
  return (
    <>
      {error?.detail}
      {resolvedBy !== null && (
        <>
          {' '}
          Resolved by <Actor of={resolvedBy} />.
        </>
      )}
    </>
  );
}
