// Two ways to look at everything the store holds. The digest is exact, ids and instants included: two looks with the
// same digest saw the same rows. The summary leaves ids and instants out, so that the outcomes of two runs of the same
// thing can be compared: who has how much, in which state, and how many of each event, deed and key.
import type { Sql } from '../../src/db/index.ts';
import { asText } from '../../src/db/index.ts';

/** Filled by migrations and the same in every database; the keys of encryption belong to the engines that are open. */
const FIXED = ['migrations', 'payment_moves', 'schedule_moves', 'encryption_keys'];

async function tablesOf(sql: Sql): Promise<string[]> {
  const rows = await sql.query(
    `select relname from pg_class where relnamespace = 'usance'::regnamespace and relkind in ('r', 'p')
       and not relispartition and not relname = any ($1::text[]) order by relname`,
    [FIXED],
  );
  return rows.map((row) => asText(row['relname']));
}

/** Per table its columns but the generated ones, which nothing can insert. */
async function storedColumnsOf(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql.query(
    `select c.relname, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'usance'::regnamespace and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname`,
  );
  return new Map(rows.map((row) => [asText(row['relname']), asText(row['columns'])]));
}

/** One md5 over every row of every table, by table. */
export async function digestOf(sql: Sql): Promise<Record<string, unknown>> {
  const parts = (await tablesOf(sql)).map(
    (table) =>
      `(select md5(coalesce(string_agg(t::text, ';' order by t::text), '')) from usance.${table} t) as ${table}`,
  );
  const [row] = await sql.query(`select ${parts.join(', ')}`);
  return row ?? {};
}

// Only a superuser who switches the triggers off can empty history or bring it back.
const asReplica = (statements: readonly string[]): string =>
  `begin; set local session_replication_role = replica; ${statements.join('; ')}; commit`;

export async function wipe(owner: Sql): Promise<void> {
  const deletes = (await tablesOf(owner)).map((table) => `delete from usance.${table}`);
  await owner.query(asReplica(deletes));
}

/** Remembers every row, so that the same beginning can be had again and again. */
export async function remember(owner: Sql, schema = 'remembered'): Promise<() => Promise<void>> {
  const tables = await tablesOf(owner);
  const columns = await storedColumnsOf(owner);
  const copies = tables.map((table) => `create table ${schema}.${table} as table usance.${table}`);
  await owner.query(`drop schema if exists ${schema} cascade; create schema ${schema}; ${copies.join('; ')}`);
  const restore = tables.flatMap((table) => [
    `delete from usance.${table}`,
    `insert into usance.${table} (${columns.get(table) ?? ''}) overriding system value
     select ${columns.get(table) ?? ''} from ${schema}.${table}`,
  ]);
  return async () => void (await owner.query(asReplica(restore)));
}

const PAYMENT = `(select p.reference from usance.all_payments p where p.id = t.payment_id)`;
const SCHEDULE = `(select s.reference from usance.schedules s where s.id = t.schedule_id)`;
const account = (column: string): string => `(select a.ref from usance.accounts a where a.id = t.${column})`;

