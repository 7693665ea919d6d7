// The health of the chains that payouts can take, as the health loop last measured them.
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Link } from '../../app/router.tsx';
import { useAllowed } from '../../app/session.tsx';
import { State } from '../../parts/state.tsx';

/** Nothing while there is no chain, and for a key that may not read them. */
export function Chains(): ReactNode {
  const enabled = useAllowed('payments:read');
  const { data } = useRead('chains.list', ['overview'], () => api.chains.list().page(), { enabled, everyMs: 15_000 });
  return data?.data.map(({ name, status, stale }) => (
    <Link key={name} to={`/chains/${name}`}>
      <State of={stale ? 'waiting' : status} word={`${name} ${stale ? 'not measured lately' : status}`} />
    </Link>
  ));
}
