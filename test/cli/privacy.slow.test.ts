import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pg from "pg";
import { type Uuid, uuidOf } from "../../base/values/ids.ts";
import { putKeyIntoDatabase } from "../../engine/secrets/keys.ts";
import { responsePurpose } from "../../engine/secrets/purposes.ts";
import { sealingOf } from "../../engine/secrets/sealing.ts";
import { until } from "../../lab/harness/until.ts";
import { testFolder } from "../support/folder.ts";
import { atRest, type RichWorkspace, richWorkspace } from "../support/rich-workspace.ts";
import { schemaTables } from "../support/schema-tables.ts";
import { startProcess } from "../support/server.ts";
import { atTerminal, CTRL_C, CTRL_D } from "../support/terminal.ts";
import { startWebhookReceiver, WEBHOOK_ENV, type WebhookReceiver } from "../support/webhook-receiver.ts";

let server: Awaited<ReturnType<typeof startProcess>>;
let receiver: WebhookReceiver;
let rich: RichWorkspace;
const files = testFolder();

beforeAll(async () => {
  server = await startProcess({ env: WEBHOOK_ENV });
  await putKeyIntoDatabase(server.database.read, randomBytes(32));
  receiver = await startWebhookReceiver();
  rich = await richWorkspace(server, files, { slug: "rich", receiver });
  // A receiver may answer with what it was sent, and a secret answer may hold an address.
  await receiver.next("the person", ({ type }) => type === "person.updated");
  await atRest(server.database);
  await server.database.read(
    `update deliveries set attempts = json_build_array(json_build_object('at', now(), 'responseStatus', 200, 'error', null, 'durationMs', 1,
       'responseBody', 'thanks for ' || $1::text))`,
    [rich.marks[0]],
  );
  await sealedAnswer();
  await longTexts();
});
afterAll(async () => {
  await rich.close();
  await receiver.close();
  await server.stop();
  files.remove();
});

const LONG = "Much was said. ".repeat(200);

/** Texts that stand in the log alone: those of a note that has another one now, and of a note that was deleted. */
async function longTexts(): Promise<void> {
  const { api, person, marks } = rich;
  const entity = { id: person.id };
  const { items } = await api.get(`/v1/notes?entity.id=${person.id}`);
  for (const { id, content } of items.slice(0, 1))
    for (const other of [`${LONG} ${marks[0]}`, content]) await api.patch(`/v1/notes/${id}`, { content: other });
  const { data: gone } = await api.post("/v1/notes", { entity, visibility: "public", content: "Short" });
  for (const content of [`${LONG} by ${marks[0]}`, `By ${marks[0]}`, "Short"])
    await api.patch(`/v1/notes/${gone.id}`, { content });
  await api.delete(`/v1/notes/${gone.id}`);
  await atRest(server.database);
}

/** An encrypted answer that holds the address, as those of webhooks are that filter by one. */
async function sealedAnswer(): Promise<void> {
  const [user] = await server.database.read<{ id: Uuid }>("select id from users where email = 'ada@acme.test'");
  const place = { workspaceId: rich.uuid, userId: user?.id as Uuid, key: "sealed" };
  const sealing = await sealingOf(server.database);
  const body = sealing.seal(JSON.stringify({ data: { filter: rich.marks[0] } }), responsePurpose(place));
  await server.database.read(
    "insert into saved_responses values ($1, $2, $3, 'print', 200, $4, now() + interval '1 day')",
    [place.workspaceId, place.userId, place.key, body],
  );
}

interface TableRow {
  table: string;
  text: string;
}

/** Every row of every table as text, encrypted ones decrypted. */
async function everything(): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  for (const { name } of await schemaTables(server.database.read)) {
    const texts = await server.database.read<{ text: string }>(`select row_to_json(t)::text as text from "${name}" t`);
    rows.push(...texts.map(({ text }) => ({ table: name, text })));
  }
  const answers = await server.database.read<{ workspaceId: Uuid; userId: Uuid; key: string; body: Buffer }>(
    'select workspace_id as "workspaceId", user_id as "userId", key, body from saved_responses where body is not null',
  );
  const sealing = await sealingOf(server.database);
  for (const { body, ...place } of answers)
    rows.push({
      table: "saved_responses",
      text: sealing.open(body, responsePurpose(place)),
    });
  return rows;
}

