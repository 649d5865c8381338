-- Tasks and reminders are one store: a record was made as one of both, and is shown as both, under the same uuid.
create table tasks (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  -- Null until somebody changes it.
  updated_at timestamptz(3),
  entity_kind text not null check (entity_kind in ('person', 'company', 'object')),
  entity_id uuid not null,
  -- What was made as a reminder fires, what was made as a task never does.
  made_as text not null check (made_as in ('task', 'reminder')),
  title text not null,
  description text,
  -- On the clocks of the zone. Without a time a reminder fires at 09:00.
  due_at date not null check (due_at between '0001-01-01' and '9999-12-31'),
  due_time time(0),
  time_zone text not null,
  recurrence_frequency text
    check (recurrence_frequency in ('weekday', 'weekly', 'biweekly', 'monthly', 'quarterly', 'yearly')),
  -- The date from which all later ones are counted. Tasks that follow a completed one keep its first date.
  first_due_at date not null check (first_due_at between '0001-01-01' and '9999-12-31'),
  completed_at timestamptz(3),
  -- The task that was made when this one was completed.
  next_id uuid,
  is_public boolean not null,
  -- Users, in the order in which they were named.
  assigned_user_ids uuid[] not null,
  -- When it fires next; null when it does not, as while it is completed.
  next_trigger_at timestamptz(3),
  -- The planned instant of the last time that it fired.
  last_trigger_at timestamptz(3),
  primary key (workspace_id, id)
);
create index tasks_entity on tasks (workspace_id, entity_id, id);
create index tasks_due on tasks (workspace_id, due_at, id);
-- Completed ones stay, so after some years nearly all are completed, and a list of the open ones would walk past them.
create index tasks_open on tasks (workspace_id, id) where completed_at is null;
create index tasks_assigned on tasks using gin (workspace_id, assigned_user_ids);
-- For the firing, which looks for what has come due in all workspaces at once.
create index tasks_next_trigger on tasks (next_trigger_at) where next_trigger_at is not null;

-- That a reminder has fired: one row each time, written in the transaction that plans the next time. What tells others of it
-- reads these rows.
create table reminder_triggers (
  workspace_id uuid not null,
  id uuid not null,
  reminder_id uuid not null,
  -- The planned instant.
  triggered_at timestamptz(3) not null,
  fired_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
-- A reminder never fires twice for the same instant, whatever the clocks of the processes show.
create unique index reminder_triggers_once on reminder_triggers (workspace_id, reminder_id, triggered_at);

-- As in 0002-notes.sql, with tasks.
create or replace function about_records_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from notes b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  delete from tasks b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  return null;
end $$;
