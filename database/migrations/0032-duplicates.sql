-- Runs with: 0021-periods
-- Pairs of people and of companies that are likely one, found in the background (docs/decisions/0026-duplicates.md). Ids of people and
-- companies stand in the same columns: no two records have the same.

-- The keys of a record: one each for its addresses, and for its name at a company or at the domain of an address. Records of one key are
-- looked at together. A key is made of hashes, so it may be that of two values, and the values are compared.
create table duplicate_keys (
  workspace_id uuid not null,
  key bigint not null,
  record_id uuid not null,
  primary key (workspace_id, key, record_id)
);

-- The keys as they were when a record was last looked at.
create table duplicate_marks (
  workspace_id uuid not null,
  record_id uuid not null,
  keys bigint[] not null,
  primary key (workspace_id, record_id)
);

-- Keys that say nothing, because more than `most` records have them. A domain is a range of keys, of which this is the first. One that
-- pairs rest on stands here too, before it is full, so that its records are counted.
create table duplicate_crowds (
  workspace_id uuid not null,
  key bigint not null,
  span bigint not null,
  most integer not null,
  is_full boolean not null,
  primary key (workspace_id, key)
);

create table duplicate_pairs (
  workspace_id uuid not null,
  kind text not null,
  older_id uuid not null,
  younger_id uuid not null,
  -- In thousandths.
  score smallint not null,
  -- One bit for each reason (engine/duplicates/pair.ts).
  reasons smallint not null,
  primary key (workspace_id, older_id, younger_id)
);
-- The order of the list.
create index duplicate_pairs_list on duplicate_pairs (workspace_id, kind, score, younger_id, older_id);
create index duplicate_pairs_younger on duplicate_pairs (workspace_id, younger_id);

-- Pairs that users have dismissed.
create table duplicate_dismissals (
  workspace_id uuid not null,
  older_id uuid not null,
  younger_id uuid not null,
  primary key (workspace_id, older_id, younger_id)
);
create index duplicate_dismissals_younger on duplicate_dismissals (workspace_id, younger_id);

-- Records that are to be looked at again because of others.
create table duplicate_queue (
  workspace_id uuid not null,
  kind text not null,
  record_id uuid not null,
  primary key (workspace_id, kind, record_id)
);

-- The number up to which the log of a workspace was followed, and how far its older records were looked at: null once all were. The
-- process at work locks the row.
create table duplicate_progress (
  workspace_id uuid not null,
  through bigint not null,
  people_through uuid,
  companies_through uuid,
  primary key (workspace_id)
) with (fillfactor = 50);
