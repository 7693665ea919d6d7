-- Payments that recur. What a schedule says is in `schedules`, which changes when a person changes it; where it stands is in
-- `schedule_due`, a narrow row that moves from slot to slot and leaves when the schedule stops. What became of each slot
-- is in `occurrences`, one row a slot (or a run of slots that were missed together).
-- Safe for older workers: new tables only.

create table usance.schedules (
  tenant_id        uuid not null,
  id               uuid not null,
  -- What it is to its tenant; the owner's kind of every payment that it makes.
  kind             text not null default 'schedule' check (kind in ('schedule', 'subscription', 'allowance')),
  status           text not null,
  status_reason    text,
  -- Of a paused one: a person asked for it, a payment failed for good, or more was due at once than its guard allows.
  paused_by        text check (paused_by in ('request', 'failure', 'guard')),
  -- Of a subscription: the next visit at or after this instant cancels it, and makes nothing.
  cancel_at        timestamptz,
  payer_id         uuid not null,
  payee_id         uuid not null,
  -- Where it pays more than one account: [{"account": …, "amount": "…"}]. payee_id is the first of them.
  legs             jsonb,
  -- Over which chain each of its payments goes (payments.rail), to which addresses, and by what priority the chain is chosen when it is due.
  rail             text not null default 'ledger',
  payout           jsonb,
  asset            text not null,
  amount           bigint not null check (amount > 0),
  -- Other amounts from an ordinal on: [{"from": 4, "amount": "…"}].
  steps            jsonb,
  funding          text not null check (funding in ('reserve', 'at_execution')),
  priority         smallint not null check (priority between 0 and 2),
  retry            jsonb,
  reference        text check (length(reference) between 1 and 255),
  metadata         jsonb,
  -- Rule, zone, start, end, exclusions, month end, business days: src/schedules/rules/timetable.ts.
  timing           jsonb not null,
  missed           text not null check (missed in ('last', 'skip', 'all')),
  missed_cap       int check (missed_cap > 0),
  missed_window_ms bigint check (missed_window_ms > 0),
  overlap          text not null check (overlap in ('wait', 'skip', 'allow')),
  after_failure    text not null check (after_failure in ('continue', 'pause', 'expire')),
  -- Where it stood when it left the due set; while it is in there, the due row knows.
  passed_slot      timestamp(3),
  passed           int,
  payment_id       uuid,
  clock_id         uuid,
  created_by       text not null,
  -- The names of everyone who decided its terms: approval thresholds count its payments under each.
  counts_for       jsonb not null check (jsonb_typeof(counts_for) = 'array'),
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  ended_at         timestamptz,
  primary key (tenant_id, id),
  constraint schedules_payer_exists foreign key (tenant_id, payer_id) references usance.accounts (tenant_id, id),
  constraint schedules_payee_exists foreign key (tenant_id, payee_id) references usance.accounts (tenant_id, id),
  constraint schedules_asset_exists foreign key (tenant_id, asset) references usance.assets (tenant_id, asset),
  constraint schedules_stand_readable check (passed_slot between '1900-01-01' and '2400-01-01'),
  constraint schedules_paused_by_something check (paused_by is null or status = 'paused'),
  constraint schedules_pay_another check (payer_id <> payee_id),
  constraint schedules_payout_is_whole check ((rail = 'ledger') = (payout is null)),
  constraint schedules_cap_is_of_all check ((missed_cap is not null) = (missed = 'all')),
  constraint schedules_window_is_of_all check (missed_window_ms is null or missed = 'all'),
  constraint schedules_ended_has_instant check ((status in ('completed', 'cancelled', 'expired')) = (ended_at is not null)),
  constraint schedules_stand_somewhere check ((status = 'active') = (passed_slot is null) and (passed_slot is null) = (passed is null))
);

