// The invariants of allowances. $1 is a list of accounts (guardians), or null.
import type { Check } from '../../ledger/index.ts';
import { GUARDIANS } from '../../ledger/index.ts';

export const ALLOWANCE_CHECKS: readonly Check[] = [
  {
    name: 'allowances-pay-the-child',
    kind: 'money',
    says: 'every allowance is a schedule from its guardian to only its child, and a deleted one has ended',
    counted: 'select count(*) as rows from usance.allowances',
    offenders: `select a.tenant_id, s.asset, jsonb_build_object('allowance', a.schedule_id, 'status', s.status, 'payer', s.payer_id,
                       'payee', s.payee_id) as details
                from usance.allowances a join usance.schedules s on s.tenant_id = a.tenant_id and s.id = a.schedule_id
                where (s.payer_id <> a.guardian_id or s.payee_id <> a.junior_id or s.legs is not null or s.kind <> 'allowance'
                       or (a.ended_at is not null and s.status in ('active', 'paused')))
                  and ($1::uuid[] is null or a.guardian_id = any ($1::uuid[]))`,
  },
  {
    name: 'allowances-are-paid-by-guardians',
    kind: 'bookkeeping',
    says: 'the payer of every allowance that is ON is a guardian of its child',
    counted: 'select count(*) as rows from usance.allowances',
    offenders: `select a.tenant_id, s.asset, jsonb_build_object('allowance', a.schedule_id, 'guardian', a.guardian_id, 'junior', a.junior_id) as details
                from usance.allowances a join usance.schedules s on s.tenant_id = a.tenant_id and s.id = a.schedule_id
                join (${GUARDIANS}) j on j.tenant_id = a.tenant_id and j.account_id = a.junior_id
                where s.status = 'active' and a.guardian_id <> all (j.guardian_ids)
                  and ($1::uuid[] is null or a.guardian_id = any ($1::uuid[]))`,
  },
];
