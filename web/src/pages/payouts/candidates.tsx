// The chains that a payout could take, side by side: what each was scored by, its score, and why it was left out.
import type { ReactNode } from 'react';
import type { Quote, RouteCandidate } from '../../../../src/client/index.ts';
import { formatSeconds } from '../../parts/format.ts';
import { State } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { formatFee, percent } from '../chains/list.tsx';

export const AIMS: Readonly<Record<Quote['priority'], string>> = {
  low_fee: 'low fee',
  fast: 'fast',
  reliable: 'reliable',
};

const WHY_NOT: Readonly<Record<NonNullable<RouteCandidate['disqualified']>, string>> = {
  no_address: 'the payee has no address there',
  treasury_too_low: 'the wallet has too little',
  chain_unhealthy: 'the chain is unhealthy',
  price_stale: 'the price of its fee is too old',
  wallet_unread: 'the wallet could not be read',
  wallet_frozen: 'the wallet is frozen',
  attempt_failed: 'an attempt failed there',
  fee_unread: 'its fee could not be read',
  barred: 'a guard or a pause bars it',
};

export function Candidates({ of: candidates }: { readonly of: readonly RouteCandidate[] }): ReactNode {
  return (
    <Table
      caption="Chains side by side"
      rows={candidates}
      keyOf={({ chain }) => chain}
      columns={[
        { head: 'Chain', cell: ({ chain }) => <strong>{chain}</strong> },
        { head: 'State', cell: ({ health }) => <State of={health} /> },
        {
          head: 'Fee',
          align: 'right',
          cell: ({ feeUsd, feeShare }) => (
            <Part of={feeUsd === null ? 'unknown' : formatFee(feeUsd)} share={feeShare} />
          ),
        },
        {
          head: 'Confirms in',
          align: 'right',
          cell: ({ confirmationSeconds, latencyShare }) => (
            <Part of={formatSeconds(confirmationSeconds)} share={latencyShare} />
          ),
        },
        {
          head: 'Failed calls',
          align: 'right',
          cell: ({ rpcErrorRate, reliabilityShare }) => <Part of={percent(rpcErrorRate)} share={reliabilityShare} />,
        },
        { head: 'Score', align: 'right', cell: ({ score }) => <Score of={score} /> },
        {
          head: 'Why not',
          cell: ({ disqualified }) => (disqualified === null ? <span className="soft">–</span> : WHY_NOT[disqualified]),
        },
      ]}
    />
  );
}

/** A measured value, and the share of the best that it was scored with. */
function Part({ of: text, share }: { readonly of: string; readonly share: number | null }): ReactNode {
  return (
    <span className="part">
      {text}
      {share !== null && <span className="soft small"> scores {share.toFixed(2)}</span>}
    </span>
  );
}

function Score({ of: score }: { readonly of: number | null }): ReactNode {
  if (score === null) return <span className="soft">none</span>;
  return (
    <span className="score">
      <meter min={0} max={1} value={score} aria-label="Score" />
      <b className="number">{score.toFixed(3)}</b>
    </span>
  );
}

/** The choice in sentences, the best first. */
export function Explanation({ of: sentences }: { readonly of: readonly string[] }): ReactNode {
  const [choice, ...rest] = sentences;
  return (
    <>
      <p className="reason">{choice}</p>
      {rest.length > 0 && (
        <ul className="soft small plain">
          {rest.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}
