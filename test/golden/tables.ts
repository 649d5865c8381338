import { createHash } from "node:crypto";
import type { TestDatabase } from "../support/database.ts";

/** Rows of a table that are written down in full. The rows after them are written down as one hash. */
const ROWS_SHOWN = 40;
/** Different in every run, or told by no command. */
const NOT_COMPARED = ["event_log", "migrations", "migrations_lock", "request_logs", "settings"];
/** Numbers by which processes of the server divide their work, and what depends on random ids. */
const LEFT_OUT = /"(?:position|seq|event_position|room|since_seq|fingerprint)":("[^"]*"|-?\d+),?/g;

/** Rows of all tables that belong to these workspaces, or of all workspaces, in an order that does not depend on ids. */
export async function tablesOf(
  { database }: Pick<TestDatabase, "database">,
  normal: (text: string) => string,
  slugs?: string[],
): Promise<string> {
  const tables = await database.read<{ name: string; hasWorkspace: boolean }>(
    `select t.table_name as name, bool_or(c.column_name = 'workspace_id') as "hasWorkspace"
     from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
     where t.table_schema = 'public' and t.table_type = 'BASE TABLE' group by 1 order by 1`,
    [],
  );
  const read = tables
    .filter(({ name, hasWorkspace }) => !NOT_COMPARED.includes(name) && (hasWorkspace || name === "workspaces"))
    .map(({ name }) => {
      const id = name === "workspaces" ? "id" : "workspace_id";
      return `select '${name}' as name, row_to_json(t)::text as line from "${name}" t
        where $1::text[] is null or ${id} in (select id from workspaces where slug = any($1))`;
    });
  const rows = await database.read<{ name: string; line: string }>(read.join(" union all "), [slugs ?? null]);
  const lines = new Map<string, string[]>();
  for (const { name, line } of rows) lines.set(name, [...(lines.get(name) ?? []), plain(name, line)]);
  return [...lines]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, of]) => shown(name, of, normal))
    .join("\n");
}

/** A row without nulls, and without what differs from run to run other than ids and times. */
function plain(name: string, line: string): string {
  const row = Object.entries(JSON.parse(line)).filter(([, value]) => value !== null);
  const text = JSON.stringify(Object.fromEntries(row))
    .replace(/"\\\\x[0-9a-f]*"/g, '"<bytes>"')
    .replace(/"durationMs":\d+/g, '"durationMs":0')
    .replace(/"(prefix|redacted_secret)":"[^"]*"/g, '"$1":"…"');
  return /^(events|outbox|deliveries|webhook_queues|webhooks|idempotency_keys)$/.test(name)
    ? text.replace(LEFT_OUT, "")
    : text;
}

function shown(name: string, lines: string[], normal: (text: string) => string): string[] {
  const sorted = lines
    .map((line) => ({ line, key: line.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, "#") }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.line < b.line ? -1 : 1))
    .map(({ line }) => normal(line));
  const behind = sorted.slice(ROWS_SHOWN);
  const rest = createHash("sha256").update(behind.join("\n")).digest("hex").slice(0, 16);
  return [
    `--- ${name}: ${lines.length}`,
    ...sorted.slice(0, ROWS_SHOWN),
    ...(behind.length > 0 ? [`and ${behind.length} more: ${rest}`] : []),
  ];
}
