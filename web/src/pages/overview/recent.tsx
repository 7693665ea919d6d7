// Success, lateness, throughput and backlog over time.
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import type { Series } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useFilter } from '../../app/router.tsx';
import type { Line } from '../../parts/chart.tsx';
import { Chart } from '../../parts/chart.tsx';
import { formatCount, formatSeconds, secondsOf } from '../../parts/format.ts';
import { Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';

const PERIODS = ['hour', 'day', 'week'] as const;

export function Recent(): ReactNode {
  const [chosen, choose] = useFilter('period');
  const period = PERIODS.find((name) => name === chosen) ?? 'day';
  const read = useRead('overview.getSeries', [period], () => api.overview.getSeries({ period }), {
    everyMs: 30_000,
    keep: true,
  });
  const switcher = (
    <fieldset className="segments">
      <legend className="visually-hidden">Period</legend>
      {PERIODS.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="period"
            checked={name === period}
            onChange={() => choose(name === 'day' ? '' : name)}
          />
          <span>Last {name}</span>
        </label>
      ))}
    </fieldset>
  );
  return (
    <Panel title="How it went" actions={switcher}>
      <Loaded read={read}>{(series) => <Charts of={series} />}</Loaded>
    </Panel>
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(share === 1 || share === 0 ? 0 : 1)} %`;

function Charts({ of: { points, countedAll } }: { readonly of: Series }): ReactNode {
  const times = useMemo(() => points.map(({ at }) => at), [points]);
  const lines = useMemo(() => linesOf(points), [points]);
  return (
    <>
      <div className="charts">
        <Chart title="Throughput" times={times} lines={lines.throughput} format={formatCount} />
        <Chart title="Success rate" times={times} lines={lines.success} format={percent} top={1} />
        <Chart title="Lateness, from due to settled" times={times} lines={lines.lateness} format={formatSeconds} />
        <Chart title="Backlog: due and not done" times={times} lines={lines.backlog} format={formatCount} />
      </div>
      {!countedAll && (
        <p className="soft small">
          More than 50,000 events in the period, or more than 10,000 due payments: earlier steps may show fewer than
          there were.
        </p>
      )}
    </>
  );
}

function linesOf(points: Series['points']): Record<'throughput' | 'success' | 'lateness' | 'backlog', readonly Line[]> {
  const seconds = (duration: string | null): number | null => (duration === null ? null : secondsOf(duration));
  return {
    throughput: [
      { name: 'Settled', tone: 'accent', as: 'area', values: points.map(({ settled }) => settled) },
      { name: 'Failed', tone: 'bad', as: 'line', values: points.map(({ failed }) => failed) },
    ],
    success: [
      { name: 'Settled of ended', tone: 'good', as: 'line', values: points.map(({ successRate }) => successRate) },
    ],
    lateness: [
      { name: 'Average', tone: 'info', as: 'area', values: points.map(({ lateAverage }) => seconds(lateAverage)) },
      { name: 'Longest', tone: 'warn', as: 'line', values: points.map(({ lateLongest }) => seconds(lateLongest)) },
    ],
    backlog: [{ name: 'Backlog', tone: 'warn', as: 'steps', values: points.map(({ backlog }) => backlog) }],
  };
}
