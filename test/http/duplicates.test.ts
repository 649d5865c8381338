import { expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const NOBODY = "per_01a00000-0000-7000-8000-000000000000";

interface Pair {
  records: [Item, Item];
  score: number;
  reasons: { path: string[]; kind: string }[];
}

const LISTS = { people: "/v1/people/duplicates", companies: "/v1/companies/duplicates" };

async function pairsOf(api: Client, kind: keyof typeof LISTS = "people"): Promise<Pair[]> {
  return (await api.all(`${LISTS[kind]}?limit=100`)) as unknown as Pair[];
}

const named = ({ records, reasons }: Pair) =>
  `${records.map(({ fullName }) => fullName).join(" + ")}: ${reasons.map(({ path, kind }) => `${path.join()} ${kind}`).join(", ")}`;

/** Waits until the pairs are these, in any order. */
async function arePairs(api: Client, wanted: string[], kind: keyof typeof LISTS = "people"): Promise<void> {
  let seen: string[] = [];
  await until(
    `the pairs ${wanted.join("; ")}`,
    async () => {
      seen = (await pairsOf(api, kind)).map((pair) => named(pair).split(":")[0] ?? "");
      return seen.toSorted().join() === wanted.toSorted().join();
    },
    20_000,
  ).catch((error) => {
    throw new Error(`The pairs are ${seen.join("; ")}`, { cause: error });
  });
}

describeServer("Duplicates", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const person = async (fullName: string, more: object = {}) =>
      (await api.post("/v1/people", { fullName, ...more })).data;
    const company = async (name: string, more: object = {}) =>
      (await api.post("/v1/companies", { name, ...more })).data;
    const dismiss = (one: Item, other: Item, more: object = {}) =>
      api.post("/v1/people/duplicates/dismiss", { records: [{ id: one.id }, { id: other.id }], ...more });
    return { ...workspace, api, person, company, dismiss };
  }

  const emails = ["office@acme.test"];
  const phones = ["+41 79 123 45 67"];

  // docs/guides/duplicates.md#the-list
  it("are listed best first, the older record first, with score and reasons", async () => {
    const { api, person, company } = await setUp();
    const { id } = await company("Acme");
    const companies = [{ id }];
    const made = [
      await person("Ada Lovelace", { companies, phones }),
      await person("Lovelace, Ada", { companies }),
      await person("Ada Lovelase", { companies }),
      await person("Bob Stone", { emails, phones: ["0041 79 123 45 67"] }),
      await person("Cleo Park", { emails: ["OFFICE@ACME.test"] }),
      await person("Ada Lovelace", { emails: ["a@other.test"] }),
    ];
    await until("all pairs", async () => (await pairsOf(api)).length === 5);
    const pairs = await pairsOf(api);
    expect(pairs.map((pair) => `${pair.score} ${named(pair)}`)).toEqual([
      "0.95 Bob Stone + Cleo Park: emails same",
      "0.9 Ada Lovelace + Bob Stone: phones same",
      "0.75 Ada Lovelace + Lovelace, Ada: fullName same, companies same",
      "0.5 Lovelace, Ada + Ada Lovelase: fullName similar, companies same",
      "0.5 Ada Lovelace + Ada Lovelase: fullName similar, companies same",
    ]);
    expect(pairs[0]?.records).toEqual([3, 4].map((i) => ({ id: made[i]?.id, fullName: made[i]?.fullName })));
    const pages = await api.pages(`${LISTS.people}?limit=2`);
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(pairs);
  });

  it("refuse a cursor of the other list, and wrong limits (docs/guides/lists.md#cursors)", async () => {
    const { api, person } = await setUp();
    for (const name of ["Ada", "Bob", "Cleo"]) await person(name, { emails });
    await until("the pairs", async () => (await pairsOf(api)).length === 3);
    const { pagination } = (await api.get(`${LISTS.people}?limit=1`)).data as { pagination?: { nextLink?: string } };
    const cursor = new URL(pagination?.nextLink ?? "").searchParams.get("cursor");
    expect((await api.get(`${LISTS.companies}?cursor=${cursor}`)).status).toBe(422);
    for (const limit of ["0", "101", "x"]) expect((await api.get(`${LISTS.people}?limit=${limit}`)).status).toBe(422);
    expect((await api.request("PATCH", LISTS.people, {})).status).toBe(405);
    expect((await api.get("/v1/people/duplicates/dismiss")).status).toBe(405);
  });

  // docs/guides/duplicates.md#what-counts
  it("of companies are found by their names, addresses and sites, never together with people", async () => {
    const { api, person, company } = await setUp();
    await company("Acme Tools", { emails });
    await company("ACME-Tools GmbH");
    await company("Bolt", { urls: ["https://bolt.test/"] });
    await company("Screw", { urls: ["http://www.bolt.test"] });
    await person("Ada Lovelace", { emails });
    await arePairs(api, ["Acme Tools + ACME-Tools GmbH", "Bolt + Screw"], "companies");
    expect(await pairsOf(api)).toEqual([]);
  });

  it("belong to a workspace, and are seen by all its users and read keys", async () => {
    const { api, person, ...workspace } = await setUp();
    const other = await setUp();
    const bob = scene.api(await workspace.user("Bob Stone"));
    await person("Ada Lovelace", { emails });
    await other.person("Grace Hopper", { emails });
    await person("Ada King", { emails });
    await arePairs(bob, ["Ada Lovelace + Ada King"]);
    expect(await pairsOf(other.api)).toEqual([]);
    expect((await scene.api().get(LISTS.people)).status).toBe(401);
    await arePairs(api, ["Ada Lovelace + Ada King"]);
  });

  // docs/guides/duplicates.md#delay
  it("follow updates, deletions, restores and undo", async () => {
    const { api, person } = await setUp();
    const ada = await person("Ada Lovelace", { emails });
    const king = await person("Ada King", { emails });
    const pair = ["Ada Lovelace + Ada King"];
    await arePairs(api, pair);
    await api.patch(`/v1/people/${king.id}`, { emails: [] });
    await arePairs(api, []);
    const given = await api.patch(`/v1/people/${king.id}`, { emails });
    await arePairs(api, pair);
    await api.post("/v1/undo", { requestId: given.headers["x-request-id"] });
    await arePairs(api, []);
    await api.patch(`/v1/people/${king.id}`, { emails });
    await arePairs(api, pair);
    await api.delete(`/v1/people/${ada.id}`);
    expect(await pairsOf(api)).toEqual([]);
    await api.post(`/v1/people/${ada.id}/restore`);
    await arePairs(api, pair);
  });

  it("are gone after a merge at once, and those of the survivor are found", async () => {
    const { api, person } = await setUp();
    const ada = await person("Ada Lovelace", { emails });
    const king = await person("Ada King", { emails, phones });
    await person("Augusta", { phones });
    await arePairs(api, ["Ada Lovelace + Ada King", "Ada King + Augusta"]);
    const merge = await api.post(`/v1/people/${ada.id}/merge`, { records: [{ id: king.id }] });
    expect((await pairsOf(api)).filter(({ records }) => records.some(({ id }) => id === king.id))).toEqual([]);
    await arePairs(api, ["Ada Lovelace + Augusta"]);
    await api.post("/v1/undo", { requestId: merge.headers["x-request-id"] });
    await arePairs(api, ["Ada Lovelace + Ada King", "Ada King + Augusta"]);
  });

  it("follow companies that are deleted, restored and merged, though no event of people tells of it", async () => {
    const { api, person, company } = await setUp();
    const [acme, bolt] = [await company("Acme"), await company("Bolt")];
    await person("Ada Lovelace", { companies: [{ id: acme.id }] });
    await person("Ada Lovelace", { companies: [{ id: bolt.id }] });
    await person("Ada Lovelase", { companies: [{ id: bolt.id }] });
    const similar = ["Ada Lovelace + Ada Lovelase"];
    await arePairs(api, similar);
    await api.delete(`/v1/companies/${bolt.id}`);
    await arePairs(api, []);
    await api.post(`/v1/companies/${bolt.id}/restore`);
    await arePairs(api, similar);
    const merge = await api.post(`/v1/companies/${acme.id}/merge`, { records: [{ id: bolt.id }] });
    await arePairs(api, ["Ada Lovelace + Ada Lovelace", ...similar, ...similar]);
    await api.post("/v1/undo", { requestId: merge.headers["x-request-id"] });
    await arePairs(api, similar);
  });

  // docs/guides/duplicates.md#limits
  it("do not rest on an address that more than 20 share, but do again when 20 are left", async () => {
    const { api, person } = await setUp();
    const records = Array.from({ length: 20 }, (_, i) => ({
      fullName: `P${i}`,
      emails,
      companies: [{ name: "Acme" }],
    }));
    await api.post("/v1/people/batch/create", { records });
    await until("190 pairs", async () => (await pairsOf(api)).length === 190);
    const ada = await person("P0", { emails, companies: [{ name: "Acme" }] });
    await until("one pair", async () => {
      const pairs = await pairsOf(api);
      return pairs.length === 1 && named(pairs[0] as Pair) === "P0 + P0: fullName same, companies same";
    });
    await api.delete(`/v1/people/${ada.id}`);
    await until("190 pairs again", async () => (await pairsOf(api)).length === 190);
  });

  it("do not rest on a domain that more than 200 have, but do again when 200 are left", async () => {
    const { api, person } = await setUp();
    await person("Ada Lovelace", { emails: ["ada@acme.test"] });
    await person("Ada Lovelace", { emails: ["lovelace@acme.test"] });
    await arePairs(api, ["Ada Lovelace + Ada Lovelace"]);
    const records = Array.from({ length: 99 }, (_, i) => ({ fullName: `P${i}`, emails: [`p${i}@acme.test`] }));
    await api.post("/v1/people/batch/create", { records });
    const more = records.map(({ fullName, emails: [email] }) => ({ fullName: `${fullName}x`, emails: [`x${email}`] }));
    await api.post("/v1/people/batch/create", { records: more });
    await arePairs(api, ["Ada Lovelace + Ada Lovelace"]);
    const last = await person("Last", { emails: ["last@acme.test"] });
    await arePairs(api, []);
    await api.delete(`/v1/people/${last.id}`);
    await arePairs(api, ["Ada Lovelace + Ada Lovelace"]);
  });

  // docs/guides/duplicates.md#dismissing
  it("are dismissed for all users until that is taken back, whatever is written", async () => {
    const { api, person, dismiss, ...workspace } = await setUp();
    const bob = scene.api(await workspace.user("Bob Stone"));
    const ada = await person("Ada Lovelace", { emails });
    const king = await person("Ada King", { emails });
    await arePairs(api, ["Ada Lovelace + Ada King"]);
    const answer = await dismiss(king, ada);
    const records = [ada, king].map(({ id, fullName }) => ({ id, fullName }));
    expect([answer.status, answer.data]).toEqual([200, { records, dismissed: true }]);
    expect((await dismiss(ada, king)).data).toEqual({ records, dismissed: true });
    expect(await pairsOf(bob)).toEqual([]);
    for (const { id } of [ada, king]) await api.patch(`/v1/people/${id}`, { phones });
    await person("Augusta", { phones });
    await arePairs(bob, ["Ada Lovelace + Augusta", "Ada King + Augusta"]);
    expect((await dismiss(ada, king, { dismissed: false })).data).toEqual({ records, dismissed: false });
    await arePairs(bob, ["Ada Lovelace + Ada King", "Ada Lovelace + Augusta", "Ada King + Augusta"]);
  });

  it("can be dismissed before they are a pair; a merge hands that to the survivor", async () => {
    const { api, person, dismiss } = await setUp();
    const [ada, king, grace] = [await person("Ada"), await person("King"), await person("Grace")];
    await dismiss(king, grace);
    await api.post(`/v1/people/${ada.id}/merge`, { records: [{ id: king.id }] });
    for (const { id } of [ada, grace]) await api.patch(`/v1/people/${id}`, { emails });
    await person("Witness", { emails });
    await arePairs(api, ["Ada + Witness", "Grace + Witness"]);
    // The merged id is an alias of the survivor.
    expect((await dismiss(king, grace, { dismissed: false })).data.records).toEqual([
      { id: ada.id, fullName: "Ada" },
      { id: grace.id, fullName: "Grace" },
    ]);
    await arePairs(api, ["Ada + Grace", "Ada + Witness", "Grace + Witness"]);
  });

  it("are not dismissed by bodies that name no two records", async () => {
    const { api, person, company, dismiss } = await setUp();
    const [ada, king] = [await person("Ada"), await person("King")];
    await api.post(`/v1/people/${ada.id}/merge`, { records: [{ id: king.id }] });
    const issuesOf = async (...sent: Parameters<typeof dismiss>) => {
      const { status, error } = await dismiss(...sent);
      return [status, ...(error.details?.issues ?? []).map(({ code, path }) => `${code} ${path.join(".")}`)];
    };
    expect(await issuesOf(ada, ada)).toEqual([422, "custom records.1.id"]);
    expect(await issuesOf(ada, king)).toEqual([422, "custom records.1.id"]);
    expect(await issuesOf(ada, { ...king, id: NOBODY })).toEqual([422, "custom records.1.id"]);
    expect(await issuesOf(await company("Acme"), ada)).toEqual([422, "custom records.0.id"]);
    expect(await issuesOf(ada, king, { dismissed: "yes" })).toEqual([422, "invalid_type dismissed"]);
    expect(await issuesOf(ada, king, { also: 1 })).toEqual([422, "unrecognized_keys "]);
    const one = await api.post("/v1/people/duplicates/dismiss", { records: [{ id: ada.id }] });
    expect([one.status, one.error.details?.issues?.[0]?.code]).toEqual([422, "too_small"]);
  });

  it("are dismissed by full keys alone; a preview and a repeated key do nothing more", async () => {
    const { api, person, dismiss, ...workspace } = await setUp();
    const [ada, king] = [await person("Ada", { emails }), await person("King", { emails })];
    await arePairs(api, ["Ada + King"]);
    const body = { records: [{ id: ada.id }, { id: king.id }] };
    const reader = scene.api((await workspace.key(workspace.ada, { access: "read" })).key);
    expect((await reader.post("/v1/people/duplicates/dismiss", body)).status).toBe(403);
    await arePairs(reader, ["Ada + King"]);
    const preview = await api.post("/v1/people/duplicates/dismiss", body, { "Dry-Run": "true" });
    expect([preview.status, preview.headers["dry-run"], preview.body]).toEqual([
      200,
      "true",
      { data: { records: expect.anything(), dismissed: true }, changes: [] },
    ]);
    await arePairs(api, ["Ada + King"]);
    const once = { "Idempotency-Key": "dismiss-1" };
    const first = await api.post("/v1/people/duplicates/dismiss", body, once);
    await dismiss(ada, king, { dismissed: false });
    const again = await api.post("/v1/people/duplicates/dismiss", body, once);
    expect([again.data, again.headers["idempotent-replayed"]]).toEqual([first.data, "true"]);
    await arePairs(api, ["Ada + King"]);
  });

  it("leave no events and no history when they are dismissed", async () => {
    const { api, person, dismiss } = await setUp();
    const [ada, king] = [await person("Ada"), await person("King")];
    const before = (await api.all("/v1/events")).length;
    const { headers } = await dismiss(ada, king);
    expect((await api.post("/v1/undo", { requestId: headers["x-request-id"] })).data.undone).toBe(0);
    expect((await api.all(`/v1/people/${ada.id}/history`)).length).toBe(1);
    expect((await api.all("/v1/events")).length).toBe(before);
  });
});
