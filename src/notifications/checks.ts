// Invariants of notification channels, for `usance verify`. They have the form of the ledger's checks, whose $1 restricts them to accounts:
// channels have none, so these run only without it.
import { MANAGED_JOBS } from '../jobs/index.ts';
import type { Check } from '../ledger/index.ts';
import { PROCESSOR } from './channel.ts';
import { CHANNEL_ROWS, SETTINGS_ROWS } from './check-store.ts';
import { EMAIL_PROCESSOR } from './email/settings.ts';

export const NOTIFICATION_CHECKS: readonly Check[] = [
  {
    name: 'channels-own-their-jobs',
    kind: 'bookkeeping',
    says: 'every notification channel has a managed job that is not deleted, and a reason if and only if the job is disabled; no other job sends notifications',
    counted: `select count(*) as rows from (${CHANNEL_ROWS}) c`,
    whole: true,
    offenders: `select coalesce(c.tenant_id, j.tenant_id) as tenant_id, '' as asset,
                       jsonb_build_object('notificationChannel', coalesce(c.id, j.id), 'job', j.id is not null, 'enabled', j.enabled,
                         'reason', c.disabled_reason) as details
                from (${CHANNEL_ROWS}) c
                full join (select * from (${MANAGED_JOBS}) m where m.processor_name = '${PROCESSOR}' and m.deleted_at is null) j
                  on j.tenant_id = c.tenant_id and j.id = c.id
                where $1::uuid[] is null and (
                  j.id is null or c.id is null or j.enabled <> (c.disabled_reason is null))`,
  },
  {
    name: 'email-settings-own-their-jobs',
    kind: 'bookkeeping',
    says: 'the e-mail settings of a tenant have a managed job that is not deleted, and no other job sends e-mail',
    counted: `select count(*) as rows from (${SETTINGS_ROWS}) s`,
    whole: true,
    offenders: `select coalesce(s.tenant_id, j.tenant_id) as tenant_id, '' as asset,
                       jsonb_build_object('job', coalesce(s.id, j.id), 'settings', s.id is not null) as details
                from (${SETTINGS_ROWS}) s
                full join (select * from (${MANAGED_JOBS}) m where m.processor_name = '${EMAIL_PROCESSOR}' and m.deleted_at is null) j
                  on j.tenant_id = s.tenant_id and j.id = s.id
                where $1::uuid[] is null and (j.id is null or s.id is null)`,
  },
];