const withMarks = (rows: TableRow[]) =>
  rows.filter(({ text }) => rich.marks.some((mark) => text.toLowerCase().includes(mark.toLowerCase())));

interface Dossier {
  [part: string]: unknown[];
}

test("people export gives everything that refers to a person, found by any of their addresses or ids", async () => {
  const file = join(files.path, "grace.json");
  const { code, err } = await rich.admin.run("people export GRACE.hopper@navy.example --workspace rich --output", file);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  // Nobody else on the machine may read it.
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const dossier = JSON.parse(readFileSync(file, "utf8")) as Dossier;
  expect(dossier).toMatchObject({
    person: {
      id: rich.person.id,
      fullName: "Grace Brewster Hopper",
      customFieldValues: expect.objectContaining({}),
      groups: [{ name: "Sales" }, { name: "Board" }],
    },
    formerIds: [rich.merged.id],
    notes: [{ content: "Met Grace Brewster Hopper" }, { content: "Sent the invitation.", visibility: "private" }],
    tasks: [{ title: "Call Grace" }, { title: "Ask again" }],
    interactions: [{ title: "Coffee" }, { source_id: "mail-1@acme.test" }, { source_id: "mail-2@acme.test" }],
    enrichments: [{ added_fields: ["jobTitle"] }],
    events: expect.arrayContaining([
      expect.objectContaining({
        record_id: uuidOf("person", rich.merged.id),
        type: "person.deleted",
        body: expect.objectContaining({ into: uuidOf("person", rich.person.id) }),
        more: { gone: expect.objectContaining({ row: expect.objectContaining({ fullName: "Grace Murray" }) }) },
      }),
    ]),
    linkedFrom: [
      { id: rich.company.id, name: "US Navy; Reserve" },
      { id: rich.deal.id, name: "Compilers" },
    ],
  });
  expect(JSON.stringify(dossier.person)).toContain("Amazing");
  // The log refers to long texts, which stand elsewhere.
  const texts = dossier.events?.map((event) => JSON.stringify(event)) ?? [];
  for (const text of [`${LONG} ${rich.marks[0]}`, `${LONG} by ${rich.marks[0]}`, `By ${rich.marks[0]}`])
    expect([text, texts.filter((one) => one.includes(JSON.stringify(text))).length]).toEqual([text, 2]);
  for (const part of ["events", "deliveries", "savedResponses"])
    expect([part, dossier[part]?.length]).not.toEqual([part, 0]);
  expect(dossier.savedResponses).toContainEqual(expect.objectContaining({ key: "sealed" }));
  for (const asked of [rich.person.id, rich.merged.id, "amazing.grace@cobol.example"]) {
    const { json } = await rich.admin.run(`people export ${asked} --workspace rich`);
    expect(json<{ person: unknown }>().person).toEqual(dossier.person);
  }
});

test.each([
  ["Maria.Stein@Acme.test", "maria.stein@acme.TEST"],
  ["μαρια.ς@acme.test", "ΜΑΡΙΑ.Σ@acme.test"],
])("a person with the address %s is found by %s (docs/guides/data-protection.md)", async (stored, asked) => {
  const { data } = await rich.api.post("/v1/people", { emails: [stored] });
  const { json } = await rich.admin.run(`people export ${asked} --workspace rich`);
  expect(json<{ person: unknown }>().person).toMatchObject({ id: data.id });
  await rich.api.delete(`/v1/people/${data.id}`);
});

