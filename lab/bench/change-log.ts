/**
 * Measures the log of changes: how many bytes each kind of change takes, and what its indexes by record, by request and
 * of deletions cost.
 *
 *   node_modules/.bin/node lab/bench/change-log.ts [--changes 2000] [--rounds 8]
 *
 * Starts a PostgreSQL and a server of its own and prints markdown. Times wander on a shared machine.
 */
import { randomUUID } from "node:crypto";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import { type Database, openDatabase, run } from "../../database/database.ts";
import { appendToLog } from "../../engine/events/append.ts";
import type { LogEntry } from "../../model/log.ts";
import { readOptions } from "../../scripts/options.ts";
import { type Access, askJson } from "../harness/api.ts";
import { startPostgres } from "../harness/postgres.ts";
import { postgresCpuMs } from "../harness/processes.ts";
import { startServer } from "../harness/server-process.ts";
import { startWorld } from "../harness/world.ts";
import { pick } from "./pick.ts";

const options = readOptions("node lab/bench/change-log.ts", {
  changes: { type: "string", default: "2000" },
  rounds: { type: "string", default: "8" },
});
const [changes = 0, rounds = 0] = [options.changes, options.rounds].map(Number);

const BATCH = 100;
const RECORDS = 100_000;
/** Records that are changed at random, so that the index by record is entered at any place. */
const records = Array.from({ length: RECORDS }, () => randomUUID() as Uuid);
const PARTS = ["change_log_record", "change_log_request", "change_log_deletions"] as const;

const postgres = await startPostgres({ durable: true });
const server = await startServer({ DATABASE_URL: postgres.url, RATE_LIMITS: "off", LOG_LEVEL: "warn" });
const database = await openDatabase(postgres.url);
const world = await startWorld(database);
try {
  const workspace = await world.workspace();
  const access: Access = { port: server.port, key: workspace.ada.key };
  print(await bytesPerChange(access));
  print(await costOfIndexes(workspace.uuid));
} finally {
  await world.stop();
  await database.close();
  await server.stop();
  await postgres.stop();
}

function print(lines: string[]): void {
  console.log(`${lines.join("\n")}\n`);
}

/** Bytes of the log: of its rows with what `more` is of them, and of its indexes, the three younger ones by name. */
type Sizes = Record<"entries" | "rows" | "more" | "texts" | "indexes" | (typeof PARTS)[number], number>;

async function sizes(): Promise<Sizes> {
  const [rows = {}] = await database.read<Record<string, string>>(
    `select count(*) as entries, coalesce(sum(pg_column_size(l.*)), 0) as rows,
       coalesce(sum(pg_column_size(l.more)), 0) as more, (select coalesce(sum(pg_column_size(t.*)), 0) from log_texts t) as texts
     from change_log l`,
  );
  const indexes = await database.read<{ name: string; bytes: string }>(
    `select p.relname as name, sum(pg_relation_size(h.inhrelid)) as bytes
     from pg_index i join pg_class p on p.oid = i.indexrelid join pg_inherits h on h.inhparent = p.oid
     where i.indrelid = 'change_log'::regclass group by 1`,
  );
  const younger = Object.fromEntries(
    PARTS.map((part) => [part, Number(indexes.find(({ name }) => name === part)?.bytes ?? 0)]),
  );
  const all = indexes.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  const numbers = Object.fromEntries(Object.entries(rows).map(([name, value]) => [name, Number(value)]));
  return { ...numbers, ...younger, indexes: all } as Sizes;
}

