// The pages of settings, as tabs.
import type { ReactNode } from 'react';
import { useSession } from '../../app/session.tsx';
import { allows } from '../../api/scope.ts';
import type { Scope } from '../../api/scope.ts';
import { Note, PageHead, Tabs } from '../../parts/layout.tsx';

const PAGES = [
  ['About', '/settings', 'ops:read'],
  ['Keys', '/settings/keys', 'keys:read'],
  ['Limits', '/settings/limits', 'ops:read'],
  ['Pauses', '/settings/pauses', 'ops:read'],
  ['Tenants', '/settings/tenants', 'tenants:read'],
  ['Test clocks', '/settings/clocks', 'ops:read'],
  ['Loops', '/settings/loops', 'ops:read'],
] as const satisfies readonly (readonly [string, string, Scope])[];

export function SettingsHead({
  current,
  lead,
  children,
}: {
  readonly current: (typeof PAGES)[number][0];
  readonly lead: string;
  readonly children?: ReactNode;
}): ReactNode {
  const { key } = useSession();
  return (
    <>
      <PageHead title={current === 'About' ? 'Settings' : current} lead={lead}>
        {children}
      </PageHead>
      <Tabs
        label="Settings"
        tabs={PAGES.filter(([, , scope]) => allows(key.scopes, scope)).map(([name, to]) => ({
          name,
          to,
          isCurrent: name === current,
        }))}
      />
    </>
  );
}

/** Of pages about all tenants: the session is of another one than the first. */
export function FirstTenantOnly(): ReactNode {
  return (
    <Note>
      This page covers all tenants, so only the first tenant has it. Choose the first tenant above, or sign in with one
      of its keys.
    </Note>
  );
}