test("an address of two people, and one of nobody, are told", async () => {
  for (const fullName of ["One", "Two"]) await rich.api.post("/v1/people", { fullName, emails: ["both@acme.test"] });
  const both = await rich.admin.run("people erase both@acme.test --workspace rich --yes");
  expect(both).toMatchObject({ code: 1 });
  expect(both.err).toMatch(/^2 people have the address both@acme.test. Give the id of one: per_\S+, per_\S+\.$/);
  const nobody = await rich.admin.run("people export nobody@acme.test --workspace rich");
  expect(nobody).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^No person in rich has the id or the e-mail address/),
  });
  const nowhere = await rich.admin.run("people export nobody@acme.test --workspace poor");
  expect(nowhere.err).toMatch(/There are: rich/);
});

test("people erase asks before, refuses in a script without --yes, and tells what would go", async () => {
  // People of the test before may still be on their way to the webhook.
  await atRest(server.database);
  const before = (await everything()).filter(({ table }) => table !== "request_logs").map(({ text }) => text);
  const refused = await rich.admin.run(`people erase ${rich.person.id} --workspace rich`);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("add --yes to continue") });
  const tried = await rich.admin.run(`people erase ${rich.person.id} --workspace rich --dry-run --json`);
  expect(tried.json()).toMatchObject({
    notes: 2,
    tasks: 2,
    interactions: 2,
    changedInteractions: 1,
    enrichments: 1,
  });
  const known = new Set(before);
  const fresh = (await everything()).filter(({ table, text }) => table !== "request_logs" && !known.has(text));
  expect(fresh).toEqual([]);
});

test("after people erase no table holds anything of the person, but one event by the id that they were deleted", async () => {
  const before = withMarks(await everything());
  const tables = new Set(before.map(({ table }) => table));
  // The test would show nothing if they were not everywhere.
  for (const table of [
    "people",
    "person_search",
    "notes",
    "change_log",
    "log_texts",
    "deliveries",
    "saved_responses",
    "interactions",
    "enrichments",
    "objects",
    "companies",
  ])
    expect([...tables]).toContain(table);

  const { json, code } = await rich.admin.run(`people erase ${rich.person.id} --workspace rich --yes --json`);
  expect(code).toBe(0);
  expect(json()).toMatchObject({ id: rich.person.id, formerIds: [rich.merged.id], namedElsewhere: [] });
  await atRest(server.database);

  const left = withMarks(await everything());
  const [own] = rich.marks.slice(-2);
  // The event of the deletion, and what the webhook was sent of it, name nothing but the id.
  expect(new Set(left.map(({ table }) => table))).toEqual(new Set(["change_log", "deliveries"]));
  for (const { text } of left) {
    expect(JSON.parse(text)).toMatchObject({ record_id: own });
    expect(text.replaceAll(String(own), "")).not.toMatch(/grace|navy|202 555/i);
  }
  expect(left.filter(({ table }) => table === "change_log")).toHaveLength(1);
  expect(receiver.events.at(-1)).toMatchObject({ type: "person.deleted", data: { id: rich.person.id } });
  expect(receiver.events.at(-1)?.data).not.toHaveProperty("details");
});

test("others keep what is theirs: the deal, the company, the mail to both, and what counts as spent", async () => {
  const { items: deals } = await rich.api.get(`/v1/groups/${groupOf(rich.other)}/Deals`);
  expect(deals).toMatchObject([
    { name: "Compilers", people: [{ id: rich.other.id }], customFieldValues: { Buyers: null } },
  ]);
  const { items: mails } = await rich.api.get(`/v1/interactions?entity.id=${rich.other.id}`);
  expect(mails).toMatchObject([{ id: "mail-2@acme.test", title: "About [erased]" }]);
  const one = await rich.api.get(`/v1/interactions/mail-2@acme.test?entity.id=${rich.other.id}`);
  expect(one.text).toContain("Call [erased], or write to [erased].");
  expect(one.text).toContain("Katherine Johnson");
  const { json } = await rich.admin.run("credits --workspace rich --json");
  expect(json()).toMatchObject({ used: 1 });
  const checks = JSON.parse((await rich.admin.run("doctor --json")).out).checks as { ok: boolean; name: string }[];
  expect(checks.filter(({ ok, name }) => !ok && name !== "durability")).toEqual([]);
});

