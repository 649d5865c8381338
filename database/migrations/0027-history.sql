-- Runs with: 0021-periods
-- The number of the present version of a thing. A process of the release before does not raise it.
-- docs/guides/versions.md
alter table people add column version integer not null default 1;
alter table companies add column version integer not null default 1;
alter table objects add column version integer not null default 1;
alter table notes add column version integer not null default 1;
alter table tasks add column version integer not null default 1;

-- Whether a request was a preview. docs/guides/preview.md
alter table request_logs add column dry_run boolean not null default false;

-- Part of a change that history and undo need, and that no event tells: engine/events/append.ts. It is a column of its
-- own, which readers of events leave in the database.
alter table change_log add column more json;

-- The history of a record, and what a request has done.
create index change_log_record on change_log (workspace_id, record_id, seq);
create index change_log_request on change_log (workspace_id, request_id, seq);
-- The trash: deletions, the newest first.
create index change_log_deletions on change_log (workspace_id, seq)
  where type in ('person.deleted', 'company.deleted', 'object.deleted', 'note.deleted', 'task.deleted', 'reminder.deleted');
