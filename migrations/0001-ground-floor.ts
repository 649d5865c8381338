import type { Knex } from "knex";

// workspace_id leads every primary key, foreign key and index, so that the database can be spread by workspace. The two
// lookups that find the workspace itself (its slug, the hash of a key) are the exceptions.
// Ids are uuid v7 made by the server: their order is the order of creation, so one key serves identity and keyset paging.
/**
 * Every native text of a record as keys (for equality and emptiness) and folded (for "like"), one index each for all of
 * its fields: an index for each field would cost a create nine of them. What is new waits in short lists (kB): that takes
 * half off the cost of a create, and adds at most 0.3 ms to a look-up of keys and 3 ms to one of trigrams. How often a text
 * stands in a field, the planner knows from statistics of each.
 */
function searched(table: string, count: { texts: number; lists: number }): string {
  const trigrams =
    count.lists > 0 ? "folded_texts gin_trgm_ops, folded_lists gin_trgm_ops" : "folded_texts gin_trgm_ops";
  const statistics = (column: "texts" | "lists") =>
    Array.from({ length: count[column] }, (_, i) => {
      const field = `split_part(folded_${column}, 'F', ${i + 1})`;
      return `create statistics ${table}_folded_${column}_${i + 1} on (${field}) from ${table};`;
    }).join("\n");
  return `
create index ${table}_text_keys on ${table} using gin (workspace_id, text_keys) with (gin_pending_list_limit = 256);
create index ${table}_folded on ${table} using gin (workspace_id, ${trigrams}) with (gin_pending_list_limit = 1024);
create index ${table}_created_by on ${table} (workspace_id, created_by, id);
${statistics("texts")}
${statistics("lists")}`;
}

/**
 * The admitted requests of each user, where several processes share the rate windows, and between the stop and the next
 * start of one that keeps them in memory: services/ratelimit, docs/decisions/0007-rate-limits.md.
 * Stamps are microseconds since 1970 by the clock of the database, ascending. Each stands for as many requests as `units`
 * says (one, unless the quotas are in the thousands), the newest for `newest_units`. Unlogged: a crash of the database
 * forgets them, and no request waits for a disk. They stay in their row up to a page: a log of 600 moved out of it would
 * be written to another table each time.
 */
const RATE_WINDOWS = `
create unlogged table rate_windows (
  workspace_id uuid not null,
  user_id uuid not null,
  stamps bigint[] not null,
  newest_units integer not null,
  primary key (workspace_id, user_id)
) with (fillfactor = 50, toast_tuple_target = 8160);
alter table rate_windows alter column stamps set storage external;

-- Takes one request of a user from all policies (quotas, windows in microseconds), or none. \`missed\`: ages of stamps that the
-- log lacks; with asks = false they are only put down. Gives, comma separated: the number of the policy that refuses (0:
-- none), the wait until it does not, and for each policy the units counted and the time until the oldest leaves.
create function take_from_rate_windows(
  of_workspace uuid, of_user uuid, quotas integer[], windows bigint[], units integer, missed bigint[], asks boolean,
  clock timestamptz default null
) returns text language plpgsql
-- Others wait behind this statement (lib/database/reader.ts), and the process has another way: services/ratelimit.
set lock_timeout = '250ms'
as $$
declare
  log bigint[];
  newest integer;
  size integer;
  at bigint;
  kept integer;
  outdated integer;
  forgotten integer;
  refusing integer := 0;
  wait bigint := 0;
  changed boolean := false;
  standings text := '';
begin
  loop
    select stamps, newest_units into log, newest from rate_windows
      where workspace_id = of_workspace and user_id = of_user for update;
    exit when found;
    insert into rate_windows values (of_workspace, of_user, '{}', units) on conflict do nothing;
  end loop;
  -- Read after the lock: requests that wait for each other have their times in the order of their decisions.
  at := extract(epoch from coalesce(clock, clock_timestamp())) * 1000000;
  size := cardinality(log);
  -- The clock was set back. The time since the newest stamp is unknown, so none has passed; nobody waits for the hour to return.
  if log[size] > at then
    log := array(select stamp - (log[size] - at) from unnest(log) stamp);
    changed := true;
  end if;
  if cardinality(missed) > 0 then
    log := array(select stamp from unnest(log || array(select at - age from unnest(missed) age)) stamp order by stamp);
    size := cardinality(log);
    newest := units;
    changed := true;
  end if;

  for i in 1 .. cardinality(quotas) loop
    -- So many of the newest stamps leave room for one more unit.
    kept := (quotas[i] - 1 + units - newest) / units;
    if size > kept and log[size - kept] + windows[i] - at > wait then
      wait := log[size - kept] + windows[i] - at;
      refusing := i;
    end if;
  end loop;
  if asks and refusing = 0 then
    changed := true;
    if newest < units then
      log := log[:size - 1] || at;
      newest := newest + 1;
    else
      log := log || at;
      size := size + 1;
      newest := 1;
    end if;
  end if;

  for i in 1 .. cardinality(quotas) loop
    -- The number of stamps up to the beginning of the window, by binary search.
    outdated := width_bucket(at - windows[i], log);
    forgotten := least(forgotten, outdated);
    standings := standings || ',' || greatest(0, (size - outdated - 1) * units + newest)
      || ',' || coalesce(log[outdated + 1] + windows[i] - at, 0);
  end loop;
  if changed then
    update rate_windows set stamps = log[forgotten + 1:], newest_units = newest
      where workspace_id = of_workspace and user_id = of_user;
  end if;
  return refusing || ',' || wait || standings;
end $$;
`;

