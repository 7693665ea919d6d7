-- What a payout was decided by stays: a quote that was accepted, and a route that an attempt took. A wallet keeps its account and its address.
-- Safe for older workers: they delete only quotes that nobody accepted and routes that no attempt took, and change of a wallet only whether it is frozen.

create function usance.quotes_stay() returns trigger language plpgsql as $$
begin
  if old.used_at is not null then
    raise exception 'quote % was accepted: DELETE refused', old.id using errcode = 'restrict_violation';
  end if;
  return old;
end $$;

create trigger quotes_stay before delete on usance.quotes for each row execute function usance.quotes_stay();
create trigger quotes_never_emptied before truncate on usance.quotes for each statement execute function usance.refuse_change();

create function usance.payout_routes_taken_stay() returns trigger language plpgsql as $$
begin
  if exists (select from usance.payout_attempts a
             where a.tenant_id = old.tenant_id and a.payment_id = old.payment_id and a.route_id = old.id) then
    raise exception 'route % was taken: DELETE refused', old.id using errcode = 'restrict_violation';
  end if;
  return old;
end $$;

create trigger payout_routes_taken_stay before delete on usance.payout_routes
  for each row execute function usance.payout_routes_taken_stay();
create trigger payout_routes_never_emptied before truncate on usance.payout_routes
  for each statement execute function usance.refuse_change();

create function usance.payout_wallets_move_legally() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - '{frozen_at,frozen_reason}'::text[] <> to_jsonb(old) - '{frozen_at,frozen_reason}'::text[] then
    raise exception 'the wallet on % may not change like this', old.chain using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger payout_wallets_move_legally before update on usance.payout_wallets
  for each row execute function usance.payout_wallets_move_legally();
create trigger payout_wallets_stay before delete or truncate on usance.payout_wallets
  for each statement execute function usance.refuse_change();
