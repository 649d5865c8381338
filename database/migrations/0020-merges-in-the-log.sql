-- The log tells into which record another one was merged, and what that one was before: `merged` in the entry of its deletion. So the
-- rows of merges whose events are still kept go into those entries, and nothing else reads or writes this table any more.
-- docs/guides/merging.md#history
update change_log e set body = (e.body::jsonb || jsonb_build_object('merged', jsonb_build_object(
    'into', m.survivor_id, 'before', m.merged_before, 'survivorBefore', m.survivor_before)))::json
  from merges m where m.workspace_id = e.workspace_id and m.merged_id = e.record_id and e.type = m.kind || '.deleted';
delete from merges;

-- Processes of the release before still insert into the table when they merge. A later release drops it.
create function merges_left_out() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger merges_left_out before insert on merges for each row execute function merges_left_out();
