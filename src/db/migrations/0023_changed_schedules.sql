-- The actors that changed what a schedule pays, in order: like its creator, they cannot approve the payments it makes. Null where
-- none did.

alter table usance.schedules add column changed_by jsonb check (jsonb_typeof(changed_by) = 'array');
