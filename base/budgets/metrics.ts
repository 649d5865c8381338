/** Type and meaning of a metric, as `# HELP` and the table of docs/guides/monitoring.md#metrics have them. */
interface Metric {
  type: "gauge" | "counter" | "histogram" | "summary";
  help: string;
}

const gauge = (help: string): Metric => ({ type: "gauge", help });
const counter = (help: string): Metric => ({ type: "counter", help });

/**
 * Every metric of the server, in the order in which they are shown. Names follow the rules of Prometheus: the unit at
 * the end, and `_total` for a counter. No label has values that a client could make up.
 */
export const METRICS = {
  contact_workspace_build_info: gauge("always 1; `version` of the server and `node`, that of Node.js"),

  contact_workspace_http_requests_total: counter(
    "requests that are over, by `route` (the pattern of the path), `method` and `status`; 499: the client had gone before the answer",
  ),
  contact_workspace_http_request_duration_seconds: {
    type: "histogram",
    help: "time from the head of a request to the last byte of its answer, by `route` and `method`; without streams",
  },
  contact_workspace_http_requests_in_flight: gauge(
    "requests that have come and are not answered yet, open streams among them",
  ),
  contact_workspace_http_response_bytes_total: counter("bytes of the bodies that were sent, by `encoding`"),
  contact_workspace_http_refusals_total: counter("requests that were refused, and connections, by `reason`"),
  contact_workspace_idempotency_requests_total: counter("requests with an Idempotency-Key, by `outcome`"),
  contact_workspace_assistant_calls_total: counter("calls of tools by assistants, by `tool` and `result`"),
  contact_workspace_access_log_dropped_total: counter(
    "lines of the access log that were dropped because the output was not read",
  ),
  contact_workspace_connections: gauge("connections of clients that are open"),
  contact_workspace_event_streams: gauge("streams of events that are open"),

  contact_workspace_held: gauge("amount in use of each bounded resource, by `what`"),
  contact_workspace_waiting: gauge("requests that wait for a place, by `what`"),
  contact_workspace_refused_total: counter("refusals for lack of room, by `what`"),

  contact_workspace_database_connections: gauge(
    "connections of a `pool` to PostgreSQL, by `state`: busy, idle or opening",
  ),
  contact_workspace_database_connections_max: gauge("maximum number of connections of a `pool`"),
  contact_workspace_database_waiting: gauge("requests that wait for a connection of a `pool`"),
  contact_workspace_database_statements: gauge("statements under way on the shared connection of a `lane`"),

  contact_workspace_bus_connected: gauge(
    "1 while the process is connected to NATS, 0 while it is not; only with `NATS_URL`",
  ),
  contact_workspace_bus_processes: gauge(
    "processes that this one knows on the bus, itself among them, by `version`; only with `NATS_URL`",
  ),
  contact_workspace_bus_processes_out: gauge(
    "processes that get no calls from this one because they hang or fail, as long as others can run them; only with `NATS_URL`",
  ),
  contact_workspace_service_processes: gauge(
    "processes that run a `service`, as far as this one knows; 0: its requests are 503; only with `NATS_URL`",
  ),

  contact_workspace_queue_length: gauge(
    "length of a `queue` of background work in the whole installation, counted up to 10,000 every 15 seconds",
  ),
  contact_workspace_queue_oldest_age_seconds: gauge(
    "time for which the first entry of a `queue` is overdue, read every 15 seconds",
  ),
  contact_workspace_webhook_attempts_total: counter(
    "attempts to send a delivery that this process has made, by `outcome`",
  ),

  contact_workspace_backup_timestamp_seconds: gauge(
    "moment of the last backup that the command `backup` has finished, in seconds since 1970, read every 15 seconds; not there without one",
  ),
  contact_workspace_backup_age_max_seconds: gauge("`BACKUP_AGE_MAX_S`: the age from which on a backup is too old"),

  process_cpu_seconds_total: counter("processor time of the process, user and system"),
  process_resident_memory_bytes: gauge("memory that the process holds"),
  process_start_time_seconds: gauge("start time of the process, in seconds since 1970"),
  nodejs_heap_size_used_bytes: gauge("memory of JavaScript objects"),
  nodejs_heap_size_total_bytes: gauge("memory that is reserved for them"),
  nodejs_external_memory_bytes: gauge("memory of buffers and of what lies beside JavaScript"),
  nodejs_gc_duration_seconds: {
    type: "summary",
    help: "collections of garbage and the time that they took, by `kind`",
  },
  nodejs_eventloop_delay_p99_seconds: gauge("99th percentile of the delay of the event loop since the last reading"),
  nodejs_eventloop_delay_max_seconds: gauge("the longest delay since the last reading"),
  nodejs_eventloop_busy_seconds_total: counter("time in which the event loop worked; its rate is the utilisation"),
  contact_workspace_event_loop_turn_max_seconds: gauge(
    "only with `EVENT_LOOP_GUARD_MS`: the longest time that one request held the event loop in one turn, since the last reading",
  ),
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;

/** The table of docs/guides/monitoring.md#metrics, in Markdown. */
export function metricsTable(): string {
  const rows = Object.entries(METRICS).map(([name, { type, help }]) => `| \`${name}\` | ${type} | ${help} |`);
  return ["| Metric | Type | Meaning |", "|---|---|---|", ...rows].join("\n");
}