const UP = `
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table settings (
  name text primary key,
  value jsonb not null
);

create table workspaces (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  created_at timestamptz(3) not null,
  -- Raised by every change of users, groups, members, fields and options: lib/catalog/catalog.ts.
  catalog_version bigint not null default 1
);

create table users (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  email text not null,
  email_key text not null,
  full_name text not null,
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  primary key (workspace_id, id)
);
create unique index users_email on users (workspace_id, email_key) where removed_at is null;

create table api_keys (
  workspace_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  access text not null check (access in ('full', 'read')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references users on delete cascade
);
create unique index api_keys_hash on api_keys (hash);

-- Saved responses of writes with an Idempotency-Key, written in the transaction of their effect; body null: too large.
-- Without a foreign key: its check is a tenth of what a key costs a write, and a row that outlives its workspace expires.
create table idempotency_keys (
  workspace_id uuid not null,
  user_id uuid not null,
  key text not null,
  fingerprint text not null,
  status smallint not null,
  body bytea,
  expires_at timestamptz not null,
  primary key (workspace_id, user_id, key)
);
-- For the purge, which asks for all workspaces.
create index idempotency_keys_expiry on idempotency_keys (expires_at);

${RATE_WINDOWS}
create table groups (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  name text not null,
  visibility text not null check (visibility in ('public', 'private')),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create table group_members (
  workspace_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  role text not null check (role in ('reader', 'contributor', 'admin')),
  created_at timestamptz(3) not null,
  primary key (workspace_id, group_id, user_id),
  foreign key (workspace_id, group_id) references groups on delete cascade,
  foreign key (workspace_id, user_id) references users on delete cascade
);
create index group_members_user on group_members (workspace_id, user_id);

create table object_types (
  workspace_id uuid not null,
  id uuid not null,
  group_id uuid not null,
  name text not null,
  name_key text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, group_id) references groups on delete cascade
);
create unique index object_types_name on object_types (workspace_id, group_id, name_key);

create table custom_fields (
  workspace_id uuid not null,
  id uuid not null,
  group_id uuid not null,
  entity_kind text not null check (entity_kind in ('person', 'company', 'object')),
  object_type_id uuid,
  name text not null,
  name_key text not null,
  type text not null,
  config jsonb,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, group_id) references groups on delete cascade,
  foreign key (workspace_id, object_type_id) references object_types on delete cascade,
  check ((entity_kind = 'object') = (object_type_id is not null))
);
create unique index custom_fields_name on custom_fields
  (workspace_id, group_id, coalesce(object_type_id::text, entity_kind), name_key);

create table custom_field_options (
  workspace_id uuid not null,
  id uuid not null,
  field_id uuid not null,
  label text not null,
  color text not null,
  position integer not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, field_id) references custom_fields on delete cascade
);
create index custom_field_options_field on custom_field_options (workspace_id, field_id);

-- Records have no foreign keys to workspaces and users: every insert would lock the same two rows, and neither is deleted
-- but with everything else of its workspace (services/groups/workspaces).
create table people (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  -- What "like" looks at (lib/filters/search-columns.ts): before all else of varying length, where it is found fastest.
  folded_texts text not null,
  folded_lists text not null,
  first_name text not null,
  last_name text not null,
  full_name text not null,
  description text not null,
  birthday date,
  gender text not null,
  job_title text not null,
  addresses text[] not null,
  emails text[] not null,
  phones text[] not null,
  urls text[] not null,
  text_keys uuid[] not null,
  primary key (workspace_id, id)
);

create table companies (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  folded_texts text not null,
  folded_lists text not null,
  name text not null,
  -- SHA-256 of the name as names are compared: a name of 1000 characters does not fit into an index.
  name_key bytea not null,
  description text not null,
  funding_raised numeric,
  last_funding_date date,
  industry text,
  foundation_year numeric,
  employee_range text,
  addresses text[] not null,
  emails text[] not null,
  phones text[] not null,
  urls text[] not null,
  text_keys uuid[] not null,
  primary key (workspace_id, id)
);
create unique index companies_name on companies (workspace_id, name_key);

create table objects (
  workspace_id uuid not null,
  id uuid not null,
  object_type_id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  folded_texts text not null,
  folded_lists text not null,
  name text not null,
  text_keys uuid[] not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, object_type_id) references object_types on delete cascade
);
create index objects_type on objects (workspace_id, object_type_id, id);

-- What filters look at: lib/filters, docs/decisions/0004-filters.md.
${searched("people", { texts: 5, lists: 4 })}
${searched("companies", { texts: 4, lists: 4 })}
${searched("objects", { texts: 1, lists: 0 })}
create index people_birthday on people (workspace_id, birthday, id) where birthday is not null;
create index companies_funding_raised on companies (workspace_id, funding_raised, id) where funding_raised is not null;
create index companies_last_funding_date on companies (workspace_id, last_funding_date, id) where last_funding_date is not null;
create index companies_foundation_year on companies (workspace_id, foundation_year, id) where foundation_year is not null;

-- Links have a foreign key to the record that they name, which another transaction may be deleting. The record that they
-- are of is locked or made by whoever writes them; what goes with it is below (goesWith).
create table person_companies (
  workspace_id uuid not null,
  person_id uuid not null,
  company_id uuid not null,
  position smallint not null,
  primary key (workspace_id, person_id, company_id),
  foreign key (workspace_id, company_id) references companies on delete cascade
);
create index person_companies_company on person_companies (workspace_id, company_id, person_id);

-- What merges took away, so that they can be undone: the merged record as it was, and the survivor before.
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

create table object_people (
  workspace_id uuid not null,
  object_id uuid not null,
  person_id uuid not null,
  position smallint not null,
  primary key (workspace_id, object_id, person_id),
  foreign key (workspace_id, person_id) references people on delete cascade
);
create index object_people_person on object_people (workspace_id, person_id, object_id);

create table object_companies (
  workspace_id uuid not null,
  object_id uuid not null,
  company_id uuid not null,
  position smallint not null,
  primary key (workspace_id, object_id, company_id),
  foreign key (workspace_id, company_id) references companies on delete cascade
);
create index object_companies_company on object_companies (workspace_id, company_id, object_id);
`;

