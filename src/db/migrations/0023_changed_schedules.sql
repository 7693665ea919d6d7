-- The actors that changed what a schedule pays, in order; of a subscription also those that decided the terms of its plans. Like its
-- creator, they cannot approve the payments it makes. Null if there are none.
-- Not safe for older workers: they change a schedule without recording the actor, who could then approve its payments.

alter table usance.schedules add column changed_by jsonb check (jsonb_typeof(changed_by) = 'array');
