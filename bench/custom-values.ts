/**
 * Measures four ways to store the values of custom fields; `docs/decisions/0003-custom-values.md` rests on it.
 *
 *   node_modules/.bin/node bench/custom-values.ts [--url postgresql://…] [--people 100000] [--runs 25] [--designs C2,E] [--wide]
 *
 * Creates and drops the schema `bench_custom_values` in the database it is given, or starts a PostgreSQL of its own. Prints
 * markdown. Absolute times wander on a shared machine: compare the columns of one run.
 */
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import pg from "pg";
import type { Design } from "./custom-values/design.ts";
import { A } from "./custom-values/design-a.ts";
import { B } from "./custom-values/design-b.ts";
import { C, C_SLIM } from "./custom-values/design-c.ts";
import { D } from "./custom-values/design-d.ts";
import { E, E_BY_WORKSPACE } from "./custom-values/design-e.ts";
import { studyIndexes } from "./custom-values/indexes.ts";
import { measureFilters, measureReads, measureUnvacuumed } from "./custom-values/measure-reads.ts";
import { measureSize } from "./custom-values/measure-size.ts";
import { measureMoreGroups, measureWrites } from "./custom-values/measure-writes.ts";
import type { Scale } from "./custom-values/runs.ts";
import { startServer } from "./custom-values/server.ts";
import { prepare, SCHEMA } from "./custom-values/source.ts";
import { printChapters } from "./custom-values/table.ts";

const { values: options } = parseArgs({
  options: {
    url: { type: "string" },
    people: { type: "string", default: "100000" },
    runs: { type: "string", default: "25" },
    designs: { type: "string", default: "A,B,C,C2,D,E,E2" },
    wide: { type: "boolean", default: false },
  },
});
const SCALE: Scale = { people: Number(options.people), runs: Number(options.runs), wide: options.wide };
const COLUMNS = [A, B, C, C_SLIM, D, E, E_BY_WORKSPACE].filter(({ key }) => options.designs.split(",").includes(key));

async function main(): Promise<void> {
  const server = options.url ? { url: options.url, stop: async () => {} } : await startServer();
  const client = new pg.Client({ connectionString: server.url });
  try {
    await client.connect();
    const version = await client.query("show server_version");
    console.log(`PostgreSQL ${version.rows[0].server_version}, ${SCALE.people} people, ${SCALE.runs} runs\n`);
    await prepare(client, SCALE);
    const expected = new Map<string, string>();
    for (const design of COLUMNS) await measure(client, design, expected);
    printChapters(COLUMNS.map((design) => design.key));
    await client.query(`drop schema ${SCHEMA} cascade`);
  } finally {
    await client.end();
    await server.stop();
  }
}

/** Loads one design, measures it and drops it; `expected` holds the page each filter found in the first design. */
async function measure(client: pg.Client, design: Design, expected: Map<string, string>): Promise<void> {
  const started = performance.now();
  await client.query(design.create);
  for (const statement of design.fill) await client.query(statement.text, statement.params);
  await client.query(`create index person_groups_group on person_groups (workspace_id, group_id, person_id)`);
  for (const index of design.indexes) await client.query(index);
  await client.query("vacuum analyze people");
  await client.query("vacuum analyze person_groups");
  if (design.create.includes("person_values")) await client.query("vacuum analyze person_values");
  console.error(`${design.key}: loaded in ${Math.round(performance.now() - started)} ms`);

  await measureSize(client, design);
  await measureReads(client, design, SCALE);
  await measureFilters(client, design, SCALE, expected);
  if (design === C_SLIM) await studyIndexes(client, SCALE.runs);
  await measureWrites(client, design, SCALE);
  await measureUnvacuumed(client, design, SCALE);
  if (design === D) await measureMoreGroups(client, SCALE.runs);
  await client.query("drop table if exists person_values; drop table person_groups; drop table people");
  console.error(`${design.key}: done in ${Math.round(performance.now() - started)} ms`);
}

await main();
