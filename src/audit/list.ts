import type { Sql } from '../db/index.ts';
import type { RecordFilter } from '../events/index.ts';
import { listRecord } from '../events/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { actionOf, typesOf } from './action.ts';
import { readSealsAt } from './store.ts';

export interface AuditEvent {
  readonly id: Uuid;
  readonly action: string;
  readonly actor: string;
  readonly resource: string;
  readonly resourceId: Uuid;
  readonly details: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly recordedAt: Date;
  /** Its link in the tenant's chain; null until it is sealed. */
  readonly seal: { readonly seq: bigint; readonly hash: string } | null;
}

export interface AuditFilter extends Omit<RecordFilter, 'typeLike'> {
  /** `PAYMENT_COMPLETED`. */
  readonly action?: string;
}

/** Who did what, the newest first; `before` is the id that the page before ended with. */
export async function listAudit(
  sql: Sql,
  tenantId: Uuid,
  filter: AuditFilter = {},
  page: { limit?: number; before?: Uuid } = {},
): Promise<AuditEvent[]> {
  const { action, ...rest } = filter;
  const wanted = { ...rest, ...(action === undefined ? {} : { typeLike: typesOf(action) }) };
  const events = await listRecord(sql, tenantId, wanted, { limit: page.limit ?? 100, before: page.before ?? null });
  const seals = await readSealsAt(
    sql,
    events.flatMap(({ place }) => (place === null ? [] : [place])),
  );
  const sealOf = (place: bigint | null): AuditEvent['seal'] => {
    const seal = place === null ? undefined : seals.get(place);
    return seal ? { seq: seal.seq, hash: seal.hash.toString('hex') } : null;
  };
  return events.map((event) => ({
    id: event.id,
    action: actionOf(event.type),
    actor: event.actor,
    resource: event.resource,
    resourceId: event.resourceId,
    details: event.data,
    ip: event.ip,
    userAgent: event.userAgent,
    requestId: event.requestId,
    recordedAt: event.recordedAt,
    seal: sealOf(event.place),
  }));
}
