// The page of the dashboard about a resource. A test compares the paths with the dashboard's list of pages.
import type { Uuid } from '../kernel/index.ts';
import { toTypeId } from '../kernel/index.ts';

/** Paths by resource; `:id` is its id. A resource without an entry has no page: its messages have no link. */
export const PATHS: Readonly<Record<string, string>> = {
  payment: '/payments/:id',
  schedule: '/schedules/:id',
  execution: '/executions/:id',
  account: '/accounts/:id',
  webhook_endpoint: '/webhooks/:id',
  // The overview shows freezes and violations.
  freeze: '/',
  violation: '/',
  // It shows open alerts.
  alert: '/',
};

/** The dashboard selects the tenant: an operator can have several. */
export function linkTo(dashboardUrl: string, tenantId: Uuid, resource: string, resourceId: string): string | null {
  const path = Object.hasOwn(PATHS, resource) ? PATHS[resource] : undefined;
  if (path === undefined) return null;
  const page = path.replace(':id', encodeURIComponent(resourceId));
  return `${dashboardUrl.replace(/(?<!\/)\/+$/, '')}${page}?tenant=${toTypeId('tenant', tenantId)}`;
}
