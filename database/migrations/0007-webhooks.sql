-- Webhooks: addresses to which events are sent. docs/guides/webhooks.md
create table webhooks (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null,
  -- Whose sight decides what is sent.
  created_by uuid not null,
  name text not null,
  target_url text not null,
  -- As it was sent, since it is answered so.
  subscribed_events json not null,
  status text not null check (status in ('active', 'inactive')),
  -- The signing secret, encrypted (lib/secrets).
  secret bytea not null,
  -- As answers show it.
  redacted_secret text not null,
  -- Secrets that were replaced and still sign: [{"secret": base64 of the encrypted one, "until": timestamp}].
  replaced_secrets json not null default '[]',
  -- Events that were written up to here were written before it was made or became active. They are not for it.
  since_seq bigint not null,
  -- When it became inactive last, and why: by a client, since its receiver answered 410, or since all failed for too long.
  stopped_at timestamptz(3),
  stopped_because text check (stopped_because in ('client', 'gone', 'failing')),
  primary key (workspace_id, id)
);

-- Raised by every change of a workspace's webhooks, so that a process notices that those that it keeps in memory are outdated.
alter table workspaces add column webhooks_version bigint not null default 0;

-- When the deliveries of a webhook are looked at next, and who does so at the moment. It stands apart from the webhook, because it
-- changes with every delivery.
create table webhook_queues (
  workspace_id uuid not null,
  webhook_id uuid not null,
  -- Null when there is nothing to deliver.
  due_at timestamptz,
  -- The process that delivers at the moment, until this time at most: another one goes on when it was killed.
  lease uuid,
  leased_until timestamptz,
  last_success_at timestamptz(3),
  -- Of attempts since the last one that succeeded, the first one.
  failing_since timestamptz(3),
  primary key (workspace_id, webhook_id)
) with (fillfactor = 50);
-- Those that fail wait in a line of their own, so that thousands of them are not gone through to find the others.
create index webhook_queues_due on webhook_queues (due_at) where due_at is not null and failing_since is null;
create index webhook_queues_due_failing on webhook_queues (due_at) where due_at is not null and failing_since is not null;
alter table webhook_queues set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- One event for one webhook. There is no foreign key to the webhook: deliveries of one that was deleted go in small steps.
create table deliveries (
  workspace_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  -- Null for the event of a test, which is in no table.
  event_position bigint,
  event_id uuid not null,
  event_type text not null,
  record_id uuid not null,
  status text not null check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  -- In their order: [{"at", "responseStatus", "error", "durationMs", "responseBody"}].
  attempts json not null default '[]',
  next_attempt_at timestamptz,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index deliveries_webhook on deliveries (workspace_id, webhook_id, id);
create index deliveries_pending on deliveries (workspace_id, webhook_id, next_attempt_at, event_position) where status = 'pending';
alter table deliveries set (autovacuum_vacuum_scale_factor = 0.02);
