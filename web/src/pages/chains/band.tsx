// The states of a chain over time as one band: each measurement is as wide as the time until the next.
import type { ReactNode } from 'react';
import type { ChainHealthSnapshot } from '../../../../src/client/index.ts';
import { formatInstant, plural } from '../../parts/format.ts';
import { State } from '../../parts/state.tsx';
import { percent } from './list.tsx';

type Status = ChainHealthSnapshot['status'];
const STATUSES: readonly Status[] = ['healthy', 'degraded', 'unhealthy'];

interface Stretch {
  readonly status: Status;
  readonly from: string;
  readonly until: string;
  readonly count: number;
}

/** Neighbours of one state as one stretch, the oldest first. */
function stretchesOf(ordered: readonly ChainHealthSnapshot[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const { status, takenAt } of ordered) {
    const last = stretches.at(-1);
    if (last) stretches[stretches.length - 1] = { ...last, until: takenAt };
    if (last?.status === status) stretches[stretches.length - 1] = { ...last, until: takenAt, count: last.count + 1 };
    else stretches.push({ status, from: takenAt, until: takenAt, count: 1 });
  }
  return stretches;
}

export function Band({ of: ordered }: { readonly of: readonly ChainHealthSnapshot[] }): ReactNode {
  const shares = STATUSES.flatMap((status) => {
    const count = ordered.filter((own) => own.status === status).length;
    return count === 0 ? [] : [[status, count / ordered.length] as const];
  });
  return (
    <figure className="band">
      <figcaption>
        <h3>State</h3>
        <span className="shares small">
          {shares.map(([status, share]) => (
            <span key={status}>
              <State of={status} word={`${status} ${percent(share)}`} />
            </span>
          ))}
          <span className="soft">of {plural(ordered.length, 'measurement')}</span>
        </span>
      </figcaption>
      <div className="strip" aria-hidden="true">
        {stretchesOf(ordered).map(({ status, from, until, count }) => (
          <i
            key={from}
            className={status}
            style={{ flexGrow: Math.max(1, Date.parse(until) - Date.parse(from)) }}
            title={`${status}, ${formatInstant(from)} to ${formatInstant(until)}, ${plural(count, 'measurement')}`}
          />
        ))}
      </div>
    </figure>
  );
}
