// Invariants of jobs and executions, for `usance verify`. They have the form of the ledger's checks, whose $1 restricts them to accounts: jobs
// have none, so these run only without it.
import { LAST_SEQS, lastEvents } from '../events/index.ts';
import type { Check } from '../ledger/index.ts';
import { CLOCKS_OF_TENANTS } from '../tenants/index.ts';
import { DEFAULT_JOB_RETRY } from './job.ts';

const ALL = `(select tenant_id, id, job_id, event_id from usance.execution_queue
              union all select tenant_id, id, job_id, event_id from usance.executions)`;
const COUNTED = `select count(*) as rows from ${ALL} x`;
const WHOLE = '$1::uuid[] is null';

/** A job as its events have it. */
const TOLD = `jsonb_build_object('name', j.name, 'description', j.description, 'eventPattern', j.event_pattern,
  'processorName', j.processor_name, 'enabled', j.enabled, 'retryConfig', j.retry, 'timeoutMs', j.timeout_ms,
  'maxConcurrency', j.max_concurrency, 'maxPerSecond', j.max_per_second)`;

const JOB_EVENTS = lastEvents(`'job.created', 'job.updated', 'job.deleted'`);
const DEALT_WITH = lastEvents(`'execution.retried', 'execution.discarded'`);

const MOST_ATTEMPTS = `coalesce((j.retry ->> 'maxAttempts')::int, ${DEFAULT_JOB_RETRY.maxAttempts})`;

export const JOB_CHECKS: readonly Check[] = [
  {
    name: 'executions-are-once',
    kind: 'bookkeeping',
    says: 'an execution waits, runs or has ended, and its id is made of its job and its event',
    counted: COUNTED,
    whole: true,
    offenders: `select q.tenant_id, '' as asset, jsonb_build_object('execution', q.id, 'status', e.status, 'queued', true) as details
                from usance.execution_queue q join usance.executions e on e.tenant_id = q.tenant_id and e.id = q.id
                where ${WHOLE}
                union all
                select x.tenant_id, '', jsonb_build_object('execution', x.id, 'job', x.job_id, 'event', x.event_id, 'job_exists', j.id is not null)
                from ${ALL} x left join usance.jobs j on j.tenant_id = x.tenant_id and j.id = x.job_id
                where ${WHOLE}
                  and (j.id is null or x.id <> usance.hashed_id(x.event_id, x.job_id::text || ' ' || x.event_id::text))`,
  },
  {
    name: 'failed-executions-are-dead-letters',
    kind: 'bookkeeping',
    says: 'every failed execution is a dead letter or was discarded, and every dead letter is a failed execution',
    counted: 'select count(*) as rows from usance.execution_dead_letters',
    whole: true,
    offenders: `select e.tenant_id, '' as asset, jsonb_build_object('execution', e.id, 'status', e.status, 'event', t.type) as details
                from usance.executions e
                left join usance.execution_dead_letters l on l.tenant_id = e.tenant_id and l.execution_id = e.id
                left join ${DEALT_WITH} t on t.tenant_id = e.tenant_id and t.resource_id = e.id
                where ${WHOLE} and e.status = 'failed' and l.execution_id is null
                  and t.type is distinct from 'execution.discarded'
                union all
                select l.tenant_id, '', jsonb_build_object('execution', l.execution_id, 'status', e.status, 'dead_letter', true)
                from usance.execution_dead_letters l
                left join usance.executions e on e.tenant_id = l.tenant_id and e.id = l.execution_id
                where ${WHOLE} and e.status is distinct from 'failed'`,
  },
  {
    name: 'attempts-fit-the-policy',
    kind: 'bookkeeping',
    says: 'no execution has more attempts than the retry policy of its job admits',
    counted: COUNTED,
    whole: true,
    // A policy that was changed since, and attempts of before a retry, say nothing.
    offenders: `select x.tenant_id, '' as asset,
                       jsonb_build_object('execution', x.id, 'attempts', x.attempts, 'most', ${MOST_ATTEMPTS}) as details
                from (select tenant_id, id, job_id, created_at, attempt - attempts_before as attempts from usance.execution_queue
                      union all
                      select e.tenant_id, e.id, e.job_id, e.created_at, e.attempt from usance.executions e
                      left join ${DEALT_WITH} t on t.tenant_id = e.tenant_id and t.resource_id = e.id
                      where t.type is null) x
                join usance.jobs j on j.tenant_id = x.tenant_id and j.id = x.job_id and j.updated_at <= x.created_at
                where ${WHOLE} and x.attempts > ${MOST_ATTEMPTS}`,
  },
  {
    name: 'waiting-executions-follow-their-clock',
    kind: 'bookkeeping',
    says: 'executions of a test tenant that wait or run follow its clock, and those of a live tenant none',
    counted: 'select count(*) as rows from usance.execution_queue',
    whole: true,
    offenders: `select q.tenant_id, '' as asset, jsonb_build_object('execution', q.id, 'due', q.clock_id, 'clock', c.clock_id) as details
                from usance.execution_queue q left join (${CLOCKS_OF_TENANTS}) c on c.tenant_id = q.tenant_id
                where ${WHOLE} and q.clock_id is distinct from c.clock_id`,
  },
  {
    name: 'ordered-executions-take-turns',
    kind: 'bookkeeping',
    says: 'of the executions of an ordered job about one resource one is open and the others are blocked',
    counted: 'select count(*) as rows from usance.execution_queue where order_key is not null',
    whole: true,
    offenders: `select k.tenant_id, '' as asset, jsonb_build_object('job', k.job_id, 'resource', k.order_key, 'open', k.open) as details
                from (select tenant_id, job_id, order_key, count(*) filter (where not blocked) as open
                      from usance.execution_queue where order_key is not null group by tenant_id, job_id, order_key) k
                join usance.jobs j on j.tenant_id = k.tenant_id and j.id = k.job_id and j.deleted_at is null
                where ${WHOLE} and k.open <> 1 and (k.open > 1 or not exists (
                  select from usance.execution_order_notes n
                  where n.tenant_id = k.tenant_id and n.job_id = k.job_id and n.order_key = k.order_key))`,
  },
  {
    name: 'jobs-are-told',
    kind: 'bookkeeping',
    says: 'every job matches the last event about it',
    counted: 'select count(*) as rows from usance.jobs',
    whole: true,
    offenders: `select j.tenant_id, '' as asset,
                       jsonb_build_object('job', j.id, 'deleted', j.deleted_at is not null, 'event', t.type) as details
                from usance.jobs j left join ${JOB_EVENTS} t on t.tenant_id = j.tenant_id and t.resource_id = j.id
                -- An erased event no longer says what it was about.
                where ${WHOLE} and not coalesce(t.data ? 'erased', false) and (
                  t.type is null or (j.deleted_at is not null) <> (t.type = 'job.deleted')
                  or t.type <> 'job.deleted' and not ${TOLD} @> ((t.data -> 'new') - 'after'))`,
  },
  {
    name: 'jobs-begin-in-the-order',
    kind: 'bookkeeping',
    says: 'every job begins at an event that its tenant has',
    counted: 'select count(*) as rows from usance.jobs',
    whole: true,
    offenders: `select j.tenant_id, '' as asset,
                       jsonb_build_object('job', j.id, 'after', j.after_seq, 'joined', j.joined_seq, 'last', s.seq) as details
                from usance.jobs j left join (${LAST_SEQS}) s on s.tenant_id = j.tenant_id
                where ${WHOLE} and j.deleted_at is null and greatest(j.after_seq, j.joined_seq) > coalesce(s.seq, 0)`,
  },
];