/**
 * A record's membership in a group holds the values of the group's custom fields, as jsonb by field id: they are read with
 * the record and go with the membership. The values table is their index for filters alone, one row for each entry.
 * docs/decisions/0003-custom-values.md
 */
function memberships(kind: string, table: string): string {
  return `
create table ${kind}_groups (
  workspace_id uuid not null,
  ${kind}_id uuid not null,
  group_id uuid not null,
  position smallint not null,
  "values" jsonb not null default '{}',
  primary key (workspace_id, ${kind}_id, group_id),
  foreign key (workspace_id, group_id) references groups on delete cascade
);
-- Ids of records that were merged into another: they stay valid, as long as that one is there.
create table ${kind}_aliases (
  workspace_id uuid not null,
  alias_id uuid not null,
  ${kind}_id uuid not null,
  primary key (workspace_id, alias_id),
  foreign key (workspace_id, ${kind}_id) references ${table} on delete cascade
);
create index ${kind}_aliases_target on ${kind}_aliases (workspace_id, ${kind}_id);

create index ${kind}_groups_group on ${kind}_groups (workspace_id, group_id, ${kind}_id);

create table ${kind}_values (
  workspace_id uuid not null,
  ${kind}_id uuid not null,
  group_id uuid not null,
  field_id uuid not null,
  position smallint not null,
  -- The option, user, person, company or object; of a text the md5 of its NFC.
  item uuid,
  number_value numeric,
  date_value date,
  -- NFC and Unicode lower case, made by our code, since the database's locale may know neither. For "like".
  folded_text text,
  primary key (workspace_id, ${kind}_id, group_id, field_id, position)
);
create index ${kind}_values_item on ${kind}_values (workspace_id, item, field_id, ${kind}_id) where item is not null;
create index ${kind}_values_number on ${kind}_values (workspace_id, field_id, number_value, ${kind}_id) where number_value is not null;
create index ${kind}_values_date on ${kind}_values (workspace_id, field_id, date_value, ${kind}_id) where date_value is not null;
create index ${kind}_values_folded_text on ${kind}_values using gin (workspace_id, field_id, folded_text gin_trgm_ops) with (gin_pending_list_limit = 1024) where folded_text is not null;
create index ${kind}_values_field on ${kind}_values (workspace_id, field_id, ${kind}_id) include (item);
-- An option is of one field: taken for independent, the two would seem hundreds of times rarer than they are.
create statistics ${kind}_values_related (dependencies) on workspace_id, field_id, item from ${kind}_values;
`;
}

