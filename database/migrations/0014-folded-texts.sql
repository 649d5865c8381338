-- Filters compare texts that are folded: in lower case, and since this release with each letter in one form (the sigma at the end of a
-- word becomes the usual one, and so on), in NFC again. Rows that hold another form are folded anew. docs/guides/filters.md#like
do $$
declare
  forms constant text := U&'\00b5\017f\0345\03c2\03d0\03d1\03d5\03d6\03f0\03f1\03f5\1c80\1c81\1c82\1c83\1c84\1c85\1c86\1c87\1c88\1e9b';
  usual constant text := U&'\03bc\0073\03b9\03c3\03b2\03b8\03c6\03c0\03ba\03c1\03b5\0432\0434\043e\0441\0442\0442\044a\0463\a64b\1e61';
  place record;
begin
  -- The parts of a column begin with a capital letter. They are folded one by one, because the mark at the beginning of a part would
  -- become one character with that letter.
  for place in
    select * from (values
      ('person_search', 'folded_texts'), ('person_search', 'folded_lists'), ('person_values', 'folded_text'),
      ('company_search', 'folded_texts'), ('company_search', 'folded_lists'), ('company_values', 'folded_text'),
      ('object_search', 'folded_texts'), ('object_search', 'folded_lists'), ('object_values', 'folded_text')
    ) places (table_name, column_name)
  loop
    execute format(
      'update %1$I set %2$I = (
         select string_agg(substring(part[1] from ''^[EF]?'') || normalize(translate(ltrim(part[1], ''EF''), $1, $2), NFC), '''' order by i)
         from regexp_matches(%2$I, ''[EF]?[^EF]*'', ''g'') with ordinality parts (part, i))
       where %2$I ~ (''['' || $1 || '']'') or %2$I is not NFC normalized',
      place.table_name, place.column_name) using forms, usual;
  end loop;
  update notes set search = array_to_tsvector(array(
      select distinct normalize(translate(word, forms, usual), NFC) from unnest(tsvector_to_array(search)) word))
    where search::text ~ ('[' || forms || ']') or search::text is not NFC normalized;
end
$$;
