import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import pg from "pg";
import { newUuid, type Uuid, uuidOf } from "../../../base/values/ids.ts";
import { JsonSchemaValidator } from "../../../bus/validator.ts";
import { readEnv } from "../../../config/env.ts";
import { run } from "../../../database/database.ts";
import { hashOf, newKey } from "../../../engine/secrets/api-keys.ts";
import { startWorld, type TestWorkspace, type World } from "../../../lab/harness/world.ts";
import keysService from "../../../services/workspaces/keys/keys.service.ts";
import { insertWorkspace, lockWorkspaces } from "../../../services/workspaces/workspaces/workspaces.queries.ts";
import workspacesService from "../../../services/workspaces/workspaces/workspaces.service.ts";
import { counting } from "../../support/counting.ts";
import { databaseFrom, type TestDatabase } from "../../support/database.ts";

// The directories of slugs and of hashes: docs/architecture.md#data
const INSERT_WORKSPACE = "insert into workspaces (id, slug, name, created_at) values ($1, $2, 'Acme', now())";
const INSERT_USER = `insert into users (workspace_id, id, email, email_key, full_name, role, created_at)
  values ($1, $1, 'ada@acme.test', 'ada@acme.test', 'Ada', 'admin', now())`;
const INSERT_KEY = `insert into api_keys (workspace_id, id, user_id, hash, access, created_at)
  values ($1, $2, $1, $3, 'full', now())`;

const before: Uuid = newUuid();
const keyBefore = newKey();

/** A session of the release before: it has none of our settings. */
let older: pg.Client;
let test: TestDatabase;
let world: World;
/** The services of a process, and the statements that they have sent. */
let broker: ServiceBroker;
const seen: string[] = [];

beforeAll(async () => {
  test = await databaseFrom("0025-directories", async (query) => {
    await query(INSERT_WORKSPACE, [before, "before"]);
    await query(INSERT_USER, [before]);
    await query(INSERT_KEY, [before, newUuid(), hashOf(keyBefore)]);
  });
  world = await startWorld(test.database);
  older = new pg.Client(test.url);
  await older.connect();
  broker = new ServiceBroker({ logger: false, validator: new JsonSchemaValidator() });
  const context = { env: readEnv({}), database: counting(test.database, seen) };
  broker.createService(keysService(context));
  broker.createService(workspacesService(context));
  await broker.start();
});

afterAll(async () => {
  await broker.stop();
  await older.end();
  await world.stop();
  await test.drop();
});

const asked = (key: string) => ({ hash: hashOf(key).toString("hex") });
const identify = (key: string) => broker.call("keys.identify", asked(key));
const get = (workspace: string) => broker.call("workspaces.get", { workspace });
const remove = (workspace: string) => broker.call("workspaces.remove", { workspace });

/** Numbers of rows of a workspace in the directories. */
async function listed(workspaceId: Uuid): Promise<{ slugs: number; hashes: number } | undefined> {
  const [row] = await test.database.read<{ slugs: number; hashes: number }>(
    `select (select count(*)::int from workspace_slugs where workspace_id = $1) as slugs,
       (select count(*)::int from key_hashes where workspace_id = $1) as hashes`,
    [workspaceId],
  );
  return row;
}

it("the migration lists the workspaces and keys that are there", async () => {
  expect(await get("before")).toMatchObject({ name: "Acme" });
  expect(await identify(keyBefore)).toMatchObject({ workspaceId: before });
});

describe("a process of the release before, which runs beside this one", () => {
  const [workspaceId, keyId, key] = [newUuid(), newUuid(), newKey()];

  it("makes workspaces and keys that are found, and removes them", async () => {
    await older.query(INSERT_WORKSPACE, [workspaceId, "older"]);
    await older.query(INSERT_USER, [workspaceId]);
    await older.query(INSERT_KEY, [workspaceId, keyId, hashOf(key)]);
    expect(await get("older")).toMatchObject({ name: "Acme" });
    expect(await identify(key)).toMatchObject({ workspaceId, keyId });
    await older.query("update workspaces set slug = 'renamed' where id = $1", [workspaceId]);
    expect(await get("renamed")).toMatchObject({ name: "Acme" });
    // The key goes with its user.
    await older.query("delete from users where workspace_id = $1", [workspaceId]);
    expect(await listed(workspaceId)).toEqual({ slugs: 1, hashes: 0 });
    expect(await identify(key)).toBeNull();
    await older.query("delete from workspaces where id = $1", [workspaceId]);
    expect(await listed(workspaceId)).toEqual({ slugs: 0, hashes: 0 });
  });

  it("and this one cannot make two workspaces of one slug", async () => {
    const { slug, uuid } = await world.workspace();
    const taken = expect.objectContaining({ constraint: "workspace_slugs_slug_key" });
    await expect(older.query(INSERT_WORKSPACE, [newUuid(), slug])).rejects.toEqual(taken);
    const made = test.database.transaction((trx) =>
      insertWorkspace((sql, values, form) => run(trx, sql, values, form), "before", "Acme"),
    );
    await expect(made).rejects.toEqual(taken);
    expect(await test.database.read("select from workspaces where slug in ($1, 'before')", [slug])).toHaveLength(2);
    expect(await listed(uuid)).toEqual({ slugs: 1, hashes: 1 });
  });
});

