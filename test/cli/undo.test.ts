import { expect, test } from "@jest/globals";
import type { Caller } from "../../base/contract/caller.ts";
import { importScene, type ListedRecord } from "../support/import-scene.ts";

// docs/guides/history-and-undo.md#at-the-command-line

const scene = importScene(`
users: [{ email: ada@acme.test, role: admin }, { email: bob@acme.test }]
groups: [{ name: Sales, members: [{ user: ada@acme.test, role: admin }, { user: bob@acme.test, role: contributor }] }]
`);
const { admin, files, list, run } = scene;
const slug = () => scene.slug;

const RUN = /^To take this run back: undo --workspace (\S+) --request (\S+)$/m;

async function imported(text: string, ...options: string[]): Promise<string> {
  const { err } = await run("people", files.write("rows.csv", text), ...options);
  return RUN.exec(err)?.[2] ?? err;
}

const undo = (...options: string[]) => admin.run("undo --workspace", slug(), ...options);
const names = async () => (await list("people")).map(({ fullName }: ListedRecord) => fullName).sort();

test("an import tells the id of its run, by which it is taken back", async () => {
  await imported("Name,Email\nAda,ada@x.test\n");
  const id = await imported("Name,Email,Title\nAda,ada@x.test,Countess\nBob,bob@x.test,\n");
  const tried = await undo("--request", id, "--dry-run");
  expect(tried).toMatchObject({ code: 0, out: "Would take back the changes of 2 records", err: "" });
  expect(await names()).toEqual(["Ada", "Bob"]);
  const { code, out, err } = await undo("--request", id);
  expect({ code, out }).toEqual({ code: 0, out: "Took back the changes of 2 records" });
  expect(await list("people")).toMatchObject([{ fullName: "Ada", jobTitle: "" }]);
  const again = await undo("--request", RUN.exec(err)?.[2] ?? "", "--json");
  expect(again.json()).toEqual({ undone: 2, skipped: [] });
  expect(await names()).toEqual(["Ada", "Bob"]);
});

test("history names the import, and its run", async () => {
  const id = await imported("Name,Email\nAda,ada@x.test\n");
  const [ada] = await list("people");
  const { caller } = await admin.call<{ caller: Caller }>("workspaces.caller", { workspace: slug() });
  const { items } = await admin.call<{ items: string }>("people.history", { personId: ada?.id, limit: 10 }, caller);
  expect(JSON.parse(items)).toMatchObject([{ action: "created", source: "import", requestId: id, key: null }]);
});

test("more changes than one transaction takes are taken back part by part, and a dry run counts the same", async () => {
  const rows = Array.from({ length: 1_100 }, (_, i) => `P${i},p${i}@x.test`);
  const id = await imported(`Name,Email\n${rows.join("\n")}\n`);
  expect((await undo("--request", id, "--dry-run", "--json")).json()).toEqual({ undone: 1_100, skipped: [] });
  expect((await undo("--request", id, "--json")).json()).toEqual({ undone: 1_100, skipped: [] });
  expect(await names()).toEqual([]);
});

test("the changes of a user since a time are taken back, also through a source", async () => {
  const since = new Date().toISOString();
  await imported("Name,Email\nAda,ada@x.test\n", "--user", "ada@acme.test");
  await imported("Name,Email\nBob,bob@x.test\n", "--user", "bob@acme.test");
  const byBob = await undo("--user", "bob@acme.test", "--since", since, "--json");
  expect(byBob.json()).toEqual({ undone: 1, skipped: [] });
  expect(await names()).toEqual(["Ada"]);
  await undo("--source", "import", "--since", since, "--until", new Date().toISOString());
  expect(await names()).toEqual([]);
  expect((await undo("--source", "import", "--since", "2099-01-01", "--json")).json()).toEqual({
    undone: 0,
    skipped: [],
  });
});

test("what others have changed stays, and is told", async () => {
  const since = new Date().toISOString();
  const id = await imported("Name,Email\nAda,ada@x.test\n", "--user", "ada@acme.test");
  await imported("Name,Email,Title\nAda,ada@x.test,Boss\n", "--user", "bob@acme.test");
  const left = await undo("--request", id);
  expect(left).toMatchObject({ code: 0 });
  expect(left.out).toMatch(
    /^Took back the changes of 0 records\nLeft 1 alone, whole or in part:\n {2}per_\S+ has changed since$/,
  );
  // Taken back together with theirs, it is not changed by others.
  expect((await undo("--source", "import", "--since", since, "--json")).json()).toEqual({ undone: 1, skipped: [] });
  expect(await names()).toEqual([]);
});

test.each([
  [[], 'Say which changes: "--request ID", or "--since TIME" with --user, --key or --source'],
  [["--since", "2026-03-01"], 'Say which changes: "--request ID", or "--since TIME" with --user, --key or --source'],
  [["--request", "x", "--user", "ada@acme.test"], "--request names all changes by itself: leave --user out"],
  [["--source", "post", "--since", "2026-03-01"], "post"],
  [["--user", "ada@acme.test", "--since", "yesterday"], "yesterday"],
])("undo %j is refused", async (options, words) => {
  const refused = await undo(...options);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain(words);
});

