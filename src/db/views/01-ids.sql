-- Logs and HTTP name things by TypeID (pay_01jd…), tables and views by UUID. These convert one into the other:
--   select * from usance_docs.payment_holds where hold_id = usance_docs.uuid_of('pay_01jd3mzk4qe0rvb1rj4yj6d3zt');
--   select usance_docs.type_id('pay', hold_id), status from usance_docs.payment_holds;

-- 128 bits after two zero bits, five bits a character.
create function usance_docs.type_id(prefix text, id uuid) returns text language sql immutable strict parallel safe as $$
  select prefix || '_' || string_agg(
           substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from place * 5 + 1 for 5)::bit(5)::int + 1, 1), '' order by place)
  from (select B'00' || ('x' || replace(id::text, '-', ''))::bit(128) as bits) b, generate_series(0, 25) place
$$;

-- Whatever its prefix. What is no TypeID is an error, not a row that is not found.
create function usance_docs.uuid_of(type_id text) returns uuid language plpgsql immutable strict parallel safe as $$
declare
  suffix text := substring(type_id from '^[a-z]+_([0-7][0-9a-hjkmnp-tv-z]{25})$');
  bits bit varying := B'';
  hex text := '';
begin
  if suffix is null then
    raise exception '% is not an id such as pay_01jd3mzk4qe0rvb1rj4yj6d3zt', quote_literal(type_id) using errcode = 'invalid_parameter_value';
  end if;
  for place in 1..26 loop
    bits := bits || (strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(suffix, place, 1)) - 1)::bit(5);
  end loop;
  for place in 0..31 loop
    hex := hex || to_hex(substring(bits from place * 4 + 3 for 4)::bit(4)::int);
  end loop;
  return hex::uuid;
end $$;
