import type { Sql } from '../db/index.ts';
import { asRecord, asText, asTextOrNull } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';
import { toJson } from '../kernel/index.ts';
import type { Deed } from './record.ts';

export interface AuditRecord extends Deed {
  readonly id: Uuid;
}

export async function insertAudit(sql: Sql, records: readonly AuditRecord[]): Promise<void> {
  await sql.query(
    `insert into usance.audit_events
       (tenant_id, id, actor, action, resource, resource_id, details, ip, user_agent, request_id)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::jsonb[], $8::inet[],
                          $9::text[], $10::text[])`,
    [
      records.map((record) => record.tenantId),
      records.map((record) => record.id),
      records.map((record) => record.actor),
      records.map((record) => record.action),
      records.map((record) => record.resource),
      records.map((record) => record.resourceId ?? null),
      records.map((record) => toJson(record.details)),
      records.map((record) => record.ip ?? null),
      records.map((record) => record.userAgent ?? null),
      records.map((record) => record.requestId ?? null),
    ],
  );
}

/** The newest deeds first. */
export async function listAudit(sql: Sql, tenantId: Uuid, limit = 100): Promise<AuditRecord[]> {
  const rows = await sql.query(
    `select id, actor, action, resource, resource_id, details::text as details, host(ip) as ip, user_agent, request_id
     from usance.audit_events where tenant_id = $1::uuid order by id desc limit $2::int`,
    [tenantId, limit],
  );
  return rows.map((row) => ({
    tenantId,
    id: asText(row['id']),
    actor: asText(row['actor']),
    action: asText(row['action']),
    resource: asText(row['resource']),
    resourceId: asTextOrNull(row['resource_id']),
    details: asRecord(row['details']),
    ip: asTextOrNull(row['ip']),
    userAgent: asTextOrNull(row['user_agent']),
    requestId: asTextOrNull(row['request_id']),
  }));
}
