-- E-mails and opt-outs by address: several accounts of a tenant can have the same one, and a limit of each account is then no limit of the address.
-- The address is a keyed digest (src/notifications/email/address.ts), so that the tables still have none.
-- Safe for older workers: they write rows without a digest, which count for their account only.

alter table usance.emails add column address_digest bytea check (octet_length(address_digest) = 32);
create index emails_by_address on usance.emails (tenant_id, address_digest, ended_at desc) where address_digest is not null;

alter table usance.email_opt_outs add column address_digest bytea check (octet_length(address_digest) = 32);
create index email_opt_outs_by_address on usance.email_opt_outs (tenant_id, address_digest) where address_digest is not null;

-- E-mails that a tenant sent, by hour of real time: the sum of 24 hours is compared with its daily quota. Rows of days ago are deleted.
create table usance.email_counts (
  tenant_id uuid not null references usance.tenants (id),
  hour      timestamptz not null check (hour = date_trunc('hour', hour, 'UTC')),
  sent      int not null check (sent > 0),
  primary key (tenant_id, hour)
);