const groupOf = (record: Record<string, unknown>): string => (record.groups as { id: string }[])[0]?.id ?? "";

test("a request that comes again after the erasure is not run again (docs/guides/idempotency.md#erased-answers)", async () => {
  const { path, body, key } = rich.write;
  const again = await rich.api.post(path, body, { "Idempotency-Key": key });
  expect(again).toMatchObject({ status: 422, error: { code: "IDEMPOTENCY_RESPONSE_NOT_STORED" } });
  const { items } = await rich.api.get("/v1/people?filter[emails][eq]=grace.hopper@navy.example");
  expect(items).toEqual([]);
});

test("a second erasure finds nobody, by id and by address", async () => {
  for (const asked of [rich.person.id, rich.merged.id, "grace.hopper@navy.example"]) {
    const { code, err } = await rich.admin.run(`people erase ${asked} --workspace rich --yes`);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringMatching(/^No person in rich has/) });
  }
});

test("texts of others that name the person are told and stay", async () => {
  const made = await rich.api.post("/v1/people", { fullName: "Lise Meitner", emails: ["lise@fission.example"] });
  const note = await rich.api.post("/v1/notes", {
    entity: { id: rich.other.id },
    visibility: "public",
    content: "Introduced by lise@fission.example",
  });
  const { json } = await rich.admin.run("people erase LISE@fission.example --workspace rich --yes --json");
  expect(json()).toMatchObject({ id: made.data.id, namedElsewhere: [note.data.id] });
  expect((await rich.api.get(`/v1/notes/${note.data.id}`)).data.content).toBe("Introduced by lise@fission.example");
});

test("the feed goes on behind an erasure, and tells of the deletion", async () => {
  const { items } = await rich.api.get("/v1/events?types=person.deleted&types=person.created");
  expect(items.map(({ type, data }) => [type, (data as { id: string }).id])).toContainEqual([
    "person.deleted",
    rich.person.id,
  ]);
  expect(items.map(({ data }) => (data as { id: string }).id)).toContain(rich.other.id);
});

/** A mail from Ada, as NDJSON. */
const mailTo = (id: string, text: string, ...to: { value: string; name: string }[]) =>
  JSON.stringify({
    id,
    interactionType: "email",
    dateTime: "2026-03-01T09:00:00Z",
    content: { subject: id, snippet: "", body: text },
    from: { type: "email", value: "ada@acme.test", name: "Ada Lovelace" },
    to: to.map((one) => ({ type: "email", ...one })),
  });

