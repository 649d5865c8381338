-- Runs with: 0021-periods
-- Contracts: uniqueness of workspaces.slug and api_keys.hash, which the tables below have now, for processes of both releases
-- A slug and the hash of an API key are found before it is known which workspace they belong to. They get tables of their own, the
-- directories, so that every other table can have unique keys of a workspace only, and a request reads rows of its workspace only.
-- docs/architecture.md#data
create table workspace_slugs (
  workspace_id uuid not null,
  slug text not null,
  primary key (workspace_id),
  unique (slug)
);

create table key_hashes (
  workspace_id uuid not null,
  key_id uuid not null,
  hash bytea not null,
  primary key (workspace_id, key_id),
  unique (hash)
);

-- Processes of the release before still find workspaces and keys by these columns. A later release drops the indexes.
alter table workspaces drop constraint workspaces_slug_key;
create index workspaces_slug on workspaces (slug);
drop index api_keys_hash;
create index api_keys_hash on api_keys (hash);

-- Processes of the release before do not know the directories, so triggers write them. Sessions of this release write them by
-- statements of their own, and have the setting. A later release drops the triggers.
create function write_slug() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from workspace_slugs where workspace_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into workspace_slugs (workspace_id, slug) values (new.id, new.slug);
  end if;
  return null;
end $$;
create trigger write_slug after insert or delete or update of slug on workspaces for each row
  when (current_setting('contact_workspace.takes_along', true) is distinct from 'on') execute function write_slug();

create function write_hash() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from key_hashes where workspace_id = old.workspace_id and key_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into key_hashes (workspace_id, key_id, hash) values (new.workspace_id, new.id, new.hash);
  end if;
  return null;
end $$;
create trigger write_hash after insert or delete or update of hash on api_keys for each row
  when (current_setting('contact_workspace.takes_along', true) is distinct from 'on') execute function write_hash();

insert into workspace_slugs (workspace_id, slug) select id, slug from workspaces;
insert into key_hashes (workspace_id, key_id, hash) select workspace_id, id, hash from api_keys;
