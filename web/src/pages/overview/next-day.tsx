// The next 24 hours as a timeline: payments and runs of schedules by the hour, and the first ones by name.
import type { ReactNode } from 'react';
import type { Upcoming } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Link } from '../../app/router.tsx';
import { formatDay, formatMinute, formatMoney, plural } from '../../parts/format.ts';
import { Panel } from '../../parts/layout.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Money, When, pageOf } from '../../parts/values.tsx';

const SHOWN = 12;

export function NextDay(): ReactNode {
  const read = useRead('overview.getUpcoming', [], () => api.overview.getUpcoming({ hours: 24 }), { everyMs: 60_000 });
  return (
    <Panel title="The next 24 hours">
      <Loaded read={read}>
        {(upcoming) =>
          upcoming.hours.every(({ payments, runs }) => payments + runs === 0) ? (
            <Empty operation={read.operation}>No payment and no run of a schedule falls into the next 24 hours.</Empty>
          ) : (
            <>
              <Hours of={upcoming} />
              <Next of={upcoming} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

const MAX_HEIGHT = 64;

function Hours({ of: { hours, countedAll } }: { readonly of: Upcoming }): ReactNode {
  const most = Math.max(1, ...hours.map(({ payments, runs }) => payments + runs));
  return (
    <>
      <ol className="hours" aria-label="Payments and runs by the hour">
        {hours.map(({ at, payments, runs, amounts }, index) => {
          const count = payments + runs;
          const text = `${formatDay(at)}, ${formatMinute(at)}: ${plural(payments, 'payment')}, ${plural(runs, 'run')} of schedules${amounts
            .map(({ asset, amount }) => `, ${formatMoney(amount, asset)}`)
            .join('')}`;
          return (
            <li key={at} title={text}>
              <span className="visually-hidden">{text}</span>
              <span className="count small" aria-hidden="true">
                {count === 0 ? '' : count}
              </span>
              <span className="stack-bar" aria-hidden="true">
                <i className="runs" style={{ height: (runs / most) * MAX_HEIGHT }} />
                <i className="payments" style={{ height: (payments / most) * MAX_HEIGHT }} />
              </span>
              <span className="hour small soft" aria-hidden="true">
                {index % 3 === 0 ? formatMinute(at).slice(0, 2) : ''}
              </span>
            </li>
          );
        })}
      </ol>
      <p className="legend small">
        <span className="accent">Payments</span>
        <span className="info">Runs of schedules</span>
        {!countedAll && (
          <span className="soft">
            There are more than 10,000 payments or runs: the first are counted, so the later hours show too few.
          </span>
        )}
      </p>
    </>
  );
}

function Next({ of: { next } }: { readonly of: Upcoming }): ReactNode {
  return (
    <ol className="next" aria-label="The first ones">
      {next.slice(0, SHOWN).map(({ at, kind, id, asset, amount, from, fromRef, to, toRef }) => (
        <li key={`${id}${at}`}>
          <When at={at} />
          <Link to={pageOf(id) ?? '/'}>
            {kind === 'payment' ? 'Payment' : 'Run of a schedule'} {from !== null && <>from {fromRef ?? from} </>}
            {to !== null && <>to {toRef ?? to}</>}
          </Link>
          {amount !== null && <Money minor={amount} asset={asset} />}
        </li>
      ))}
    </ol>
  );
}
