-- E-mail addresses are compared folded, as `like` compares texts since 0014: in lower case and with each letter in one form.
-- The lower case of a capital sigma depends on the letters around it, so one address in capitals and in small letters was
-- two. docs/guides/conventions.md#text
do $$
declare
  forms constant text := U&'\00b5\017f\0345\03c2\03d0\03d1\03d5\03d6\03f0\03f1\03f5\1c80\1c81\1c82\1c83\1c84\1c85\1c86\1c87\1c88\1e9b';
  usual constant text := U&'\03bc\0073\03b9\03c3\03b2\03b8\03c6\03c0\03ba\03c1\03b5\0432\0434\043e\0441\0442\0442\044a\0463\a64b\1e61';
begin
  -- Two users whose addresses are one now keep both their keys: only the first of them gets the new one.
  update users u set email_key = f.email_key
  from (
    select distinct on (workspace_id, folded) workspace_id, id, folded as email_key
    from (select *, normalize(translate(email_key, forms, usual), NFC) as folded from users) one
    order by workspace_id, folded, (removed_at is null) desc, (folded = one.email_key) desc, id) f
  where u.workspace_id = f.workspace_id and u.id = f.id and u.email_key <> f.email_key;
end
$$;

-- An import looks for people by the key of the folded address. This is the key of the address as it is written only where
-- that is in ASCII and has no capitals, so all others are in the index.
drop index people_email_forms;
create index people_email_forms on people using gin (workspace_id, email_forms(emails)) with (fastupdate = off)
  where emails::text collate "C" ~ '[^ -@[-~]';
