// Endpoints in trouble, for metrics.
import type { Sql } from '../db/index.ts';
import { asNumber, only } from '../db/index.ts';

export interface EndpointReadings {
  /** Failing now, and not disabled yet. */
  readonly failing: number;
  /** Disabled by 410 or by failing for five days. */
  readonly disabled: number;
}

export async function readEndpointHealth(sql: Sql): Promise<EndpointReadings> {
  const row = only(
    await sql.query(
      `select (select count(*)::int from usance.webhook_endpoints
               where failing_since is not null and disabled_reason is null and deleted_at is null) as failing,
         (select count(*)::int from usance.webhook_endpoints
          where disabled_reason in ('gone', 'failing') and deleted_at is null) as disabled`,
    ),
  );
  return { failing: asNumber(row['failing']), disabled: asNumber(row['disabled']) };
}