test("somebody else with the same name, or with the address in common, keeps what is theirs", async () => {
  const made = async (emails: string[]) =>
    (await rich.api.post("/v1/people", { fullName: "Ann Lee", emails: ["family@lee.example", ...emails] })).data;
  const [other, subject] = [await made(["ann@other.example"]), await made(["a@lee.example"])];
  const [ann, annAtOther] = ["a@lee.example", "ann@other.example"].map((value) => ({ value, name: "Ann Lee" }));
  const mails = [
    mailTo("to-other", "Dear Ann Lee", { value: "ann@other.example", name: "Ann Lee" }),
    mailTo("to-both", "Ask maria@lee.example, not a@lee.example, also.", ann as never, annAtOther as never, {
      value: "family@lee.example",
      name: "The Lees",
    }),
    mailTo("mail:a@lee.example", "Hello", ann as never, annAtOther as never),
  ];
  const file = files.write("mails.ndjson", mails.join("\n"));
  expect(await rich.admin.run("import interactions", file, "--workspace", "rich")).toMatchObject({ code: 0 });

  const { json } = await rich.admin.run(`people export ${subject.id} --workspace rich`);
  const dossier = json<Record<string, { source_id: string }[]>>();
  expect(dossier.interactions?.map(({ source_id }) => source_id).toSorted()).toEqual(["mail:a@lee.example", "to-both"]);
  expect(JSON.stringify(dossier.savedResponses)).not.toContain(other.id);

  const erased = await rich.admin.run(`people erase ${subject.id} --workspace rich --yes --json`);
  expect(erased.json()).toMatchObject({ interactions: 0, changedInteractions: 2 });
  expect(erased.json<{ namedElsewhere: string[] }>().namedElsewhere).toContain(other.id);
  const rows = await server.database.read<{ source: string; participants: object; body: string }>(
    `select source_id as source, participants, more ->> 'body' as body from interactions
     where title is null order by id desc limit 3`,
  );
  const shown = rows.map(({ source, body, participants }) => ({ source, body, text: JSON.stringify(participants) }));
  const [own, both, others] = ["erased", "to-both", "to-other"].map((name) =>
    shown.find(({ source }) => source.includes(name)),
  );
  expect(others).toMatchObject({ body: "Dear Ann Lee", text: expect.stringContaining("ann@other.example") });
  expect(both?.body).toBe("Ask maria@lee.example, not [erased], also.");
  for (const kept of ["ann@other.example", "family@lee.example"]) expect(both?.text).toContain(kept);
  expect(both?.text).not.toContain('"a@lee.example');
  // Its id held the address.
  expect(own?.source).toMatch(/^\[erased\] [0-9a-f-]{36}$/);
});

test("of merges of others links go, and texts that name the person are told, as in definitions and keys", async () => {
  const { data: person } = await rich.api.post("/v1/people", { fullName: "Emmy Noether", phones: ["+49 30 1234567"] });
  const groups = [{ id: groupOf(rich.other) }];
  const make = async (name: string, description: string) => {
    const customFieldValues = { [groupOf(rich.other)]: { Champion: [{ id: person.id }] } };
    return (await rich.api.post("/v1/companies", { name, description, groups, customFieldValues })).data;
  };
  const [survivor, merged] = [
    await make("Algebra", "Ask EMMY NOETHER, 030/1234567"),
    await make("Rings", "Noether, Emmy knows"),
  ];
  await rich.api.post(`/v1/companies/${survivor.id}/merge`, { records: [{ id: merged.id }] });
  await rich.api.patch(`/v1/companies/${survivor.id}`, { description: "" });
  const group = await rich.api.post("/v1/groups", { name: "Friends of Emmy Noether", visibility: "public" });
  await rich.admin.run("keys create --workspace rich --user ada@acme.test --name", "Emmy Noether's laptop");
  await atRest(server.database);
  const { json } = await rich.admin.run(`people erase ${person.id} --workspace rich --yes --json`);
  const { namedElsewhere } = json<{ namedElsewhere: string[] }>();
  const { items: told } = await rich.api.get(
    "/v1/events?types=company.created&types=company.updated&types=company.deleted",
  );
  const eventsOf = (id: unknown) => told.filter(({ data }) => (data as { id: string }).id === id).map((one) => one.id);
  // The log keeps the description that is gone, and that of the merged company.
  const [[madeOne, updated], [madeOther, gone]] = [eventsOf(survivor.id), eventsOf(merged.id)];
  const events = [madeOne, madeOther, gone, updated];
  expect(namedElsewhere).toEqual([group.data.id, ...events, expect.stringMatching(/^key_/)]);
  const [{ more } = { more: {} }] = await server.database.read<{ more: { gone?: { row: object } } }>(
    "select more from change_log where record_id = $1 and type = 'company.deleted'",
    [uuidOf("company", String(merged.id))],
  );
  expect(more.gone?.row).toMatchObject({ name: "Rings", description: "Noether, Emmy knows" });
  expect(JSON.stringify(more)).not.toContain(uuidOf("person", person.id));
});