describe("this release", () => {
  it("writes the directories itself, and no trigger does it in its sessions", async () => {
    const id = newUuid();
    await test.database.read(INSERT_WORKSPACE, [id, "alone"]);
    await test.database.queryPlanned(INSERT_USER, [id]);
    await test.database.transaction((trx) => run(trx, INSERT_KEY, [id, newUuid(), hashOf(newKey())]));
    expect(await listed(id)).toEqual({ slugs: 0, hashes: 0 });
    await expect(get("alone")).rejects.toThrow(/^There is no workspace "alone"/);
    await test.database.read("delete from users where workspace_id = $1", [id]);
    await test.database.read("delete from workspaces where id = $1", [id]);
  });

  it("removes a workspace with its slug and its keys, so that another one can have the slug", async () => {
    const workspace = await world.workspace();
    await workspace.key(workspace.ada);
    expect(await listed(workspace.uuid)).toEqual({ slugs: 1, hashes: 2 });
    await remove(workspace.slug);
    expect(await listed(workspace.uuid)).toEqual({ slugs: 0, hashes: 0 });
    expect(await identify(workspace.ada.key)).toBeNull();
    await insertWorkspace(test.database.read, workspace.slug, "Again");
    expect(await get(workspace.slug)).toMatchObject({ name: "Again" });
  });

  it("finds a key that was rotated, and the key in its place", async () => {
    const workspace = await world.workspace();
    const old = await workspace.key(workspace.ada);
    const made = await workspace.rotate(old.id, 60);
    for (const { id, key } of [old, made])
      expect(await identify(key)).toMatchObject({ workspaceId: workspace.uuid, keyId: uuidOf("key", id) });
    expect(await listed(workspace.uuid)).toEqual({ slugs: 1, hashes: 3 });
  });

  it("locks workspaces in the order of their slugs, each by a statement of its own", async () => {
    const slugs = [(await world.workspace()).slug, (await world.workspace()).slug].sort();
    const locked: unknown[] = [];
    const found = await lockWorkspaces((sql, values) => {
      if (sql.endsWith("for no key update")) locked.push(...values);
      return test.database.read(sql, values);
    }, [...slugs, "unknown"].reverse());
    expect([...found.keys()]).toEqual(slugs);
    expect(locked).toEqual([...found.values()].map(({ id }) => id));
  });
});

describe("the key of a request", () => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await world.workspace();
  });

  /** Tables that were asked, one for each statement. The use of a key is noted in the background. */
  async function tablesAsked(ask: () => Promise<unknown>): Promise<(string | undefined)[]> {
    seen.length = 0;
    await ask();
    return seen.flatMap((sql) => (sql.startsWith("update") ? [] : [/ from (\w+)/.exec(sql)?.[1]]));
  }

  it("costs one statement, which names the workspace, and one more when a process sees it first", async () => {
    const { key } = workspace.ada;
    expect(await tablesAsked(() => identify(key))).toEqual(["key_hashes", "api_keys"]);
    expect(await tablesAsked(() => identify(key))).toEqual(["api_keys"]);
    expect(seen.filter((sql) => sql.startsWith("select"))).toEqual([expect.stringContaining("k.workspace_id = $1")]);
  });

  it("costs one statement when it is unknown, and one more that asks whether it has expired", async () => {
    const key = newKey();
    expect(await tablesAsked(() => identify(key))).toEqual(["key_hashes"]);
    expect(await tablesAsked(() => broker.call("keys.isExpired", asked(key)))).toEqual(["key_hashes"]);
  });

  it("is valid at once when it was unknown before", async () => {
    const key = newKey();
    expect(await identify(key)).toBeNull();
    await older.query(INSERT_KEY.replace("$2, $1, $3", "$2, $4, $3"), [
      workspace.uuid,
      newUuid(),
      hashOf(key),
      workspace.ada.uuid,
    ]);
    expect(await identify(key)).toMatchObject({ workspaceId: workspace.uuid });
  });

  it("is refused by one statement once it is revoked or has expired, and the second is told", async () => {
    const [revoked, expired] = [await workspace.key(workspace.ada), await workspace.key(workspace.ada)];
    for (const { key } of [revoked, expired]) expect(await identify(key)).toMatchObject({ access: "full" });
    await workspace.revoke(revoked.id);
    await workspace.rotate(expired.id, 0);
    for (const { key } of [revoked, expired]) {
      expect(await tablesAsked(() => identify(key))).toEqual(["api_keys"]);
      expect(await identify(key)).toBeNull();
    }
    expect(await broker.call("keys.isExpired", asked(revoked.key))).toBe(false);
    expect(await broker.call("keys.isExpired", asked(expired.key))).toBe(true);
  });

  it("is not taken for another key that stands in its place", async () => {
    const { key } = workspace.ada;
    const other = newKey();
    expect(await identify(key)).toMatchObject({ userId: workspace.ada.uuid });
    await older.query("update api_keys set hash = $2 where workspace_id = $1", [workspace.uuid, hashOf(other)]);
    expect(await identify(key)).toBeNull();
    expect(await identify(other)).toMatchObject({ userId: workspace.ada.uuid });
  });
});
