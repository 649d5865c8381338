import { ServiceBroker } from "moleculer";
import type { Caller } from "../../base/contract/caller.ts";
import { madeAt, newUuid, toId, type Uuid } from "../../base/values/ids.ts";
import { comparableEmail } from "../../base/values/text.ts";
import { createServices } from "../../cli/process.ts";
import { readEnv } from "../../config/env.ts";
import type { Database } from "../../database/database.ts";
import { insertWorkspaceRow } from "../../engine/definitions/workspaces.queries.ts";
import type { Role } from "../../model/definitions/definitions.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { TEST_ENV } from "./server-env.ts";

export interface TestUser {
  id: string;
  uuid: Uuid;
  email: string;
  fullName: string;
  /** A full key. */
  key: string;
  caller: Caller;
}

export interface TestGroup {
  id: string;
  name: string;
  visibility: "public" | "private";
}

export interface TestField {
  name: string;
  type: string;
  options?: { id: string; label: string; color: string }[];
}

/** A workspace of one's own, with its first user. */
export interface TestWorkspace {
  slug: string;
  uuid: Uuid;
  /** Workspace admin. */
  ada: TestUser;
  user(fullName: string, role?: "admin" | "member"): Promise<TestUser>;
  /** Another key of a user; full and without end unless told otherwise. */
  key(user: TestUser, options?: { access?: "full" | "read"; expiresAt?: string }): Promise<{ id: string; key: string }>;
  revoke(keyId: string): Promise<void>;
  /** Makes a key in the place of another one, which goes on for the overlap. */
  rotate(keyId: string, overlapS: number): Promise<{ id: string; key: string }>;
  /** Takes a user out of the workspace. */
  remove(user: TestUser): Promise<void>;
  /** A group that `by` makes, and is therefore admin of. Private unless told otherwise. */
  group(
    by: TestUser,
    options?: { name?: string; visibility?: "public" | "private"; members?: [TestUser, Role][] },
  ): Promise<TestGroup>;
  leave(by: TestUser, group: TestGroup, user: TestUser): Promise<void>;
  /** A custom field, defined as the API would be asked to. */
  field(by: TestUser, group: TestGroup, entity: string, definition: object): Promise<TestField>;
}

export interface World {
  workspace(): Promise<TestWorkspace>;
  stop(): Promise<void>;
}

let count = 0;

/**
 * Makes workspaces through the services' own actions, on a broker without bus and gateway. The server may be anywhere,
 * as long as it has this database.
 */
export async function startWorld(database: Database): Promise<World> {
  const env = readEnv(TEST_ENV);
  const broker = new ServiceBroker(brokerOptions(env));
  await createServices(broker, ["groups", "workspaces"], { env, database });
  await broker.start();

  async function workspace(): Promise<TestWorkspace> {
    count += 1;
    const uuid = newUuid();
    const slug = `w-${count}-${uuid}`;
    await insertWorkspaceRow(database.read, { id: uuid, slug, name: slug, createdAt: madeAt(uuid) });
    const people = members(broker, database, { uuid, slug });
    const ada = await people.user("Ada Lovelace", "admin");
    return { slug, uuid, ada, ...people, ...groups(broker) };
  }

  return { workspace, stop: () => broker.stop() };
}

function members(broker: ServiceBroker, database: Database, workspace: { uuid: Uuid; slug: string }) {
  async function key(
    user: TestUser,
    options: { access?: "full" | "read"; expiresAt?: string } = {},
  ): Promise<{ id: string; key: string }> {
    return broker.call("keys.create", { workspace: workspace.slug, email: user.email, ...options });
  }

  async function user(fullName: string, role: "admin" | "member" = "member"): Promise<TestUser> {
    const uuid = newUuid();
    const email = `${fullName.toLowerCase().replaceAll(/[^a-z]+/g, ".")}-${uuid.slice(-12)}@example.test`;
    // Both in one statement: a process that kept the definitions must not miss the user.
    await database.read(
      `with added as (
         insert into users (workspace_id, id, email, email_key, full_name, role, created_at) values ($1, $2, $3, $4, $5, $6, $7)
       ) update workspaces set catalog_version = catalog_version + 1 where id = $1`,
      [workspace.uuid, uuid, email, comparableEmail(email), fullName, role, madeAt(uuid)],
    );
    const caller: Caller = { workspaceId: workspace.uuid, userId: uuid, keyId: null, access: "full" };
    const made = { id: toId("user", uuid), uuid, email, fullName, caller, key: "" };
    return { ...made, ...(await key(made).then((issued) => ({ key: issued.key }))) };
  }

  const revoke = async (keyId: string): Promise<void> => {
    await broker.call("keys.revoke", { keyId });
  };
  const rotate = (keyId: string, overlapS: number): Promise<{ id: string; key: string }> =>
    broker.call("keys-admin.rotate", { keyId, overlapS });
  const remove = async ({ email }: TestUser): Promise<void> => {
    await broker.call("users-admin.remove", { workspace: workspace.slug, email });
  };
  return { user, key, revoke, rotate, remove };
}

function groups(broker: ServiceBroker) {
  const call = async <Result>(by: TestUser, action: string, params: object): Promise<Result> => {
    const text = await broker.call<string, object>(action, params, { meta: { caller: by.caller } });
    return JSON.parse(text);
  };

  async function group(
    by: TestUser,
    {
      name = "Sales",
      visibility = "private",
      members: added = [],
    }: { name?: string; visibility?: "public" | "private"; members?: [TestUser, Role][] } = {},
  ): Promise<TestGroup> {
    const made = await call<TestGroup>(by, "groups.create", { body: { name, visibility } });
    for (const [{ id }, role] of added) await call(by, "members.create", { groupId: made.id, body: { id, role } });
    return made;
  }

  const field = (by: TestUser, { id }: TestGroup, entityType: string, definition: object) =>
    call<TestField>(by, "custom-fields.create", { groupId: id, entityType, body: definition });
  const leave = async (by: TestUser, group: TestGroup, { id }: TestUser) => {
    await call(by, "members.remove", { groupId: group.id, userId: id });
  };
  return { group, field, leave };
}
