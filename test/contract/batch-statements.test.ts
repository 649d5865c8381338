import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startWorld, type TestGroup, type World } from "../../lab/harness/world.ts";
import { type Client, client, type Item } from "../support/client.ts";
import { counting } from "../support/counting.ts";
import { startProcess, type TestServer } from "../support/server.ts";

const KINDS = ["people", "companies", "objects"] as const;
type Kind = (typeof KINDS)[number];

// Sets, never one by one: docs/architecture.md, "A batch is the same with many drafts".
describe("A batch of 100 runs as many statements as a batch of 20:", () => {
  const seen: string[] = [];
  let server: TestServer;
  let world: World;
  let group: TestGroup;
  let api: Client;
  let contacts: { id: string }[];
  let clients: { id: string }[];
  let count = 0;

  beforeAll(async () => {
    server = await startProcess({ wrap: (database) => counting(database, seen) });
    world = await startWorld(server.database);
    const { ada, group: makeGroup, field } = await world.workspace();
    api = client(server, ada.key);
    group = await makeGroup(ada);
    await field(ada, group, "person", { type: "objectField", name: "Deals" });
    for (const entity of ["person", "company", "Deals"]) {
      await field(ada, group, entity, { type: "textField", name: "Note" });
      await field(ada, group, entity, { type: "contactField", name: "Contacts" });
    }
    const groups = [{ id: group.id }];
    const refs = ({ data }: { data: unknown }) =>
      (data as { results: { data: Item }[] }).results.map((one) => ({ id: one.data.id }));
    const names = ["A", "B", "C"].map((name) => ({ name, groups }));
    clients = refs(await api.post("/v1/companies/batch/create", { records: names }));
    contacts = refs(await api.post("/v1/people/batch/create", { records: names.map(() => ({ groups })) }));
  });

  afterAll(async () => {
    await world.stop();
    await server.stop();
  });

  const pathOf = (kind: Kind) => (kind === "objects" ? `/v1/groups/${group.id}/Deals` : `/v1/${kind}`);

  /** A record that differs from all others, with a value, a reference, a link and a company to be made. */
  function recordOf(kind: Kind): object {
    count += 1;
    const values = { Note: `${count}`, Contacts: [contacts[count % 3]] };
    const byGroup = { groups: [{ id: group.id }], customFieldValues: { [group.id]: values } };
    if (kind === "companies") return { name: `Company ${count}`, ...byGroup };
    if (kind === "people")
      return { firstName: `P${count}`, companies: [{ name: `New ${count}` }, clients[0]], ...byGroup };
    return {
      name: `O${count}`,
      people: [contacts[count % 3]],
      companies: [clients[count % 3]],
      customFieldValues: values,
    };
  }

  /**
   * What the statements of a request do. Asking for the key again, and noting its use, is not the request's own. Few
   * rows are sent in another form than many, so of writes only the table counts.
   */
  const ownStatements = () =>
    seen
      .filter((sql) => !/api_keys/.test(sql))
      .map((sql) => /^(insert into|update|delete from) \w+/.exec(sql)?.[0] ?? sql.slice(0, 80));

  /** The statements of a request whose key is known already, and its results. */
  async function post(
    path: string,
    records: object[],
    more: object = {},
  ): Promise<{ statements: string[]; ids: string[] }> {
    await api.get("/v1/users/me");
    seen.length = 0;
    const { data } = await api.post(path, { records, ...more });
    const statements = ownStatements();
    const { results } = data as unknown as { results: { status: string; data: Item }[] };
    expect(results.map(({ status }) => status)).toEqual(records.map(() => "succeeded"));
    return { statements, ids: results.map((one) => one.data.id) };
  }

  it.each(KINDS)("of %s, to create, change and delete", async (kind) => {
    const path = `${pathOf(kind)}/batch`;
    const make = (size: number) => Array.from({ length: size }, () => recordOf(kind));
    const [few, many] = [await post(`${path}/create`, make(20)), await post(`${path}/create`, make(100))];
    expect(many.statements).toEqual(few.statements);
    // The rows of few records go together.
    const one = await post(`${path}/create`, make(1));
    expect(one.statements.length).toBeLessThan(few.statements.length);
    const change = (ids: string[]) =>
      post(
        `${path}/update`,
        ids.map((id) => ({ id, ...recordOf(kind) })),
      );
    const changes = [await change(few.ids), await change(many.ids)];
    expect(changes[1]?.statements).toEqual(changes[0]?.statements);
    const remove = (ids: string[]) =>
      post(
        `${path}/delete`,
        ids.map((id) => ({ id })),
      );
    const removals = [await remove(few.ids), await remove(many.ids)];
    expect(removals[1]?.statements).toEqual(removals[0]?.statements);
    expect(few.statements.length).toBeGreaterThan(6);
    expect(few.statements.length).toBeLessThan(20);
  });

  // docs/guides/upsert.md#batches
  it.each(KINDS)("of %s, to upsert: those that have nothing in common are one wave", async (kind) => {
    const field = kind === "objects" ? "Note" : `${group.id}.Note`;
    const name = kind === "people" ? "fullName" : "name";
    const addresses = kind === "objects" ? [] : ["emails", "phones"];
    const match = ["id", ...addresses, name, `customFieldValues.${field}`];
    const make = (size: number) =>
      Array.from({ length: size }, () => {
        const record = recordOf(kind);
        const phone = `+1 202 555 ${String(count).padStart(4, "0")}`;
        return addresses.length === 0 ? record : { ...record, emails: [`${count}@x`], phones: [phone] };
      });
    const upsert = (records: object[]) => post(`${pathOf(kind)}/batch/upsert`, records, { match });
    const [few, many] = [make(20), make(100)];
    const made = [await upsert(few), await upsert(many)];
    expect(made[1]?.statements).toEqual(made[0]?.statements);
    const found = [await upsert(few), await upsert(many)];
    expect(found.map(({ ids }) => ids)).toEqual(made.map(({ ids }) => ids));
    expect(found[1]?.statements).toEqual(found[0]?.statements);
    expect(made[0]?.statements.length).toBeLessThan(25);
    expect(found[0]?.statements.length).toBeLessThan(20);
  });

  it.each(KINDS)("of %s, merging 20 runs as many as merging 2", async (kind) => {
    const make = async (size: number) =>
      (
        await post(
          `${pathOf(kind)}/batch/create`,
          Array.from({ length: size }, () => recordOf(kind)),
        )
      ).ids;
    const merge = async (size: number) => {
      const [survivor, ...merged] = await make(size + 1);
      await api.get("/v1/users/me");
      seen.length = 0;
      const answer = await api.post(`${pathOf(kind)}/${survivor}/merge`, { records: merged.map((id) => ({ id })) });
      expect(answer.status).toBe(200);
      return ownStatements();
    };
    const two = await merge(2);
    expect(two.length).toBeGreaterThan(10);
    expect(await merge(20)).toEqual(two);
  });
});
