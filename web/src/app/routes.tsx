// Every page of the dashboard: its path, its place in the navigation and on the keyboard, and the scope that it reads with. The browser tests
// take the list of pages from here, so that a page without a test fails.
import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';
import type { Scope } from '../api/scope.ts';
import type { IconName } from '../parts/icons.tsx';
import { PAGES } from './page-list.ts';
import type { PageName } from './page-list.ts';

type Params = Readonly<Record<string, string>>;
export type PageComponent = ComponentType<{ readonly params: Params }>;

const page = (load: () => Promise<{ readonly Page: PageComponent }>): LazyExoticComponent<PageComponent> =>
  lazy(async () => ({ default: (await load()).Page }));

const COMPONENTS: Readonly<Record<PageName, LazyExoticComponent<PageComponent>>> = {
  overview: page(() => import('../pages/overview/page.tsx')),
  approvals: page(() => import('../pages/payments/approvals.tsx')),
  payments: page(() => import('../pages/payments/list.tsx')),
  payment: page(() => import('../pages/payments/payment.tsx')),
  deadLetters: page(() => import('../pages/dead-letters/list.tsx')),
  deadLetter: page(() => import('../pages/dead-letters/letter.tsx')),
  schedules: page(() => import('../pages/schedules/list.tsx')),
  scheduleCalendar: page(() => import('../pages/schedules/calendar.tsx')),
  outages: page(() => import('../pages/schedules/outages.tsx')),
  newSchedule: page(() => import('../pages/schedules/new.tsx')),
  schedule: page(() => import('../pages/schedules/schedule.tsx')),
  editSchedule: page(() => import('../pages/schedules/edit.tsx')),
  accounts: page(() => import('../pages/accounts/list.tsx')),
  account: page(() => import('../pages/accounts/account.tsx')),
  subscriptions: page(() => import('../pages/subscriptions/list.tsx')),
  subscription: page(() => import('../pages/subscriptions/subscription.tsx')),
  payouts: page(() => import('../pages/payouts/list.tsx')),
  quotes: page(() => import('../pages/payouts/quotes.tsx')),
  quote: page(() => import('../pages/payouts/quote.tsx')),
  treasury: page(() => import('../pages/payouts/treasury.tsx')),
  payoutGuards: page(() => import('../pages/payouts/guards.tsx')),
  chains: page(() => import('../pages/chains/list.tsx')),
  chain: page(() => import('../pages/chains/chain.tsx')),
  jobs: page(() => import('../pages/jobs/list.tsx')),
  job: page(() => import('../pages/jobs/job.tsx')),
  executions: page(() => import('../pages/jobs/executions.tsx')),
  execution: page(() => import('../pages/jobs/execution.tsx')),
  processors: page(() => import('../pages/jobs/processors.tsx')),
  webhooks: page(() => import('../pages/webhooks/list.tsx')),
  webhook: page(() => import('../pages/webhooks/endpoint.tsx')),
  deliveries: page(() => import('../pages/webhooks/deliveries.tsx')),
  delivery: page(() => import('../pages/webhooks/delivery.tsx')),
  notifications: page(() => import('../pages/notifications/list.tsx')),
  email: page(() => import('../pages/notifications/email.tsx')),
  notificationChannel: page(() => import('../pages/notifications/channel.tsx')),
  events: page(() => import('../pages/events/list.tsx')),
  audit: page(() => import('../pages/audit/list.tsx')),
  settings: page(() => import('../pages/settings/about.tsx')),
  keys: page(() => import('../pages/settings/keys.tsx')),
  limits: page(() => import('../pages/settings/limits.tsx')),
  pauses: page(() => import('../pages/settings/pauses.tsx')),
  tenants: page(() => import('../pages/settings/tenants.tsx')),
  clocks: page(() => import('../pages/settings/clocks.tsx')),
  loops: page(() => import('../pages/settings/loops.tsx')),
};

export interface Route {
  readonly name: PageName;
  readonly path: string;
  readonly scope: Scope | null;
  readonly Page: LazyExoticComponent<PageComponent>;
}

export const ROUTES: readonly Route[] = (Object.entries(PAGES) as [PageName, (typeof PAGES)[PageName]][]).map(
  ([name, { path, scope }]) => ({ name, path, scope, Page: COMPONENTS[name] }),
);

export interface NavItem {
  readonly name: PageName;
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  readonly scope: Scope | null;
  /** Pressed after g. */
  readonly key: string | null;
}

export interface NavGroup {
  readonly label: string;
  readonly items: readonly NavItem[];
}

export const NAVIGATION: readonly NavGroup[] = [...new Set(inNavigation().map(({ group }) => group))].map((group) => ({
  label: group,
  items: inNavigation().flatMap(({ group: own, item }) => (own === group ? [item] : [])),
}));

function inNavigation(): { readonly group: string; readonly item: NavItem }[] {
  return (Object.entries(PAGES) as [PageName, PageEntry][]).flatMap(([name, { path, scope, nav }]) =>
    nav === undefined
      ? []
      : [{ group: nav.group, item: { name, path, scope, label: nav.label, icon: nav.icon, key: nav.key ?? null } }],
  );
}

interface PageEntry {
  readonly path: string;
  readonly scope: Scope | null;
  readonly nav?: { readonly group: string; readonly label: string; readonly icon: IconName; readonly key?: string };
}
