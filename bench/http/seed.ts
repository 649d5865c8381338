import type { ServiceBroker } from "moleculer";
import { v7 } from "uuid";
import type { Caller } from "../../base/contract/caller.ts";
import { toId, type Uuid } from "../../base/values/ids.ts";
import { type Database, run } from "../../database/database.ts";
import { asWrite, type Query } from "../../database/query.ts";
import { applyPlans } from "../../engine/records/apply.ts";
import type { Plan } from "../../engine/records/draft.ts";
import { pick } from "../../lab/bench/pick.ts";
import { type Catalog, loadCatalog } from "../../model/definitions/catalog.ts";
import { companies } from "../../model/resources/companies.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { insertUsers } from "../../services/workspaces/users/users.queries.ts";
import { insertWorkspace, workspaceBySlug } from "../../services/workspaces/workspaces/workspaces.queries.ts";
import { companyPlan, dealPlan, personPlan, type Surroundings } from "./material.ts";

/** What requests can name in the workspace that was filled. */
export interface Seeded extends Surroundings {
  /** A key of the caller. */
  key: string;
  groupId: string;
  people: string[];
}

const SLUG = "bench";
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
  {
    name: "Stage",
    type: "singleSelect",
    options: ["Lead", "Talk", "Offer", "Won", "Lost"].map((label) => ({ label })),
  },
  { name: "Tags", type: "multipleSelect", options: [..."ABCDEFGHIJ"].map((letter) => ({ label: `Tag ${letter}` })) },
  { name: "Owner", type: "userField" },
  { name: "Contact", type: "contactField" },
  { name: "Deal", type: "objectField" },
] as const;

/**
 * A workspace with two groups, a field of every type, companies, deals, and as many people as asked for. All are in the
 * first group, every tenth in the second. What is written is what engine/records writes, by its own statements. Gives a key.
 */
export async function seed(database: Database, broker: ServiceBroker, count: number): Promise<string> {
  const query: Query = database.read;
  const workspace = await insertWorkspace(query, SLUG, "Bench");
  const users = await insertUsers(
    asWrite(query),
    workspace.id,
    Array.from({ length: USERS }, (_, i) => userOf(i)),
  );
  const caller = callerOf(workspace.id, users);
  const { key } = await broker.call<{ key: string }, object>("keys.create", {
    workspace: SLUG,
    email: userOf(0).email,
  });
  const groupId = await makeGroup(broker, caller, "Customers");
  await makeGroup(broker, caller, "Partners");
  const field = (entityType: string, body: object) =>
    broker.call("custom-fields.create", { groupId, entityType, body }, { meta: { caller } });
  for (const body of FIELDS) await field("person", body);

  const catalog = await loadCatalog(query, workspace.id);
  const [group, second] = [...(catalog?.groups.values() ?? [])];
  if (!catalog || !group || !second) throw new Error("The groups of the bench are missing");
  const companyIds = uuids(DAYS + 1, Math.max(10, count / 20));
  const dealIds = uuids(DAYS + 1, Math.max(10, count / 100));
  const around: Surroundings = { group, second, users, companies: companyIds, deals: dealIds };
  const write = (resource: RecordType, made: Uuid[], plan: (uuid: Uuid, n: number) => Plan) =>
    inChunks(made, (chunk, at) =>
      writePlans(
        database,
        catalog,
        caller,
        resource,
        chunk.map((uuid, i) => plan(uuid, at + i)),
      ),
    );
  await write(companies, companyIds, companyPlan);
  await write(objects, dealIds, (uuid, n) => dealPlan(uuid, n, group));
  await write(people, uuids(DAYS, count), (uuid, n) => personPlan(uuid, n, around));
  return key;
}

/**
 * As autovacuum leaves a database that is at rest: statistics are there, GIN indexes have no pending entries. One table after the
 * other, since a statement of the pool may not take long.
 */
export async function vacuum(database: Database): Promise<void> {
  const tables = await database.knex("pg_tables").where({ schemaname: "public" }).pluck("tablename");
  for (const table of tables) await database.knex.raw("vacuum analyze ??", [table]);
}

/** The workspace as `seed` left it, maybe in an earlier run. */
export async function readSeeded(database: Database, key: string): Promise<Seeded> {
  const workspace = await workspaceBySlug(database.read, SLUG);
  const catalog = await loadCatalog(database.read, workspace.id);
  const [group, second] = [...(catalog?.groups.values() ?? [])];
  if (!catalog || !group || !second) throw new Error("The groups of the bench are missing");
  const ids = async (table: string): Promise<Uuid[]> =>
    (
      await database.read<{ id: Uuid }>(`select id from ${table} where workspace_id = $1 order by id`, [workspace.id])
    ).map(({ id }) => id);
  const users = [...catalog.users.keys()];
  const found = { group, second, users, companies: await ids("companies"), deals: await ids("objects") };
  return { ...found, key, groupId: group.id, people: (await ids("people")).map((uuid) => toId("person", uuid)) };
}

const userOf = (i: number) => ({
  email: `user${i}@example.test`,
  fullName: `User Number ${i}`,
  role: "admin" as const,
});

function callerOf(workspaceId: Uuid, users: Uuid[]): Caller {
  return { workspaceId, userId: pick(users, 0), keyId: null, access: "full" };
}

async function makeGroup(broker: ServiceBroker, caller: Caller, name: string): Promise<string> {
  const body = { name, visibility: "private" };
  const text = await broker.call<string, object>("groups.create", { body }, { meta: { caller } });
  return JSON.parse(text).id;
}

/** Ascending uuids, spread over the days before now. */
function uuids(days: number, count: number): Uuid[] {
  const begin = Date.now() - days * DAY_MS;
  const step = ((days - 1) * DAY_MS) / count;
  return Array.from({ length: Math.floor(count) }, (_, i) => v7({ msecs: Math.floor(begin + i * step) }) as Uuid);
}

async function writePlans(
  database: Database,
  catalog: Catalog,
  caller: Caller,
  resource: RecordType,
  plans: Plan[],
): Promise<void> {
  await database.transaction(async (trx) => {
    // The ids that plans name exist by construction, and a seed that is lost is made again.
    await trx.raw("set local session_replication_role = replica");
    await trx.raw("set local synchronous_commit = off");
    await applyPlans(
      { query: (sql, values, form) => run(trx, sql, values, form), catalog, caller, linked: new Map(), events: [] },
      resource,
      plans,
    );
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
