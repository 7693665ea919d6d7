-- Allowances: a schedule by which a guardian pays a child, and which pair it is for. What it pays, when, and whether it is on
-- is the schedule's; a row here only names the pair, and stays when the allowance is deleted, so that its credits keep
-- their meaning.
-- Safe for older workers: a new table only.

create table usance.allowances (
  tenant_id   uuid not null,
  schedule_id uuid not null,
  guardian_id uuid not null,
  junior_id   uuid not null,
  created_at  timestamptz not null,
  ended_at    timestamptz,
  primary key (tenant_id, schedule_id),
  constraint allowances_schedule_exists foreign key (tenant_id, schedule_id) references usance.schedules (tenant_id, id),
  constraint allowances_guardian_exists foreign key (tenant_id, guardian_id) references usance.accounts (tenant_id, id),
  constraint allowances_junior_exists foreign key (tenant_id, junior_id) references usance.accounts (tenant_id, id),
  constraint allowances_pay_another check (guardian_id <> junior_id)
);

-- One at a time for a guardian and a child; also what a guardian's list rides on.
create unique index allowances_pair_once on usance.allowances (tenant_id, guardian_id, junior_id) where ended_at is null;

-- What a child is or was paid by, and the allowances that a pair had.
create index allowances_of_junior on usance.allowances (tenant_id, junior_id, guardian_id);

-- The one change of a row is its end, once.
create trigger allowances_end_once before update on usance.allowances for each row
  when (old.ended_at is not null or new.ended_at is null
        or (new.tenant_id, new.schedule_id, new.guardian_id, new.junior_id, new.created_at)
           is distinct from (old.tenant_id, old.schedule_id, old.guardian_id, old.junior_id, old.created_at))
  execute function usance.refuse_change();
create trigger allowances_stay before delete or truncate on usance.allowances
  for each statement execute function usance.refuse_change();
