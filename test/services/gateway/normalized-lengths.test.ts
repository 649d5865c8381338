import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startWorld, type TestGroup, type World } from "../../../lab/harness/world.ts";
import { type Client, client } from "../../support/client.ts";
import { startProcess, type TestServer } from "../../support/server.ts";

/** The longest text that is normalized at all is a note, of 100,000 characters. */
const NORMALIZED_MAX = 20_000;
const marks = (length: number) => `a${"\u0316\u0301".repeat(length / 2)}`;
/** What no place takes, and the longest that a filter takes. */
const HUGE = marks(1_000_000);
const LONG = marks(200_000);

let server: TestServer;
let world: World;
let api: Client;
let group: TestGroup;
let person: string;

beforeAll(async () => {
  server = await startProcess();
  world = await startWorld(server.database);
  const workspace = await world.workspace();
  api = client(server, workspace.ada.key);
  group = await workspace.group(workspace.ada);
  for (const [type, name] of Object.entries({ textField: "Text", userField: "User", contactField: "Link" }))
    await workspace.field(workspace.ada, group, "person", { type, name });
  for (const type of ["singleSelect", "multipleSelect"])
    await workspace.field(workspace.ada, group, "person", {
      type,
      name: type,
      options: [{ label: "a", color: "#000000" }],
    });
  person = String((await api.post("/v1/people", { firstName: "Ada", groups: [{ id: group.id }] })).data.id);
});

afterAll(async () => {
  await world.stop();
  await server.stop();
});

/** How many characters are normalized while something runs. */
async function normalizedIn(work: () => Promise<unknown>): Promise<number> {
  const { normalize } = String.prototype;
  let characters = 0;
  // biome-ignore lint/suspicious/noExplicitAny: the parameter of the real one has overloads
  String.prototype.normalize = function (this: string, form?: any) {
    characters += this.length;
    return normalize.call(this, form);
  };
  try {
    await work();
  } finally {
    String.prototype.normalize = normalize;
  }
  return characters;
}

