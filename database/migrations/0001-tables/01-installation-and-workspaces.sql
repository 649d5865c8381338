-- Rules of all tables, with their exceptions named where they stand:
--
-- workspace_id leads every primary key, every foreign key and every other index, so that the database can be spread over
-- several servers by workspace. Exceptions are the two look-ups that find the workspace itself (by its slug, and by the
-- hash of an API key) and what concerns all workspaces at once.
--
-- Ids are UUIDs of version 7, made by the server. Their order is the order of creation, so the primary key also serves
-- lists, which are read page by page in that order.

-- Indexes of trigrams, which find a part of a text.
create extension if not exists pg_trgm;
-- Lets such an index begin with workspace_id.
create extension if not exists btree_gin;

-- What concerns the installation and no workspace.
create table settings (
  name text primary key,
  value jsonb not null
);

create table workspaces (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  created_at timestamptz(3) not null,
  -- Raised by every change of users, groups, members, custom fields and options, so that a process notices that the
  -- definitions that it keeps in memory are outdated: docs/decisions/0002-catalog.md.
  catalog_version bigint not null default 1
);
