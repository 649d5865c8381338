import type { ServiceBroker } from "moleculer";
import { v7 } from "uuid";
import type { Caller } from "../../lib/caller.ts";
import { type Catalog, loadCatalog, type Query } from "../../lib/catalog.ts";
import { type Database, run } from "../../lib/database.ts";
import { toId } from "../../lib/ids.ts";
import { applyPlans } from "../../lib/records/apply.ts";
import type { Plan } from "../../lib/records/draft.ts";
import type { Resource } from "../../lib/resource.ts";
import { companies } from "../../lib/resources/companies.ts";
import { objects } from "../../lib/resources/objects.ts";
import { people } from "../../lib/resources/people.ts";
import { insertUsers } from "../../services/groups/users.queries.ts";
import { insertWorkspace } from "../../services/groups/workspaces.queries.ts";
import { companyPlan, dealPlan, personPlan, type Surroundings } from "./material.ts";

/** What requests can name in the workspace that was filled. */
export interface Seeded extends Surroundings {
  /** A key of the caller. */
  key: string;
  caller: Caller;
  groupId: string;
  people: string[];
}

const USERS = 5;
/** Ids tell when a record was made: the people of the workspace were made in the course of these days. */
const DAYS = 700;
const DAY_MS = 86_400_000;
const CHUNK = 2000;
/** Two connections fill two cores. */
const WRITERS = 2;

const FIELDS = [
  { name: "Note", type: "textField" },
  { name: "Score", type: "numericField" },
  { name: "Renewal", type: "dateField" },
  { name: "Stage", type: "singleSelect", options: ["Lead", "Talk", "Offer", "Won", "Lost"].map((label) => ({ label })) },
  { name: "Tags", type: "multipleSelect", options: [..."ABCDEFGHIJ"].map((letter) => ({ label: `Tag ${letter}` })) },
  { name: "Owner", type: "userField" },
  { name: "Contact", type: "contactField" },
  { name: "Deal", type: "objectField" },
] as const;

/**
 * A workspace with two groups, a field of every type, companies, deals, and as many people as asked for. All are in the
 * first group, every tenth in the second. What is written is what lib/records writes, by its own statements.
 */
export async function seed(database: Database, broker: ServiceBroker, count: number): Promise<Seeded> {
  const query: Query = (sql, values) => database.read(sql, values);
  const workspace = await insertWorkspace(query, "bench", "Bench");
  const users = await insertUsers(
    query,
    workspace.id,
    Array.from({ length: USERS }, (_, i) => ({
      email: `user${i}@example.test`,
      fullName: `User Number ${i}`,
      role: "admin" as const,
    })),
  );
  const caller: Caller = { workspaceId: workspace.id, userId: users[0] ?? "", keyId: "", access: "full" };
  const { key } = await broker.call<{ key: string }, object>("keys.create", {
    workspace: workspace.slug,
    email: "user0@example.test",
  });
  const groups = [await makeGroup(broker, caller, "Customers"), await makeGroup(broker, caller, "Partners")];
  const groupId = groups[0] ?? "";
  const call = (entityType: string, body: object) =>
    broker.call("custom-fields.create", { groupId, entityType, body }, { meta: { caller } });
  // The first field of a type of objects makes the type.
  await call("Deal", { name: "Volume", type: "numericField" });
  for (const field of FIELDS) await call("person", field);

  const catalog = await loadCatalog(query, workspace.id);
  const [group, second] = [...(catalog?.groups.values() ?? [])];
  if (!catalog || !group || !second) throw new Error("The groups of the bench are missing");
  const ids = (resource: Resource, length: number) => uuids(resource.kind === "person" ? DAYS : DAYS + 1, length);
  const surroundings: Surroundings = {
    group,
    second,
    users,
    companies: ids(companies, Math.max(10, count / 20)),
    deals: ids(objects, Math.max(10, count / 100)),
  };
  const made = ids(people, count);
  const write = (resource: Resource, plans: Plan[]) => writePlans(database, catalog, caller, resource, plans);
  await inChunks(surroundings.companies, (chunk, at) => write(companies, chunk.map((uuid, i) => companyPlan(uuid, at + i))));
  await inChunks(surroundings.deals, (chunk, at) => write(objects, chunk.map((uuid, i) => dealPlan(uuid, at + i, group))));
  await inChunks(made, (chunk, at) => write(people, chunk.map((uuid, i) => personPlan(uuid, at + i, surroundings))));
  // As autovacuum leaves a database that is at rest: statistics are there, GIN indexes have no pending entries.
  await database.knex.raw("vacuum analyze");
  return { ...surroundings, key, caller, groupId, people: made.map((uuid) => toId("person", uuid)) };
}

async function makeGroup(broker: ServiceBroker, caller: Caller, name: string): Promise<string> {
  const body = { name, visibility: "private" };
  const text = await broker.call<string, object>("groups.create", { body }, { meta: { caller } });
  return JSON.parse(text).id;
}

/** Ascending uuids, spread over the days before now. */
function uuids(days: number, count: number): string[] {
  const begin = Date.now() - days * DAY_MS;
  const step = ((days - 1) * DAY_MS) / count;
  return Array.from({ length: Math.floor(count) }, (_, i) => v7({ msecs: Math.floor(begin + i * step) }));
}

async function writePlans(database: Database, catalog: Catalog, caller: Caller, resource: Resource, plans: Plan[]): Promise<void> {
  await database.transaction(async (trx) => {
    // The ids that plans name exist by construction, and a seed that is lost is made again.
    await trx.raw("set local session_replication_role = replica");
    await trx.raw("set local synchronous_commit = off");
    await applyPlans({ query: (sql, values) => run(trx, sql, values), catalog, caller }, resource, plans);
  });
}

async function inChunks<Item>(items: Item[], work: (chunk: Item[], at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const writer = async () => {
    while (next < items.length) {
      const at = next;
      next += CHUNK;
      await work(items.slice(at, at + CHUNK), at);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}
