-- The database as the migrations make it, for reading. Written by "npm run schema"; the reasons stand in the migrations.

CREATE EXTENSION btree_gin;
CREATE EXTENSION pg_trgm;
CREATE SEQUENCE change_log_seq INCREMENT BY 2;
CREATE SEQUENCE deliveries_period INCREMENT BY 1;
CREATE SEQUENCE saved_responses_period INCREMENT BY 1;

CREATE OR REPLACE FUNCTION public.about_records_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from notes b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  delete from tasks b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.companies_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from company_groups b using gone where b.workspace_id = gone.workspace_id and b.company_id = gone.id;
  delete from company_search b using gone where b.workspace_id = gone.workspace_id and b.id = gone.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.company_groups_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from company_values b using gone
    where b.workspace_id = gone.workspace_id and b.company_id = gone.company_id and b.group_id = gone.group_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.enrichments_of_people_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  update enrichments e set entity_name = gone.full_name from gone
    where e.workspace_id = gone.workspace_id and e.entity_id = gone.id;
  with cancelled as (
    update enrichments e set status = 'cancelled', error_code = 'PERSON_DELETED',
      error_message = 'The person was deleted before the enrichment had finished.',
      finished_at = greatest(e.created_at, clock_timestamp()), due_at = null, lease = null
    from gone where e.workspace_id = gone.workspace_id and e.entity_id = gone.id and e.due_at is not null
    returning e.workspace_id
  )
  update credits c set remaining = c.remaining + freed.count, used = c.used - freed.count
    from (select workspace_id, count(*)::int as count from cancelled group by 1) freed
    where c.workspace_id = freed.workspace_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.words := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.interactions_of_records_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
