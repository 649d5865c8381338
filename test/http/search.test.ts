import { expect, it } from "@jest/globals";
import type { Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { createAll } from "./counting.ts";
import { type Found, fieldsOf, order, searched, untilFound } from "./searching.ts";

const TALK = { dateTime: "2026-01-15T10:00:00Z", title: "Zugzwang", content: "Gambit", activityType: "meeting" };
const DAY = { dueAt: "2031-01-31" };

describeServer("A search over everything", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const api = scene.patientApi(ada);
    const group = await workspace.group(ada);
    const define = (entity: string, field: object) => workspace.field(ada, group, entity, field);
    const made = async (path: string, body: object) => (await api.post(path, body)).data;
    return { ...workspace, api, group, define, made };
  }

  // docs/guides/search.md#what-is-searched
  it("finds people by names, addresses, phones, job titles, urls, texts and options, and by nothing else", async () => {
    const { api, group, define, made } = await setUp();
    await define("person", { type: "textField", name: "Motto" });
    await define("person", { type: "singleSelect", name: "Status", options: [{ label: "Customer" }] });
    await define("person", { type: "multipleSelect", name: "Tags", options: [{ label: "Chess" }, { label: "Tea" }] });
    await define("person", { type: "numericField", name: "Score" });
    await define("person", { type: "dateField", name: "Met" });
    const values = { Motto: "Onwards", Status: "Customer", Tags: ["Chess"], Score: 98765, Met: "1999-12-31" };
    const person = await made("/v1/people", {
      firstName: "Ada",
      lastName: "Lovelace",
      fullName: "Countess Lovelace",
      jobTitle: "Chief Analyst",
      description: "Unseen",
      birthday: "1815-12-10",
      gender: "Female",
      emails: ["first@engines.test", "augusta@byron.test"],
      phones: ["+44 20 7946 0000"],
      urls: ["https://profiles.test/enchantress"],
      addresses: ["Hidden Street"],
      groups: [{ id: group.id }],
      customFieldValues: { [group.id]: values },
    });
    await made("/v1/interactions", { entity: { id: person.id }, ...TALK });
    const custom = (name: string) => `customFieldValues.${group.id}.${name}`;
    for (const [q, path, text] of [
      ["ada", "firstName", "Ada"],
      ["lovelace", "lastName", "Lovelace"],
      ["countess", "fullName", "Countess Lovelace"],
      ["analyst", "jobTitle", "Chief Analyst"],
      ["augusta", "emails", "augusta@byron.test"],
      ["augusta@byron.test", "emails", "augusta@byron.test"],
      ["+44 20 7946 0000", "phones", "+44 20 7946 0000"],
      ["enchantress", "urls", "https://profiles.test/enchantress"],
      ["https://profiles.test/enchantress", "urls", "https://profiles.test/enchantress"],
      ["onwards", custom("Motto"), "Onwards"],
      ["customer", custom("Status"), "Customer"],
      ["chess", custom("Tags"), "Chess"],
    ] as const) {
      const [item] = await untilFound(api, q, [person]);
      expect([q, item?.entityType, item?.fullName]).toEqual([q, "person", "Countess Lovelace"]);
      expect([q, fieldsOf(item)[path]]).toEqual([q, text]);
    }
    for (const q of [
      "unseen",
      "hidden",
      "street",
      "zugzwang",
      "gambit",
      "98765",
      "1815",
      "1999-12-31",
      "female",
      "tea",
    ])
      expect([q, await searched(api, q)]).toEqual([q, []]);
  });

  it("finds companies and objects by their names and fields, and tells the type and group of objects", async () => {
    const { api, group, define, made } = await setUp();
    await define("person", { type: "objectField", name: "Deals" });
    await define("Deals", { type: "textField", name: "Terms" });
    await define("Deals", { type: "singleSelect", name: "Stage", options: [{ label: "Negotiation" }] });
    await define("company", { type: "textField", name: "Slogan" });
    const company = await made("/v1/companies", {
      name: "Analytical Engines",
      description: "Unseen",
      industry: "Machinery",
      emails: ["sales@engines.test"],
      phones: ["+44 20 7946 0001"],
      urls: ["https://engines.test"],
      addresses: ["Hidden Street"],
      groups: [{ id: group.id }],
      customFieldValues: { [group.id]: { Slogan: "Weaving algebra" } },
    });
    const deal = await made(`/v1/groups/${group.id}/Deals`, {
      name: "First difference",
      companies: [{ id: company.id }],
      customFieldValues: { Terms: "Half upfront", Stage: "Negotiation" },
    });
    for (const q of ["analytical", "sales@engines.test", "020 7946 0001", "algebra weaving"]) {
      const [item] = await untilFound(api, q, [company]);
      expect(item).toMatchObject({ entityType: "company", fullName: "Analytical Engines" });
    }
    for (const [q, path] of [
      ["difference", "name"],
      ["upfront", "customFieldValues.Terms"],
      ["negotiation", "customFieldValues.Stage"],
    ] as const) {
      const [item] = await untilFound(api, q, [deal]);
      expect(item).toMatchObject({ entityType: "object", fullName: "First difference", objectType: "Deals" });
      expect([item?.groupId, Object.keys(fieldsOf(item))]).toEqual([group.id, [path]]);
    }
    for (const q of ["unseen", "hidden", "machinery", "deals"]) expect([q, await searched(api, q)]).toEqual([q, []]);
  });

  it("finds notes by their content and tasks by title and description, with the record they are of", async () => {
    const { api, made } = await setUp();
    const person = await made("/v1/people", { fullName: "Grace Hopper" });
    const entity = { id: person.id };
    const shown = { id: person.id, entityType: "person", fullName: "Grace Hopper" };
    const note = await made("/v1/notes", { entity, visibility: "public", content: `First line\nof **compilers**` });
    const reply = await made("/v1/notes", {
      entity,
      visibility: "public",
      content: "Linkers",
      parentNote: { id: note.id },
    });
    const task = await made("/v1/tasks", { entity, title: "Fetch nanoseconds", description: "Copper wires", ...DAY });
    const [byContent] = await untilFound(api, "compilers", [note]);
    expect(byContent).toMatchObject({ entityType: "note", fullName: "First line", entity: shown });
    expect(byContent?.matched).toEqual([{ path: ["content"], text: "First line\nof **compilers**" }]);
    expect((await untilFound(api, "linkers", [reply]))[0]).toMatchObject({ fullName: "Linkers", entity: shown });
    const [byTitle] = await untilFound(api, "nanoseconds", [task]);
    expect(byTitle).toMatchObject({ entityType: "task", fullName: "Fetch nanoseconds", entity: shown });
    expect(fieldsOf(byTitle)).toEqual({ title: "Fetch nanoseconds" });
    expect(fieldsOf((await untilFound(api, "wires", [task]))[0])).toEqual({ description: "Copper wires" });
    // A note and its record are two.
    expect(await searched(api, "grace compilers")).toEqual([]);
  });

  it("finds people by the names of their companies, behind their own fields", async () => {
    const { api, made } = await setUp();
    const linked = await made("/v1/people", { fullName: "Ada Lovelace", companies: [{ name: "Zebra Works" }] });
    const company = (linked.companies as Item[])[0] as Item;
    const titled = await made("/v1/people", {
      fullName: "Zoe Zebra",
      jobTitle: "Zebra keeper",
      companies: [{ id: company.id }],
    });
    const items = await untilFound(api, "zebra", [company, linked, titled]);
    const fields = Object.fromEntries(items.map((item) => [item.id, item.matched.map(({ path }) => path.join("."))]));
    expect(fields[linked.id]).toEqual(["companies"]);
    expect(fields[titled.id]).toEqual(["lastName", "fullName", "jobTitle", "companies"]);
    expect(items.map(({ id }) => id).at(-1)).toBe(linked.id);
    expect(fieldsOf(items.at(-1))).toEqual({ companies: "Zebra Works" });
    await untilFound(api, "lovelace zebra", [linked]);
    await api.patch(`/v1/companies/${company.id}`, { name: "Okapi" });
    await untilFound(api, "lovelace okapi", [linked]);
    await untilFound(api, "zebra", [titled]);
    await api.patch(`/v1/people/${linked.id}`, { companies: [] });
    await untilFound(api, "okapi", [company, titled]);
  });

  it("finds all words, wherever they stand in one record", async () => {
    const { api, group, define, made } = await setUp();
    await define("person", { type: "textField", name: "Motto" });
    const wide = await made("/v1/people", {
      fullName: "Ada Lovelace",
      jobTitle: "Analyst",
      companies: [{ name: "Engines" }],
      groups: [{ id: group.id }],
      customFieldValues: { [group.id]: { Motto: "Onwards" } },
    });
    await made("/v1/people", { fullName: "Ada Byron", jobTitle: "Poet" });
    for (const q of ["analyst ada", "onwards engines lovelace", "engines onwards", "ADA onw eng"])
      await untilFound(api, q, [wide]);
    await untilFound(api, "lovelase analyts onwrds engine", [wide]);
    expect(await searched(api, "ada analyst poet")).toEqual([]);
  });

  // docs/guides/search.md#answers
  it("names each field once, five at most, and shows parts of up to 200 characters around the find", async () => {
    const { api, group, define, made } = await setUp();
    for (const name of ["A", "B", "C", "D"]) await define("person", { type: "textField", name });
    const person = await made("/v1/people", {
      firstName: "Quince",
      emails: ["quinces@x.test", "quince@x.test"],
      jobTitle: "quince",
      groups: [{ id: group.id }],
      customFieldValues: { [group.id]: { A: "quince", B: "quince", C: "quince", D: "quince" } },
    });
    const [item] = await untilFound(api, "quince", [person]);
    expect(item?.matched).toHaveLength(5);
    expect(item?.matched.slice(0, 2).map(({ path }) => path)).toEqual([["firstName"], ["fullName"]]);
    expect(new Set(item?.matched.map(({ path }) => path.join("."))).size).toBe(5);
    const long = `${"🇨🇭 é ".repeat(400)}Marmalade${" 👍🏽 x".repeat(400)}`;
    const note = await made("/v1/notes", { entity: { id: person.id }, visibility: "public", content: long });
    for (const q of ["marmalade", "marma", "mermalade"]) {
      const text = (await untilFound(api, q, [note]))[0]?.matched[0]?.text ?? "";
      expect(text).toContain("Marmalade");
      expect(text.length).toBeLessThanOrEqual(200);
      expect(long).toContain(text);
      expect(text.replaceAll(/🇨🇭|é|👍🏽|Marmalade|[x ]/gu, "")).toBe("");
    }
  });

  // docs/guides/search.md#asking
  it("gives 20 items or as many as it is asked for, of the kinds that it is asked for", async () => {
    const { api, made } = await setUp();
    const people = await createAll(
      api,
      "/v1/people",
      Array.from({ length: 51 }, (_, i) => ({ fullName: `Kiwi ${i}` })),
    );
    const company = await made("/v1/companies", { name: "Kiwi" });
    const task = await made("/v1/tasks", { entity: { id: company.id }, title: "Kiwi", ...DAY });
    await untilFound(api, "kiwi", [company, task], "&types=company&types=task");
    for (const [query, count] of [
      ["", 20],
      ["&limit=1", 1],
      ["&limit=50", 50],
      ["&types=person&limit=50", 50],
    ] as const)
      expect([query, (await order(api, "kiwi", query)).length]).toEqual([query, count]);
    expect(await order(api, "kiwi", "&types=person&limit=2")).toEqual([people[50], people[49]]);
    expect(await order(api, "kiwi", "&types[]=company")).toEqual([company.id]);
    expect(await order(api, "kiwi", "&types=note&types=object")).toEqual([]);
  });

  it("refuses parameters at their paths", async () => {
    const { api } = await setUp();
    for (const [query, path] of [
      ["", "q"],
      ["q=", "q"],
      [`q=${"x".repeat(201)}`, "q"],
      ["q=x&q=y", "q"],
      ["q=a%00b", "q"],
      ["q=x&limit=0", "limit"],
      ["q=x&limit=51", "limit"],
      ["q=x&limit=1.5", "limit"],
      ["q=x&limit=5&limit=6", "limit"],
      ["q=x&types=reminder", "types"],
      ["q=x&types=people", "types"],
      ["q=x&types=person&types=", "types"],
    ] as const) {
      const { status, issues } = await api.get(`/v1/search?${query}`);
      expect([query, status, issues.map((issue) => issue.path[0])]).toEqual([query, 422, [path]]);
    }
    expect((await api.get(`/v1/search?q=${encodeURIComponent("😀".repeat(100))}`)).status).toBe(200);
    expect((await api.post("/v1/search", {})).status).toBe(405);
  });

  it("finds nothing by blanks and signs, and takes signs of search languages as signs", async () => {
    const { api, made } = await setUp();
    const person = await made("/v1/people", { fullName: "Ada Lovelace" });
    await untilFound(api, "ada", [person]);
    for (const q of [" ", "\t", "–", "?!", "%", "*", "😀", "'", ":*", "\\", "&|!"])
      expect([q, await searched(api, q)]).toEqual([q, []]);
    for (const q of ['"ada"', "(ada) & !lovelace", "ada:*", "ada' | 'x", "%ada%"])
      expect([q, (await searched(api, q)).map(({ id }) => id)]).toEqual([q, q.includes("x") ? [] : [person.id]]);
  });

  it("has neither pages nor other members", async () => {
    const { api, made } = await setUp();
    await made("/v1/people", { fullName: "Ada" });
    const answer = await api.get("/v1/search?q=ada&limit=1");
    expect(Object.keys(answer.body as object)).toEqual(["data"]);
    expect(Object.keys(answer.data)).toEqual(["items"]);
    const [item] = (answer.data as unknown as { items: Found[] }).items;
    expect(Object.keys(item ?? {}).sort()).toEqual(["entityType", "fullName", "id", "matched"]);
  });
});