test("a user, a key or a request that is not there has changed nothing, but a mistyped address is told", async () => {
  expect((await undo("--request", "nothing", "--json")).json()).toEqual({ undone: 0, skipped: [] });
  const refused = await undo("--user", "bob@acme.tst", "--since", "2026-03-01");
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.err).toContain("bob@acme.test");
});

test("at a terminal undo asks first", async () => {
  const id = await imported("Name,Email\nAda,ada@x.test\n");
  const asked = await admin.answering("n", "undo --workspace", slug(), "--request", id);
  expect(asked.asked).toEqual(["This takes back the changes of 1 record. Continue? [y/N] "]);
  expect(await names()).toEqual(["Ada"]);
});

test("an import of interactions is taken back: new ones go, and replaced ones are as they were", async () => {
  await scene.make("people", { fullName: "Grace", emails: ["grace@navy.test"] });
  const mail = (id: string, subject: string) => ({
    id,
    interactionType: "email",
    dateTime: "2026-01-15T10:00:00Z",
    content: { subject, snippet: "", body: "" },
    from: { type: "email", value: "ada@acme.test" },
    to: [{ type: "email", value: "grace@navy.test" }],
  });
  const send = async (...mails: object[]) => {
    const lines = mails.map((one) => `${JSON.stringify(one)}\n`).join("");
    const { err } = await admin.run(
      "import interactions",
      files.write("mails.ndjson", lines),
      ...["--workspace", slug(), "--create"],
    );
    return RUN.exec(err)?.[2] ?? err;
  };
  const shown = async () => {
    const { caller } = await admin.call<{ caller: Caller }>("workspaces.caller", { workspace: slug() });
    const people = await list("people");
    const { items } = await admin.call<{ items: string }>(
      "interactions.list",
      { limit: 100, "entity.id": people[0]?.id },
      caller,
    );
    return (JSON.parse(items) as { content: { subject: string } }[]).map(({ content }) => content.subject).sort();
  };
  const first = await send(mail("1", "One"));
  const second = await send(mail("1", "One, corrected"), mail("2", "Two"));
  expect(await shown()).toEqual(["One, corrected", "Two"]);
  expect((await undo("--request", first, "--json")).json()).toMatchObject({ undone: 1, skipped: [] });
  expect(await shown()).toEqual(["Two"]);
  const third = await send(mail("1", "One again"), mail("2", "Two, corrected"));
  expect((await undo("--request", third, "--json")).json()).toMatchObject({ undone: 2, skipped: [] });
  expect(await shown()).toEqual(["Two"]);
  expect((await undo("--request", second, "--json")).json()).toMatchObject({
    undone: 1,
    skipped: [{ reason: "gone" }],
  });
  expect(await shown()).toEqual([]);
  expect((await list("people"))[0]).toMatchObject({ interactionMetadata: { workspace: { approximateCount: 0 } } });
});

/** The kinds of the things that a run has changed, as an undo of it tells that it leaves them alone. */
async function leftAlone(...words: string[]): Promise<string[]> {
  const { code, err, requestId: id } = await admin.run(...(words as [string]));
  if (code !== 0 || id === undefined) throw new Error(err);
  const { undone, skipped } = (await undo("--request", id, "--json")).json<{
    undone: number;
    skipped: { entityType: string; reason: string; changes: [] }[];
  }>();
  expect([undone, new Set(skipped.map(({ reason, changes }) => `${reason} ${changes.length}`))]).toEqual([
    0,
    new Set(["notSupported 0"]),
  ]);
  return skipped.map(({ entityType }) => entityType).sort();
}

test("runs that change users, keys, groups and fields tell their id, by which an undo tells what it leaves alone", async () => {
  const where = ["--workspace", slug()];
  expect(await leftAlone("users add --email eve@acme.test", ...where)).toEqual(["user"]);
  expect(await leftAlone("keys create --user eve@acme.test --name", "Job", ...where)).toEqual(["key"]);
  expect(await leftAlone("keys rotate Job", ...where)).toEqual(["key", "key"]);
  const { keys } = (await admin.run("keys list --json", ...where)).json<{ keys: { id: string }[] }>();
  expect(await leftAlone("keys rename", keys[1]?.id ?? "", "Other")).toEqual(["key"]);
  expect(await leftAlone("keys revoke", keys[1]?.id ?? "")).toEqual(["key"]);
  expect(await leftAlone("users remove --yes --email eve@acme.test", ...where)).toEqual(["user"]);
  const file = files.write(
    "world.yaml",
    `workspace: ${slug()}
users: [{ email: ada@acme.test, role: admin }, { email: bob@acme.test, fullName: Robert }]
groups:
  - name: Sales
    members: [{ user: ada@acme.test, role: admin }]
    fields: { person: [{ name: Stage, type: singleSelect, options: [Lead, Won] }] }
  - { name: Board, visibility: private, members: [{ user: ada@acme.test, role: admin }] }
`,
  );
  expect(await admin.run("apply --dry-run", file)).toMatchObject({ code: 0, requestId: undefined });
  expect(await leftAlone("apply", file)).toEqual(["customField", "group", "member", "user"]);
});
