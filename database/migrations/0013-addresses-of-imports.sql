-- By e-mail addresses and URLs an import finds people, however these are written. An index holds them in a rough form: in lower case
-- and without all that is not ASCII, of which PostgreSQL and the server could think differently. The server compares what it finds.
create function email_forms(emails json) returns text[] language sql immutable parallel safe cost 5000 as $$
  select array_agg(regexp_replace(lower(email collate "C"), '[^!-~]', '', 'g')) from json_array_elements_text(emails) email
$$;
-- Nearly all addresses are in lower case, and are found by their keys (person_search.text_keys). The others are here.
create index people_email_forms on people using gin (workspace_id, email_forms(emails)) with (fastupdate = off)
  where emails::text <> lower(emails::text collate "C");

-- Without scheme, "www.", fragment and slash at the end. The beginning of a long URL is enough.
create function url_forms(urls json) returns text[] language sql immutable parallel safe cost 5000 as $$
  select array_agg(left(regexp_replace(regexp_replace(
      regexp_replace(lower(url collate "C"), '^\s*([a-z][a-z0-9+.-]*:)?//|#.*$|[^!-~]', '', 'g'),
      '^www\.', ''), '/$', ''), 300))
  from json_array_elements_text(urls) url
$$;
create index people_url_forms on people using gin (workspace_id, url_forms(urls)) with (fastupdate = off)
  where json_array_length(urls) > 0;

-- The planner takes such functions for cheap, and would compute them for everybody of a workspace rather than look into their index
-- while the statistics of a growing table are old.
alter function phone_digits(json) cost 5000;

-- An import looks up thousands of numbers, and each look-up reads the whole list of new entries that wait to be sorted in.
alter index people_phone_digits set (fastupdate = off);