/** Per table what of it is the outcome: an expression over a row t. */
const OUTCOMES: Readonly<Record<string, string>> = {
  assets: 't.asset',
  accounts: `concat_ws(' ', t.ref, t.status, t.name)`,
  balances: `concat_ws(' ', ${account('account_id')}, t.asset, t.available, t.reserved, t.watched, t.limited, t.may_debit)`,
  balance_wakes: `concat_ws(' ', ${account('account_id')}, t.asset)`,
  reservations: `concat_ws(' ', ${account('account_id')}, t.asset, t.amount, t.captured, t.released, t.resolved_at is null)`,
  transfers: `concat_ws(' ', t.kind, ${account('debit_account_id')}, ${account('credit_account_id')}, t.asset, t.amount, ${PAYMENT})`,
  payments: `concat_ws(' ', t.reference, t.status, t.amount, t.captured, t.released, t.refunded, t.captures, t.attempts, t.last_code, t.metadata)`,
  archived_payments: `concat_ws(' ', t.reference, t.status, t.amount, t.captured, t.refunded)`,
  due: `concat_ws(' ', ${PAYMENT}, t.blocked, t.due_at <= clock_timestamp() + interval '10 seconds')`,
  waiting: `concat_ws(' ', ${PAYMENT}, ${account('account_id')}, t.amount)`,
  payment_dead_letters: `concat_ws(' ', ${PAYMENT}, t.code, t.amount)`,
  refunds: `concat_ws(' ', ${PAYMENT}, ${account('account_id')}, t.amount)`,
  payment_limits: `concat_ws(' ', ${account('account_id')}, t.asset, t.max_amount, t.daily_amount, t.default_daily_amount, t.tenant_daily_amount)`,
  spend_buckets: `concat_ws(' ', ${account('account_id')}, t.asset, t.amount)`,
  tenant_spend: `concat_ws(' ', t.asset, t.amount)`,
  unapproved_spend: `concat_ws(' ', ${account('account_id')}, t.asset, t.maker, t.amount)`,
  schedules: `concat_ws(' ', t.reference, t.status, t.status_reason, t.paused_by, t.cancel_at is null, t.amount, t.timing->'rule', t.payment_id is null)`,
  schedule_due: `concat_ws(' ', ${SCHEDULE}, t.passed, t.payment_id is null, t.due_at <= clock_timestamp() + interval '10 seconds')`,
  occurrences: `concat_ws(' ', ${SCHEDULE}, t.ordinal, t.slots, t.kind, t.status, t.reason, t.amount)`,
  occurrence_dead_letters: `concat_ws(' ', ${SCHEDULE}, t.code, t.amount)`,
  outage_guards: `concat_ws(' ', t.asset, t.most)`,
  outages: `concat_ws(' ', t.status, t.overdue)`,
  plans: `concat_ws(' ', t.name, t.price, t.priority, t.retry)`,
  subscription_changes: `concat_ws(' ', ${SCHEDULE}, t.version, t.price, t.charges, t.approved)`,
  imported_subscriptions: `concat_ws(' ', ${SCHEDULE}, t.reference, t.charges_before)`,
  subscriptions: `concat_ws(' ', ${SCHEDULE}, t.price, t.charges, t.approved, t.trial_ends_at is null)`,
  shortfalls: `concat_ws(' ', ${account('account_id')}, t.asset, t.missing)`,
  opening_balances: `concat_ws(' ', ${account('account_id')}, t.asset, t.amount)`,
  idempotency_keys: 't.key',
  freezes: `concat_ws(' ', t.asset, t.lifted_at is null)`,
  // The jobs of a webhook endpoint and of e-mail have an id in their names.
  jobs: `concat_ws(' ', regexp_replace(t.name, '^(whe?_|e-mail ).*', 'of its owner'), t.event_pattern, t.enabled, t.deleted_at is null, t.swept, t.joined_seq, t.backfilled_seq)`,
  job_matcher: 't.position',
  execution_queue: `concat_ws(' ', t.seq, t.attempt, t.attempts_before, t.worker_id is null, t.last_code, t.cancel_requested, t.blocked)`,
  executions: `concat_ws(' ', t.status, t.attempt, t.code, t.attempted_at is null)`,
  invocations: `concat_ws(' ', t.attempt, t.code)`,
  execution_dead_letters: 't.code',
  notification_channels: `concat_ws(' ', t.kind, t.target_host, t.topics, t.max_per_minute, t.disabled_reason)`,
  notification_backlog: 't.event_type',
  email_settings: `concat_ws(' ', t.kinds, t.locale, t.zone)`,
  email_templates: `concat_ws(' ', t.kind, t.language, t.subject)`,
  email_opt_outs: account('account_id'),
  email_counts: `t.sent`,
  emails: `concat_ws(' ', t.kind, t.outcome)`,
  webhook_endpoints: `concat_ws(' ', t.url, t.payload, t.retry_preset, t.deleted_at is null)`,
  events: 't.type',
  event_inbox: `''`,
  event_blocks: `concat_ws(' ', t.last_seq, t.events)`,
  tenants: `concat_ws(' ', t.name, t.default_asset, t.executions_per_second)`,
  pauses: `concat_ws(' ', t.scope, t.value, t.lifted_at is null)`,
  api_keys: 't.name',
  test_clocks: `concat_ws(' ', t.name, t.status, t.stands_at)`,
};

/** Tables that are no outcome of a verb. */
const BESIDE = ['balance_checkpoints', 'execution_rates'];

export async function summaryOf(sql: Sql): Promise<Record<string, unknown>> {
  const tables = (await tablesOf(sql)).filter((table) => !BESIDE.includes(table));
  const parts = tables.map(
    (table) =>
      // Of a table that is not listed: how many rows.
      `(select jsonb_object_agg(o, n) from (select ${OUTCOMES[table] ?? "'row'"} as o, count(*) as n
        from usance.${table} t group by 1) g) as ${table}`,
  );
  const [row] = await sql.query(`select ${parts.join(', ')}`);
  return row ?? {};
}