test("a person in the trash is exported and erased, with all that lies there with them", async () => {
  const { api } = rich;
  const address = "hedy@frequency.example";
  const { data: person } = await api.post("/v1/people", { fullName: "Hedy Lamarr", emails: [address] });
  const { data: other } = await api.post("/v1/people", { fullName: "George Antheil" });
  const { data: note } = await api.post("/v1/notes", {
    entity: { id: person.id },
    content: "Hops",
    visibility: "public",
  });
  const { data: task } = await api.post("/v1/tasks", {
    entity: { id: person.id },
    title: "Ask Hedy Lamarr",
    dueAt: "2031-01-31",
  });
  await api.post("/v1/interactions", {
    entity: { id: person.id },
    content: "Hedy Lamarr rang",
    dateTime: "2026-01-15T10:00:00",
    title: "",
    activityType: "call",
  });
  await api.delete(`/v1/notes/${note.id}`);
  await api.delete(`/v1/people/${person.id}`);
  const { json: exported } = await rich.admin.run(`people export ${address.toUpperCase()} --workspace rich`);
  const dossier = JSON.stringify(exported());
  for (const text of ["Hops", "Ask Hedy Lamarr", "Hedy Lamarr rang", address]) expect(dossier).toContain(text);
  const { json, code } = await rich.admin.run(`people erase ${address} --workspace rich --yes --json`);
  expect({ code, ...(json() as object) }).toMatchObject({ code: 0, id: person.id, namedElsewhere: [] });
  await atRest(server.database);
  for (const mark of [address, "Hedy", "Hops"])
    expect((await everything()).filter(({ text }) => text.includes(mark))).toEqual([]);
  for (const path of [`/v1/people/${person.id}`, `/v1/notes/${note.id}`, `/v1/tasks/${task.id}`])
    expect((await api.post(`${path}/restore`)).status).toBe(404);
  expect((await api.get("/v1/trash")).items.map(({ id }) => id)).not.toContain(person.id);
  expect((await api.get(`/v1/people/${other.id}/history`)).items).toHaveLength(1);
});

test("a person is found in texts by a name and an address that they had before a change", async () => {
  const { data: person } = await rich.api.post("/v1/people", { fullName: "Ida Rhodes", emails: ["ida@nbs.example"] });
  const note = async (content: string) =>
    (await rich.api.post("/v1/notes", { entity: { id: rich.other.id }, visibility: "public", content })).data.id;
  const named = [await note("Hadassah Itzkowitz called"), await note("Or hadassah@cornell.example")];
  for (const was of [{ fullName: "Hadassah Itzkowitz" }, { emails: ["hadassah@cornell.example"] }])
    await rich.api.patch(`/v1/people/${person.id}`, was);
  await rich.api.patch(`/v1/people/${person.id}`, { fullName: "Ida Rhodes", emails: ["ida@nbs.example"] });
  const exported = await rich.admin.run(`people export ${person.id} --workspace rich`);
  expect(exported.json()).toMatchObject({ namedElsewhere: named });
});

test("a long text of the log that names the person is told, also when a link goes from its entry", async () => {
  const { data: person } = await rich.api.post("/v1/people", { fullName: "Hedy Lamarr", emails: ["hedy@hop.example"] });
  const { data: other } = await rich.api.post("/v1/people", {
    fullName: "George Antheil",
    groups: [{ id: groupOf(rich.other) }],
  });
  const description = `${LONG} hedy@hop.example`;
  const customFieldValues = { [groupOf(rich.other)]: { Knows: [{ id: person.id }] } };
  await rich.api.patch(`/v1/people/${other.id}`, { description, customFieldValues });
  await rich.api.patch(`/v1/people/${other.id}`, { description: "" });
  await atRest(server.database);
  const told = async () => {
    const { items } = await rich.api.get("/v1/events?types=person.updated&limit=100");
    const event = items.find(({ data }) => (data as { id: string }).id === other.id);
    return { id: event?.id, changes: (event?.data as { changes?: object[] } | undefined)?.changes };
  };
  const { id, changes } = await told();
  expect(changes).toMatchObject([{ value: description }, { value: [{ id: person.id }] }]);
  const named = { namedElsewhere: [id] };
  const exported = await rich.admin.run("people export hedy@hop.example --workspace rich");
  // The event links to the person, so the export has all of it.
  expect(exported.json()).toMatchObject({ namedElsewhere: [other.id] });
  expect(exported.out).toContain(JSON.stringify(description));
  const tried = await rich.admin.run("people erase hedy@hop.example --workspace rich --dry-run --json");
  expect(tried.json()).toMatchObject(named);
  const { json } = await rich.admin.run("people erase hedy@hop.example --workspace rich --yes --json");
  expect(json()).toMatchObject(named);
  expect((await told()).changes).toMatchObject([{ value: description }]);
});

