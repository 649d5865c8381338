import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Caller } from "../../base/contract/caller.ts";
import { type ImportAnswer, importScene, NONE } from "../support/import-scene.ts";

interface Answer extends ImportAnswer {
  unmatched: { address: string; count: number }[];
}

type Item = Record<string, unknown> & { id: string };

const scene = importScene(`users:
  - { email: ada@acme.test, fullName: Ada Lovelace, role: admin }
  - { email: bob@acme.test, fullName: Bob Stone }
`);
const { admin, files } = scene;
let caller: Caller;

beforeEach(async () => {
  ({ caller } = await admin.call<{ caller: Caller }>("workspaces.caller", { workspace: scene.slug }));
});

const person = async (body: object): Promise<Item> =>
  JSON.parse(await admin.call<string>("people.create", { body }, caller));
const people = () => scene.list("people");
const list = async (params: object = {}): Promise<Item[]> =>
  JSON.parse((await admin.call<{ items: string }>("interactions.list", { limit: 100, ...params }, caller)).items);
const get = async (id: string, entityId: string, as = caller): Promise<Item> =>
  JSON.parse(await admin.call<string>("interactions.get", { interactionId: id, "entity.id": entityId }, as));

async function importText(name: string, text: string, ...options: string[]): Promise<Answer> {
  const { out, err, json } = await admin.run(
    "import interactions",
    files.write(name, text),
    "--workspace",
    scene.slug,
    "--json",
    ...options,
  );
  if (out === "") throw new Error(err);
  return json<Answer>();
}
const importLines = (lines: object[], ...options: string[]) =>
  importText("lines.ndjson", lines.map((line) => JSON.stringify(line)).join("\n"), ...options);

const email = (address: string, name?: string) => ({ type: "email", value: address, ...(name && { name }) });
const phone = (number: string) => ({ type: "phone", value: number });
const mail = (more: object = {}) => ({
  id: "mail-1@x.test",
  interactionType: "email",
  dateTime: "2026-03-01T09:30:00Z",
  title: "Hello",
  content: { subject: "Hello", snippet: "Dear Grace", body: "Dear Grace,\nhow are you?" },
  from: email("Ada@ACME.test"),
  to: [email("grace@navy.test", "G. Hopper"), email("else@where.test")],
  ...more,
});
const call = (status: string, more: object = {}) => ({
  id: "call-1",
  interactionType: "call",
  dateTime: "2026-03-02T09:30:00Z",
  content: {
    status,
    duration: 60,
    summary: null,
    transcript: [{ speaker: "Ada", text: "Hi", startTime: 0, endTime: 1 }],
  },
  from: email("ada@acme.test"),
  to: [phone("+442079460000")],
  ...more,
});
/** What became of the one line of a file: a count, or the member that was refused. */
const outcomeOf = ({ refused, ...counts }: Answer): string =>
  (["created", "updated", "unchanged"] as const).find((name) => counts[name] === 1) ?? String(refused[0]?.column);
const none = NONE;

