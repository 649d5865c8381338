-- The last requests of each workspace, as gateways have answered them: neither bodies nor keys. They help whoever looks for what went
-- wrong a moment ago, and are worth little after a crash of the database, so the table is not logged. Gateways write what they have
-- answered about once a second, and delete what is too many. docs/guides/request-log.md
create unlogged table request_logs (
  workspace_id uuid not null,
  -- The request id, which ascends with the time at which the request came.
  id uuid not null,
  user_id uuid not null,
  method text not null,
  -- As the route table has it; null for a path that leads nowhere.
  route text,
  tool text,
  status smallint not null,
  error_code text,
  duration_ms real not null,
  idempotency_key_hash text,
  rate_limit_remaining int,
  primary key (workspace_id, id)
);
alter table request_logs set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
