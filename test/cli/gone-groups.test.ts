import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import { startWorld, type TestGroup, type TestWorkspace, type World } from "../../lab/harness/world.ts";
import { brokenInvariants } from "../http/record-invariants.ts";
import { adminOf, type TestAdmin } from "../support/admin.ts";
import { type Client, client } from "../support/client.ts";
import { testFolder } from "../support/folder.ts";
import { whileLocked } from "../support/locked-row.ts";
import { schemaTables } from "../support/schema-tables.ts";
import { startProcess, type TestServer } from "../support/server.ts";

/** A workspace as a file describes it. */
interface Described {
  groups: { name: string }[];
}

/** Tables of what has happened. */
const LOG = ["change_log", "outbox"];
const NOTE = { type: "textField", name: "Note" };

// Memberships and links stand in the rows of records. docs/guides/workspace-file.md#prune
describe("What is gone from a workspace", () => {
  const files = testFolder();
  let server: TestServer;
  let world: World;
  let admin: Omit<TestAdmin, "query">;
  let workspace: TestWorkspace;
  let api: Client;
  let group: TestGroup;
  let other: TestGroup;

  beforeAll(async () => {
    const started = await startProcess();
    server = started;
    world = await startWorld(server.database);
    admin = adminOf(started.databaseUrl);
  });

  afterAll(async () => {
    await admin.close();
    await world.stop();
    await server.stop();
    files.remove();
  });

  beforeEach(async () => {
    workspace = await world.workspace();
    const { ada } = workspace;
    api = client(server, ada.key);
    group = await workspace.group(ada, { name: "Gone" });
    other = await workspace.group(ada, { name: "Kept" });
    for (const one of [group, other]) {
      await workspace.field(ada, one, "person", { type: "objectField", name: "Deals" });
      for (const entity of ["person", "company", "Deals"]) await workspace.field(ada, one, entity, NOTE);
    }
  });

  const inGroups = (...groups: TestGroup[]) => ({
    groups: groups.map(({ id }) => ({ id })),
    customFieldValues: Object.fromEntries(groups.map(({ id, name }) => [id, { Note: `in ${name}` }])),
  });

  async function make(path: string, body: object): Promise<string> {
    const answer = await api.post(path, body);
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
    return answer.data.id;
  }

  const query = <Row>(sql: string, ...values: unknown[]) => server.database.read<Row>(sql, [workspace.uuid, ...values]);

  /**
   * The tables in which some row of the workspace has this text anywhere. What events have told stays told, and nobody
   * sees the group in it.
   */
  async function tablesWith(text: string): Promise<string[]> {
    const found: string[] = [];
    for (const { name, columns } of await schemaTables(server.database.read)) {
      if (LOG.includes(name) || !columns.some((column) => column.name === "workspace_id")) continue;
      const rows = await query(`select from ${name} t where workspace_id = $1 and strpos(t::text, $2) > 0`, text);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  async function prune(): Promise<void> {
    const described = (await admin.run(`export --workspace ${workspace.slug} --json`)).json<Described>();
    const groups = described.groups.filter(({ name }) => name !== group.name);
    const file = files.write("w.yaml", JSON.stringify({ ...described, groups }));
    const { code, err } = await admin.run("apply", file, "--prune");
    expect({ code, err }).toMatchObject({ code: 0 });
  }

  /** Whether the check of the records by `doctor` finds them sound. */
  async function areSound(): Promise<boolean | undefined> {
    const { checks } = (await admin.run("doctor --json")).json<{ checks: { name: string; ok: boolean }[] }>();
    return checks.find(({ name }) => name === "records")?.ok;
  }

  it("is a pruned group: no row names it, and records keep their other groups with the values", async () => {
    const company = await make("/v1/companies", { name: "Acme", ...inGroups(group, other) });
    const both = await make("/v1/people", { ...inGroups(other, group), companies: [{ id: company }] });
    const only = await make("/v1/people", inGroups(group));
    const kept = await make("/v1/people", inGroups(other));
    const before = (await api.get(`/v1/people/${kept}`)).text;
    await make(`/v1/groups/${group.id}/Deals`, { name: "Big", people: [{ id: both }], companies: [{ id: company }] });
    const deal = await make(`/v1/groups/${other.id}/Deals`, { name: "Small", people: [{ id: both }] });
    const uuid = group.id.slice(4);
    expect(await tablesWith(uuid)).toEqual(expect.arrayContaining(["people", "companies", "objects", "person_groups"]));

    await prune();
    expect(await tablesWith(uuid)).toEqual([]);
    const rest = { groups: [{ id: other.id, name: "Kept" }], customFieldValues: { [other.id]: { Note: "in Kept" } } };
    expect((await api.get(`/v1/people/${both}`)).data).toMatchObject({ ...rest, companies: [{ id: company }] });
    expect((await api.get(`/v1/companies/${company}`)).data).toMatchObject(rest);
    expect((await api.get(`/v1/people/${only}`)).data).toMatchObject({ groups: [], customFieldValues: {} });
    expect((await api.get(`/v1/people/${kept}`)).text).toBe(before);
    expect((await api.get(`/v1/groups/${other.id}/Deals`)).items.map(({ id }) => id)).toEqual([deal]);
    expect(await query("select id from objects where workspace_id = $1")).toHaveLength(1);
    expect(await brokenInvariants(server.database, workspace.uuid)).toEqual([]);
    expect(await areSound()).toBe(true);
  });

  it("is a group that was pruned while somebody was put into it: they leave it too", async () => {
    const { making, pruning } = await server.database.transaction(async (trx) => {
      // The write waits here with all but its entry of the log, and has locked the group against deletion.
      await trx.raw("lock table change_log in share mode");
      const writing = make("/v1/people", { firstName: "Ada", ...inGroups(group, other) });
      await until("the write waits for the table", () => isAwaited("insert into change_log"));
      const removal = prune();
      await until("the deletion waits for the write", () => isAwaited("select id from groups"));
      return { making: writing, pruning: removal };
    });
    await pruning;
    const person = await making;
    expect(await tablesWith(group.id.slice(4))).toEqual([]);
    const path = `/v1/people/${person}`;
    const rest = { groups: [{ id: other.id, name: "Kept" }], customFieldValues: { [other.id]: { Note: "in Kept" } } };
    expect((await api.get(path)).data).toMatchObject(rest);
    expect((await api.patch(path, { jobTitle: "Analyst" })).data).toMatchObject({ ...rest, jobTitle: "Analyst" });
    expect(await brokenInvariants(server.database, workspace.uuid)).toEqual([]);
    expect(await areSound()).toBe(true);
  });

  it("is a group that was pruned while somebody in it was written: what was written stays", async () => {
    const person = await make("/v1/people", inGroups(group, other));
    const { written, pruning } = await whileLocked(server.database, person, async () => {
      const body = { jobTitle: "Analyst", customFieldValues: { [other.id]: { Note: "new" } } };
      const writing = api.patch(`/v1/people/${person}`, body);
      await until("the write waits for the person", () => isAwaited("select r.id, r.first_name"));
      const removal = prune();
      await until("the deletion waits for the person", () => isAwaited("update people r set memberships"));
      return { written: writing, pruning: removal };
    });
    expect((await written).status).toBe(200);
    await pruning;
    expect(await tablesWith(group.id.slice(4))).toEqual([]);
    const rest = { groups: [{ id: other.id, name: "Kept" }], customFieldValues: { [other.id]: { Note: "new" } } };
    expect((await api.get(`/v1/people/${person}`)).data).toMatchObject({ ...rest, jobTitle: "Analyst" });
    expect(await brokenInvariants(server.database, workspace.uuid)).toEqual([]);
  });

  async function isAwaited(statement: string): Promise<boolean> {
    const waiting = await server.database.read(
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query like $1",
      [`%${statement}%`],
    );
    return waiting.length > 0;
  }
});