create index schedules_payer on usance.schedules (payer_id, id);
create index schedules_payee on usance.schedules (payee_id, id);
create unique index schedules_reference on usance.schedules (tenant_id, reference) where reference is not null;

-- The legal moves, as data; src/schedules/schedule.ts has the same and a test compares them.
create table usance.schedule_moves (
  from_status text not null,
  to_status   text not null,
  primary key (from_status, to_status)
);

insert into usance.schedule_moves (from_status, to_status) values
  ('active', 'active'), ('active', 'paused'), ('active', 'completed'), ('active', 'cancelled'), ('active', 'expired'),
  ('paused', 'paused'), ('paused', 'active'), ('paused', 'cancelled'),
  -- A subscription is resumed within its approved total, or cancelled for good.
  ('expired', 'active'), ('expired', 'cancelled');

create function usance.schedules_move_legally() returns trigger language plpgsql
  set enable_hashjoin = on set enable_nestloop = off as $$
declare
  stray record;
begin
  select b.id, b.status as was, a.status as becomes into stray
  from before b left join after a on a.tenant_id = b.tenant_id and a.id = b.id
  where a.id is null
     or not exists (select from usance.schedule_moves m where m.from_status = b.status and m.to_status = a.status)
        -- One that has ended can only lose its reason, when its payer is erased.
        and to_jsonb(a) is distinct from to_jsonb(b) || '{"status_reason": null}'
     or (a.kind, a.payer_id, a.payee_id, a.rail, a.payout, a.asset, a.created_by, a.created_at) is distinct from
        (b.kind, b.payer_id, b.payee_id, b.rail, b.payout, b.asset, b.created_by, b.created_at)
     -- The people who decided its terms only become more: they cannot approve its payments, which count for them.
     or not a.counts_for @> b.counts_for
     or not coalesce(a.changed_by, '[]') @> coalesce(b.changed_by, '[]')
     or a.passed_slot < b.passed_slot
  limit 1;
  if stray.id is not null then
    raise exception 'schedule % may not go from % to %, nor lose who made it', stray.id, stray.was, stray.becomes using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger schedules_move_legally after update on usance.schedules
  referencing old table as before new table as after
  for each statement execute function usance.schedules_move_legally();
create trigger schedules_stay before delete or truncate on usance.schedules
  for each statement execute function usance.refuse_change();

