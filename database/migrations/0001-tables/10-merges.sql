-- What a mistaken merge needs to be put right by hand: the merged record and the survivor as they were before it.
-- docs/guides/merging.md#history
create table merges (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  kind text not null,
  survivor_id uuid not null,
  merged_id uuid not null,
  survivor_before jsonb not null,
  merged_before jsonb not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  primary key (workspace_id, id)
);
create index merges_survivor on merges (workspace_id, survivor_id);
