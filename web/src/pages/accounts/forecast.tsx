// What the scheduled payments and schedules leave on the account, day by day, with the first date that it cannot cover.
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import type { AccountWithBalances, AssetForecast, Forecast } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Link, useFilter } from '../../app/router.tsx';
import type { Line } from '../../parts/chart.tsx';
import { Chart } from '../../parts/chart.tsx';
import { formatInstant, formatMoney, plural } from '../../parts/format.ts';
import { Note, Panel } from '../../parts/layout.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Table } from '../../parts/table.tsx';
import { Id, Money, When } from '../../parts/values.tsx';
import { chartFormat, chartValue } from './history.tsx';

const DAYS = ['30', '90', '365'] as const;
const LINES_SHOWN = 20;

export function Forecasts({ account }: { readonly account: AccountWithBalances }): ReactNode {
  const [chosen, choose] = useFilter('days');
  const days = DAYS.find((own) => own === chosen) ?? '30';
  const { id } = account;
  const read = useRead('accounts.getForecast', [id, days], () => api.accounts.getForecast(id, { days: Number(days) }), {
    keep: true,
  });
  return (
    <Panel
      title="Forecast"
      actions={
        <label className="filter">
          <span className="visually-hidden">Days ahead</span>
          <select value={days} onChange={({ target }) => choose(target.value === '30' ? '' : target.value)}>
            {DAYS.map((own) => (
              <option key={own} value={own}>
                {own} days
              </option>
            ))}
          </select>
        </label>
      }
    >
      <Loaded read={read}>
        {(forecast) =>
          forecast.lines.length === 0 ? (
            <Empty operation="accounts.getForecast">
              No payment and no run of a schedule takes or brings money in the next {days} days.
            </Empty>
          ) : (
            <>
              {forecast.assets.map((own) => (
                <AssetPart key={own.asset} of={own} forecast={forecast} />
              ))}
              <Lines of={forecast} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function AssetPart({ of: own, forecast }: { readonly of: AssetForecast; readonly forecast: Forecast }): ReactNode {
  const { asset, shortfall, available, endsWith } = own;
  const { times, lines } = useMemo(() => seriesOf(own, forecast), [own, forecast]);
  return (
    <>
      {shortfall === null ? (
        <Note tone="good">
          {asset}: everything is covered. It ends with <Money minor={endsWith} asset={asset} />.
        </Note>
      ) : (
        <Note tone="bad">
          <strong>{formatInstant(shortfall.at)} is the first date that is not covered</strong>:{' '}
          {formatMoney(shortfall.missing, asset)} is missing
          {shortfall.payment !== null && (
            <>
              {' '}
              for <Link to={`/payments/${shortfall.payment}`}>a payment</Link>
            </>
          )}
          {shortfall.schedule !== null && (
            <>
              {' '}
              for <Link to={`/schedules/${shortfall.schedule}`}>a schedule</Link>
            </>
          )}
          . {formatMoney(own.needed, asset)} on top of {formatMoney(available, asset)} would cover the whole time.
        </Note>
      )}
      <Chart title={`${asset} available`} times={times} lines={lines} format={chartFormat(asset)} />
    </>
  );
}

function seriesOf(
  { asset, available }: AssetForecast,
  { from, until, lines }: Forecast,
): { readonly times: readonly string[]; readonly lines: readonly Line[] } {
  // Of several lines at one instant the last counts.
  const byInstant = new Map<string, string>([[from, available]]);
  for (const line of lines) if (line.asset === asset) byInstant.set(line.at, line.available);
  const last = [...byInstant.values()].at(-1) ?? available;
  byInstant.set(until, last);
  const times = [...byInstant.keys()];
  return {
    times,
    lines: [
      {
        name: 'Available',
        tone: 'accent',
        as: 'steps',
        values: times.map((at) => chartValue(byInstant.get(at) ?? '0', asset)),
      },
    ],
  };
}

function Lines({ of: { lines, truncated } }: { readonly of: Forecast }): ReactNode {
  return (
    <details>
      <summary>{plural(lines.length, 'movement')} ahead</summary>
      <Table
        caption="Movements ahead"
        rows={lines.slice(0, LINES_SHOWN)}
        keyOf={({ at, payment, schedule, slot }) => `${at}${payment ?? ''}${schedule ?? ''}${slot ?? ''}`}
        columns={[
          { head: 'When', cell: ({ at }) => <When at={at} exact /> },
          { head: 'Amount', align: 'right', cell: ({ amount, asset }) => <Money minor={amount} asset={asset} /> },
          { head: 'Leaves', align: 'right', cell: ({ available, asset }) => <Money minor={available} asset={asset} /> },
          { head: 'For', cell: ({ payment, schedule }) => <Id of={payment ?? schedule ?? ''} /> },
          { head: 'Funds', wide: true, cell: ({ reserved }) => (reserved ? 'reserved already' : 'taken when due') },
        ]}
      />
      {(lines.length > LINES_SHOWN || truncated) && <p className="soft small">The first {LINES_SHOWN} are shown.</p>}
    </details>
  );
}
