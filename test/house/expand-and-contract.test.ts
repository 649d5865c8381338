import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import released from "../../database/migrations/checksums.json" with { type: "json" };
import { type Migration, migrations } from "../../database/migrations/index.ts";

const DATABASE = join(import.meta.dirname, "..", "..", "database");
/** Migrations up to this one came with the first release, so no release before it has to run with them. */
const FIRST_RELEASE = "0021-periods";

/** Statements after which an older release may fail, or may write what a newer one does not expect. */
const CONTRACTING: [title: string, statement: RegExp][] = [
  ["drop", /\bdrop\b/i],
  ["rename", /\brename\b/i],
  ["set not null", /\bset\s+not\s+null\b/i],
  ["alter column type", /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/i],
  ["not null without default", /\badd\s+column\b(?![^,;]*\b(?:default|generated)\b)[^,;]*\bnot\s+null\b/i],
  ["a further rule for writers", /\badd\s+(?:constraint|check|unique|foreign|primary|exclude)\b|\bunique\s+index\b/i],
];

/** A migration as the rules see it. */
type Judged = Pick<Migration, "name" | "runsWith"> & { sql: string };

/**
 * Rules that a migration breaks. docs/additions.md#expand-then-contract
 * @param before names of all migrations before it, in their order
 * @param releaseBefore the last migration of the release before; null: the migration is released
 */
function faultsOf({ name, runsWith, sql }: Judged, before: readonly string[], releaseBefore: string | null): string[] {
  const statements = statementsOnOldTables(sql);
  const contractions = CONTRACTING.filter(([, statement]) => statement.test(statements)).map(([title]) => title);
  const says = /^-- Contracts: \S/m.test(sql);
  if (runsWith === null) return ['needs a line "-- Runs with: NAME"'];
  if (![...before, name].includes(runsWith)) return [`runs with ${runsWith}, which is no migration before it`];
  if (contractions.length > 0 && !says)
    return [
      `has ${contractions.join(", ")}, and no line "-- Contracts: …" that says what the release before does without`,
    ];
  if (!says && releaseBefore !== null && runsWith > releaseBefore)
    return [`runs with ${runsWith}, so the release before, with ${releaseBefore}, may not run on it`];
  return [];
}

/** The statements of a migration without comments, and without those about tables that it has made itself. */
function statementsOnOldTables(sql: string): string {
  const text = sql.replaceAll(/--.*/g, "");
  const made = [...text.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(\w+)/gi)].map(([, table = ""]) => table);
  const isAboutNew = (statement: string) =>
    made.some((table) => new RegExp(`\\b(?:table|on)\\s+${table}\\b`, "i").test(statement));
  return text
    .split(";")
    .filter((statement) => !isAboutNew(statement))
    .join(";");
}

function sqlOf({ place }: Migration): string {
  const path = join(DATABASE, place);
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .map((file) => join(path, file))
    : [path];
  return files.map((file) => readFileSync(file, "utf8")).join("\n");
}

it("every migration says with which servers it runs, and contracts only what the release before does without", () => {
  const names = migrations.map(({ name }) => name);
  const [newest = ""] = [FIRST_RELEASE, ...Object.keys(released)].sort().reverse();
  const faults = migrations
    .filter(({ name }) => name > FIRST_RELEASE)
    .flatMap((migration) => {
      const judged = { ...migration, sql: sqlOf(migration) };
      const before = names.slice(0, names.indexOf(migration.name));
      return faultsOf(judged, before, migration.name in released ? null : newest).map((fault) => [
        migration.name,
        fault,
      ]);
    });
  expect(faults).toEqual([]);
});

describe("the rules for migrations (docs/additions.md#expand-then-contract)", () => {
  const judge = (runsWith: string | null, sql: string) =>
    faultsOf({ name: "0003-c", runsWith, sql }, ["0001-a", "0002-b"], "0001-a");

  it.each([
    ["a table", "create table people_walks (workspace_id uuid not null, primary key (workspace_id))"],
    ["a column that takes null", "alter table people add column nickname text"],
    ["a column with a default", "alter table people add column nickname text not null default '', add column b int"],
    ["a rule for a new table", "create table walks (a int, b int); create unique index walks_a on walks (a)"],
    ["an index", "create index people_nickname on people (workspace_id, nickname) -- Nothing is dropped."],
  ])("take %s", (_what, sql) => {
    expect(judge("0001-a", sql)).toEqual([]);
  });

  it.each([
    ["drop", "drop table people_walks"],
    ["drop", "alter table people drop column nickname"],
    ["drop", "drop function folded"],
    ["rename", "alter table people rename column nickname to alias"],
    ["set not null", "alter table people alter column nickname set not null"],
    ["alter column type", "alter table people alter column nickname type varchar"],
    ["not null without default", "alter table people add column a int default 1, add column nickname text not null"],
    ["a further rule for writers", "create unique index people_nickname on people (workspace_id, nickname)"],
  ])("find %s in: %s", (title, sql) => {
    expect(judge("0001-a", sql)).toEqual([expect.stringContaining(`has ${title}, and no line "-- Contracts: …"`)]);
    expect(judge("0001-a", `-- Contracts: nothing uses it since 0.1.0\n${sql}`)).toEqual([]);
    expect(judge("0003-c", `-- Contracts: it is in use\n${sql}`)).toEqual([]);
  });

  it("want the release before to run on a migration that contracts nothing", () => {
    expect(judge("0002-b", "select 1")).toEqual([expect.stringContaining("the release before, with 0001-a, may not")]);
    expect(judge(null, "select 1")).toEqual([expect.stringContaining("Runs with")]);
    expect(judge("0009-z", "select 1")).toEqual([expect.stringContaining("no migration before it")]);
  });
});
