-- The responses of writes that had an Idempotency-Key, each saved in the transaction of its effect:
-- docs/decisions/0005-idempotency.md.
-- The table has no foreign key: checking it would be a tenth of what the key costs a write, and a row that outlives its
-- workspace is purged when it expires.
create table idempotency_keys (
  workspace_id uuid not null,
  user_id uuid not null,
  key text not null,
  fingerprint text not null,
  status smallint not null,
  -- Null when the response was too large to be saved.
  body bytea,
  expires_at timestamptz not null,
  primary key (workspace_id, user_id, key)
);
-- For the purge, which looks for the expired rows of all workspaces at once.
create index idempotency_keys_expiry on idempotency_keys (expires_at);
