import { type Sample, showSamples } from "../../../base/budgets/gauges.ts";
import { type Polling, startPolling } from "../../../base/jobs/polling.ts";
import { lastBackupMs } from "../../../database/last-backup.ts";
import type { Query } from "../../../database/query.ts";

/** Interval at which one statement reads the queues, however often metrics are requested. */
const READ_EVERY_MS = 15_000;
/** Maximum that is counted. Counting a longer queue would cost as much as working on it. */
const COUNTED_MAX = 10_000;

interface QueueRow {
  queue: string;
  length: number;
  /** Time in seconds for which the first entry is overdue; null if nothing waits, or if it is not known. */
  ageS: number | null;
}

/**
 * Shows in the metrics what waits in the background of the installation: events whose deliveries are still to be made,
 * deliveries to webhooks that work and to those that fail, reminders, enrichments; and when the last backup was made.
 * Every process of the folder shows the same.
 * docs/guides/monitoring.md#metrics
 */
export function startQueueGauges(query: Query, onFailure: (error: Error) => void): Polling {
  let rows: QueueRow[] = [];
  let backupMs: number | null = null;
  const ends = [
    showSamples("contact_workspace_queue_length", () =>
      rows.map(({ queue, length }): Sample => ({ labels: { queue }, value: length })),
    ),
    showSamples("contact_workspace_queue_oldest_age_seconds", () =>
      rows.flatMap(({ queue, ageS }): Sample[] => (ageS === null ? [] : [{ labels: { queue }, value: ageS }])),
    ),
    showSamples("contact_workspace_backup_timestamp_seconds", () =>
      backupMs === null ? [] : [{ labels: {}, value: backupMs / 1000 }],
    ),
  ];
  const polling = startPolling({
    everyMs: READ_EVERY_MS,
    onFailure,
    async work() {
      rows = await query<QueueRow>(QUEUES, []);
      backupMs = await lastBackupMs(query);
      return false;
    },
  });
  return {
    wake: polling.wake,
    async stop() {
      for (const end of ends) end();
      await polling.stop();
    },
  };
}

/**
 * Each part reads an index from its beginning, and no further than what is counted. An entry has the time of its making
 * in its id, a uuid v7, whose first 48 bits are milliseconds.
 */
const QUEUES = `/* background */
select 'events' as queue,
  (select count(*)::int from (
    select 1 from webhook_progress p cross join lateral (
      select 1 from change_log l where l.workspace_id = p.workspace_id and l.seq > p.through limit ${COUNTED_MAX}) l
    limit ${COUNTED_MAX}) o) as length,
  (select max(greatest(0, extract(epoch from clock_timestamp()) - (('x' || left(replace(l.id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)))::float8
   from webhook_progress p cross join lateral (
     select id from change_log l where l.workspace_id = p.workspace_id and l.seq > p.through order by l.seq limit 1) l) as "ageS"
union all
select 'webhooks_due',
  (select count(*)::int from (select 1 from webhook_queues where due_at <= now() and failing_since is null limit ${COUNTED_MAX}) q),
  (select greatest(0, extract(epoch from now() - due_at))::float8 from webhook_queues
   where due_at is not null and failing_since is null order by due_at limit 1)
union all
select 'webhooks_failing',
  (select count(*)::int from (select 1 from webhook_queues where due_at is not null and failing_since is not null limit ${COUNTED_MAX}) q),
  null
union all
select 'deliveries_pending',
  (select count(*)::int from (select 1 from deliveries where status = 'pending' limit ${COUNTED_MAX}) d),
  null
union all
select 'reminders',
  (select count(*)::int from (select 1 from tasks where next_trigger_at <= now() limit ${COUNTED_MAX}) t),
  (select extract(epoch from now() - next_trigger_at)::float8 from tasks where next_trigger_at <= now()
   order by next_trigger_at limit 1)
union all
select 'enrichments',
  (select count(*)::int from (select 1 from enrichments where due_at is not null limit ${COUNTED_MAX}) e),
  (select greatest(0, extract(epoch from now() - due_at))::float8 from enrichments where due_at is not null order by due_at limit 1)`;
