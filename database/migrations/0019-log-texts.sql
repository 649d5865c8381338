-- Long texts of the log, which its entries refer to: an edit of a note wrote the whole text twice, before and after.
-- docs/decisions/0013-events.md#long-texts
create table log_texts (
  workspace_id uuid not null,
  -- The record, note or reminder whose text it is or was. All entries about it go together when a person is erased, and its texts
  -- with them. Another record with the same text has a row of its own.
  record_id uuid not null,
  -- The first half of the SHA-256 of the text.
  id uuid not null,
  -- The period of the log in which it was written. An entry that refers to the text stands in the same period or in the next.
  period int not null,
  -- The entry with which it was written.
  entry_id uuid not null,
  text text not null,
  primary key (workspace_id, record_id, id, period)
) partition by range (period);

do $$
declare
  number text;
begin
  for number in select substring(relname from '^change_log_(\d+)$') from pg_class
    where relnamespace = current_schema()::regnamespace and relispartition and relname ~ '^change_log_\d+$'
  loop
    execute format('create table log_texts_%s partition of log_texts for values from (%s) to (%s)', number, number, number::int + 1);
  end loop;
end
$$;

-- The number of bytes of the texts that the events of an entry tell, which a page of events has to bear beside the body; null without any.
alter table change_log add column text_bytes int;
