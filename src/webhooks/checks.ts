// Invariants of webhook endpoints, for `usance verify`. They have the form of the ledger's checks, whose $1 restricts them to accounts:
// endpoints have none, so these run only without it.
import { MANAGED_JOBS } from '../jobs/index.ts';
import type { Check } from '../ledger/index.ts';
import { ENDPOINT_ROWS } from './check-store.ts';

export const WEBHOOK_CHECKS: readonly Check[] = [
  {
    name: 'endpoints-own-their-jobs',
    kind: 'bookkeeping',
    says: 'every webhook endpoint has a managed job, is deleted together with it, and has a reason if and only if the job is disabled',
    counted: `select count(*) as rows from (${ENDPOINT_ROWS}) w`,
    whole: true,
    offenders: `select w.tenant_id, '' as asset, jsonb_build_object('webhookEndpoint', w.id, 'job', j.id is not null, 'enabled', j.enabled,
                       'reason', w.disabled_reason) as details
                from (${ENDPOINT_ROWS}) w left join (${MANAGED_JOBS}) j on j.tenant_id = w.tenant_id and j.id = w.id
                where $1::uuid[] is null and (
                  j.id is null or j.processor_name <> 'webhook-delivery' or (j.deleted_at is null) <> (w.deleted_at is null)
                  or w.deleted_at is null and j.enabled <> (w.disabled_reason is null))`,
  },
];
