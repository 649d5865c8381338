import type { ServiceBroker } from "moleculer";
import type { Caller } from "../base/contract/caller.ts";
import type { Env } from "../config/env.ts";
import type { Database } from "../database/database.ts";
import {
  DEMO_COMPANIES,
  DEMO_DEALS,
  DEMO_PEOPLE,
  DEMO_SALES_COMPANIES,
  DEMO_SLUG,
  DEMO_TYPE,
  DEMO_USER,
  DEMO_WORKSPACE,
} from "./demo-records.ts";

const MARK = "demo";

interface ImportTarget {
  caller: Caller;
  group: { id: string };
}

interface Listed {
  id: string;
  name?: string;
  emails?: string[];
}

/**
 * Makes the demo workspace on the very first start of the embedded database, and gives the lines to print: key, curl
 * line, address of the docs. No lines when it was made before, or when somebody has already made a workspace of their
 * own. The mark in the database is set twice, so that a start that is killed in between is made good by the next.
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
 * Creates the workspace through the actions of the services, which find the results of an earlier attempt. The key of
 * such an attempt was never shown, so it is revoked.
 */
async function createDemo(broker: ServiceBroker, env: Env): Promise<string[]> {
  await broker.call("workspaces.apply", { documents: [DEMO_WORKSPACE] });
  await writeRows(broker, "companies", "Customers", DEMO_COMPANIES);
  await writeRows(broker, "companies", "Sales", DEMO_SALES_COMPANIES);
  await writeRows(broker, "people", "Sales", DEMO_PEOPLE);
  await writeDeals(broker);
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
  const target = await targetIn(broker, group, what === "people" ? "person" : "company");
  const params = { groupId: target.group.id, match: "email", dryRun: false, rows };
  await broker.call(`${what}-import.write`, params, { meta: { caller: target.caller } });
}

function targetIn(broker: ServiceBroker, group: string, kind: "person" | "company"): Promise<ImportTarget> {
  return broker.call("workspaces.importTarget", { workspace: DEMO_SLUG, group, kind, user: DEMO_USER });
}

/** Deals with their links, and on those they are linked to the field that leads back. */
async function writeDeals(broker: ServiceBroker): Promise<void> {
  const { caller, group } = await targetIn(broker, "Sales", "person");
  const path = { groupId: group.id, objectType: DEMO_TYPE };
  const list = async (action: string, params: object): Promise<Listed[]> => {
    const page = await broker.call<{ items: string }, object>(action, { ...params, limit: 100 }, { meta: { caller } });
    return JSON.parse(page.items);
  };
  const [people, companies, known] = await Promise.all([
    list("people.list", {}),
    list("companies.list", {}),
    list("objects.list", path),
  ]);
  for (const { name, values, company, people: emails } of DEMO_DEALS) {
    const body = {
      name,
      companies: companies.filter((one) => one.name === company).map(({ id }) => ({ id })),
      people: people.filter((one) => emails.includes(one.emails?.[0] ?? "")).map(({ id }) => ({ id })),
      customFieldValues: values,
    };
    const deal = known.find((one) => one.name === name);
    const [action, own] = deal ? ["objects.update", { objectId: deal.id }] : ["objects.create", {}];
    const { id }: { id: string } = JSON.parse(
      await broker.call(action, { ...path, ...own, body }, { meta: { caller } }),
    );
    const back = { [DEMO_TYPE]: [{ id }] };
    await writeRows(broker, "companies", "Sales", [{ fields: { name: company }, values: back }]);
    const rows = emails.map((email) => ({ fields: { emails: [email] }, values: back }));
    await writeRows(broker, "people", "Sales", rows);
  }
}

async function setMark(database: Database, state: "begun" | "made"): Promise<void> {
  await database
    .knex("settings")
    .insert({ name: MARK, value: JSON.stringify(state) })
    .onConflict("name")
    .merge();
}
