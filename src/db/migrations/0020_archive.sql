-- The archive: payments that ended long ago, packed, apart from the table that every create and every settlement writes to.
-- Nothing is lost by it: all_payments shows both, and whoever changes an archived payment (a refund) takes it out again first. A
-- payment is in exactly one of the two tables, and leaves either only for the other.
-- Safe for older workers as long as nothing is archived: they do not find what is.

create table usance.archived_payments (like usance.payments including defaults including constraints);

alter table usance.archived_payments
  add primary key (tenant_id, id),
  add constraint archived_payments_have_ended check (ended_at is not null);

create index archived_payments_payer on usance.archived_payments (payer_id, id);
create index archived_payments_payee on usance.archived_payments (payee_id, id);
create unique index archived_payments_reference on usance.archived_payments
  (tenant_id, reference, (case when created_by like 'user:%' then created_by else '' end)) where reference is not null;

create view usance.all_payments as
select * from usance.payments union all select * from usance.archived_payments;

-- Says no to removing a payment, unless the same payment, to the letter, is in the other table.
create function usance.payments_only_move() returns trigger language plpgsql as $$
declare
  stray uuid;
begin
  select g.id into stray
  from gone g left join usance.all_payments a on a.tenant_id = g.tenant_id and a.id = g.id
  where a.id is null or row(a.*) is distinct from row(g.*)
  limit 1;
  if stray is not null then
    raise exception 'payment % would be gone: DELETE refused', stray using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

drop trigger payments_stay on usance.payments;
create trigger payments_stay before truncate on usance.payments
  for each statement execute function usance.refuse_change();
create trigger payments_only_move after delete on usance.payments
  referencing old table as gone for each statement execute function usance.payments_only_move();
create trigger archived_payments_stay before update or truncate on usance.archived_payments
  for each statement execute function usance.refuse_change();
create trigger archived_payments_only_move after delete on usance.archived_payments
  referencing old table as gone for each statement execute function usance.payments_only_move();

-- Refunds and further payees stay where they are when their payment moves: they are written while it is among the payments, and
-- that is asked once a statement, in the place of foreign keys.
alter table usance.refunds drop constraint refunds_payment_exists;
alter table usance.payment_payees drop constraint payment_payees_payment_exists;

create function usance.payments_are_there() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  stray uuid;
begin
  select w.payment_id into stray
  from written w left join usance.payments p on p.tenant_id = w.tenant_id and p.id = w.payment_id
  where p.id is null limit 1;
  if stray is not null then
    raise exception 'there is no payment % that a row of % could be of', stray, tg_table_name
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create trigger refunds_have_a_payment after insert on usance.refunds
  referencing new table as written for each statement execute function usance.payments_are_there();
create trigger payment_payees_have_a_payment after insert on usance.payment_payees
  referencing new table as written for each statement execute function usance.payments_are_there();

-- Moves what ended and was last changed before an instant, of the next payments of a tenant by id: looks at so many and no more.
-- What somebody holds is left for the next time, and a dead letter until somebody has dealt with it. The one way in, for a role that
-- may not delete.
create function usance.archive_payments(tenant uuid, after uuid, upto uuid, before timestamptz, at_most int)
  returns table (looked int, moved int, last_id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  seen uuid[];
  chosen uuid[];
begin
  seen := array(
    select p.id from usance.payments p
    where p.tenant_id = tenant and p.id > after and p.id < upto order by p.id limit at_most);
  chosen := array(
    select p.id from usance.payments p
    where p.tenant_id = tenant and p.id = any (seen) and p.ended_at < before and p.updated_at < before
      and not exists (select from usance.payment_dead_letters d where d.tenant_id = tenant and d.payment_id = p.id)
    for update of p skip locked);
  insert into usance.archived_payments select p.* from usance.payments p where p.tenant_id = tenant and p.id = any (chosen);
  delete from usance.payments p where p.tenant_id = tenant and p.id = any (chosen);
  return query select cardinality(seen), cardinality(chosen), coalesce(seen[cardinality(seen)], after);
end $$;

-- The way back: whoever comes second waits, and finds it among the payments.
create function usance.unarchive_payments(tenants uuid[], ids uuid[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform 1 from unnest(tenants, ids) k (tenant_id, id) join usance.archived_payments a using (tenant_id, id)
    order by a.tenant_id, a.id for update of a;
  insert into usance.payments
    select a.* from unnest(tenants, ids) k (tenant_id, id) join usance.archived_payments a using (tenant_id, id);
  delete from usance.archived_payments a using unnest(tenants, ids) k (tenant_id, id)
    where a.tenant_id = k.tenant_id and a.id = k.id;
end $$;

-- Erases the reference and the metadata of payments that an end user created and whose account is closed. An archived payment comes back
-- among the payments for it, as for every change. Only members of usance_eraser may call it (migrate grants it to no other role).
create function usance.erase_payment_texts(tenant uuid, account uuid, ids uuid[]) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  erased int;
begin
  perform usance.unarchive_payments(array_agg(p.tenant_id), array_agg(p.id))
  from usance.archived_payments p
  where p.tenant_id = tenant and p.id = any (ids) and p.payer_id = account and p.created_by = 'user:' || account
    and num_nonnulls(p.reference, p.metadata) > 0;
  update usance.payments p set reference = null, metadata = null
  where p.tenant_id = tenant and p.id = any (ids) and p.payer_id = account and p.created_by = 'user:' || account
    and num_nonnulls(p.reference, p.metadata) > 0;
  get diagnostics erased = row_count;
  return erased;
end $$;

-- The instant that the newest paid run of a schedule was for. A run that failed, was cancelled or is still being tried moves nothing.
create function usance.last_paid_run(tenant uuid, schedule uuid) returns timestamptz language sql stable as $$
  select o.run_at from usance.occurrences o
  where o.tenant_id = tenant and o.schedule_id = schedule and o.status = 'made'
    and exists (select from usance.all_payments p where p.tenant_id = tenant and p.id = o.payment_id and p.status = 'settled')
  order by o.slot desc limit 1
$$;