/**
 * What belongs to rows of a table is deleted with them, by one statement for all of them. Instead of foreign keys: these
 * rows are only written by a transaction that holds what they belong to (lib/records/apply.ts), and a check for each of
 * them was 15 % of PostgreSQL's time in a batch. docs/decisions/0008-batches.md
 * The text is planned anew each time: one row gone and a hundred thousand want different plans.
 */
function goesWith(table: string, columns: string[], belongings: Record<string, string[]>): string {
  const deletes = Object.entries(belongings).map(([belonging, own]) => {
    const same = own.map((column, i) => `b.${column} = gone.${columns[i]}`).join(" and ");
    return `execute 'delete from ${belonging} b using gone where b.workspace_id = gone.workspace_id and ${same}';`;
  });
  return `
create function ${table}_gone() returns trigger language plpgsql as $$ begin ${deletes.join(" ")} return null; end $$;
create trigger ${table}_gone after delete on ${table} referencing old table as gone
  for each statement execute function ${table}_gone();
`;
}

const BELONGINGS: Parameters<typeof goesWith>[] = [
  ["people", ["id"], { person_groups: ["person_id"], person_companies: ["person_id"] }],
  ["companies", ["id"], { company_groups: ["company_id"] }],
  ["objects", ["id"], { object_groups: ["object_id"], object_people: ["object_id"], object_companies: ["object_id"] }],
  ["person_groups", ["person_id", "group_id"], { person_values: ["person_id", "group_id"] }],
  ["company_groups", ["company_id", "group_id"], { company_values: ["company_id", "group_id"] }],
  ["object_groups", ["object_id", "group_id"], { object_values: ["object_id", "group_id"] }],
];

export const groundFloor = {
  name: "0001-ground-floor",
  async up(knex: Knex): Promise<void> {
    await knex.raw(
      UP +
        memberships("person", "people") +
        memberships("company", "companies") +
        memberships("object", "objects") +
        BELONGINGS.map((one) => goesWith(...one)).join(""),
    );
  },
  async down(knex: Knex): Promise<void> {
    const tables = await knex("pg_tables")
      .where({ schemaname: "public" })
      .whereNot("tablename", "like", "knex%")
      .pluck("tablename");
    await knex.raw("drop function take_from_rate_windows");
    await knex.raw(`drop table ${tables.map((table: string) => `"${table}"`).join(", ")} cascade`);
    await knex.raw(`drop function ${BELONGINGS.map(([table]) => `${table}_gone`).join(", ")}`);
  },
};
