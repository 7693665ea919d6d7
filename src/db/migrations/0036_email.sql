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
  -- Signs the links to unsubscribe.
  link_secret      bytea not null check (octet_length(link_secret) >= 33 and get_byte(link_secret, 0) = 1),
  link_secret_key  text generated always as (usance.encryption_key_of(link_secret)) stored
    constraint email_settings_link_secret_encryption_key references usance.encryption_keys (id),
  updated_at       timestamptz not null,
  primary key (tenant_id, id),
  constraint email_settings_one unique (tenant_id),
  constraint email_settings_job foreign key (tenant_id, id) references usance.jobs (tenant_id, id)
);

create index email_settings_link_secret_key on usance.email_settings (link_secret_key, id);

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
