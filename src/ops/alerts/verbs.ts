// The alerts of a tenant as an application sees them. The loop writes them; nothing else does.
import type { Uuid } from '../../kernel/index.ts';
import { isUuid, oneOf, refuse } from '../../kernel/index.ts';
import type { VerbContext } from '../../ledger/index.ts';
import type { Alert, AlertKind } from './alert.ts';
import { ALERT_KIND_NAMES } from './alert.ts';
import { listAlerts } from './store.ts';

export const ALERT_STATUSES = ['open', 'cleared'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

export interface AlertFilter {
  readonly status?: AlertStatus;
  readonly kind?: AlertKind;
}

export interface AlertVerbs {
  /** Newest first. */
  alerts(filter?: AlertFilter, page?: { readonly limit?: number; readonly before?: Uuid }): Promise<Alert[]>;
}

const PAGE = 100;

export function alertVerbs({ sql, tenantId }: Pick<VerbContext, 'sql' | 'tenantId'>): AlertVerbs {
  return {
    alerts: async ({ status, kind } = {}, { limit = PAGE, before } = {}) => {
      if (before !== undefined && !isUuid(before)) refuse('ID_INVALID/not_a_cursor', { param: 'before' });
      return listAlerts(sql, tenantId, {
        status: status === undefined ? null : oneOf(status, ALERT_STATUSES, 'status'),
        kind: kind === undefined ? null : oneOf(kind, ALERT_KIND_NAMES, 'kind'),
        limit,
        before: before ?? null,
      });
    },
  };
}
