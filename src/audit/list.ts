import type { Sql } from '../db/index.ts';
import type { AuditLogFilter, AuditLogEntry } from '../events/index.ts';
import { listAuditLog } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { pageOf, upTo } from '../kernel/index.ts';
import { actionOf, typePattern } from './action.ts';

export interface AuditEvent {
  readonly id: Uuid;
  readonly action: string;
  /** The version of the schema of its details. */
  readonly version: number;
  readonly actor: string;
  readonly resource: string;
  readonly resourceId: Uuid;
  readonly details: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  /** The reason that the caller gave with the request. One that is a field of the change itself is in `details`. */
  readonly reason: string | null;
  readonly recordedAt: Date;
  /** Its number among the tenant's events, and the hash of the link that seals its block; null until it is ordered. */
  readonly seal: { readonly seq: bigint; readonly hash: string } | null;
}

export interface AuditQuery extends Omit<AuditLogFilter, 'typeLike'> {
  /** `PAYMENT_COMPLETED`. */
  readonly action?: string;
}

export interface AuditFilter extends Omit<AuditQuery, 'actors'> {
  /** An API key selects every key of its rotation lineage. */
  readonly actor?: string;
}

export interface AuditPage {
  readonly events: readonly AuditEvent[];
  /** The id to continue from; null at the end. A page can be short, or empty, without being the last. */
  readonly next: Uuid | null;
}

interface PageOrder {
  readonly limit?: number;
  /** The id that the page before ended with. */
  readonly before?: Uuid;
}

const PAGE = 100;

/** Audit events up to the limit, newest first: one bounded scan after the other. */
export function listAudit(
  sql: Sql,
  tenantId: Uuid,
  filter: AuditQuery = {},
  { limit = PAGE, before }: PageOrder = {},
): Promise<AuditEvent[]> {
  return upTo(limit, before ?? null, async (most, from) => {
    const { events, next } = await pageOfAudit(sql, tenantId, filter, {
      limit: most,
      ...(from ? { before: from } : {}),
    });
    return { items: events, reached: next };
  });
}

/** One page, in bounded time whatever the filter. */
export async function pageOfAudit(
  sql: Sql,
  tenantId: Uuid,
  filter: AuditQuery = {},
  { limit = PAGE, before }: PageOrder = {},
): Promise<AuditPage> {
  const { action, ...rest } = filter;
  const wanted = { ...rest, ...(action === undefined ? {} : { typeLike: typePattern(action) }) };
  const { items, next } = await pageOf(
    limit,
    (most) => listAuditLog(sql, tenantId, wanted, { limit: most, before: before ?? null }),
    ({ id }) => id,
  );
  return { events: items.map(auditEvent), next };
}

function auditEvent(event: AuditLogEntry): AuditEvent {
  return {
    id: event.id,
    action: actionOf(event.type),
    version: event.version,
    actor: event.actor,
    resource: event.resource,
    resourceId: event.resourceId,
    details: event.data,
    ip: event.ip,
    userAgent: event.userAgent,
    requestId: event.requestId,
    reason: event.reason,
    recordedAt: event.recordedAt,
    seal: event.seal,
  };
}
