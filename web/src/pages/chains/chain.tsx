// One chain: its health over time.
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import type { ChainHealthSnapshot } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { Chart } from '../../parts/chart.tsx';
import { formatCount, formatSeconds } from '../../parts/format.ts';
import { PageHead, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable } from '../../parts/table.tsx';
import { When } from '../../parts/values.tsx';
import { Band } from './band.tsx';
import { formatFee, percent } from './list.tsx';

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const name = params['name'] ?? '';
  const read = useList('chains.listHistory', [name], () => api.chains.listHistory(name, { limit: 100 }));
  const newest = read.data?.[0];
  return (
    <>
      <PageHead
        title={`Chain ${name}`}
        back={['Chains', '/chains']}
        {...(newest === undefined ? {} : { state: <State of={newest.status} /> })}
      />
      <Panel title="Health over time">
        <Loaded read={read}>
          {(snapshots) =>
            snapshots.length === 0 ? <p className="soft">It was not measured yet.</p> : <Charts of={snapshots} />
          }
        </Loaded>
      </Panel>
      <Panel title="Measurements" flush>
        <ListTable
          caption="Measurements"
          read={read}
          keyOf={({ takenAt }) => takenAt}
          empty="It was not measured yet: the health loop of usance worker does."
          columns={[
            { head: 'Measured', cell: ({ takenAt }) => <When at={takenAt} exact of="real" /> },
            { head: 'State', cell: ({ status }) => <State of={status} /> },
            {
              head: 'Confirms in',
              align: 'right',
              cell: ({ avgConfirmationSeconds }) => formatSeconds(avgConfirmationSeconds),
            },
            { head: 'Errors', align: 'right', cell: ({ rpcErrorRate }) => percent(rpcErrorRate) },
            {
              head: 'Answers in',
              align: 'right',
              wide: true,
              cell: ({ p95LatencyMs }) => `${formatCount(Math.round(p95LatencyMs))} ms`,
            },
            {
              head: 'Fee',
              align: 'right',
              wide: true,
              cell: ({ estimatedFeeUsd }) => (estimatedFeeUsd === null ? '–' : formatFee(estimatedFeeUsd)),
            },
            { head: 'Congestion', align: 'right', wide: true, cell: ({ congestionScore }) => percent(congestionScore) },
            { head: 'Why', cell: ({ failure }) => failure ?? '' },
          ]}
        />
      </Panel>
    </>
  );
}

function Charts({ of: snapshots }: { readonly of: readonly ChainHealthSnapshot[] }): ReactNode {
  const ordered = useMemo(() => snapshots.toReversed(), [snapshots]);
  const times = useMemo(() => ordered.map(({ takenAt }) => takenAt), [ordered]);
  const confirmation = useMemo(
    () =>
      [
        { name: 'Average', tone: 'accent', as: 'area', values: ordered.map((own) => own.avgConfirmationSeconds) },
      ] as const,
    [ordered],
  );
  const errors = useMemo(
    () => [{ name: 'Failed calls', tone: 'bad', as: 'area', values: ordered.map((own) => own.rpcErrorRate) }] as const,
    [ordered],
  );
  const congestion = useMemo(
    () =>
      [{ name: 'Congestion', tone: 'warn', as: 'area', values: ordered.map((own) => own.congestionScore) }] as const,
    [ordered],
  );
  const latency = useMemo(
    () =>
      [{ name: '95 of 100 calls', tone: 'info', as: 'area', values: ordered.map((own) => own.p95LatencyMs) }] as const,
    [ordered],
  );
  const fee = useMemo(
    () =>
      [{ name: 'Transfer', tone: 'accent', as: 'steps', values: ordered.map((own) => own.estimatedFeeUsd) }] as const,
    [ordered],
  );
  return (
    <>
      <Band of={ordered} />
      <div className="charts">
        <Chart title="Time to confirm" times={times} lines={confirmation} format={formatSeconds} />
        <Chart title="Errors" times={times} lines={errors} format={percent} />
        <Chart title="Congestion" times={times} lines={congestion} format={percent} />
        <Chart
          title="Latency"
          times={times}
          lines={latency}
          format={(value) => `${formatCount(Math.round(value))} ms`}
        />
        <Chart title="Fee in US dollars" times={times} lines={fee} format={formatFee} />
      </div>
    </>
  );
}
