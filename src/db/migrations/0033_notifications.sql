-- Notification channels: messages to operators in Slack, in Discord or at a URL. src/notifications/README.md says how they are sent.
-- Safe for older workers: new tables only. An older worker has no such processor and claims none of its executions.

-- A channel has the id of its job, which has the name, the pattern, the retry policy and whether it is enabled. The URL is a secret: its path
-- lets its holder post. `target_host` is for people.
create table usance.notification_channels (
  tenant_id        uuid not null,
  id               uuid not null,
  kind             text not null check (kind in ('slack', 'discord', 'webhook')),
  -- Null after its key was given up, as the secret: nothing is sent until it gets others.
  target           bytea check (octet_length(target) >= 33 and get_byte(target, 0) = 1),
  target_key       text generated always as (usance.encryption_key_of(target)) stored
    constraint notification_channels_target_encryption_key references usance.encryption_keys (id),
  target_host      text not null check (length(target_host) between 1 and 300),
  -- Signs the messages of a webhook; Slack and Discord verify no signature.
  secret           bytea check (octet_length(secret) >= 33 and get_byte(secret, 0) = 1),
  secret_key       text generated always as (usance.encryption_key_of(secret)) stored
    constraint notification_channels_secret_encryption_key references usance.encryption_keys (id),
  topics           text[] not null check (cardinality(topics) between 1 and 20),
  max_per_minute   int not null check (max_per_minute between 1 and 60),
  send_test_events boolean not null,
  -- Why the job is disabled; null while it is enabled.
  disabled_reason  text check (disabled_reason in ('caller', 'gone', 'failing')),
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  -- Health, by the server's clock. `failing_since` is the first failed attempt since the last success.
  last_success_at  timestamptz,
  failing_since    timestamptz,
  last_failed_at   timestamptz,
  gone_at          timestamptz,
  -- The minute that is counted, by the tenant's clock, and its messages.
  window_at        timestamptz,
  window_sent      int not null default 0 check (window_sent >= 0),
  -- The execution that sends the next summary, and when.
  carrier_id       uuid,
  carrier_due_at   timestamptz,
  primary key (tenant_id, id),
  constraint notification_channels_job foreign key (tenant_id, id) references usance.jobs (tenant_id, id),
  constraint notification_channels_secrets check (kind = 'webhook' or secret is null),
  constraint notification_channels_failures check ((failing_since is null) = (last_failed_at is null)),
  constraint notification_channels_carrier_is_due check ((carrier_id is null) = (carrier_due_at is null))
) with (fillfactor = 80);

create index notification_channels_failing on usance.notification_channels (failing_since)
  where failing_since is not null and disabled_reason is null;
create index notification_channels_disabled on usance.notification_channels (tenant_id, id) where disabled_reason in ('gone', 'failing');
create index notification_channels_target_key on usance.notification_channels (target_key, id) where target_key is not null;
create index notification_channels_secret_key on usance.notification_channels (secret_key, id) where secret_key is not null;

-- Events beyond the messages of a minute, one row each, until a summary with them was sent. `carrier_id` is the execution that sends it.
create table usance.notification_backlog (
  tenant_id    uuid not null,
  channel_id   uuid not null,
  execution_id uuid not null,
  event_type   text not null check (length(event_type) between 1 and 100),
  carrier_id   uuid,
  primary key (tenant_id, channel_id, execution_id),
  constraint notification_backlog_channel foreign key (tenant_id, channel_id) references usance.notification_channels (tenant_id, id)
);

-- The rows of a summary, and those that no summary has yet.
create index notification_backlog_carrier on usance.notification_backlog (tenant_id, channel_id, carrier_id);
