import { expect, it } from "@jest/globals";
import type { Answer } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { searched, untilFound } from "./searching.ts";

const requestOf = ({ headers }: Answer) => ({ requestId: String(headers["x-request-id"]) });
const DAY = { dueAt: "2031-01-31" };

// docs/guides/search.md#what-is-searched
describeServer("What a search over everything finds", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const bob = await workspace.user("Bob Stone");
    const api = scene.patientApi(ada);
    const made = async (path: string, body: object) => (await api.post(path, body)).data;
    return { ...workspace, bob, api, made };
  }

  it("are private notes and tasks of the caller alone", async () => {
    const { api, made, bob } = await setUp();
    const bobs = scene.patientApi(bob);
    const entity = { id: (await made("/v1/people", { firstName: "P" })).id };
    const open = await made("/v1/notes", { entity, visibility: "public", content: "walnut" });
    const secret = await made("/v1/notes", { entity, visibility: "private", content: "walnut secret" });
    const task = await made("/v1/tasks", { entity, title: "walnut task", isPublic: false, ...DAY });
    const seen = await made("/v1/tasks", { entity, title: "walnut", ...DAY });
    await untilFound(api, "walnut", [open, secret, task, seen]);
    await untilFound(bobs, "walnut", [open, seen]);
    expect(await searched(bobs, "secret")).toEqual([]);
    const { id, matched } = (await untilFound(bobs, "wlanut", [open, seen]))[0] ?? {};
    expect([id === secret.id, JSON.stringify(matched).includes("secret")]).toEqual([false, false]);
  });

  it("is nothing of a group that the caller does not see, until they see it", async () => {
    const { api, made, bob, ada, group, field } = await setUp();
    const bobs = scene.patientApi(bob);
    const vault = await group(ada, { visibility: "private" });
    await field(ada, vault, "person", { type: "textField", name: "Motto" });
    await field(ada, vault, "company", { type: "singleSelect", name: "Status", options: [{ label: "Pineapple" }] });
    await field(ada, vault, "person", { type: "objectField", name: "Deals" });
    const groups = [{ id: vault.id }];
    const values = (of: object) => ({ groups, customFieldValues: { [vault.id]: of } });
    const person = await made("/v1/people", { fullName: "Perseus", ...values({ Motto: "Perseus tamarind" }) });
    const company = await made("/v1/companies", { name: "Acme", ...values({ Status: "Pineapple" }) });
    const deal = await made(`/v1/groups/${vault.id}/Deals`, { name: "Tamarind" });
    const note = await made("/v1/notes", { entity: { id: deal.id }, visibility: "public", content: "tamarind" });
    await untilFound(api, "tamarind", [person, deal, note]);
    await untilFound(api, "pineapple", [company]);
    for (const q of ["tamarind", "pineapple", "acme pineapple", "perseus tamarind", "tamarimd"])
      expect([q, await searched(bobs, q)]).toEqual([q, []]);
    const [shown] = await untilFound(bobs, "perseus", [person]);
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`tamarind|${vault.id}`));
    await api.post(`/v1/groups/${vault.id}/members`, { id: bob.id, role: "reader" });
    await untilFound(bobs, "tamarind", [person, deal, note]);
    await untilFound(bobs, "acme pineapple", [company]);
    await api.delete(`/v1/groups/${vault.id}/members/${bob.id}`);
    await untilFound(bobs, "tamarind", []);
  });

  it("follows changed fields, options with other labels, and records that leave a group", async () => {
    const { api, made, ada, group, field } = await setUp();
    const sales = await group(ada);
    const status = await field(ada, sales, "person", {
      type: "singleSelect",
      name: "S",
      options: [{ label: "Mulberry" }],
    });
    await field(ada, sales, "person", { type: "textField", name: "T" });
    const fields = `/v1/groups/${sales.id}/custom-fields/person`;
    const person = await made("/v1/people", {
      fullName: "Old Name",
      jobTitle: "Baker",
      groups: [{ id: sales.id }],
      customFieldValues: { [sales.id]: { S: "Mulberry", T: "gooseberry" } },
    });
    for (const q of ["baker", "mulberry", "gooseberry", "old"]) await untilFound(api, q, [person]);
    await api.patch(`/v1/people/${person.id}`, { fullName: "New Name", jobTitle: "" });
    for (const q of ["baker", "old"]) await untilFound(api, q, []);
    await untilFound(api, "new", [person]);
    await api.patch(`${fields}/S`, { updateOptions: [{ id: status.options?.[0]?.id, label: "Elderberry" }] });
    await untilFound(api, "elderberry", [person]);
    await untilFound(api, "mulberry", []);
    await api.patch(`/v1/people/${person.id}`, { customFieldValues: { [sales.id]: { T: "cranberry" } } });
    await untilFound(api, "cranberry", [person]);
    await untilFound(api, "gooseberry", []);
    await api.patch(`/v1/people/${person.id}`, { groups: [] });
    for (const q of ["cranberry", "elderberry"]) await untilFound(api, q, []);
  });

  it("is what a merge leaves, and what an undo gives back", async () => {
    const { api, made } = await setUp();
    const survivor = await made("/v1/people", { fullName: "Grace", jobTitle: "Admiral" });
    const other = await made("/v1/people", { fullName: "Murray", emails: ["kestrel@x.test"] });
    const note = await made("/v1/notes", { entity: { id: other.id }, visibility: "public", content: "falcon" });
    await untilFound(api, "kestrel", [other]);
    const merge = await api.post(`/v1/people/${survivor.id}/merge`, { records: [{ id: other.id }] });
    await untilFound(api, "kestrel", [survivor]);
    await untilFound(api, "murray", []);
    expect((await untilFound(api, "falcon", [note]))[0]?.entity?.id).toBe(survivor.id);
    await api.post("/v1/undo", requestOf(merge));
    await untilFound(api, "kestrel", [other]);
    await untilFound(api, "murray", [other]);
    expect((await untilFound(api, "falcon", [note]))[0]?.entity?.id).toBe(other.id);
    const update = await api.patch(`/v1/people/${survivor.id}`, { jobTitle: "Commodore" });
    await untilFound(api, "commodore", [survivor]);
    await api.post("/v1/undo", requestOf(update));
    await untilFound(api, "admiral", [survivor]);
    await untilFound(api, "commodore", []);
  });

  it("is nothing in the trash, until it is restored", async () => {
    const { api, made, ada, group, field } = await setUp();
    const sales = await group(ada);
    await field(ada, sales, "person", { type: "textField", name: "T" });
    await field(ada, sales, "person", { type: "objectField", name: "Deals" });
    const person = await made("/v1/people", {
      fullName: "Otter",
      companies: [{ name: "Otters" }],
      groups: [{ id: sales.id }],
      customFieldValues: { [sales.id]: { T: "otter" } },
    });
    const entity = { id: person.id };
    const note = await made("/v1/notes", { entity, visibility: "public", content: "otter" });
    const task = await made("/v1/tasks", { entity, title: "otter", ...DAY });
    const deal = await made(`/v1/groups/${sales.id}/Deals`, { name: "otter" });
    const company = (person.companies as { id: string }[])[0] ?? { id: "" };
    await untilFound(api, "otter", [person, note, task, deal, company]);
    await api.delete(`/v1/people/${person.id}`);
    await untilFound(api, "otter", [deal, company]);
    await api.delete(`/v1/groups/${sales.id}/Deals/${deal.id}`);
    await api.delete(`/v1/companies/${company.id}`);
    await untilFound(api, "otter", []);
    await api.post(`/v1/people/${person.id}/restore`);
    await api.post(`/v1/companies/${company.id}/restore`);
    await api.post(`/v1/groups/${sales.id}/Deals/${deal.id}/restore`);
    const items = await untilFound(api, "otter", [person, note, task, deal, company]);
    const [restored] = items.filter(({ id }) => id === person.id);
    expect(restored?.matched.map(({ path }) => path.join("."))).toContain(`customFieldValues.${sales.id}.T`);
    await api.delete(`/v1/notes/${note.id}`);
    await api.delete(`/v1/tasks/${task.id}`);
    await untilFound(api, "otter", [person, deal, company]);
  });

  it("is nothing of other workspaces", async () => {
    const { made } = await setUp();
    const other = await setUp();
    await made("/v1/people", { fullName: "Narwhal" });
    const own = await other.made("/v1/people", { fullName: "Narwhal" });
    await untilFound(other.api, "narwhal", [own]);
    await untilFound(other.api, "narhwal", [own]);
  });

  it("is written by batches, upserts and transactions too", async () => {
    const { api } = await setUp();
    await api.post("/v1/people/batch/create", { records: [{ fullName: "Ibex One" }, { fullName: "Ibex Two" }] });
    await api.post("/v1/transactions", {
      operations: [{ method: "POST", path: "/v1/companies", body: { name: "Ibex Three" } }],
    });
    await expect(searched(api, "ibex").then((items) => items.map(({ fullName }) => fullName))).resolves.toEqual([
      "Ibex Three",
      "Ibex Two",
      "Ibex One",
    ]);
  });
});