// A time would depend on the machine: what is counted is how much the normalizer was given, which takes longer than all
// else.
describe("A text is not normalized before its length is known (docs/guides/limits.md#sizes)", () => {
  const custom = (name: string) => `customFieldValues.${group.id}.${name}`;
  const FILTERS: [where: string, filter: (text: string) => object][] = [
    ["a text", (text) => ({ fullName: { eq: text } })],
    ["several texts", (text) => ({ fullName: { in: [text, text] } })],
    ["a part of a text", (text) => ({ fullName: { like: text } })],
    ["the e-mail address of a user", (text) => ({ createdBy: { in: { email: [text] } } })],
    ["a field", (text) => ({ [text]: { eq: "x" } })],
    ["a custom field", (text) => ({ [custom(text)]: { eq: "x" } })],
    ["an operator", (text) => ({ fullName: { [text]: "x" } })],
    ["a custom text", (text) => ({ [custom("Text")]: { eq: text } })],
    ["a part of a custom text", (text) => ({ [custom("Text")]: { like: text } })],
    ["a label", (text) => ({ [custom("singleSelect")]: { in: [text] } })],
    ["labels", (text) => ({ [custom("multipleSelect")]: { all: [text] } })],
    ["a user in a custom field", (text) => ({ [custom("User")]: { in: { email: [text] } } })],
    ["an id", (text) => ({ groups: { in: { id: [text] } } })],
  ];
  it.each(FILTERS)("in a filter, by %s", async (_, filter) => {
    for (const text of [LONG, HUGE]) {
      const ask = () => api.post("/v1/people/search", { filter: filter(text) });
      expect(await normalizedIn(ask)).toBeLessThan(NORMALIZED_MAX);
    }
  });

  const values = (members: object) => ({ customFieldValues: { [group.id]: members } });
  const BODIES: [where: string, path: () => string, body: (text: string) => object][] = [
    ["the name of a custom field", () => `PATCH /v1/people/${person}`, (text) => values({ [text]: "x" })],
    ["a custom text", () => `PATCH /v1/people/${person}`, (text) => values({ Text: text })],
    ["a label", () => `PATCH /v1/people/${person}`, (text) => values({ singleSelect: text })],
    ["labels", () => `PATCH /v1/people/${person}`, (text) => values({ multipleSelect: [text, "a"] })],
    ["a user in a custom field", () => `PATCH /v1/people/${person}`, (text) => values({ User: [{ email: text }] })],
    ["a linked record", () => `PATCH /v1/people/${person}`, (text) => values({ Link: [{ id: text }] })],
    ["a group in custom values", () => `PATCH /v1/people/${person}`, (text) => ({ customFieldValues: { [text]: {} } })],
    ["a name", () => `PATCH /v1/people/${person}`, (text) => ({ firstName: text, fullName: text })],
    ["e-mail addresses", () => `PATCH /v1/people/${person}`, (text) => ({ emails: [text, `${text}@example.test`] })],
    ["a company by name", () => `PATCH /v1/people/${person}`, (text) => ({ companies: [{ name: text }] })],
    ["the name of a company", () => "POST /v1/companies", (text) => ({ name: text })],
    ["records of a batch", () => "POST /v1/companies/batch/create", (text) => ({ records: [{ name: text }] })],
    ["the name of a group", () => "POST /v1/groups", (text) => ({ name: text, visibility: "private" })],
    [
      "the name of a field",
      () => `POST /v1/groups/${group.id}/custom-fields/person`,
      (text) => ({ type: "textField", name: text }),
    ],
    [
      "the label of an option",
      () => `POST /v1/groups/${group.id}/custom-fields/person`,
      (text) => ({ type: "singleSelect", name: "More", options: [{ label: text, color: "#000000" }] }),
    ],
    ["an object type", () => `POST /v1/groups/${group.id}/object-types`, (text) => ({ name: text })],
    ["a member", () => `POST /v1/groups/${group.id}/members`, (text) => ({ id: text, email: text, role: "reader" })],
    ["a note", () => "POST /v1/notes", (text) => ({ content: text, entity: { id: person, type: "person" } })],
    ["an assigned user", () => "POST /v1/tasks", (text) => ({ title: "x", assignedUsers: [{ email: text }] })],
    [
      "a participant",
      () => "POST /v1/interactions",
      (text) => ({ type: "email", title: text, participants: [{ email: text }], people: [{ email: text }] }),
    ],
    [
      "the filter of a webhook",
      () => "POST /v1/webhooks",
      (text) => ({
        name: text,
        targetUrl: "https://receiver.invalid/",
        subscribedEvents: [{ eventType: "person.updated", filter: { type: "equals", path: [text], value: text } }],
      }),
    ],
  ];
  it.each(BODIES)("in a body, as %s", async (_, line, body) => {
    const [method = "", path = ""] = line().split(" ");
    for (const text of [LONG, HUGE])
      expect(await normalizedIn(() => api.request(method, path, body(text)))).toBeLessThan(NORMALIZED_MAX);
  });

  it("in a URL, whose head is bounded", async () => {
    const text = encodeURIComponent(marks(5000));
    for (const path of [
      `/v1/people?filter[fullName][eq]=${text}`,
      `/v1/people?filter[${text}][eq]=x`,
      `/v1/notes?query=${text.slice(0, 6000)}`,
      `/v1/groups/${group.id}/${text.slice(0, 6000)}`,
    ])
      expect(await normalizedIn(() => api.get(path))).toBeLessThan(NORMALIZED_MAX);
  });
});

describe("A filter in a body (docs/guides/limits.md#sizes)", () => {
  it("has at most 250,000 characters in its names and values together", async () => {
    const ask = (characters: number) => {
      const texts = Array.from({ length: 50 }, () => "x".repeat(4990));
      const names = "groups".length + "in".length + "id".length;
      return api.post("/v1/people/search", {
        filter: { groups: { in: { id: [...texts, "y".repeat(characters - 50 * 4990 - names)] } } },
      });
    };
    expect((await ask(250_000)).status).toBe(200);
    expect((await ask(250_001)).issues).toMatchObject([{ code: "too_big", maximum: 250_000, path: ["filter"] }]);
  });
});
