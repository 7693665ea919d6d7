// What this server and tenant are, and what the signed-in key may do.
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { formatDuration } from '../../parts/format.ts';
import { Facts, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { CopyId, Id, When } from '../../parts/values.tsx';
import { SettingsHead } from './head.tsx';

export function Page(): ReactNode {
  const { key, expiresAt } = useSession();
  const read = useRead('settings.get', [], () => api.settings.get());
  return (
    <>
      <SettingsHead current="About" lead="The server, the tenant, and what your key may do." />
      <div className="columns">
        <Panel title="Tenant and server">
          <Loaded read={read}>
            {(settings) => (
              <Facts
                rows={[
                  ['Tenant', `${settings.tenant.name} (${settings.tenant.kind})`],
                  ['Id', <CopyId key="id" of={settings.tenant.id} />],
                  ['Default asset', settings.defaultAsset ?? 'none'],
                  settings.testClock !== null && ['Test clock', <Id key="clock" of={settings.testClock} />],
                  ['Approvals expire', `after ${formatDuration(settings.approvalWithin)}`],
                  ['usance', settings.version],
                  ['API', settings.apiVersion],
                  ['Database', settings.database],
                ]}
              />
            )}
          </Loaded>
        </Panel>
        <Panel title="Your session">
          <Facts
            rows={[
              ['Key', `${key.name} (${key.prefix}…)`],
              key.person !== null && ['Person', key.person],
              ['Role', key.role ?? 'own scopes'],
              ['May', key.scopes.join(', ')],
              ['Ends', <When key="ends" at={expiresAt} exact of="real" />],
            ]}
          />
        </Panel>
      </div>
    </>
  );
}