declare
  ids uuid[];
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  select array_agg(i.id) into ids from (
    select i.id from gone join interaction_entities e on e.workspace_id = gone.workspace_id and e.entity_id = gone.id
      join interactions i on i.workspace_id = e.workspace_id and i.id = e.interaction_id
    order by i.id for update of i) i;
  if ids is null then
    return null;
  end if;
  delete from interaction_uncounted b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  delete from interaction_counts b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  delete from interaction_entities b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  delete from interactions i where i.workspace_id = (select workspace_id from gone limit 1) and i.id = any(ids)
    and not exists (select from interaction_entities e where e.workspace_id = i.workspace_id and e.interaction_id = i.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.log_settled(of_workspaces uuid[])
 RETURNS TABLE(workspace_id uuid, through bigint, last bigint)
 LANGUAGE plpgsql
AS $function$
declare
  newest bigint := coalesce(pg_sequence_last_value('change_log_seq'::regclass), 0);
  known bigint := newest;
begin
  if not exists (select from coordinator_repairs where repaired_at is not null) and exists (select from pg_extension where extname = 'citus') then
    known := 0;
  end if;
  -- A lock holds 32 bits of the number. One that seems to be ahead of the newest was taken since, so what it guards is newer.
  return query
  select w.id, least(known, min(case when held.distance < 2147483648 then newest - held.distance end)), newest
  from unnest(of_workspaces) w (id)
  left join (
    select l.classid::bigint as key, (newest - l.objid::bigint) & 4294967295 as distance
    from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
    where l.locktype = 'advisory' and l.objsubid = 2
  ) held on held.key = ('x' || right(w.id::text, 8))::bit(32)::bigint
  group by w.id;
end
$function$;

CREATE OR REPLACE FUNCTION public.merges_left_out()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notes_with_words(in_workspace uuid, words tsquery, most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET enable_indexonlyscan TO 'off'
AS $function$
#variable_conflict use_variable
begin
  return query select id from notes where workspace_id = in_workspace and search @@ words limit most;
end $function$;

CREATE OR REPLACE FUNCTION public.object_groups_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from object_values b using gone
    where b.workspace_id = gone.workspace_id and b.object_id = gone.object_id and b.group_id = gone.group_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.objects_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from object_groups b using gone where b.workspace_id = gone.workspace_id and b.object_id = gone.id;
  delete from object_search b using gone where b.workspace_id = gone.workspace_id and b.id = gone.id;
  delete from object_people b using gone where b.workspace_id = gone.workspace_id and b.object_id = gone.id;
  delete from object_companies b using gone where b.workspace_id = gone.workspace_id and b.object_id = gone.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.people_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from person_groups b using gone where b.workspace_id = gone.workspace_id and b.person_id = gone.id;
  delete from person_search b using gone where b.workspace_id = gone.workspace_id and b.id = gone.id;
  delete from person_companies b using gone where b.workspace_id = gone.workspace_id and b.person_id = gone.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.person_groups_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from person_values b using gone
    where b.workspace_id = gone.workspace_id and b.person_id = gone.person_id and b.group_id = gone.group_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.rows_with_words(in_table text, in_column text, in_workspace uuid, in_words tsquery, in_most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET enable_indexonlyscan TO 'off'
AS $function$
begin
  return query execute format('select %I from %I where workspace_id = $1 and words @@ (select $2) limit $3', in_column, in_table)
    using in_workspace, in_words, in_most;
end $function$;

CREATE OR REPLACE FUNCTION public.take_from_rate_windows(of_workspace uuid, of_user uuid, quotas integer[], windows bigint[], units integer, missed bigint[], asks boolean, clock timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SET lock_timeout TO '250ms'
AS $function$
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
  held record;
begin
  loop
    select stamps, newest_units, holder, ahead, held_until into held from rate_windows
      where workspace_id = of_workspace and user_id = of_user for update;
    exit when found;
    insert into rate_windows values (of_workspace, of_user, '{}', units) on conflict do nothing;
  end loop;
  log := held.stamps;
  newest := held.newest_units;
  -- Read after the lock: requests that wait for each other have their times in the order of their decisions.
  at := extract(epoch from coalesce(clock, clock_timestamp())) * 1000000;
  if held.holder is not null then
    changed := true;
    if held.ahead > 0 then
      log := log || array_fill(greatest(least(at, held.held_until), log[cardinality(log)]), array[(held.ahead + units - 1) / units]);
      newest := units;
    end if;
  end if;
  size := cardinality(log);
  -- The clock was set back. It is unknown how much time has passed since the newest stamp, so the stamp is now.
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
    -- Number of the newest stamps that leave room for one more unit.
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
    update rate_windows set stamps = log[forgotten + 1:], newest_units = newest, holder = null, ahead = 0
      where workspace_id = of_workspace and user_id = of_user;
  end if;
  return refusing || ',' || wait || standings;
end $function$;

CREATE OR REPLACE FUNCTION public.words_in_rows(in_table text, in_workspace uuid, in_words text[])
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET enable_indexonlyscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
begin
  return query execute format('select place from unnest($2) with ordinality w (word, place)
      where exists (select from %I where workspace_id %s $1 and words @@ word::tsquery)', in_table,
      case when to_regclass('pg_catalog.pg_dist_node') is null then 'is not distinct from' else '=' end)
    using in_workspace, in_words;
end $function$;

CREATE OR REPLACE FUNCTION public.words_of_rows(in_table text, in_workspace uuid, in_words tsquery, in_beginnings text[], in_most integer)
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET enable_indexonlyscan TO 'off'
AS $function$
begin
  return query execute format('with found as (select words from %I where workspace_id = $1 and words @@ (select $2) limit $4)
      select distinct l from found, unnest(tsvector_to_array(words)) l, unnest($3) b where starts_with(l, b)
      union all select null where (select count(*) from found) >= $4', in_table)
    using in_workspace, in_words, in_beginnings, in_most;
end $function$;

CREATE OR REPLACE FUNCTION public.write_company_addresses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    delete from company_addresses where workspace_id = old.workspace_id and company_id = old.id and form in (
      select 'e' || regexp_replace(lower(email collate "C"), '[^!-~]', '', 'g') from json_array_elements_text(old.emails) email
      union select 'p' || regexp_replace(phone collate "C", '[^0-9]', '', 'g') from json_array_elements_text(old.phones) phone
      union select 'u' || left(regexp_replace(regexp_replace(
          regexp_replace(lower(url collate "C"), '^\s*([a-z][a-z0-9+.-]*:)?//|#.*$|[^!-~]', '', 'g'), '^www\.', ''), '/$', ''), 300)
      from json_array_elements_text(old.urls) url);
  end if;
  if tg_op <> 'DELETE' then
    insert into company_addresses (workspace_id, form, company_id)
      select new.workspace_id, f.form, new.id from (
        select 'e' || regexp_replace(lower(email collate "C"), '[^!-~]', '', 'g') as form
        from json_array_elements_text(new.emails) email where email collate "C" ~ '[^!-@[-~]'
        union select 'p' || regexp_replace(phone collate "C", '[^0-9]', '', 'g') from json_array_elements_text(new.phones) phone
        union select 'u' || left(regexp_replace(regexp_replace(
            regexp_replace(lower(url collate "C"), '^\s*([a-z][a-z0-9+.-]*:)?//|#.*$|[^!-~]', '', 'g'), '^www\.', ''), '/$', ''), 300)
        from json_array_elements_text(new.urls) url) f
      where length(f.form) > 1
      on conflict do nothing;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.write_hash()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    delete from key_hashes where workspace_id = old.workspace_id and key_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into key_hashes (workspace_id, key_id, hash) values (new.workspace_id, new.id, new.hash);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.write_slug()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    delete from workspace_slugs where workspace_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into workspace_slugs (workspace_id, slug) values (new.id, new.slug);
  end if;
  return null;
end $function$;

CREATE TABLE change_log (
  workspace_id uuid NOT NULL,
  seq bigint DEFAULT nextval('change_log_seq'::regclass) NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  user_id uuid,
  key_id uuid,
  request_id uuid,
  source text NOT NULL,
  body json NOT NULL,
  text_bytes integer,
  more json,
  CONSTRAINT change_log_pkey PRIMARY KEY (workspace_id, seq)
) PARTITION BY RANGE (seq);
ALTER SEQUENCE change_log_seq OWNED BY change_log.seq;
CREATE INDEX change_log_deletions ON change_log USING btree (workspace_id, seq) WHERE type = ANY (ARRAY['person.deleted'::text, 'company.deleted'::text, 'object.deleted'::text, 'note.deleted'::text, 'task.deleted'::text, 'reminder.deleted'::text]);
CREATE INDEX change_log_record ON change_log USING btree (workspace_id, record_id, seq);
CREATE INDEX change_log_request ON change_log USING btree (workspace_id, request_id, seq);

CREATE TABLE companies (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  name text NOT NULL,
  name_key bytea NOT NULL,
  description text NOT NULL,
  funding_raised numeric,
  last_funding_date date,
  industry text,
  foundation_year numeric,
  employee_range text,
  addresses json NOT NULL,
  emails json NOT NULL,
  phones json NOT NULL,
  urls json NOT NULL,
  memberships json NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT companies_pkey PRIMARY KEY (workspace_id, id)
) WITH (fillfactor=90);
CREATE UNIQUE INDEX companies_name ON companies USING btree (workspace_id, name_key);
CREATE TRIGGER about_companies_gone AFTER DELETE ON companies REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION about_records_gone();
CREATE TRIGGER companies_gone AFTER DELETE ON companies REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION companies_gone();
CREATE TRIGGER interactions_of_companies_gone AFTER DELETE ON companies REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION interactions_of_records_gone();
CREATE TRIGGER write_company_addresses AFTER INSERT OR DELETE OR UPDATE OF emails, phones, urls ON companies FOR EACH ROW WHEN (current_setting('contact_workspace.takes_along'::text, true) IS DISTINCT FROM 'on'::text) EXECUTE FUNCTION write_company_addresses();

CREATE TABLE company_addresses (
  workspace_id uuid NOT NULL,
  form text COLLATE "C" NOT NULL,
  company_id uuid NOT NULL,
  CONSTRAINT company_addresses_pkey PRIMARY KEY (workspace_id, form, company_id)
);

CREATE TABLE company_aliases (
  workspace_id uuid NOT NULL,
  alias_id uuid NOT NULL,
  company_id uuid NOT NULL,
  CONSTRAINT company_aliases_pkey PRIMARY KEY (workspace_id, alias_id),
  CONSTRAINT company_aliases_workspace_id_company_id_fkey FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX company_aliases_target ON company_aliases USING btree (workspace_id, company_id);

CREATE TABLE company_search (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  created_by uuid NOT NULL,
  last_funding_date date,
  folded_texts text NOT NULL,
  folded_lists text NOT NULL,
  text_keys uuid[] NOT NULL,
  funding_raised numeric,
  foundation_year numeric,
  words tsvector,
  CONSTRAINT company_search_pkey PRIMARY KEY (workspace_id, id)
);
CREATE INDEX company_search_created_by ON company_search USING btree (workspace_id, created_by, id);
CREATE INDEX company_search_folded ON company_search USING gin (workspace_id, folded_texts gin_trgm_ops, folded_lists gin_trgm_ops) WITH (gin_pending_list_limit='1024');
CREATE INDEX company_search_foundation_year ON company_search USING btree (workspace_id, foundation_year, id);
CREATE INDEX company_search_funding_raised ON company_search USING btree (workspace_id, funding_raised, id);
CREATE INDEX company_search_industry ON company_search USING btree (workspace_id, NULLIF("left"(split_part(folded_texts, 'F'::text, 3), 200), ''::text) COLLATE "C", id);
CREATE INDEX company_search_last_funding_date ON company_search USING btree (workspace_id, last_funding_date, id);
CREATE INDEX company_search_name ON company_search USING btree (workspace_id, NULLIF("left"(split_part(folded_texts, 'F'::text, 1), 200), ''::text) COLLATE "C", id);
CREATE INDEX company_search_text_keys ON company_search USING gin (text_keys) WITH (gin_pending_list_limit='256');
CREATE INDEX company_search_wordless ON company_search USING btree (workspace_id, id) WHERE words IS NULL;
CREATE INDEX company_search_words ON company_search USING gin (words) WITH (gin_pending_list_limit='64');
CREATE STATISTICS public.company_search_folded_lists_1 ON split_part(folded_lists, 'F'::text, 1) FROM company_search;
CREATE STATISTICS public.company_search_folded_lists_2 ON split_part(folded_lists, 'F'::text, 2) FROM company_search;
CREATE STATISTICS public.company_search_folded_lists_3 ON split_part(folded_lists, 'F'::text, 3) FROM company_search;
CREATE STATISTICS public.company_search_folded_lists_4 ON split_part(folded_lists, 'F'::text, 4) FROM company_search;
CREATE STATISTICS public.company_search_folded_texts_1 ON split_part(folded_texts, 'F'::text, 1) FROM company_search;
CREATE STATISTICS public.company_search_folded_texts_2 ON split_part(folded_texts, 'F'::text, 2) FROM company_search;
CREATE STATISTICS public.company_search_folded_texts_3 ON split_part(folded_texts, 'F'::text, 3) FROM company_search;
CREATE STATISTICS public.company_search_folded_texts_4 ON split_part(folded_texts, 'F'::text, 4) FROM company_search;
CREATE TRIGGER forget_words BEFORE UPDATE OF folded_texts, folded_lists ON company_search FOR EACH ROW WHEN (current_setting('contact_workspace.takes_along'::text, true) IS DISTINCT FROM 'on'::text) EXECUTE FUNCTION forget_words();

CREATE TABLE company_values (
  workspace_id uuid NOT NULL,
  company_id uuid NOT NULL,
  group_id uuid NOT NULL,
  field_id uuid NOT NULL,
  "position" smallint NOT NULL,
  item uuid,
  number_value numeric,
  date_value date,
  folded_text text,
  words tsvector,
  CONSTRAINT company_values_pkey PRIMARY KEY (workspace_id, company_id, group_id, field_id, "position")
);
CREATE INDEX company_values_date ON company_values USING btree (workspace_id, field_id, date_value, company_id) WHERE date_value IS NOT NULL;
CREATE INDEX company_values_folded_text ON company_values USING gin (workspace_id, folded_text gin_trgm_ops) WITH (gin_pending_list_limit='1024') WHERE folded_text IS NOT NULL;
CREATE UNIQUE INDEX company_values_item ON company_values USING btree (workspace_id, item, field_id, company_id);
CREATE INDEX company_values_number ON company_values USING btree (workspace_id, field_id, number_value, company_id) WHERE number_value IS NOT NULL;
CREATE INDEX company_values_text ON company_values USING btree (workspace_id, field_id, "left"(folded_text, 200) COLLATE "C", company_id) WHERE folded_text IS NOT NULL;
CREATE INDEX company_values_wordless ON company_values USING btree (workspace_id, company_id) WHERE words IS NULL AND folded_text IS NOT NULL;
CREATE INDEX company_values_words ON company_values USING gin (words) WITH (gin_pending_list_limit='64');
CREATE STATISTICS public.company_values_related (dependencies) ON workspace_id, field_id, item FROM company_values;

CREATE UNLOGGED TABLE coordinator_repairs (
  id boolean DEFAULT true NOT NULL,
  noticed_at timestamp with time zone NOT NULL,
  repaired_at timestamp with time zone,
  CONSTRAINT coordinator_repairs_pkey PRIMARY KEY (id),
  CONSTRAINT coordinator_repairs_id_check CHECK (id)
);

CREATE TABLE credits (
  workspace_id uuid NOT NULL,
  remaining integer NOT NULL,
  used integer NOT NULL,
  CONSTRAINT credits_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT credits_remaining_check CHECK (remaining >= 0),
  CONSTRAINT credits_used_check CHECK (used >= 0)
);

CREATE TABLE deliveries (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  event_seq bigint,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  record_id uuid NOT NULL,
  status text NOT NULL,
  attempts json DEFAULT '[]'::json NOT NULL,
  next_attempt_at timestamp with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  period bigint DEFAULT pg_sequence_last_value('deliveries_period'::regclass) NOT NULL,
  CONSTRAINT deliveries_pkey PRIMARY KEY (workspace_id, webhook_id, id, period),
  CONSTRAINT deliveries_status_check CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text]))
) PARTITION BY RANGE (period);
ALTER SEQUENCE deliveries_period OWNED BY deliveries.period;
CREATE INDEX deliveries_pending ON deliveries USING btree (workspace_id, webhook_id, next_attempt_at, event_seq) WHERE status = 'pending'::text;

CREATE TABLE duplicate_crowds (
  workspace_id uuid NOT NULL,
  key bigint NOT NULL,
  span bigint NOT NULL,
  most integer NOT NULL,
  is_full boolean NOT NULL,
  CONSTRAINT duplicate_crowds_pkey PRIMARY KEY (workspace_id, key)
);

CREATE TABLE duplicate_dismissals (
  workspace_id uuid NOT NULL,
  older_id uuid NOT NULL,
  younger_id uuid NOT NULL,
  CONSTRAINT duplicate_dismissals_pkey PRIMARY KEY (workspace_id, older_id, younger_id)
);
CREATE INDEX duplicate_dismissals_younger ON duplicate_dismissals USING btree (workspace_id, younger_id);

CREATE TABLE duplicate_keys (
  workspace_id uuid NOT NULL,
  key bigint NOT NULL,
  record_id uuid NOT NULL,
  CONSTRAINT duplicate_keys_pkey PRIMARY KEY (workspace_id, key, record_id)
);

CREATE TABLE duplicate_marks (
  workspace_id uuid NOT NULL,
  record_id uuid NOT NULL,
  keys bigint[] NOT NULL,
  CONSTRAINT duplicate_marks_pkey PRIMARY KEY (workspace_id, record_id)
);

CREATE TABLE duplicate_pairs (
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  older_id uuid NOT NULL,
  younger_id uuid NOT NULL,
  score smallint NOT NULL,
  reasons smallint NOT NULL,
  CONSTRAINT duplicate_pairs_pkey PRIMARY KEY (workspace_id, older_id, younger_id)
);
CREATE INDEX duplicate_pairs_list ON duplicate_pairs USING btree (workspace_id, kind, score, younger_id, older_id);
CREATE INDEX duplicate_pairs_younger ON duplicate_pairs USING btree (workspace_id, younger_id);

CREATE TABLE duplicate_progress (
  workspace_id uuid NOT NULL,
  through bigint NOT NULL,
  people_through uuid,
  companies_through uuid,
  CONSTRAINT duplicate_progress_pkey PRIMARY KEY (workspace_id)
) WITH (fillfactor=50);

CREATE TABLE duplicate_queue (
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  record_id uuid NOT NULL,
  CONSTRAINT duplicate_queue_pkey PRIMARY KEY (workspace_id, kind, record_id)
);

CREATE TABLE enrichments (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  entity_id uuid NOT NULL,
  entity_name text,
  status text NOT NULL,
  added_fields text[],
  error_code text,
  error_message text,
  finished_at timestamp(3) with time zone,
  due_at timestamp with time zone DEFAULT now(),
  lease uuid,
  attempts smallint DEFAULT 0 NOT NULL,
  CONSTRAINT enrichments_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT enrichments_check CHECK ((finished_at IS NULL) = (status = ANY (ARRAY['pending'::text, 'in_progress'::text]))),
  CONSTRAINT enrichments_check1 CHECK ((finished_at IS NULL) = (due_at IS NOT NULL)),
  CONSTRAINT enrichments_status_check CHECK (status = ANY (ARRAY['pending'::text, 'in_progress'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))
);
CREATE INDEX enrichments_due ON enrichments USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX enrichments_entity ON enrichments USING btree (workspace_id, entity_id, id);

CREATE UNLOGGED TABLE event_streams (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  place integer NOT NULL,
  id uuid NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT event_streams_pkey PRIMARY KEY (workspace_id, user_id, place)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

CREATE TABLE interaction_counts (
  workspace_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  user_id uuid NOT NULL,
  count integer NOT NULL,
  last_at timestamp(3) with time zone NOT NULL,
  last_id uuid NOT NULL,
  last_by uuid[],
  CONSTRAINT interaction_counts_pkey PRIMARY KEY (workspace_id, entity_id, user_id)
) WITH (fillfactor=80);
CREATE INDEX interaction_counts_last ON interaction_counts USING btree (workspace_id, user_id, last_at, entity_id);

CREATE TABLE interaction_entities (
  workspace_id uuid NOT NULL,
  interaction_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  entity_kind text NOT NULL,
  "position" smallint NOT NULL,
  date_time timestamp(3) with time zone NOT NULL,
  interaction_type text NOT NULL,
  user_ids uuid[] NOT NULL,
  CONSTRAINT interaction_entities_pkey PRIMARY KEY (workspace_id, interaction_id, entity_id),
  CONSTRAINT interaction_entities_entity_kind_check CHECK (entity_kind = ANY (ARRAY['person'::text, 'company'::text]))
);
CREATE INDEX interaction_entities_time ON interaction_entities USING btree (workspace_id, entity_id, date_time, interaction_id);

CREATE TABLE interaction_uncounted (
  workspace_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  interaction_id uuid NOT NULL,
  date_time timestamp(3) with time zone NOT NULL,
  user_ids uuid[] NOT NULL,
  CONSTRAINT interaction_uncounted_pkey PRIMARY KEY (workspace_id, entity_id, interaction_id)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);
CREATE INDEX interaction_uncounted_due ON interaction_uncounted USING btree (workspace_id, date_time);
CREATE INDEX interaction_uncounted_time ON interaction_uncounted USING btree (date_time);

CREATE TABLE interactions (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  source_id text,
  interaction_type text NOT NULL,
  date_time timestamp(3) with time zone NOT NULL,
  privacy_level text NOT NULL,
  activity_type text,
  title text,
  content text NOT NULL,
  more json,
  participants json,
  user_ids uuid[] NOT NULL,
  CONSTRAINT interactions_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT interactions_interaction_type_check CHECK (interaction_type = ANY (ARRAY['logged'::text, 'email'::text, 'calendar'::text, 'whatsapp'::text, 'call'::text])),
  CONSTRAINT interactions_privacy_level_check CHECK (privacy_level = ANY (ARRAY['full'::text, 'subjectOnly'::text, 'sensitive'::text, 'internal'::text]))
);
CREATE UNIQUE INDEX interactions_source ON interactions USING btree (workspace_id, source_id) WHERE source_id IS NOT NULL;
CREATE INDEX interactions_time ON interactions USING btree (workspace_id, date_time, id);

CREATE TABLE key_hashes (
  workspace_id uuid NOT NULL,
  key_id uuid NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT key_hashes_pkey PRIMARY KEY (workspace_id, key_id),
  CONSTRAINT key_hashes_hash_key UNIQUE (hash)
);

CREATE TABLE log_texts (
  workspace_id uuid NOT NULL,
  record_id uuid NOT NULL,
  id uuid NOT NULL,
  period integer NOT NULL,
  entry_id uuid NOT NULL,
  text text NOT NULL,
  CONSTRAINT log_texts_pkey PRIMARY KEY (workspace_id, record_id, id, period)
) PARTITION BY RANGE (period);

CREATE TABLE notes (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  entity_kind text NOT NULL,
  entity_id uuid NOT NULL,
  parent_id uuid,
  visibility text NOT NULL,
  content text NOT NULL,
  search tsvector NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  words tsvector,
  CONSTRAINT notes_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT notes_entity_kind_check CHECK (entity_kind = ANY (ARRAY['person'::text, 'company'::text, 'object'::text])),
  CONSTRAINT notes_visibility_check CHECK (visibility = ANY (ARRAY['public'::text, 'private'::text]))
);
CREATE INDEX notes_entity ON notes USING btree (workspace_id, entity_id, id);
CREATE INDEX notes_search ON notes USING gin (workspace_id, search);
CREATE INDEX notes_wordless ON notes USING btree (workspace_id, id) WHERE words IS NULL;
CREATE INDEX notes_words ON notes USING gin (words) WITH (gin_pending_list_limit='64');
CREATE TRIGGER forget_words BEFORE UPDATE OF content ON notes FOR EACH ROW WHEN (current_setting('contact_workspace.takes_along'::text, true) IS DISTINCT FROM 'on'::text) EXECUTE FUNCTION forget_words();

CREATE TABLE object_companies (
  workspace_id uuid NOT NULL,
  object_id uuid NOT NULL,
  company_id uuid NOT NULL,
  CONSTRAINT object_companies_pkey PRIMARY KEY (workspace_id, object_id, company_id)
);
CREATE INDEX object_companies_company ON object_companies USING btree (workspace_id, company_id, object_id);

CREATE TABLE object_people (
  workspace_id uuid NOT NULL,
  object_id uuid NOT NULL,
  person_id uuid NOT NULL,
  CONSTRAINT object_people_pkey PRIMARY KEY (workspace_id, object_id, person_id)
);
CREATE INDEX object_people_person ON object_people USING btree (workspace_id, person_id, object_id);

CREATE TABLE object_search (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  object_type_id uuid NOT NULL,
  created_by uuid NOT NULL,
  folded_texts text NOT NULL,
  folded_lists text NOT NULL,
  text_keys uuid[] NOT NULL,
  words tsvector,
  CONSTRAINT object_search_pkey PRIMARY KEY (workspace_id, id)
);
CREATE INDEX object_search_created_by ON object_search USING btree (workspace_id, created_by, id);
CREATE INDEX object_search_folded ON object_search USING gin (workspace_id, folded_texts gin_trgm_ops) WITH (gin_pending_list_limit='1024');
CREATE INDEX object_search_name ON object_search USING btree (workspace_id, object_type_id, NULLIF("left"(split_part(folded_texts, 'F'::text, 1), 200), ''::text) COLLATE "C", id);
CREATE INDEX object_search_text_keys ON object_search USING gin (text_keys) WITH (gin_pending_list_limit='256');
CREATE INDEX object_search_type ON object_search USING btree (workspace_id, object_type_id, id);
CREATE INDEX object_search_wordless ON object_search USING btree (workspace_id, id) WHERE words IS NULL;
CREATE INDEX object_search_words ON object_search USING gin (words) WITH (gin_pending_list_limit='64');
CREATE STATISTICS public.object_search_folded_texts_1 ON split_part(folded_texts, 'F'::text, 1) FROM object_search;
CREATE TRIGGER forget_words BEFORE UPDATE OF folded_texts, folded_lists ON object_search FOR EACH ROW WHEN (current_setting('contact_workspace.takes_along'::text, true) IS DISTINCT FROM 'on'::text) EXECUTE FUNCTION forget_words();

CREATE TABLE object_values (
  workspace_id uuid NOT NULL,
  object_id uuid NOT NULL,
  group_id uuid NOT NULL,
  field_id uuid NOT NULL,
  "position" smallint NOT NULL,
  item uuid,
  number_value numeric,
  date_value date,
  folded_text text,
  words tsvector,
  CONSTRAINT object_values_pkey PRIMARY KEY (workspace_id, object_id, group_id, field_id, "position")
);
CREATE INDEX object_values_date ON object_values USING btree (workspace_id, field_id, date_value, object_id) WHERE date_value IS NOT NULL;
CREATE INDEX object_values_folded_text ON object_values USING gin (workspace_id, folded_text gin_trgm_ops) WITH (gin_pending_list_limit='1024') WHERE folded_text IS NOT NULL;
CREATE UNIQUE INDEX object_values_item ON object_values USING btree (workspace_id, item, field_id, object_id);
CREATE INDEX object_values_number ON object_values USING btree (workspace_id, field_id, number_value, object_id) WHERE number_value IS NOT NULL;
CREATE INDEX object_values_text ON object_values USING btree (workspace_id, field_id, "left"(folded_text, 200) COLLATE "C", object_id) WHERE folded_text IS NOT NULL;
CREATE INDEX object_values_wordless ON object_values USING btree (workspace_id, object_id) WHERE words IS NULL AND folded_text IS NOT NULL;
CREATE INDEX object_values_words ON object_values USING gin (words) WITH (gin_pending_list_limit='64');
CREATE STATISTICS public.object_values_related (dependencies) ON workspace_id, field_id, item FROM object_values;

CREATE TABLE outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  record_id uuid NOT NULL,
  body json NOT NULL,
  CONSTRAINT outbox_pkey PRIMARY KEY (seq)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000, vacuum_truncate=off);

CREATE TABLE people (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  full_name text NOT NULL,
  description text NOT NULL,
  birthday date,
  gender text NOT NULL,
  job_title text NOT NULL,
  addresses json NOT NULL,
  emails json NOT NULL,
  phones json NOT NULL,
  urls json NOT NULL,
  company_ids uuid[] NOT NULL,
  memberships json NOT NULL,
  activity text,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT people_pkey PRIMARY KEY (workspace_id, id)
) WITH (fillfactor=90);
CREATE TRIGGER about_people_gone AFTER DELETE ON people REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION about_records_gone();
CREATE TRIGGER enrichments_of_people_gone AFTER DELETE ON people REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION enrichments_of_people_gone();
CREATE TRIGGER interactions_of_people_gone AFTER DELETE ON people REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION interactions_of_records_gone();
CREATE TRIGGER people_gone AFTER DELETE ON people REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION people_gone();

CREATE TABLE person_addresses (
  workspace_id uuid NOT NULL,
  form text COLLATE "C" NOT NULL,
  person_id uuid NOT NULL,
  CONSTRAINT person_addresses_pkey PRIMARY KEY (workspace_id, form, person_id)
);

CREATE TABLE person_aliases (
  workspace_id uuid NOT NULL,
  alias_id uuid NOT NULL,
  person_id uuid NOT NULL,
  CONSTRAINT person_aliases_pkey PRIMARY KEY (workspace_id, alias_id),
  CONSTRAINT person_aliases_workspace_id_person_id_fkey FOREIGN KEY (workspace_id, person_id) REFERENCES people(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX person_aliases_target ON person_aliases USING btree (workspace_id, person_id);

CREATE TABLE person_companies (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  company_id uuid NOT NULL,
  CONSTRAINT person_companies_pkey PRIMARY KEY (workspace_id, person_id, company_id)
);
CREATE INDEX person_companies_company ON person_companies USING btree (workspace_id, company_id, person_id);

CREATE TABLE person_search (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  created_by uuid NOT NULL,
  birthday date,
  folded_texts text NOT NULL,
  folded_lists text NOT NULL,
  text_keys uuid[] NOT NULL,
  words tsvector,
  CONSTRAINT person_search_pkey PRIMARY KEY (workspace_id, id)
);
CREATE INDEX person_search_birthday ON person_search USING btree (workspace_id, birthday, id);
CREATE INDEX person_search_created_by ON person_search USING btree (workspace_id, created_by, id);
CREATE INDEX person_search_first_name ON person_search USING btree (workspace_id, NULLIF("left"(split_part(folded_texts, 'F'::text, 1), 200), ''::text) COLLATE "C", id);
CREATE INDEX person_search_folded ON person_search USING gin (workspace_id, folded_texts gin_trgm_ops, folded_lists gin_trgm_ops) WITH (gin_pending_list_limit='1024');
CREATE INDEX person_search_full_name ON person_search USING btree (workspace_id, NULLIF("left"(split_part(folded_texts, 'F'::text, 3), 200), ''::text) COLLATE "C", id);
CREATE INDEX person_search_job_title ON person_search USING btree (workspace_id, NULLIF("left"(split_part(folded_texts, 'F'::text, 5), 200), ''::text) COLLATE "C", id);
CREATE INDEX person_search_last_name ON person_search USING btree (workspace_id, NULLIF("left"(split_part(folded_texts, 'F'::text, 2), 200), ''::text) COLLATE "C", id);
CREATE INDEX person_search_text_keys ON person_search USING gin (text_keys) WITH (gin_pending_list_limit='256');
CREATE INDEX person_search_wordless ON person_search USING btree (workspace_id, id) WHERE words IS NULL;
CREATE INDEX person_search_words ON person_search USING gin (words) WITH (gin_pending_list_limit='64');
CREATE STATISTICS public.person_search_folded_lists_1 ON split_part(folded_lists, 'F'::text, 1) FROM person_search;
CREATE STATISTICS public.person_search_folded_lists_2 ON split_part(folded_lists, 'F'::text, 2) FROM person_search;
CREATE STATISTICS public.person_search_folded_lists_3 ON split_part(folded_lists, 'F'::text, 3) FROM person_search;
CREATE STATISTICS public.person_search_folded_lists_4 ON split_part(folded_lists, 'F'::text, 4) FROM person_search;
CREATE STATISTICS public.person_search_folded_texts_1 ON split_part(folded_texts, 'F'::text, 1) FROM person_search;
CREATE STATISTICS public.person_search_folded_texts_2 ON split_part(folded_texts, 'F'::text, 2) FROM person_search;
CREATE STATISTICS public.person_search_folded_texts_3 ON split_part(folded_texts, 'F'::text, 3) FROM person_search;
CREATE STATISTICS public.person_search_folded_texts_4 ON split_part(folded_texts, 'F'::text, 4) FROM person_search;
CREATE STATISTICS public.person_search_folded_texts_5 ON split_part(folded_texts, 'F'::text, 5) FROM person_search;
CREATE TRIGGER forget_words BEFORE UPDATE OF folded_texts, folded_lists ON person_search FOR EACH ROW WHEN (current_setting('contact_workspace.takes_along'::text, true) IS DISTINCT FROM 'on'::text) EXECUTE FUNCTION forget_words();

CREATE TABLE person_values (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  group_id uuid NOT NULL,
  field_id uuid NOT NULL,
  "position" smallint NOT NULL,
  item uuid,
  number_value numeric,
  date_value date,
  folded_text text,
  words tsvector,
  CONSTRAINT person_values_pkey PRIMARY KEY (workspace_id, person_id, group_id, field_id, "position")
);
CREATE INDEX person_values_date ON person_values USING btree (workspace_id, field_id, date_value, person_id) WHERE date_value IS NOT NULL;
CREATE INDEX person_values_folded_text ON person_values USING gin (workspace_id, folded_text gin_trgm_ops) WITH (gin_pending_list_limit='1024') WHERE folded_text IS NOT NULL;
CREATE UNIQUE INDEX person_values_item ON person_values USING btree (workspace_id, item, field_id, person_id);
CREATE INDEX person_values_number ON person_values USING btree (workspace_id, field_id, number_value, person_id) WHERE number_value IS NOT NULL;
CREATE INDEX person_values_text ON person_values USING btree (workspace_id, field_id, "left"(folded_text, 200) COLLATE "C", person_id) WHERE folded_text IS NOT NULL;
CREATE INDEX person_values_wordless ON person_values USING btree (workspace_id, person_id) WHERE words IS NULL AND folded_text IS NOT NULL;
CREATE INDEX person_values_words ON person_values USING gin (words) WITH (gin_pending_list_limit='64');
CREATE STATISTICS public.person_values_related (dependencies) ON workspace_id, field_id, item FROM person_values;

CREATE UNLOGGED TABLE rate_windows (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  stamps bigint[] NOT NULL,
  newest_units integer NOT NULL,
  holder text,
  ahead integer DEFAULT 0 NOT NULL,
  held_until bigint DEFAULT 0 NOT NULL,
  CONSTRAINT rate_windows_pkey PRIMARY KEY (workspace_id, user_id)
) WITH (fillfactor=50, toast_tuple_target=8160);
ALTER TABLE rate_windows ALTER COLUMN stamps SET STORAGE EXTERNAL;

CREATE UNLOGGED TABLE request_logs (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  method text NOT NULL,
  route text,
  tool text,
  status smallint NOT NULL,
  error_code text,
  duration_ms real NOT NULL,
  idempotency_key_hash text,
  rate_limit_remaining integer,
  dry_run boolean DEFAULT false NOT NULL,
  CONSTRAINT request_logs_pkey PRIMARY KEY (workspace_id, id)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);

CREATE TABLE saved_responses (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  status smallint NOT NULL,
  body bytea,
  expires_at timestamp with time zone NOT NULL,
  period bigint DEFAULT pg_sequence_last_value('saved_responses_period'::regclass) NOT NULL,
  CONSTRAINT saved_responses_pkey PRIMARY KEY (workspace_id, user_id, key, period)
) PARTITION BY RANGE (period);
ALTER SEQUENCE saved_responses_period OWNED BY saved_responses.period;

CREATE TABLE settings (
  name text NOT NULL,
  value jsonb NOT NULL,
  CONSTRAINT settings_pkey PRIMARY KEY (name)
);

CREATE TABLE tasks (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  updated_at timestamp(3) with time zone,
  entity_kind text NOT NULL,
  entity_id uuid NOT NULL,
  made_as text NOT NULL,
  title text NOT NULL,
  description text,
  due_at date NOT NULL,
  due_time time(0) without time zone,
  time_zone text NOT NULL,
  recurrence_frequency text,
  first_due_at date NOT NULL,
  completed_at timestamp(3) with time zone,
  next_id uuid,
  is_public boolean NOT NULL,
  assigned_user_ids uuid[] NOT NULL,
  next_trigger_at timestamp(3) with time zone,
  last_trigger_at timestamp(3) with time zone,
  version integer DEFAULT 1 NOT NULL,
  words tsvector,
  CONSTRAINT tasks_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT tasks_due_at_check CHECK (due_at >= '0001-01-01'::date AND due_at <= '9999-12-31'::date),
  CONSTRAINT tasks_entity_kind_check CHECK (entity_kind = ANY (ARRAY['person'::text, 'company'::text, 'object'::text])),
  CONSTRAINT tasks_first_due_at_check CHECK (first_due_at >= '0001-01-01'::date AND first_due_at <= '9999-12-31'::date),
  CONSTRAINT tasks_made_as_check CHECK (made_as = ANY (ARRAY['task'::text, 'reminder'::text])),
  CONSTRAINT tasks_recurrence_frequency_check CHECK (recurrence_frequency = ANY (ARRAY['weekday'::text, 'weekly'::text, 'biweekly'::text, 'monthly'::text, 'quarterly'::text, 'yearly'::text]))
);
CREATE INDEX tasks_assigned ON tasks USING gin (workspace_id, assigned_user_ids);
CREATE INDEX tasks_due ON tasks USING btree (workspace_id, due_at, id);
CREATE INDEX tasks_entity ON tasks USING btree (workspace_id, entity_id, id);
CREATE INDEX tasks_next_trigger ON tasks USING btree (next_trigger_at) WHERE next_trigger_at IS NOT NULL;
CREATE INDEX tasks_open ON tasks USING btree (workspace_id, id) WHERE completed_at IS NULL;
CREATE INDEX tasks_wordless ON tasks USING btree (workspace_id, id) WHERE words IS NULL;
CREATE INDEX tasks_words ON tasks USING gin (words) WITH (gin_pending_list_limit='64');
CREATE TRIGGER forget_words BEFORE UPDATE OF title, description ON tasks FOR EACH ROW WHEN (current_setting('contact_workspace.takes_along'::text, true) IS DISTINCT FROM 'on'::text) EXECUTE FUNCTION forget_words();

CREATE TABLE webhook_progress (
  workspace_id uuid NOT NULL,
  through bigint NOT NULL,
  CONSTRAINT webhook_progress_pkey PRIMARY KEY (workspace_id)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

CREATE TABLE webhook_queues (
  workspace_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  due_at timestamp with time zone,
  lease uuid,
  leased_until timestamp with time zone,
  last_success_at timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  made_through bigint,
  room integer DEFAULT 0 NOT NULL,
  is_gone boolean DEFAULT false NOT NULL,
  CONSTRAINT webhook_queues_pkey PRIMARY KEY (workspace_id, webhook_id)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
CREATE INDEX webhook_queues_behind ON webhook_queues USING btree (workspace_id) WHERE made_through IS NOT NULL;
CREATE INDEX webhook_queues_due ON webhook_queues USING btree (due_at) WHERE due_at IS NOT NULL AND failing_since IS NULL;
CREATE INDEX webhook_queues_due_failing ON webhook_queues USING btree (due_at) WHERE due_at IS NOT NULL AND failing_since IS NOT NULL;
CREATE INDEX webhook_queues_gone ON webhook_queues USING btree (workspace_id) WHERE is_gone;

CREATE TABLE workspace_slugs (
  workspace_id uuid NOT NULL,
  slug text NOT NULL,
  CONSTRAINT workspace_slugs_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT workspace_slugs_slug_key UNIQUE (slug)
);

CREATE TABLE workspaces (
  id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  catalog_version bigint DEFAULT 1 NOT NULL,
  webhooks_version bigint DEFAULT 0 NOT NULL,
  CONSTRAINT workspaces_pkey PRIMARY KEY (id)
);
CREATE INDEX workspaces_slug ON workspaces USING btree (slug);
CREATE TRIGGER write_slug AFTER INSERT OR DELETE OR UPDATE OF slug ON workspaces FOR EACH ROW WHEN (current_setting('contact_workspace.takes_along'::text, true) IS DISTINCT FROM 'on'::text) EXECUTE FUNCTION write_slug();

CREATE TABLE groups (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  visibility text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT groups_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT groups_visibility_check CHECK (visibility = ANY (ARRAY['public'::text, 'private'::text])),
  CONSTRAINT groups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE TABLE company_groups (
  workspace_id uuid NOT NULL,
  company_id uuid NOT NULL,
  group_id uuid NOT NULL,
  CONSTRAINT company_groups_pkey PRIMARY KEY (workspace_id, company_id, group_id),
  CONSTRAINT company_groups_workspace_id_group_id_fkey FOREIGN KEY (workspace_id, group_id) REFERENCES groups(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX company_groups_group ON company_groups USING btree (workspace_id, group_id, company_id);
CREATE TRIGGER company_groups_gone AFTER DELETE ON company_groups REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION company_groups_gone();

CREATE TABLE merges (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  survivor_id uuid NOT NULL,
  merged_id uuid NOT NULL,
  survivor_before jsonb NOT NULL,
  merged_before jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  CONSTRAINT merges_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT merges_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX merges_survivor ON merges USING btree (workspace_id, survivor_id);
CREATE TRIGGER merges_left_out BEFORE INSERT ON merges FOR EACH ROW EXECUTE FUNCTION merges_left_out();

CREATE TABLE object_groups (
  workspace_id uuid NOT NULL,
  object_id uuid NOT NULL,
  group_id uuid NOT NULL,
  CONSTRAINT object_groups_pkey PRIMARY KEY (workspace_id, object_id, group_id),
  CONSTRAINT object_groups_workspace_id_group_id_fkey FOREIGN KEY (workspace_id, group_id) REFERENCES groups(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX object_groups_group ON object_groups USING btree (workspace_id, group_id, object_id);
CREATE TRIGGER object_groups_gone AFTER DELETE ON object_groups REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION object_groups_gone();

CREATE TABLE object_types (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  group_id uuid NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT object_types_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT object_types_workspace_id_group_id_fkey FOREIGN KEY (workspace_id, group_id) REFERENCES groups(workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX object_types_name ON object_types USING btree (workspace_id, group_id, name_key);

CREATE TABLE custom_fields (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  group_id uuid NOT NULL,
  entity_kind text NOT NULL,
  object_type_id uuid,
  name text NOT NULL,
  name_key text NOT NULL,
  type text NOT NULL,
  config jsonb,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT custom_fields_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT custom_fields_check CHECK ((entity_kind = 'object'::text) = (object_type_id IS NOT NULL)),
  CONSTRAINT custom_fields_entity_kind_check CHECK (entity_kind = ANY (ARRAY['person'::text, 'company'::text, 'object'::text])),
  CONSTRAINT custom_fields_workspace_id_group_id_fkey FOREIGN KEY (workspace_id, group_id) REFERENCES groups(workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT custom_fields_workspace_id_object_type_id_fkey FOREIGN KEY (workspace_id, object_type_id) REFERENCES object_types(workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX custom_fields_name ON custom_fields USING btree (workspace_id, group_id, COALESCE(object_type_id::text, entity_kind), name_key);

CREATE TABLE custom_field_options (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  field_id uuid NOT NULL,
  label text NOT NULL,
  color text NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT custom_field_options_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT custom_field_options_workspace_id_field_id_fkey FOREIGN KEY (workspace_id, field_id) REFERENCES custom_fields(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX custom_field_options_field ON custom_field_options USING btree (workspace_id, field_id);

CREATE TABLE objects (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  object_type_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  name text NOT NULL,
  company_ids uuid[] NOT NULL,
  person_ids uuid[] NOT NULL,
  memberships json NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT objects_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT objects_workspace_id_object_type_id_fkey FOREIGN KEY (workspace_id, object_type_id) REFERENCES object_types(workspace_id, id) ON DELETE CASCADE
) WITH (fillfactor=90);
CREATE INDEX objects_type ON objects USING btree (workspace_id, object_type_id, id);
CREATE TRIGGER about_objects_gone AFTER DELETE ON objects REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION about_records_gone();
CREATE TRIGGER objects_gone AFTER DELETE ON objects REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION objects_gone();

CREATE TABLE object_aliases (
  workspace_id uuid NOT NULL,
  alias_id uuid NOT NULL,
  object_id uuid NOT NULL,
  CONSTRAINT object_aliases_pkey PRIMARY KEY (workspace_id, alias_id),
  CONSTRAINT object_aliases_workspace_id_object_id_fkey FOREIGN KEY (workspace_id, object_id) REFERENCES objects(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX object_aliases_target ON object_aliases USING btree (workspace_id, object_id);

CREATE TABLE person_groups (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  group_id uuid NOT NULL,
  CONSTRAINT person_groups_pkey PRIMARY KEY (workspace_id, person_id, group_id),
  CONSTRAINT person_groups_workspace_id_group_id_fkey FOREIGN KEY (workspace_id, group_id) REFERENCES groups(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX person_groups_group ON person_groups USING btree (workspace_id, group_id, person_id);
CREATE TRIGGER person_groups_gone AFTER DELETE ON person_groups REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION person_groups_gone();

CREATE TABLE users (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  full_name text NOT NULL,
  role text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  removed_at timestamp(3) with time zone,
  CONSTRAINT users_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT users_role_check CHECK (role = ANY (ARRAY['admin'::text, 'member'::text])),
  CONSTRAINT users_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX users_email ON users USING btree (workspace_id, email_key) WHERE removed_at IS NULL;

CREATE TABLE api_keys (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  hash bytea NOT NULL,
  access text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  name text,
  prefix text,
  successor_id uuid,
  CONSTRAINT api_keys_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT api_keys_access_check CHECK (access = ANY (ARRAY['full'::text, 'read'::text])),
  CONSTRAINT api_keys_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX api_keys_hash ON api_keys USING btree (hash);
CREATE TRIGGER write_hash AFTER INSERT OR DELETE OR UPDATE OF hash ON api_keys FOR EACH ROW WHEN (current_setting('contact_workspace.takes_along'::text, true) IS DISTINCT FROM 'on'::text) EXECUTE FUNCTION write_hash();

CREATE TABLE group_members (
  workspace_id uuid NOT NULL,
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT group_members_pkey PRIMARY KEY (workspace_id, group_id, user_id),
  CONSTRAINT group_members_role_check CHECK (role = ANY (ARRAY['reader'::text, 'contributor'::text, 'admin'::text])),
  CONSTRAINT group_members_workspace_id_group_id_fkey FOREIGN KEY (workspace_id, group_id) REFERENCES groups(workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT group_members_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX group_members_user ON group_members USING btree (workspace_id, user_id);

CREATE TABLE webhooks (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  name text NOT NULL,
  target_url text NOT NULL,
  subscribed_events json NOT NULL,
  status text NOT NULL,
  secret bytea NOT NULL,
  redacted_secret text NOT NULL,
  replaced_secrets json DEFAULT '[]'::json NOT NULL,
  since_seq bigint NOT NULL,
  stopped_at timestamp(3) with time zone,
  stopped_because text,
  key_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  taken_over json,
  CONSTRAINT webhooks_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT webhooks_status_check CHECK (status = ANY (ARRAY['active'::text, 'inactive'::text])),
  CONSTRAINT webhooks_stopped_because_check CHECK (stopped_because = ANY (ARRAY['client'::text, 'gone'::text, 'failing'::text])),
  CONSTRAINT webhooks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
