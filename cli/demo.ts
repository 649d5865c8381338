import type { ServiceBroker } from "moleculer";
import type { Env } from "../config/env.ts";
import type { Database } from "../lib/database.ts";

const MARK = "demo";

/**
 * Makes the demo workspace on the very first start of the embedded database, and gives the lines to print: key, curl
 * line, address of the docs. No lines when it was made before, or when somebody has already made a workspace of their own.
 * The mark in the database is set twice, so that a start that is killed in between is made good by the next.
 */
export async function demoOnce(database: Database, broker: ServiceBroker, env: Env): Promise<string[]> {
  const [mark] = await database.read<{ value: string }>("select value from settings where name = $1", [MARK]);
  if (mark?.value === "made") return [];
  if (!mark) {
    const [workspace] = await database.read("select 1 from workspaces limit 1");
    if (workspace) return [];
    await setMark(database, "begun");
  }
  const lines = await createDemo(broker, env);
  await setMark(database, "made");
  return lines;
}

/** To be filled: a workspace with users, groups and records through the services' own actions, made anew or completed. */
async function createDemo(_broker: ServiceBroker, _env: Env): Promise<string[]> {
  return [];
}

async function setMark(database: Database, state: "begun" | "made"): Promise<void> {
  await database
    .knex("settings")
    .insert({ name: MARK, value: JSON.stringify(state) })
    .onConflict("name")
    .merge();
}
