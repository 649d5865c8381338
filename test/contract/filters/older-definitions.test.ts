import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { isApiError } from "../../../base/contract/errors.ts";
import { parseQuery } from "../../../base/contract/query-string.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { type Database, openDatabase } from "../../../database/database.ts";
import { listRecords, readRecord } from "../../../engine/records/read.ts";
import { type Store, storeOf } from "../../../engine/store/store.ts";
import { startWorld, type TestGroup, type TestWorkspace, type World } from "../../../lab/harness/world.ts";
import { people } from "../../../model/resources/people.ts";
import type { Scope } from "../../../model/resources/scope.ts";
import { readFilter } from "../../../services/gateway/operation/filter-query.ts";
import { adminOf, type TestAdmin } from "../../support/admin.ts";
import { type Client, client } from "../../support/client.ts";
import { testFolder } from "../../support/folder.ts";
import { startProcess, type TestServer } from "../../support/server.ts";

const SCOPE: Scope = { entity: "person", homeGroup: null };
const STAGE = { type: "singleSelect", name: "Stage", options: [{ label: "Lead" }, { label: "Lost" }] };

/** A workspace as a file describes it. */
interface Described {
  groups: { name: string; fields: Record<string, { name: string }[]> }[];
}

// Each process keeps the definitions that it has read: docs/decisions/0002-catalog.md. A filter is answered by the
// definitions of the moment all the same, the first time that it is asked.
describe("A filter in a process whose definitions is older", () => {
  const files = testFolder();
  let server: TestServer;
  let world: World;
  let admin: Omit<TestAdmin, "query">;
  /** The other process, which changes nothing itself. */
  let other: Database;
  let store: Store;
  let workspace: TestWorkspace;
  let group: TestGroup;
  let api: Client;

  beforeAll(async () => {
    const started = await startProcess();
    server = started;
    world = await startWorld(server.database);
    admin = adminOf(started.databaseUrl);
    other = await openDatabase(started.databaseUrl, { poolMax: 2 });
    store = storeOf(other);
  });

  afterAll(async () => {
    await other.close();
    await admin.close();
    await world.stop();
    await server.stop();
    files.remove();
  });

  beforeEach(async () => {
    workspace = await world.workspace();
    api = client(server, workspace.ada.key);
    group = await workspace.group(workspace.ada);
    await workspace.field(workspace.ada, group, "person", STAGE);
    await make("Ada", { Stage: "Lead" });
    await make("Bob", {});
    expect(await ask("filter[firstName][eq]=Ada")).toEqual(["Ada"]);
  });

  async function make(firstName: string, values: object): Promise<string> {
    const body = { firstName, groups: [{ id: group.id }], customFieldValues: { [group.id]: values } };
    return (await api.post("/v1/people", body)).data.id;
  }

  /** First names of those whom the other process finds, or the code of its error. `{…}` is a field of the group. */
  async function ask(filter: string): Promise<string[] | number> {
    const query = filter.replaceAll(/\{(\w+)\}/g, (_, name: string) => `customFieldValues.${group.id}.${name}`);
    const conditions = readFilter(parseQuery(query), []);
    try {
      const page = await listRecords(store, people, workspace.ada.caller, SCOPE, { limit: 20, conditions });
      return (JSON.parse(page.items) as { firstName: string }[]).map(({ firstName }) => firstName);
    } catch (error) {
      if (isApiError(error)) return error.code;
      throw error;
    }
  }

  /** What the other process answers right after a change of definitions, of which it cannot know. */
  async function askAfter(change: () => Promise<unknown>, filter: string): Promise<string[] | number> {
    const { version } = await store.definitionsCache.kept(workspace.uuid);
    await change();
    const [row] = await server.database.read<{ version: number }>(
      "select catalog_version as version from workspaces where id = $1",
      [workspace.uuid],
    );
    expect(Number(row?.version)).toBeGreaterThan(version);
    expect((await store.definitionsCache.kept(workspace.uuid)).version).toBe(version);
    return ask(filter);
  }

  const pathOf = (field: string) => `/v1/groups/${group.id}/custom-fields/person/${field}`;
  const patchField = async (field: string, body: object) => {
    const { status, text } = await api.patch(pathOf(field), body);
    expect({ status, text }).toMatchObject({ status: 200 });
  };

  /** Removes fields by a workspace file that does not name them. */
  async function removeField(field: string): Promise<void> {
    const described = (await admin.run(`export --workspace ${workspace.slug} --json`)).json<Described>();
    for (const one of described.groups)
      one.fields = { ...one.fields, person: (one.fields.person ?? []).filter(({ name }) => name !== field) };
    const { code, err } = await admin.run("apply", files.write("w.yaml", JSON.stringify(described)), "--prune");
    expect({ code, err }).toMatchObject({ code: 0 });
  }

  it("finds by a field that is new", async () => {
    expect(await ask("filter[{Size}][eq]=large")).toBe(422);
    const add = async () => {
      await workspace.field(workspace.ada, group, "person", { type: "textField", name: "Size" });
      await make("Cleo", { Size: "large" });
    };
    expect(await askAfter(add, "filter[{Size}][eq]=large")).toEqual(["Cleo"]);
  });

  it("finds by an option that is new, and by one that was renamed", async () => {
    const add = async () => {
      await patchField("Stage", { addOptions: [{ label: "Won" }] });
      await make("Cleo", { Stage: "Won" });
    };
    expect(await askAfter(add, "filter[{Stage}][in]=Won")).toEqual(["Cleo"]);
    const { options } = (await api.get(pathOf("Stage"))).data as unknown as {
      options: { id: string; label: string }[];
    };
    const rename = () => patchField("Stage", { updateOptions: [{ id: options[0]?.id, label: "Prospect" }] });
    expect(await askAfter(rename, "filter[{Stage}][in]=Prospect")).toEqual(["Ada"]);
    expect(await ask("filter[{Stage}][in]=Lead")).toEqual([]);
  });

  it("does not find by an option that was removed", async () => {
    const { options } = (await api.get(pathOf("Stage"))).data as unknown as { options: { id: string }[] };
    const remove = () => patchField("Stage", { removeOptions: [options[0]?.id] });
    expect(await askAfter(remove, "filter[{Stage}][empty]")).toEqual(["Ada", "Bob"]);
    expect(await ask("filter[{Stage}][in]=Lead")).toEqual([]);
  });

  it("knows a field by its new name, and no more by its old one", async () => {
    expect(await askAfter(() => patchField("Stage", { name: "Phase" }), "filter[{Phase}][in]=Lead")).toEqual(["Ada"]);
    expect(await ask("filter[{Stage}][in]=Lead")).toBe(422);
    const back = () => patchField("Phase", { name: "Stage" });
    expect(await askAfter(back, "filter[{Phase}][in]=Lead")).toBe(422);
  });

  it("does not know a field that was removed", async () => {
    expect(await ask("filter[{Stage}][in]=Lead")).toEqual(["Ada"]);
    expect(await askAfter(() => removeField("Stage"), "filter[{Stage}][in]=Lead")).toBe(422);
  });

  it("takes a field of the same name and another type for what it is now", async () => {
    const replace = async () => {
      await removeField("Stage");
      await workspace.field(workspace.ada, group, "person", { type: "numericField", name: "Stage" });
      await make("Cleo", { Stage: "7" });
    };
    expect(await askAfter(replace, "filter[{Stage}][gt]=6.5")).toEqual(["Cleo"]);
    expect(await ask("filter[{Stage}][empty]")).toEqual(["Ada", "Bob"]);
  });

  it("does not look into a group that the caller was taken out of (docs/guides/access.md#groups)", async () => {
    const bob = await workspace.user("Bob Stone");
    const leave = async () => {
      const members = `/v1/groups/${group.id}/members`;
      await api.post(members, { id: bob.id, role: "admin" });
      expect((await client(server, bob.key).delete(`${members}/${workspace.ada.id}`)).status).toBe(200);
    };
    expect(await askAfter(leave, `filter[groups][in][id]=${group.id}`)).toEqual([]);
    expect(await ask("filter[{Stage}][in]=Lead")).toBe(422);
  });

  it("is right about what it shows, too, and so is a record that is read", async () => {
    const id = await make("Cleo", { Stage: "Lost" });
    const rename = () => patchField("Stage", { name: "Phase" });
    const { version } = await store.definitionsCache.kept(workspace.uuid);
    await rename();
    const read = await readRecord(store, people, workspace.ada.caller, SCOPE, id.slice("per_".length) as Uuid);
    expect(JSON.parse(read?.data ?? "null")).toMatchObject({ customFieldValues: { [group.id]: { Phase: "Lost" } } });
    expect((await store.definitionsCache.kept(workspace.uuid)).version).toBeGreaterThan(version);
  });
});
