import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type Access, askJson } from "../../harness/api.ts";
import { pick } from "../pick.ts";
import {
  companyBody,
  companyOf,
  dealBody,
  type Ids,
  nativeBody,
  personBody,
  personOf,
  plainPerson,
  type Sizes,
  sizesOf,
} from "./content.ts";
import type { Side } from "./side.ts";
import { DEALS, PARTNERS, userEmail, WORKSPACE, writeWorkspaceFile } from "./workspace.ts";

/** What a side holds: ids by the place of the record, which mean the same on both sides. */
export interface Contents extends Ids {
  key: string;
  sizes: Sizes;
  /** The day in UTC on which the first of its records were made. */
  day: string;
}

/** Records as they are, or only what they have without groups: native fields and companies. */
export type Filling = "whole" | "native";

export type Note = (text: string) => void;

const BATCH = 100;
const AT_ONCE = 3;
const PROGRESS_MS = 10_000;
const OWN_CODE = ["content.ts", "names.ts", "workspace.ts"].map((name) => join(import.meta.dirname, name));

/**
 * Fills a side by its API, or gives what an earlier run has filled.
 * @throws Error when the folder holds something else than this run would make
 */
export async function contentsOf(
  side: Side,
  people: number,
  note: Note,
  filling: Filling = "whole",
): Promise<Contents> {
  const file = join(side.folder, "contents.json");
  const made = { people, filling, storage: hashOf(migrationsOf(side.root)), code: hashOf(OWN_CODE) };
  if (existsSync(file)) return keptContents(file, made);
  if (!side.fresh)
    throw new Error(`${side.folder} was left in the midst of being filled, or holds something else: delete it.`);
  const contents = await fill(side, sizesOf(people), filling, (text) => note(`${side.name}: ${text}`));
  writeFileSync(file, JSON.stringify({ made, contents }));
  return contents;
}

/**
 * As autovacuum leaves a database that is at rest: statistics are there, GIN indexes have no pending entries. Tables
 * that it does not look at for new rows are analyzed only.
 */
export async function vacuum({ url }: Side): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ tables: string }>(VACUUMED);
    await client.query(`vacuum ${rows[0]?.tables}`);
    await client.query("analyze");
    await client.query("checkpoint");
  } finally {
    await client.end();
  }
}

const VACUUMED = `
select string_agg(quote_ident(relname), ', ') as tables from pg_class
where relkind = 'r' and relnamespace = current_schema()::regnamespace
  and not coalesce(reloptions @> array['autovacuum_vacuum_insert_threshold=-1'], false)`;

/** Makes plain people and gives their ids, for writes that use them up. */
export async function makePlain(server: Access, contents: Contents, count: number): Promise<string[]> {
  const mark = `fresh.${Date.now().toString(36)}`;
  return makeAll(server, "/v1/people", count, (n) => personBody(plainPerson(n, `${mark}.${n}`), contents));
}

function keptContents(file: string, wanted: object): Contents {
  const { made, contents } = JSON.parse(readFileSync(file, "utf8")) as { made: object; contents: Contents };
  if (JSON.stringify(made) === JSON.stringify(wanted)) return contents;
  throw new Error(
    `${file} tells of other content or another storage (${JSON.stringify(made)}, now ${JSON.stringify(wanted)}): delete its folder.`,
  );
}

async function fill(side: Side, sizes: Sizes, filling: Filling, note: Note): Promise<Contents> {
  const day = new Date().toISOString().slice(0, 10);
  const { workspaces } = JSON.parse(await side.command(["apply", writeWorkspaceFile(side.folder), "--json"]));
  const owner = ["--workspace", WORKSPACE, "--user", userEmail(0)];
  const { key } = JSON.parse(await side.command(["keys", "create", ...owner, "--json"]));
  const idOf = ({ id }: { id: string }): string => id;
  const [{ users, groups }] = workspaces;
  const ids: Ids = { users: users.map(idOf), groups: groups.map(idOf), people: [], companies: [], deals: [] };
  const server = await side.serve();
  try {
    const make = (path: string, count: number, body: (n: number) => object): Promise<string[]> =>
      makeAll({ port: server.port, key }, path, count, body, note);
    const whole = filling === "whole";
    const deals = `/v1/groups/${pick(ids.groups, PARTNERS)}/${DEALS}`;
    const person = whole ? personBody : nativeBody;
    ids.companies = await make("/v1/companies", sizes.companies, whole ? (n) => companyBody(n, ids) : companyOf);
    if (whole) ids.deals = await make(deals, sizes.deals, (n) => dealBody(n, sizes, ids));
    ids.people = await make("/v1/people", sizes.people, (n) => person(personOf(n, sizes), ids));
  } finally {
    await server.stop();
  }
  return { ...ids, key, sizes, day };
}

/** Makes records by batches, several at once, and gives their ids in the order of their places. */
async function makeAll(
  at: Access,
  path: string,
  count: number,
  body: (n: number) => object,
  note: Note = () => undefined,
): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  let told = performance.now();
  const maker = async () => {
    while (next < count) {
      const from = next;
      next = Math.min(count, from + BATCH);
      const records = Array.from({ length: next - from }, (_, i) => body(from + i));
      for (const [i, id] of (await makeBatch(at, path, records)).entries()) ids[from + i] = id;
      if (performance.now() - told < PROGRESS_MS) continue;
      told = performance.now();
      note(`${next} of ${count} of ${path}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, maker));
  note(`${count} of ${path} are there`);
  return ids;
}

async function makeBatch(at: Access, path: string, records: object[]): Promise<string[]> {
  type Made = { results: { data?: { id: string } }[] };
  const { results } = await askJson<Made>(at, "POST", `${path}/batch/create`, { records });
  return results.map((result) => {
    if (!result.data) throw new Error(`A record of ${path} was refused: ${JSON.stringify(result)}`);
    return result.data.id;
  });
}

/** The migrations of a checkout, which older commits have in another folder. */
function migrationsOf(root: string): string[] {
  const files = globSync("{migrations,database/migrations}/**/*.sql", { cwd: root });
  if (files.length === 0) throw new Error(`${root} has no migrations`);
  return files.sort().map((file) => join(root, file));
}

function hashOf(files: string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}
