/**
 * Measures ways to store the values of custom fields; `docs/decisions/0003-custom-values.md` rests on it.
 *
 *   node_modules/.bin/node bench/custom-values.ts [--url postgresql://…] [--people 100000] [--runs 25] [--designs C2,E] [--wide]
 *
 * Creates and drops schemas `bench_custom_values…` in the database it is given, or starts a PostgreSQL of its own. Prints
 * markdown. Absolute times wander on a shared machine: compare the columns of one run.
 */
import { performance } from "node:perf_hooks";
import pg from "pg";
import { readOptions } from "../scripts/options.ts";
import type { Design } from "./custom-values/design.ts";
import { A } from "./custom-values/design-a.ts";
import { B } from "./custom-values/design-b.ts";
import { C, C_SLIM } from "./custom-values/design-c.ts";
import { D } from "./custom-values/design-d.ts";
import { E, E_BY_WORKSPACE } from "./custom-values/design-e.ts";
import { F, F_JSONB, F_SEARCH_ON_ROW } from "./custom-values/design-f.ts";
import { studyIndexes } from "./custom-values/indexes.ts";
import { measureFilters, measureReads, measureSearch, measureUnvacuumed } from "./custom-values/measure-reads.ts";
import { measureSize } from "./custom-values/measure-size.ts";
import { measureMoreGroups, measureWrites } from "./custom-values/measure-writes.ts";
import type { Loaded, Scale } from "./custom-values/runs.ts";
import { startServer } from "./custom-values/server.ts";
import { prepare, SCHEMA } from "./custom-values/source.ts";
import { printChapters } from "./custom-values/table.ts";

const options = readOptions("node bench/custom-values.ts", {
  url: { type: "string" },
  people: { type: "string", default: "100000" },
  runs: { type: "string", default: "25" },
  designs: { type: "string", default: "A,B,C,C2,D,E,E2,F,F2,F3" },
  wide: { type: "boolean", default: false },
});
const SCALE: Scale = { people: Number(options.people), runs: Number(options.runs), wide: options.wide };
const DESIGNS = [A, B, C, C_SLIM, D, E, E_BY_WORKSPACE, F, F_JSONB, F_SEARCH_ON_ROW].filter(({ key }) =>
  options.designs.split(",").includes(key),
);

async function main(): Promise<void> {
  const server = options.url ? { url: options.url, stop: async () => {} } : await startServer();
  const source = await connect(server.url);
  const designs: Loaded[] = [];
  try {
    const version = await source.query("show server_version");
    console.log(`PostgreSQL ${version.rows[0].server_version}, ${SCALE.people} people, ${SCALE.runs} runs\n`);
    await dropSchemas(source);
    await prepare(source, SCALE);
    for (const design of DESIGNS) {
      const loaded = { design, client: await connect(server.url) };
      designs.push(loaded);
      await load(loaded);
    }
    await measureAll(designs, source);
    printChapters(DESIGNS.map((design) => design.key));
    await dropSchemas(source);
  } finally {
    for (const { client } of designs) await client.end();
    await source.end();
    await server.stop();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // All work is done by the process whose CPU time is measured.
  await client.query("set max_parallel_workers_per_gather = 0; set client_min_messages = warning");
  return client;
}

const schemaOf = ({ key }: Design) => `${SCHEMA}_${key.toLowerCase()}`;

/** One by one, since one transaction has not locks enough for all. */
async function dropSchemas(client: pg.Client): Promise<void> {
  for (const schema of [...DESIGNS.map(schemaOf), SCHEMA])
    await client.query(`drop schema if exists ${schema} cascade`);
}

async function load({ client, design }: Loaded): Promise<void> {
  const started = performance.now();
  const schema = schemaOf(design);
  await client.query(`create schema ${schema}; set search_path = ${schema}, ${SCHEMA}, public`);
  await client.query(design.create);
  // Foreign keys need no checks here, since all comes from the same source.
  await client.query("set session_replication_role = replica; set maintenance_work_mem = '1GB'");
  for (const statement of design.fill) await client.query(statement.text, statement.params);
  for (const index of [...indexesOfAll(design), ...design.indexes]) await client.query(index);
  await client.query("reset session_replication_role; reset maintenance_work_mem");
  for (const [, table] of design.create.matchAll(/create table (\w+)/g)) {
    // With a larger sample designs that have the same rows of values get the same plans.
    await client.query(`set default_statistics_target = ${table === "person_values" ? 1000 : 100}`);
    await client.query(`vacuum analyze ${table}`);
  }
  console.error(`${design.key}: loaded in ${Math.round(performance.now() - started)} ms`);
}

async function measureAll(designs: Loaded[], source: pg.Client): Promise<void> {
  for (const loaded of designs) await measureSize(loaded);
  await measureReads(designs, SCALE);
  await measureFilters(designs, SCALE);
  await measureSearch(designs, SCALE);
  const slim = designs.find(({ design }) => design === C_SLIM);
  if (slim) await studyIndexes(slim, source, SCALE.runs);
  await measureWrites(designs, source, SCALE);
  await measureUnvacuumed(designs, SCALE);
  const perField = designs.find(({ design }) => design === D);
  if (perField) await measureMoreGroups(perField, source, SCALE.runs);
}

/** The indexes that every design has: from groups and companies to people, and those for native texts. */
const indexesOfAll = ({ search }: Design) => [
  "create index person_groups_group on person_groups (workspace_id, group_id, person_id)",
  "create index person_companies_company on person_companies (workspace_id, company_id, person_id)",
  "create index people_created_by on people (workspace_id, created_by, id)",
  `create index ${search}_text_keys on ${search} using gin (workspace_id, text_keys) with (gin_pending_list_limit = 256)`,
  `create index ${search}_folded on ${search} using gin (workspace_id, folded_texts gin_trgm_ops) with (gin_pending_list_limit = 1024)`,
];

await main();
