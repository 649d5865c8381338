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
