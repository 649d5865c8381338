import type { ServiceBroker } from "moleculer";
import type { Env } from "../config/env.ts";
import type { Caller } from "../lib/contract/caller.ts";
import type { Database } from "../lib/database/database.ts";
import { DEMO_COMPANIES, DEMO_PEOPLE, DEMO_SLUG, DEMO_USER, DEMO_WORKSPACE } from "./demo-records.ts";

const MARK = "demo";

interface ImportTarget {
  caller: Caller;
  group: { id: string };
}

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

/**
 * Makes the workspace through the services' own actions, all of which find what an earlier attempt has left. A key of such
 * an attempt was never told to anybody: it is revoked.
 */
async function createDemo(broker: ServiceBroker, env: Env): Promise<string[]> {
  await broker.call("workspaces.apply", { documents: [DEMO_WORKSPACE] });
  await writeRows(broker, "companies", "Customers", DEMO_COMPANIES);
  await writeRows(broker, "people", "Sales", DEMO_PEOPLE);
  const { keys }: { keys: { id: string }[] } = await broker.call("keys.list", { workspace: DEMO_SLUG });
  for (const { id } of keys) await broker.call("keys.revoke", { keyId: id });
  const { key }: { key: string } = await broker.call("keys.create", { workspace: DEMO_SLUG, email: DEMO_USER });
  return [
    `API key: ${key}`,
    `curl -s -H "Authorization: Bearer ${key}" ${env.publicUrl}/v1/people`,
    `Docs: ${env.publicUrl}/docs`,
  ];
}

async function writeRows(
  broker: ServiceBroker,
  what: "people" | "companies",
  group: string,
  rows: unknown[],
): Promise<void> {
  const kind = what === "people" ? "person" : "company";
  const target: ImportTarget = await broker.call("workspaces.importTarget", {
    workspace: DEMO_SLUG,
    group,
    kind,
    user: DEMO_USER,
  });
  const params = { groupId: target.group.id, match: "email", dryRun: false, rows };
  await broker.call(`${what}-import.write`, params, { meta: { caller: target.caller } });
}

async function setMark(database: Database, state: "begun" | "made"): Promise<void> {
  await database
    .knex("settings")
    .insert({ name: MARK, value: JSON.stringify(state) })
    .onConflict("name")
    .merge();
}
