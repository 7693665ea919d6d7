-- How long the last attempt of a payment took, in milliseconds: from the claim of its batch to the decision; null before the first. Asked
-- only where a query selects it. Rides events_resource.
create function usance_docs.last_duration_ms(tenant uuid, payment uuid) returns int language sql stable parallel safe as $$
  select (e.data ->> 'durationMs')::int from usance.events e
  where e.tenant_id = tenant and e.resource_id = payment and e.data::jsonb ? 'durationMs' order by e.id desc limit 1
$$;