-- Active schedules: when to look at each, and the last slot that is dealt with. A claim rides schedule_due_live.
create table usance.schedule_due (
  tenant_id   uuid not null,
  schedule_id uuid not null,
  clock_id    uuid,
  due_at      timestamptz not null,
  -- The next slot after passed_slot. due_at is sooner or later than it while the last payment is watched or a visit was put off. Null
  -- where no slot is left.
  next_at     timestamptz,
  -- Nominal local time; of a fixed period, UTC.
  passed_slot timestamp(3) not null,
  passed      int not null check (passed >= 0),
  -- The last payment made, while what becomes of it matters to the next slot.
  payment_id  uuid,
  primary key (tenant_id, schedule_id),
  -- A claim reads rows of many tenants: none of them may be one that cannot be read.
  constraint schedule_due_readable check (due_at between '1900-01-01 00:00Z' and '9999-12-31 23:59Z'
    and passed_slot between '1900-01-01' and '2400-01-01'),
  constraint schedule_due_schedule_exists foreign key (tenant_id, schedule_id) references usance.schedules (tenant_id, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

create index schedule_due_live on usance.schedule_due (tenant_id, due_at, schedule_id) where clock_id is null;
create index schedule_due_test on usance.schedule_due (clock_id, due_at, schedule_id) where clock_id is not null;

-- A slot is never gone back behind: whatever is wrong with a program, it cannot make one twice.
create function usance.schedules_go_forward() returns trigger language plpgsql
  set enable_hashjoin = on set enable_nestloop = off as $$
declare
  stray uuid;
begin
  select b.schedule_id into stray
  from before b join after a on a.tenant_id = b.tenant_id and a.schedule_id = b.schedule_id
  where a.passed_slot < b.passed_slot limit 1;
  if stray is not null then
    raise exception 'schedule % would go back behind a slot that is dealt with', stray using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger schedules_go_forward after update on usance.schedule_due
  referencing old table as before new table as after
  for each statement execute function usance.schedules_go_forward();

create table usance.occurrences (
  tenant_id   uuid not null,
  id          uuid not null,
  schedule_id uuid not null,
  slot        timestamp(3) not null,
  -- How many slots it stands for, the last of them: a run of slots that were skipped together.
  slots       int not null default 1 check (slots >= 1),
  through     timestamp(3),
  -- Null for one that a person triggered between slots.
  ordinal     int check (ordinal >= 1),
  kind        text not null check (kind in ('rule', 'trigger', 'backfill')),
  status      text not null check (status in ('made', 'skipped', 'failed')),
  -- late; missed, capped, outside_window, overlap, updated, outage, credit, inactive; or the code of a refusal.
  reason      text,
  detail      text,
  amount      bigint check (amount > 0),
  -- When it should have run.
  run_at      timestamptz not null,
  payment_id  uuid,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  primary key (tenant_id, id),
  constraint occurrences_slot_once unique (schedule_id, slot, tenant_id),
  constraint occurrences_made_is_a_payment check ((status = 'made') = (payment_id is not null)),
  constraint occurrences_skipped_has_reason check (status = 'made' or reason is not null),
  constraint occurrences_run_of_slots check ((slots > 1) = (through is not null) and through > slot),
  constraint occurrences_only_skipped_are_many check (slots = 1 or status = 'skipped')
);

-- One join a statement, as for payments.
create function usance.occurrences_stay_in_tenant() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  stray uuid;
begin
  select o.id into stray
  from told o
  left join usance.schedules s on s.tenant_id = o.tenant_id and s.id = o.schedule_id
  left join usance.payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
  where s.id is null or (o.payment_id is not null and p.id is null)
  limit 1;
  if stray is not null then
    raise exception 'occurrence % names a schedule or payment that its tenant does not have', stray
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create trigger occurrences_stay_in_tenant after insert on usance.occurrences
  referencing new table as told for each statement execute function usance.occurrences_stay_in_tenant();
create trigger occurrences_keep_tenant after update on usance.occurrences
  referencing new table as told for each statement execute function usance.occurrences_stay_in_tenant();

-- What was made stays made, with its payment; what was skipped or failed may still be made, once.
create function usance.occurrences_move_forward() returns trigger language plpgsql
  set enable_hashjoin = on set enable_nestloop = off as $$
declare
  stray uuid;
begin
  select b.id into stray
  from before b left join after a on a.tenant_id = b.tenant_id and a.id = b.id
  where a.id is null or b.status = 'made' or a.schedule_id <> b.schedule_id or (a.slot <> b.slot and b.slots = 1)
  limit 1;
  if stray is not null then
    raise exception 'occurrence % is made, or was changed other than by making it', stray using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger occurrences_move_forward after update on usance.occurrences
  referencing old table as before new table as after
  for each statement execute function usance.occurrences_move_forward();
create trigger occurrences_stay before delete or truncate on usance.occurrences
  for each statement execute function usance.refuse_change();

-- Occurrences that could not become a payment, and that nobody has dealt with. Rows leave when it is retried or discarded.
create table usance.occurrence_dead_letters (
  tenant_id     uuid not null,
  occurrence_id uuid not null,
  schedule_id   uuid not null,
  asset         text not null,
  amount        bigint not null,
  code          text not null,
  detail        text not null,
  failed_at     timestamptz not null,
  primary key (tenant_id, occurrence_id),
  constraint occurrence_dead_letters_occurrence_exists
    foreign key (tenant_id, occurrence_id) references usance.occurrences (tenant_id, id)
);
