-- E-mail to payers and payees. src/notifications/README.md says who gets what.
-- Safe for older workers: new tables only. An older worker has no such processor and claims none of its executions.

-- The settings of a tenant, with the id of their job, which has the pattern and whether they are enabled.
create table usance.email_settings (
  tenant_id        uuid not null,
  id               uuid not null,
  kinds            text[] not null check (cardinality(kinds) between 1 and 20),
  from_name        text check (length(from_name) between 1 and 100),
  reply_to         text check (length(reply_to) between 3 and 255),
  locale           text not null check (length(locale) between 2 and 35),
  zone             text not null check (length(zone) between 1 and 64),
  send_test_events boolean not null,
  -- Signs the links to unsubscribe. Null after its key was given up; the next e-mail makes one.
  link_secret      bytea check (octet_length(link_secret) >= 33 and get_byte(link_secret, 0) = 1),
  link_secret_key  text generated always as (usance.encryption_key_of(link_secret)) stored
    constraint email_settings_link_secret_encryption_key references usance.encryption_keys (id),
  updated_at       timestamptz not null,
  primary key (tenant_id, id),
  constraint email_settings_one unique (tenant_id),
  constraint email_settings_job foreign key (tenant_id, id) references usance.jobs (tenant_id, id)
);

create index email_settings_link_secret_key on usance.email_settings (link_secret_key, id) where link_secret_key is not null;

-- Texts of a tenant, instead of those of usance. The language is that of a locale, such as `de`; empty for all others.
create table usance.email_templates (
  tenant_id  uuid not null references usance.tenants (id),
  kind       text not null check (length(kind) between 1 and 100),
  language   text not null check (language ~ '^([a-z]{2,3})?$'),
  subject    text not null check (length(subject) between 1 and 200),
  text       text not null check (length(text) between 1 and 20000),
  html       text not null check (length(html) between 1 and 50000),
  updated_at timestamptz not null,
  primary key (tenant_id, kind, language)
);

-- Accounts that want no e-mail.
create table usance.email_opt_outs (
  tenant_id  uuid not null,
  account_id uuid not null,
  created_at timestamptz not null,
  primary key (tenant_id, account_id),
  constraint email_opt_outs_account foreign key (tenant_id, account_id) references usance.accounts (tenant_id, id)
);

-- What became of the e-mail to an account about an event. It has no address and no text.
create table usance.emails (
  tenant_id  uuid not null,
  event_id   uuid not null,
  account_id uuid not null,
  kind       text not null check (length(kind) between 1 and 100),
  outcome    text not null check (outcome in ('sent', 'refused', 'unsubscribed', 'limited')),
  -- The code of the mail server, if it refused the recipient or the message.
  code       int,
  -- By the server's clock, also in a test tenant.
  ended_at   timestamptz not null,
  primary key (tenant_id, event_id, account_id)
);

-- The limit of an account, and what becomes old.
create index emails_by_account on usance.emails (tenant_id, account_id, ended_at desc);
-- E-mails of an account are listed by their events, newest first.
create index emails_by_account_and_event on usance.emails (tenant_id, account_id, event_id);
create index emails_by_age on usance.emails (ended_at);

-- Gives up every value of a lost encryption key. Contacts, headers, previous secrets and secrets of links are deleted; endpoints and channels keep
-- everything else, and their executions wait until they have another secret or URL. For the owner of the schema, while no process of usance runs.
create function usance.give_up_encryption_key(lost text) returns table (given_up text, count bigint)
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  return query with changed as (
      update usance.accounts set contact_encrypted = null, contact_key = null where contact_key = lost returning id)
    select 'contacts of accounts', count(*) from changed;
  return query with changed as (
      update usance.webhook_endpoints set previous_secret = null, previous_secret_expires_at = null
      where previous_secret_key = lost returning id)
    select 'previous secrets of webhook endpoints', count(*) from changed;
  return query with changed as (
      update usance.webhook_endpoints set headers = null, header_names = '{}' where headers_key = lost returning id)
    select 'headers of webhook endpoints', count(*) from changed;
  return query with changed as (
      update usance.webhook_endpoints set secret = null where secret_key = lost returning id)
    select 'secrets of webhook endpoints', count(*) from changed;
  return query with changed as (
      update usance.notification_channels set target = case when target_key = lost then null else target end,
        secret = case when secret_key = lost then null else secret end
      where target_key = lost or secret_key = lost returning id)
    select 'URLs and secrets of notification channels', count(*) from changed;
  return query with changed as (
      update usance.email_settings set link_secret = null where link_secret_key = lost returning id)
    select 'secrets of links to unsubscribe', count(*) from changed;
end $$;
revoke all on function usance.give_up_encryption_key(text) from public;
