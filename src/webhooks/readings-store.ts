// Endpoints in trouble, for metrics.
import type { Sql } from '../db/index.ts';
import { asNumber, asText, only } from '../db/index.ts';
import type { Uuid } from '../kernel/index.ts';

export interface EndpointReadings {
  /** Failing now, and not disabled yet: their deliveries wait because of them, not because of the workers. At most 10,000. */
  readonly failing: readonly Uuid[];
  /** Disabled by 410, or because their failures without a success span five days. */
  readonly disabled: number;
}

const MOST_FAILING = 10_000;

export async function readEndpointHealth(sql: Sql): Promise<EndpointReadings> {
  const row = only(
    await sql.query(
      `select (select coalesce(json_agg(f.id), '[]')::text from (
                 select id from usance.webhook_endpoints
                 where failing_since is not null and disabled_reason is null and deleted_at is null limit ${MOST_FAILING}) f) as failing,
         (select count(*)::int from usance.webhook_endpoints
          where disabled_reason in ('gone', 'failing') and deleted_at is null) as disabled`,
    ),
  );
  return { failing: JSON.parse(asText(row['failing'])) as Uuid[], disabled: asNumber(row['disabled']) };
}