describe("An import of interactions (docs/guides/import-interactions.md)", () => {
  it("stores mails with the people and users whose addresses took part, and tells them as they are now", async () => {
    const grace = await person({ fullName: "Grace Hopper", emails: ["Grace@Navy.test"] });
    expect(await importLines([mail()])).toMatchObject({ ...none, read: 1, created: 1, unmatched: [] });
    const [shown] = await list({ "entity.id": grace.id });
    const ada = { type: "email", value: "Ada@ACME.test", name: "Ada Lovelace", userId: expect.stringMatching(/^usr_/) };
    const to = { type: "email", value: "grace@navy.test", name: "Grace Hopper" };
    expect(shown).toEqual({
      id: "mail-1@x.test",
      interactionType: "email",
      from: ada,
      to,
      participants: [ada, to, { type: "email", value: "else@where.test", name: "else@where.test" }],
      title: "Hello",
      content: { subject: "Hello", snippet: "Dear Grace" },
      entity: { id: grace.id, entityType: "person", fullName: "Grace Hopper" },
      dateTime: "2026-03-01T09:30:00.000Z",
      privacyLevel: "full",
      type: null,
      activityType: null,
    });
    expect((await get("mail-1@x.test", grace.id)).content).toEqual(mail().content);
    expect((await people())[0]?.interactionMetadata).toMatchObject({
      user: { approximateCount: 1, lastInteractedAt: "2026-03-01T09:30:00.000Z" },
      workspace: { approximateCount: 1, lastInteractedBy: [{ fullName: "Ada Lovelace" }] },
    });
  });

  it("changes nothing when it runs again, and replaces what has changed under its id", async () => {
    const grace = await person({ emails: ["grace@navy.test"] });
    await importLines([mail()]);
    expect(await importLines([mail()])).toMatchObject({ ...none, read: 1, unchanged: 1 });
    const later = mail({ dateTime: "2026-04-01T09:30:00Z", from: email("bob@acme.test") });
    expect(await importLines([later])).toMatchObject({ ...none, read: 1, updated: 1 });
    expect(await list()).toMatchObject([{ dateTime: "2026-04-01T09:30:00.000Z", from: { name: "Bob Stone" } }]);
    expect((await people())[0]).toMatchObject({
      id: grace.id,
      interactionMetadata: {
        user: { approximateCount: 0 },
        workspace: { approximateCount: 1, lastInteractedAt: "2026-04-01T09:30:00.000Z" },
      },
    });
    // Somebody else who took part has become a person meanwhile.
    const other = await person({ emails: ["else@where.test"] });
    expect(await importLines([later])).toMatchObject({ ...none, updated: 1 });
    expect(await list({ "entity.id": other.id })).toHaveLength(1);
    expect(await list()).toMatchObject([{ entity: { id: grace.id } }]);
  });

  it("keeps the copy of a mail that was imported first, whichever archives bring others (docs/guides/import-interactions.md#archives-of-mails)", async () => {
    const grace = await person({ emails: ["grace@navy.test"] });
    const archive = (to: string, text: string) =>
      importText(
        "copy.mbox",
        `From - Sun Mar  1 09:30:00 2026\nMessage-ID: <m1@x.test>\nDate: Sun, 1 Mar 2026 09:30:00 +0000\nFrom: Ada <ada@acme.test>\nTo: ${to}\nSubject: ${text}\n\n${text}\n`,
      );
    const sent = () => archive("grace@navy.test, else@where.test", "Sent");
    const returned = () => archive("list@where.test, grace@navy.test", "[list] Sent");
    expect(await sent()).toMatchObject({ ...none, created: 1 });
    const before = await get("m1@x.test", grace.id);
    for (const copy of [returned, sent, returned]) expect(await copy()).toMatchObject({ ...none, unchanged: 1 });
    expect(await get("m1@x.test", grace.id)).toEqual(before);
    // The people of its addresses are looked up again, and are those of the first copy.
    const other = await person({ emails: ["else@where.test"] });
    await person({ emails: ["list@where.test"] });
    expect(await returned()).toMatchObject({ ...none, updated: 1 });
    expect(await list({ "entity.id": other.id })).toMatchObject([{ title: "Sent" }]);
    for (const copy of [sent, returned]) expect(await copy()).toMatchObject({ ...none, unchanged: 1 });
    // A line of JSON says what there is to be.
    expect(await importLines([mail({ id: "m1@x.test" })])).toMatchObject({ ...none, updated: 1 });
  });

  it("tells who matched nobody, and makes people of them when it is asked to", async () => {
    const lines = [
      mail({ to: [email("new@x.test", "Nina New")] }),
      mail({ id: "2", to: [email("NEW@x.test")] }),
      mail({ id: "3", to: [phone("+33123456789")] }),
    ];
    const unmatched = [
      { address: "new@x.test", count: 2 },
      { address: "+33123456789", count: 1 },
    ];
    expect(await importLines(lines)).toMatchObject({ ...none, read: 3, unmatched });
    expect(await list()).toEqual([]);
    expect(await importLines(lines, "--create", "--dry-run")).toMatchObject({ ...none, created: 3, unmatched: [] });
    expect(await people()).toEqual([]);
    expect(await importLines(lines, "--create")).toMatchObject({ ...none, created: 3, unmatched: [] });
    expect((await people()).map(({ fullName, emails, phones }) => [fullName, emails, phones])).toEqual([
      ["Nina New", ["new@x.test"], []],
      ["", [], ["+33123456789"]],
    ]);
    expect(await importLines(lines, "--create")).toMatchObject({ ...none, unchanged: 3 });
  });

  it("finds people by telephone numbers, however they are written", async () => {
    for (const number of ["+44 20 7946 0000", "0044 (0)20 7946 0001", "+44 (0) 20 7946-0002", "020 7946 0003"])
      await person({ fullName: number, phones: ["x", number] });
    const to = [0, 1, 2, 3].map((n) => phone(`+44 20 7946 000${n}`));
    const lines = to.map((one, i) => call("missed", { id: `call-${i}`, to: [one] }));
    expect(await importLines(lines)).toMatchObject({ created: 3, unmatched: [{ address: "+442079460003" }] });
    expect(await importLines(lines, "--country", "GB")).toMatchObject({ created: 1, unchanged: 3 });
  });

  it("lets a call go on, and not back (docs/guides/import-interactions.md#calls)", async () => {
    const grace = await person({ phones: ["+442079460000"] });
    const outcomes: string[] = [];
    for (const status of ["ongoing", "processing", "ongoing", "completed", "failed", "completed"]) {
      outcomes.push(outcomeOf(await importLines([call(status)])));
    }
    expect(outcomes).toEqual(["created", "updated", "content.status", "updated", "content.status", "unchanged"]);
    const [shown] = await list({ "entity.id": grace.id });
    expect(shown?.content).toEqual({ status: "completed", duration: 60, summary: null });
    expect((await get("call-1", grace.id)).content).toMatchObject({ transcript: [{ speaker: "Ada", text: "Hi" }] });
  });

  it("keeps from others what its privacy level says (docs/guides/interactions.md#privacy)", async () => {
    const grace = await person({ emails: ["grace@navy.test"] });
    const asBob = (
      await admin.call<{ caller: Caller }>("workspaces.caller", { workspace: scene.slug, user: "bob@acme.test" })
    ).caller;
    const levels = ["full", "subjectOnly", "internal", "sensitive"];
    await importLines(levels.map((privacyLevel) => mail({ id: privacyLevel, privacyLevel })));
    const seen = async (as: Caller) =>
      Promise.all(
        levels.map(async (id) => {
          const { title, content } = await get(id, grace.id, as);
          return [title, ...Object.keys(content as object)];
        }),
      );
    const all = ["Hello", "subject", "snippet", "body"];
    expect(await seen(caller)).toEqual([all, all, all, all]);
    expect(await seen(asBob)).toEqual([all, all.slice(0, 3), all.slice(0, 3), [undefined]]);
  });

  it("is read-only, takes its place in lists by type and user, and merges without doubles", async () => {
    const [grace, twin] = [
      await person({ fullName: "Grace Hopper", emails: ["grace@navy.test"] }),
      await person({ fullName: "G. H.", emails: ["else@where.test"] }),
    ];
    await importLines([
      mail(),
      mail({ id: "2", from: email("bob@acme.test") }),
      call("missed", { id: "c", to: [email("grace@navy.test")] }),
    ]);
    const sent = { interactionId: "2", body: { entity: { id: grace.id }, title: "x" } };
    await expect(admin.call("interactions.update", sent, caller)).rejects.toMatchObject({ code: 403 });
    const ids = async (params: object) => (await list(params)).map(({ id }) => id).sort();
    expect(await ids({ importedTypes: ["call"] })).toEqual(["c"]);
    expect(await ids({ importedTypes: [] })).toEqual([]);
    const users = JSON.parse((await admin.call<{ items: string }>("users.list", {}, caller)).items) as Item[];
    const bob = users.find(({ fullName }) => fullName === "Bob Stone");
    expect(await ids({ "user.id": [bob?.id] })).toEqual(["2"]);
    await admin.call("people.merge", { personId: grace.id, body: { records: [{ id: twin.id }] } }, caller);
    expect(await ids({ "entity.id": grace.id })).toEqual(["2", "c", "mail-1@x.test"]);
    // Whoever was merged has the name of the survivor.
    expect((await get("2", grace.id)).participants).toMatchObject([
      { name: "Bob Stone" },
      { name: "Grace Hopper" },
      { name: "Grace Hopper" },
    ]);
    expect((await people())[0]?.interactionMetadata).toMatchObject({ workspace: { approximateCount: 3 } });
    await admin.call("people.remove", { personId: grace.id }, caller);
    expect(await list()).toEqual([]);
    expect(await admin.query("select from interactions where source_id = 'c'")).toEqual([]);
  });

  it("refuses lines that are no interaction, and ids that only logged ones have", async () => {
    await person({ emails: ["grace@navy.test"] });
    const answer = await importLines([{ id: "x" }, mail({ id: "lit_1" }), mail()]);
    expect(answer).toMatchObject({ read: 3, created: 1, refused: [{ line: 1 }, { line: 2, column: "id" }] });
  });

  it("exits with 1 when something was refused, with all else written, and with 0 when nothing was", async () => {
    await person({ emails: ["grace@navy.test"] });
    const words = ["--workspace", scene.slug];
    const file = files.write("two.ndjson", `${JSON.stringify(mail())}\n{}\n`);
    const { code, out, err } = await admin.run("import interactions", file, ...words);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/\n1 line refused\. Correct them, and import the file again\.$/),
    });
    expect(out).toContain("2 read: 1 created");
    const whole = files.write("one.ndjson", JSON.stringify(mail()));
    expect(await admin.run("import interactions", whole, ...words)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^To take this run back: undo --workspace \S+ --request \S+$/),
    });
  });

  it("reads mails, calendars and chats", async () => {
    await person({ fullName: "Grace Hopper", emails: ["grace@navy.test"], phones: ["+44 7700 900123"] });
    const mbox = [
      "From - Sun Mar  1 09:30:00 2026",
      "Message-ID: <m1@x.test>",
      "Date: Sun, 1 Mar 2026 09:30:00 +0000",
      "From: Ada <ada@acme.test>",
      "To: grace@navy.test",
      "Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=",
      "",
      "Dear Grace",
      "",
    ].join("\n");
    const ics = [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "BEGIN:VEVENT",
      "UID:e1",
      "DTSTART:20260302T100000Z",
      "DTEND:20260302T110000Z",
      "SUMMARY:Demo",
      "ORGANIZER:mailto:ada@acme.test",
      "ATTENDEE:mailto:grace@navy.test",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ].join("\r\n");
    const chat = "01/03/2026, 09:30 - +44 7700 900123: Hello\n13/03/2026, 09:31 - Ada: Hi\nGrace\n";
    expect(await importText("all.mbox", mbox)).toMatchObject({ created: 1 });
    expect(await importText("all.ics", ics)).toMatchObject({ created: 1 });
    const map = files.write("map.yaml", "Ada: ada@acme.test\n");
    expect(await importText("chat.txt", chat, "--map", map, "--zone", "UTC")).toMatchObject({ created: 2 });
    expect((await list()).map(({ interactionType, content }) => [interactionType, content])).toEqual([
      ["whatsapp", { text: "Hi\nGrace" }],
      ["calendar", expect.objectContaining({ title: "Demo", startTime: "2026-03-02T10:00:00.000Z" })],
      ["whatsapp", { text: "Hello" }],
      ["email", { subject: "Grüße", snippet: "Dear Grace" }],
    ]);
  });
});
