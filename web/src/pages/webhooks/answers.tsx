// How well an endpoint answered its last deliveries: success rate, and the time from the first attempt to the success.
import type { ReactNode } from 'react';
import type { Delivery } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { formatSeconds, plural } from '../../parts/format.ts';

/** Deliveries that are read at most: of one endpoint, or for a whole list of endpoints. */
const LAST = 100;

export interface Health {
  readonly ended: number;
  readonly succeeded: number;
  /** Of deliveries that succeeded; null without one. */
  readonly medianSeconds: number | null;
}

export function healthOf(deliveries: readonly Delivery[]): Health {
  const ended = deliveries.filter(({ status }) => status === 'completed' || status === 'failed');
  const times = ended
    .flatMap(({ status, startedAt, completedAt }) =>
      status === 'completed' && startedAt !== null && completedAt !== null
        ? [(Date.parse(completedAt) - Date.parse(startedAt)) / 1_000]
        : [],
    )
    .toSorted((one, other) => one - other);
  return {
    ended: ended.length,
    succeeded: ended.filter(({ status }) => status === 'completed').length,
    medianSeconds: times[Math.floor(times.length / 2)] ?? null,
  };
}

export function Answers(of: { readonly endpointId: string; readonly isFailing: boolean }): ReactNode {
  const { endpointId, isFailing } = of;
  const read = useRead('webhookEndpoints.listDeliveries', [endpointId, 'health'], async () =>
    healthOf((await api.webhookEndpoints.listDeliveries(endpointId, { limit: LAST }).page()).data),
  );
  return <Rate of={read.data} none={isFailing ? 'no attempt has succeeded yet' : 'no delivery has ended yet'} />;
}

/** For a list of endpoints: every row is computed from one read of the newest deliveries of the tenant. */
export function RecentAnswers({ endpointId }: { readonly endpointId: string }): ReactNode {
  const read = useRead(
    'deliveries.list',
    ['newest', LAST],
    async () => (await api.deliveries.list({ limit: LAST }).page()).data,
  );
  const health = read.data && healthOf(read.data.filter((delivery) => delivery.endpointId === endpointId));
  return <Rate of={health} none="none recently" />;
}

function Rate({ of: health, none }: { readonly of: Health | undefined; readonly none: string }): ReactNode {
  if (health === undefined) return <span className="soft">…</span>;
  const { ended, succeeded, medianSeconds } = health;
  if (ended === 0) return <span className="soft">{none}</span>;
  return (
    <span title={`Of the last ${plural(ended, 'delivery', 'deliveries')}`}>
      <b className="number">{Math.round((succeeded / ended) * 100)} %</b>
      {medianSeconds !== null && (
        <span className="soft number">, half within {formatSeconds(Math.max(1, medianSeconds))}</span>
      )}
    </span>
  );
}
