-- Deliveries and saved answers are divided into periods too, so that what is too old is dropped with its period and not deleted row by
-- row (engine/periods/periods.ts). The number of a period is the millisecond in which it began. A sequence has the present one.
-- The tables of before become the first partitions of the new ones, as they stand.
create sequence deliveries_period;
create sequence saved_responses_period;

alter table deliveries rename to deliveries_before;
-- Processes of the release before look for deliveries by their ids alone.
create unique index deliveries_before_id on deliveries_before (workspace_id, id);
alter table deliveries_before drop constraint deliveries_pkey;
drop index deliveries_webhook;
alter index deliveries_pending rename to deliveries_before_pending;

create table deliveries (
  workspace_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  -- Null for the event of a test, which is in no table.
  event_seq bigint,
  event_id uuid not null,
  event_type text not null,
  record_id uuid not null,
  -- The table of before has this constraint by its name.
  status text not null constraint deliveries_status_check check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  -- In their order: [{"at", "responseStatus", "error", "durationMs", "responseBody"}].
  attempts json not null default '[]',
  next_attempt_at timestamptz,
  created_at timestamptz(3) not null,
  period bigint not null default pg_sequence_last_value('deliveries_period'),
  primary key (workspace_id, webhook_id, id, period)
) partition by range (period);
create index deliveries_pending on deliveries (workspace_id, webhook_id, next_attempt_at, event_seq) where status = 'pending';
alter sequence deliveries_period owned by deliveries.period;

-- The responses of writes that had an Idempotency-Key, each saved in the transaction of its effect:
-- docs/decisions/0005-idempotency.md.
-- The table has no foreign key: checking it would be a tenth of what the key costs a write, and a row that outlives its workspace goes
-- with its period.
create table saved_responses (
  workspace_id uuid not null,
  user_id uuid not null,
  key text not null,
  fingerprint text not null,
  status smallint not null,
  -- Null when the response was too large to be saved, or was erased.
  body bytea,
  expires_at timestamptz not null,
  period bigint not null default pg_sequence_last_value('saved_responses_period'),
  primary key (workspace_id, user_id, key, period)
) partition by range (period);
alter sequence saved_responses_period owned by saved_responses.period;

-- Processes of the release before write into `idempotency_keys`. It keeps this name and a unique index of the keys, by which processes
-- of both releases refuse what the others have saved. The next period begins a day later. There is none before it, so it counts as an
-- hour old (engine/idempotency/run-once.ts).
alter table idempotency_keys drop constraint idempotency_keys_pkey;
drop index idempotency_keys_expiry;
create unique index idempotency_keys_key on idempotency_keys (workspace_id, user_id, key);

do $$
declare
  began constant bigint := floor(extract(epoch from now() - interval '1 hour') * 1000);
begin
  perform setval('deliveries_period', began), setval('saved_responses_period', began);
  execute format('alter table deliveries_before add column period bigint not null default %s', began);
  execute format('alter table deliveries attach partition deliveries_before for values from (%s) to (%s)', began, began + 1);
  execute format('alter table idempotency_keys add column period bigint not null default %s', began);
  execute format('alter table saved_responses attach partition idempotency_keys for values from (%s) to (%s)', began, began + 1);
end
$$;
