// The balance of an account in one asset over the last thirty days.
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import type { AccountWithBalances, BalanceHistory } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import type { Line } from '../../parts/chart.tsx';
import { Chart } from '../../parts/chart.tsx';
import { formatAmount, scaleOf } from '../../parts/format.ts';
import { Panel } from '../../parts/layout.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';

export function History({
  account,
  asset,
}: {
  readonly account: AccountWithBalances;
  readonly asset: string;
}): ReactNode {
  const { id } = account;
  const read = useRead('accounts.getBalanceHistory', [id, asset], () =>
    api.accounts.getBalanceHistory(id, { asset, points: 90 }),
  );
  return (
    <Panel>
      <Loaded read={read}>
        {(history) =>
          history.points.length === 0 ? (
            <Empty operation={read.operation}>Nothing was booked in {asset} yet.</Empty>
          ) : (
            <BalanceChart of={history} />
          )
        }
      </Loaded>
    </Panel>
  );
}

/** A chart may round: the exact amounts are in the statement. */
export const chartValue = (minor: string, asset: string): number => Number(minor) / 10 ** scaleOf(asset);

export const chartFormat =
  (asset: string) =>
  (value: number): string =>
    formatAmount(String(Math.round(value * 10 ** scaleOf(asset))), asset)
      .replace(/(\.\d\d)\d+$/, '$1')
      .replace(/\.00$/, '');

function BalanceChart({ of: { points, asset } }: { readonly of: BalanceHistory }): ReactNode {
  const times = useMemo(() => points.map(({ at }) => at), [points]);
  const lines = useMemo(
    (): readonly Line[] => [
      { name: 'Total', tone: 'accent', as: 'steps', values: points.map(({ total }) => chartValue(total, asset)) },
      {
        name: 'Reserved',
        tone: 'warn',
        as: 'steps',
        values: points.map(({ reserved }) => chartValue(reserved, asset)),
      },
    ],
    [points, asset],
  );
  return <Chart title={`${asset} over time`} times={times} lines={lines} format={chartFormat(asset)} />;
}
