import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hasCitus } from "../has-citus.ts";
import type { Query } from "../query.ts";
import { schemaStatements, statementsOf } from "./dump.ts";

const EXPECTED = join(import.meta.dirname, "..", "migrations", "schema.sql");

/** Differences between a database and the result of the migrations of this release. */
export interface SchemaDifference {
  /** Missing and wrong parts, each in a few words: `table people: the column nickname is missing`. */
  faults: string[];
  /** Further parts, an index that an administrator has added for example. They do no harm. */
  additions: string[];
}

/**
 * Compares the tables, indexes, functions and triggers of a database with migrations/schema.sql.
 * docs/guides/database.md#doctor
 */
export async function schemaDifference(query: Query): Promise<SchemaDifference> {
  const expected = new Map(statementsOf(readFileSync(EXPECTED, "utf8")).map((text) => [titleOf(text), text]));
  const [row] = await query<{ schema: string | null }>("select current_schema()::text as schema", []);
  const found = new Map<string, string>();
  for (const text of await schemaStatements(query)) {
    const comparable = text.replaceAll(`${row?.schema}.`, "public.");
    found.set(titleOf(comparable), comparable);
  }
  // Those triggers serve processes of the release before, which do not run on Citus.
  const isCitus = await hasCitus(query);
  for (const title of expected.keys()) if (isCitus && title.startsWith("trigger ")) expected.delete(title);
  const faults = [...expected].flatMap(([title, text]) => faultsOf(title, text, found.get(title)));
  const additions = [...found.keys()].filter((title) => !expected.has(title));
  return { faults, additions };
}

/** Title by which a statement is found again in another database: the thing that it makes, without its parts. */
function titleOf(statement: string): string {
  const [line = ""] = statement.split("\n");
  const made = /^(?:CREATE(?: OR REPLACE)?|ALTER) (?:UNIQUE |UNLOGGED )*(\w+) ([^\s(]+)/.exec(line);
  const [, kind = "", name = ""] = made ?? [];
  // A table has one statement for each column whose storage is set.
  const column = /ALTER COLUMN (\S+)/.exec(line)?.[1];
  return `${kind.toLowerCase()} ${name.replace(/^public\./, "")}${column === undefined ? "" : `, storage of ${column}`}`;
}

function faultsOf(title: string, expected: string, found: string | undefined): string[] {
  if (found === undefined) return [`${title} is missing`];
  if (found === expected) return [];
  if (!title.startsWith("table ") || title.includes(",")) return [`${title} is another one`];
  const parts = (text: string) =>
    new Map(
      text
        .split("\n")
        .slice(1, -1)
        .map((line) => [partOf(line), line]),
    );
  const [wanted, there] = [parts(expected), parts(found)];
  const faults = [...wanted].flatMap(([part, line]) => {
    const other = there.get(part);
    if (other === undefined) return [`${title}: the ${part} is missing`];
    return withoutComma(other) === withoutComma(line) ? [] : [`${title}: the ${part} is another one`];
  });
  // A column that was added may be one without which nothing can be inserted.
  const added = [...there.keys()]
    .filter((part) => !wanted.has(part))
    .map((part) => `${title}: the ${part} is not ours`);
  return [...faults, ...added];
}

function partOf(line: string): string {
  const [first = "", second = ""] = withoutComma(line).trim().split(" ");
  return first === "CONSTRAINT" ? `constraint ${second}` : `column ${first}`;
}

function withoutComma(line: string): string {
  return line.replace(/,$/, "");
}
