-- Runs with: 0021-periods
-- An upsert finds companies by their addresses too, as imports find people: by rough forms (engine/records/address-forms.ts).
create table company_addresses (
  workspace_id uuid not null,
  -- The list, as its first letter, and the form.
  form text collate "C" not null,
  company_id uuid not null,
  primary key (workspace_id, form, company_id)
);
insert into company_addresses (workspace_id, form, company_id)
  select c.workspace_id, f.form, c.id from companies c cross join lateral (
    select 'e' || regexp_replace(lower(email collate "C"), '[^!-~]', '', 'g') as form
    from json_array_elements_text(c.emails) email where email collate "C" ~ '[^!-@[-~]'
    union select 'p' || regexp_replace(phone collate "C", '[^0-9]', '', 'g') from json_array_elements_text(c.phones) phone
    union select 'u' || left(regexp_replace(regexp_replace(
        regexp_replace(lower(url collate "C"), '^\s*([a-z][a-z0-9+.-]*:)?//|#.*$|[^!-~]', '', 'g'), '^www\.', ''), '/$', ''), 300)
    from json_array_elements_text(c.urls) url) f
  where length(f.form) > 1;

-- Processes of the release before do not know the table, so a trigger writes it. Sessions of this release write it by statements of
-- their own, and have the setting. A later release drops the trigger.
create function write_company_addresses() returns trigger language plpgsql as $$
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
end $$;
create trigger write_company_addresses after insert or delete or update of emails, phones, urls on companies for each row
  when (current_setting('contact_workspace.takes_along', true) is distinct from 'on') execute function write_company_addresses();

-- Blanks around an address do not count, so one with blanks has a form too.
insert into person_addresses (workspace_id, form, person_id)
  select distinct p.workspace_id, 'e' || regexp_replace(lower(email collate "C"), '[^!-~]', '', 'g'), p.id
  from people p cross join lateral json_array_elements_text(p.emails) email
  where p.emails::text ~ ' ' and email collate "C" ~ ' ' and email collate "C" ~ '[!-~]'
  on conflict do nothing;

-- A name with blanks around it is found by the name without them: it has a key for that beside its own
-- (engine/filters/search-columns.ts). The blanks are those of JavaScript.
update person_search s set text_keys = text_keys || n.key
from (
  select workspace_id, id, md5(convert_to(workspace_id::text || 'fullName trimmed', 'UTF8') || '\x00'::bytea
    || convert_to(normalize(trimmed, NFC), 'UTF8'))::uuid as key
  from (
    select workspace_id, id, full_name as name, btrim(full_name,
      E'\u0009\u000a\u000b\u000c\u000d\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') as trimmed
    from people) t
  where trimmed <> name and trimmed <> '') n
where s.workspace_id = n.workspace_id and s.id = n.id;
update object_search s set text_keys = text_keys || n.key
from (
  select workspace_id, id, md5(convert_to(workspace_id::text || 'name trimmed', 'UTF8') || '\x00'::bytea
    || convert_to(normalize(trimmed, NFC), 'UTF8'))::uuid as key
  from (
    select workspace_id, id, name, btrim(name,
      E'\u0009\u000a\u000b\u000c\u000d\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') as trimmed
    from objects) t
  where trimmed <> name and trimmed <> '') n
where s.workspace_id = n.workspace_id and s.id = n.id;