test("a person named by backslashes is exported and erased, whatever backslashes there are in texts", async () => {
  const { data: person } = await rich.api.post("/v1/people", { fullName: "\\\\\\b" });
  await rich.api.post("/v1/notes", { entity: { id: person.id }, visibility: "public", content: "\\".repeat(400) });
  const { data: note } = await rich.api.post("/v1/notes", {
    entity: { id: rich.other.id },
    visibility: "public",
    content: `${"\\".repeat(400)} and \\\\\\b`,
  });
  const named = { namedElsewhere: [note.id] };
  await atRest(server.database);
  const tried = await rich.admin.run(`people erase ${person.id} --workspace rich --dry-run --json`);
  expect(tried.json()).toMatchObject({ notes: 1, ...named });
  const exported = await rich.admin.run(`people export ${person.id} --workspace rich`);
  expect(exported.json()).toMatchObject({ notes: [{ content: "\\".repeat(400) }], ...named });
  const { json } = await rich.admin.run(`people erase ${person.id} --workspace rich --yes --json`);
  expect(json()).toMatchObject({ id: person.id, notes: 1, ...named });
});

test("a person of 8,000 former addresses is exported and erased", async () => {
  const { data: person } = await rich.api.post("/v1/people", { fullName: "Anna Many", emails: ["anna@many.example"] });
  const { data: note } = await rich.api.post("/v1/notes", {
    entity: { id: rich.other.id },
    visibility: "public",
    content: "Or a7999@many.example",
  });
  const uuid = uuidOf("person", person.id);
  // As a merge leaves them, of which there would have to be hundreds.
  await server.database.read(
    `insert into change_log (workspace_id, id, type, record_id, source, body)
     select $1, gen_random_uuid(), 'person.deleted', $2::uuid, 'api', json_build_object('merged', json_build_object(
       'into', $2::uuid, 'before', json_build_object('emails', json_agg('a' || i || '@many.example')))) from generate_series(1, 8000) i`,
    [rich.uuid, uuid],
  );
  await atRest(server.database);
  const exported = await rich.admin.run(`people export ${person.id} --workspace rich`);
  expect(exported.json()).toMatchObject({ namedElsewhere: [note.id] });
  const { json } = await rich.admin.run(`people erase ${person.id} --workspace rich --yes --json`);
  expect(json()).toMatchObject({ events: 2, namedElsewhere: [note.id] });
});

test("a dry run waits for nobody, and an erasure that has to wait too long erases nothing and says so", async () => {
  const { data: person } = await rich.api.post("/v1/people", { fullName: "Sophie Germain" });
  await atRest(server.database);
  const other = new pg.Client({ connectionString: server.databaseUrl });
  await other.connect();
  await other.query("begin");
  await other.query("select from webhook_progress where workspace_id = $1 for update", [rich.uuid]);
  await other.query("select from people where id = $1 for update", [uuidOf("person", person.id)]);
  const tried = await rich.admin.run(`people erase ${person.id} --workspace rich --dry-run --json`);
  expect(tried.json()).toMatchObject({ events: 1, fullName: "Sophie Germain" });
  const refused = await rich.admin.run(`people erase ${person.id} --workspace rich --yes`);
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/nothing was erased. Run the command again/) });
  await other.end();
  expect((await rich.api.get(`/v1/people/${person.id}`)).status).toBe(200);
});

