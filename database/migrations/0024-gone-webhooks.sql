-- Runs with: 0021-periods
-- The queue of a deleted webhook stays until its deliveries are deleted, in small steps. Processes of the release before delete the
-- queue at once, and their sweep deletes the deliveries. What it leaves when they are stopped goes with its period.
alter table webhook_queues add column is_gone boolean not null default false;
create index webhook_queues_gone on webhook_queues (workspace_id) where is_gone;
-- Queues that were made while their workspace was being removed.
update webhook_queues q set is_gone = true, due_at = null, made_through = null
where not exists (select from webhooks w where w.workspace_id = q.workspace_id and w.id = q.webhook_id);
