// Who signs in with the key that `npm start` prints sees the tenant demo, where little has happened: the data are in another tenant.
import type { ReactNode } from 'react';
import type { Overview } from '../../../../src/client/index.ts';
import { useSession } from '../../app/session.tsx';
import { Note } from '../../parts/layout.tsx';

const [DEMO, WORLD] = ['demo', 'demo-world'];
/** With more payments than these there is something to look at. */
const FEW = 10;

export function DemoHint({ of: { waiting, due, lastDay } }: { readonly of: Overview }): ReactNode {
  const { tenant, tenants } = useSession();
  if (tenant.name !== DEMO || tenants.some(({ name }) => name === WORLD)) return null;
  if (waiting.count + due.count + lastDay.settled + lastDay.failed > FEW) return null;
  return (
    <Note>
      Little happens here yet. The test tenant <strong>{WORLD}</strong> has four weeks of data: choose{' '}
      <em>Add a tenant by its key</em> above and enter the key that <code>npm start</code> prints below{' '}
      <code>world</code>, or run <code>npx usance demo</code>, which prints that key and a link that opens it.
    </Note>
  );
}