test("what is written while an erasure waits for its locks is erased too", async () => {
  const { data: person } = await rich.api.post("/v1/people", { fullName: "Ruth Late", emails: ["ruth@late.example"] });
  const file = files.write("late.ndjson", mailTo("late", "To somebody", { value: "ann@other.example", name: "Ann" }));
  expect(await rich.admin.run("import interactions", file, "--workspace", "rich")).toMatchObject({ code: 0 });
  await atRest(server.database);
  const other = new pg.Client({ connectionString: server.databaseUrl });
  await other.connect();
  await other.query("begin");
  await other.query("select from people where id = $1 for update", [uuidOf("person", person.id)]);
  const erasing = rich.admin.run(`people erase ${person.id} --workspace rich --yes --json`);
  await until("it waits for the person", async () => {
    const waiting = await server.database.read(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return waiting.length > 0;
  });
  await server.database.read(
    `update interactions set participants = jsonb_set(participants::jsonb, '{to}', '[{"type": "email", "value": "ruth@late.example"}]')
     where source_id = 'late'`,
  );
  await server.database.read(
    `update deliveries set attempts = '[{"responseBody": "thanks, ruth@late.example"}]' where id = (select id from deliveries limit 1)`,
  );
  const linked = { path: ["companies"], before: [{ id: person.id }], after: [{ id: rich.company.id }] };
  // The second one as the release before has written it.
  for (const change of [linked, { path: ["companies"], type: "remove", value: [{ id: person.id }] }])
    await server.database.read(
      `insert into change_log (workspace_id, id, type, record_id, source, body)
       values ($1, gen_random_uuid(), 'person.updated', gen_random_uuid(), 'api', $2)`,
      [rich.uuid, JSON.stringify({ changes: [change] })],
    );
  await other.query("commit");
  await other.end();
  expect((await erasing).json()).toMatchObject({ changedInteractions: 1, changedEvents: 2 });
  const left = (await everything()).filter(({ text }) => text.includes("ruth@late.example"));
  expect(left).toEqual([]);
  const named = await server.database.read("select from change_log where body::text like '%' || $1 || '%'", [
    person.id,
  ]);
  expect(named).toEqual([]);
  const told = await server.database.read<{ changes: object[] }>(
    "select body->'changes' as changes from change_log where workspace_id = $1 order by seq desc limit 3",
    [rich.uuid],
  );
  // Behind them stands the deletion.
  expect(told.map(({ changes }) => changes)).toEqual([null, [], [{ ...linked, before: [] }]]);
});

test("at a terminal people erase shows what goes, and asks for a word", async () => {
  const { data: person } = await rich.api.post("/v1/people", { fullName: "Mary Somerville" });
  const question = "Type erase to continue: ";
  const erasing = (type: string) =>
    atTerminal(["people", "erase", person.id, "--workspace", "rich"], { DATABASE_URL: server.databaseUrl }, [
      { at: question, type },
    ]);
  for (const [typed, code] of [
    ["y\n", 1],
    ["\n", 1],
    [CTRL_D, 1],
    [CTRL_C, 130],
  ] as const) {
    const { code: ended, screen } = await erasing(typed);
    // By the name a mistake is seen.
    expect(screen).toMatch(/^This erases the person per_\S+ \(Mary Somerville\), with\n {2}1 event\n/);
    expect(ended).toBe(code);
    expect((await rich.api.get(`/v1/people/${person.id}`)).status).toBe(200);
  }
  const { code, screen } = await erasing("erase\n");
  expect({ code, screen }).toMatchObject({
    code: 0,
    screen: expect.stringMatching(/\nErased the person per_\S+, with\n {2}1 event\n/),
  });
  expect((await rich.api.get(`/v1/people/${person.id}`)).status).toBe(404);
});