/** Makes changes of each kind by the API, and tells by how many bytes for each of them the log has grown. */
async function bytesPerChange(access: Access): Promise<string[]> {
  const lines = [
    "| change | entries | bytes of the row | of it `more` | long texts | indexes | of them by record | by request | deletions |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
  ];
  const measure = async (name: string, count: number, work: () => Promise<void>) => {
    const before = await sizes();
    await work();
    const after = await sizes();
    const grown = (part: keyof Sizes) => Math.round((after[part] - before[part]) / count);
    const cells = ["rows", "more", "texts", "indexes", ...PARTS] as const;
    lines.push(
      `| ${name} | ${((after.entries - before.entries) / count).toFixed(1)} | ${cells.map(grown).join(" | ")} |`,
    );
  };
  const ids: string[] = [];
  const each = async (work: (id: string, i: number) => Promise<unknown>) => {
    for (const [i, id] of ids.entries()) await work(id, i);
  };
  await measure("create a person", changes, async () => {
    for (let i = 0; i < changes; i += 1)
      ids.push((await askJson<{ id: string }>(access, "POST", "/v1/people", person(i))).id);
  });
  await measure("change one field", changes, () =>
    each((id, i) => askJson(access, "PATCH", `/v1/people/${id}`, { jobTitle: `Keeper of the keys ${i}` })),
  );
  await measure("batch update, two fields of each", changes, async () => {
    for (let i = 0; i < ids.length; i += BATCH) {
      const records = ids.slice(i, i + BATCH).map((id) => ({ id, jobTitle: "Pilot", description: "Flies." }));
      await askJson(access, "POST", "/v1/people/batch/update", { records });
    }
  });
  await measure("write a note of 1,000 characters", changes, () =>
    each((id) =>
      askJson(access, "POST", "/v1/notes", { entity: { id }, content: "Words ".repeat(167), visibility: "public" }),
    ),
  );
  await measure("merge two", changes / 4, async () => {
    for (let i = 0; i < changes / 2; i += 2)
      await askJson(access, "POST", `/v1/people/${ids[i]}/merge`, { records: [{ id: ids[i + 1] }] });
  });
  await measure("delete, with a note", changes / 2, async () => {
    for (const id of ids.slice(changes / 2)) await askJson(access, "DELETE", `/v1/people/${id}`);
  });
  return lines;
}

function person(i: number): object {
  return {
    fullName: `Grace Hopper ${i}`,
    jobTitle: "Keeper of the keys",
    emails: [`grace.${i}@example.com`],
    phones: [`+1 202 555 ${String(i).padStart(4, "0")}`],
    companies: [{ name: `Company ${i % 100}` }],
  };
}

function entry(): LogEntry {
  const recordId = pick(records, Math.floor(Math.random() * RECORDS));
  const change = { path: ["jobTitle"], before: "Captain of Industry", after: "Keeper of the Keys" };
  return { type: "person.updated", recordId, body: { groups: [], changes: [change] } };
}

async function append(target: Database, workspaceId: Uuid, count: number): Promise<void> {
  const origin = { workspaceId, requestId: newUuid() };
  await target.transaction((trx) =>
    appendToLog((...statement) => run(trx, ...statement), origin, Array.from({ length: count }, entry)),
  );
}

/**
 * CPU time of PostgreSQL for an entry with all indexes and without the younger three, in turns. One writer appends, so that
 * nothing waits.
 */
async function costOfIndexes(workspaceId: Uuid): Promise<string[]> {
  const drop = PARTS.map((part) => `drop index ${part}`).join("; ");
  const definitions = await database.read<{ sql: string }>(
    "select pg_get_indexdef(name::regclass) as sql from unnest($1::text[]) name",
    [[...PARTS]],
  );
  const make = definitions.map(({ sql }) => sql).join("; ");
  const lines = [
    "| entries in a transaction | CPU µs for each with the indexes | without | difference |",
    "|---:|---:|---:|---:|",
  ];
  for (const count of [1, BATCH]) {
    const [full, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      full.push(await timeOf(workspaceId, count));
      await database.knex.raw(drop);
      bare.push(await timeOf(workspaceId, count));
      await database.knex.raw(make);
    }
    const [one, other] = [median(full), median(bare)];
    lines.push(`| ${count} | ${one.toFixed(1)} | ${other.toFixed(1)} | ${(one - other).toFixed(1)} |`);
  }
  return lines;
}

/** CPU time of PostgreSQL for an entry, in microseconds, the commit included. */
async function timeOf(workspaceId: Uuid, count: number): Promise<number> {
  const transactions = Math.ceil((2 * changes) / Math.sqrt(count));
  const before = postgresCpuMs(postgres.pid());
  for (let i = 0; i < transactions; i += 1) await append(database, workspaceId, count);
  return ((postgresCpuMs(postgres.pid()) - before) * 1000) / (transactions * count);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
