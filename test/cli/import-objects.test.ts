import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import type { Caller } from "../../base/contract/caller.ts";
import type { Ran } from "../support/admin.ts";
import { importScene, NONE } from "../support/import-scene.ts";

const scene = importScene(`users: [{ email: ada@acme.test, role: admin }]
groups:
  - name: Sales
    members: [{ user: ada@acme.test, role: admin }]
    fields:
      Deals:
        - { name: Amount, type: numericField }
        - { name: Stage, type: singleSelect, options: [Open, Won] }
        - { name: Closes, type: dateField }
        - { name: Advisers, type: contactField }
        - { name: After, type: objectField }
      Projects: [{ name: Amount, type: textField }]
      person: [{ name: Friends, type: contactField }, { name: Deals, type: objectField }]
  - name: Other
    members: [{ user: ada@acme.test, role: admin }]
`);
const { admin, files } = scene;
const none = NONE;
let group = "";
let caller: Caller;

/** There are two people called Bob Stone. */
beforeEach(async () => {
  const people =
    "Name,Email,Company\nGrace Hopper,grace@navy.test,US Navy\nBob Stone,bob@a.test,\nBob Stone,bob@b.test,\n";
  await run("people", people);
  await run("companies", "Name\nAcme\nUS Navy\n");
  const other = files.write("other.csv", "Name\nOut Sider\n");
  await admin.run("import people", other, "--workspace", scene.slug, "--group", "Other");
  const target = await admin.call<{ caller: Caller; group: { id: string } }>("workspaces.importTarget", {
    workspace: scene.slug,
    group: "Sales",
    kind: "object",
    objectType: "Deals",
  });
  group = target.group.id;
  caller = target.caller;
});

const run = (type: string, text: string, ...options: string[]): Promise<Ran> =>
  scene.run(type, files.write("rows.csv", text), "--json", ...options);

async function deals(objectType = "Deals"): Promise<Record<string, unknown>[]> {
  const { items } = await admin.call<{ items: string }>(
    "objects.list",
    { groupId: group, objectType, limit: 100 },
    caller,
  );
  return JSON.parse(items);
}

test("deals come in with values and links by name or e-mail address, and a second run changes nothing", async () => {
  const text = `Deal name;Contacts;Company;Amount;Stage;Closes;Advisers;After;Next step
Engine;GRACE@navy.test; Acme ;17470;Open;24.12.2026;bob@a.test, Inc;;call
Compiler;"Grace Hopper; bob@b.test";"US Navy
Acme";48000.50;Won;1.2.27;"US Navy;Grace Hopper";Engine;
`;
  const made = await run("Deals", text, "--fields");
  expect(made.json()).toEqual({
    ...none,
    read: 2,
    created: 2,
    refused: [
      {
        line: 2,
        column: "Advisers",
        reason: 'There is no person or company "bob@a.test, Inc": correct it, or import with --create',
      },
      { line: 3, column: "After", reason: 'There is no object "Engine" in the group "Sales": correct it' },
    ],
  });
  const again = await run("Deals", text.replace("bob@a.test, Inc", ""), "--fields");
  expect(again.json()).toEqual({ ...none, read: 2, updated: 1, unchanged: 1 });
  const [engine, compiler] = await deals();
  expect(engine).toMatchObject({
    name: "Engine",
    people: [{ fullName: "Grace Hopper" }],
    companies: [{ name: "Acme" }],
    customFieldValues: { Amount: "17470", Stage: "Open", Closes: "2026-12-24", "Next step": "call", Advisers: null },
  });
  expect(compiler).toMatchObject({
    people: [{ fullName: "Grace Hopper" }, { fullName: "Bob Stone" }],
    companies: [{ name: "US Navy" }, { name: "Acme" }],
    customFieldValues: {
      Amount: "48000.5",
      Closes: "2027-02-01",
      Advisers: [{ fullName: "US Navy" }, { fullName: "Grace Hopper" }],
      After: [{ fullName: "Engine" }],
    },
  });
  const last = await run("Deals", text.replace("bob@a.test, Inc", ""), "--fields", "--dry-run");
  expect(last.json()).toMatchObject({ ...none, read: 2, unchanged: 2 });
});

test("a name that several have, or nobody in the group, is refused and told, and the rest of the row is imported", async () => {
  const text = "Name,People,Company\nEngine,Bob Stone,Nobody Inc\nBridge,Out Sider,Acme\nTower,Nobody,\n";
  const { code, json } = await run("Deals", text);
  expect(code).toBe(1);
  const { refused, ...counts } = json<{ refused: { line: number; reason: string }[] }>();
  expect(counts).toEqual({ read: 3, created: 3, updated: 0, unchanged: 0 });
  expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
    [
      2,
      expect.stringMatching(
        /^2 people are called "Bob Stone": per_\S+, per_\S+\. Give the id of one, or an e-mail address$/,
      ),
    ],
    [2, 'There is no company "Nobody Inc": correct it, or import with --create'],
    [3, 'The person "Out Sider" is not in the group "Sales": put it there, or import with --create'],
    [4, 'There is no person "Nobody": correct it, or import with --create'],
  ]);
  expect(await deals()).toMatchObject([
    { name: "Engine", people: [], companies: [] },
    { name: "Bridge", people: [], companies: [{ name: "Acme" }] },
    { name: "Tower", people: [] },
  ]);
});

test("--create makes who is not there, once, and puts into the group who is outside of it", async () => {
  const text =
    "Name,People,Company,Advisers\nEngine,new@x.test;Out Sider,Newton Ltd,Isaac Newton\nBridge,new@x.test,Newton Ltd,\n";
  const tried = await run("Deals", text, "--create", "--dry-run");
  expect(tried.json()).toMatchObject({ ...none, read: 2, created: 2 });
  expect((await run("Deals", text)).json<{ refused: unknown[] }>().refused).toHaveLength(6);
  expect((await run("Deals", text, "--create")).json()).toEqual({ ...none, read: 2, updated: 2 });
  expect(await deals()).toMatchObject([
    {
      people: [{ fullName: "" }, { fullName: "Out Sider" }],
      companies: [{ name: "Newton Ltd" }],
      customFieldValues: { Advisers: [{ fullName: "Isaac Newton", entityType: "person" }] },
    },
    { people: [{ fullName: "" }], companies: [{ name: "Newton Ltd" }] },
  ]);
  expect((await run("Deals", text, "--create")).json()).toEqual({ ...none, read: 2, unchanged: 2 });
});

test("ids name records too, and a wrong one is refused alone", async () => {
  const id = `per_${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}`;
  const answer = await run("Deals", `Name,People\nEngine,${id};grace@navy.test\n`);
  expect(answer.json()).toMatchObject({
    created: 1,
    refused: [{ line: 2, column: "People", reason: expect.stringMatching(/^There is no person with the id per_0/) }],
  });
  expect(await deals()).toMatchObject([{ people: [{ fullName: "Grace Hopper" }] }]);
});

test("objects are recognised by name within their type", async () => {
  await run("Projects", "Name,Amount\nEngine,much\n");
  expect((await run("Deals", "Name,Amount\nEngine,1\n")).json()).toEqual({ ...none, read: 1, created: 1 });
  expect((await run("Deals", "Name,Amount\n Engine ,2\n")).json()).toEqual({ ...none, read: 1, updated: 1 });
  expect(await deals()).toMatchObject([{ name: "Engine", customFieldValues: { Amount: "2" } }]);
  expect(await deals("Projects")).toMatchObject([{ name: "Engine", customFieldValues: { Amount: "much" } }]);
});

test("an unknown type is told with those that there are, also of the words around it", async () => {
  const { code, err } = await run("Deels", "Name\nEngine\n");
  expect(code).toBe(1);
  expect(err).toMatch(
    /^The group "Sales" has no object type "Deels"\. There are: "Deals", "Projects"\. Did you mean "import Deals"\? /,
  );
  for (const [typed, meant] of [
    ["contacts", "people"],
    ["peple", "people"],
    ["deals", "Deals"],
    ["Organizations", "companies"],
    ["mails", "interactions"],
  ] as const)
    expect((await run(typed, "Name\nA\n")).err).toContain(`Did you mean "import ${meant}"?`);
  const mailbox = "From ada@x.test Sun Mar  1 09:30:00 2026\nFrom: ada@x.test\n\nHi\n";
  const chat = "[01/03/2026, 09:30:00] Ada: Hi\n[01/03/2026, 09:31:00] Bob: Ho\n";
  const calls = '{"id": "call-17", "interactionType": "call"}\n';
  for (const [text, what] of [
    [mailbox, "is an archive of mails"],
    [chat, "is a chat"],
    [calls, "holds interactions"],
  ] as const)
    expect((await run("people", text)).err).toMatch(
      new RegExp(`rows\\.csv ${what}: import interactions reads those\\.$`),
    );
  expect(err).toMatch(/To make a type, name it under "fields" of the group in a workspace file and run "apply"\.$/);
  expect((await admin.run("import Deals --workspace w --group g")).err).toMatch(/FILE is missing/);
  expect((await run("objects", "Name\n")).code).toBe(2);
});

test("contacts and objects of people are named in the same way", async () => {
  await run("Deals", "Name\nEngine\n");
  const text = "Name,Email,Friends,Deals\nGrace Hopper,grace@navy.test,bob@a.test;Acme,Engine\n";
  expect((await run("people", text)).json()).toEqual({ ...none, read: 1, updated: 1 });
  expect((await run("people", text)).json()).toEqual({ ...none, read: 1, unchanged: 1 });
  const refused = await run("people", text.replace("bob@a.test", "Bob Stone"));
  expect(refused.json()).toMatchObject({
    unchanged: 1,
    refused: [{ column: "Friends", reason: expect.stringContaining('2 people are called "Bob Stone"') }],
  });
});

test("refused rows of a file are mended and imported again", async () => {
  const text = "Name;People;Amount\nEngine;Bob Stone;much\nBridge;grace@navy.test;7\n;grace@navy.test;\n";
  const path = files.write("deals.csv", text);
  const given = ["import", "Deals", path, "--workspace", scene.slug, "--group", "Sales"];
  const { code, out, err } = await admin.run("", ...given);
  expect({ code, out }).toEqual({
    code: 1,
    out: expect.stringMatching(
      /^3 read: 2 created, 0 updated, 0 unchanged, 1 row refused, 2 cells left out\nline 2, People: /,
    ),
  });
  const refused = join(files.path, "deals.refused.csv");
  expect(err).toContain(`They are in ${refused}: correct them there, and import that file with the same options.`);
  const rows = readFileSync(refused, "utf8");
  expect(
    rows
      .split("\r\n")
      .slice(0, 2)
      .map((line) => line.split(";").slice(0, 5)),
  ).toEqual([
    ["\ufeffName", "People", "Amount", "Refused line", "Refused column"],
    ["Engine", "Bob Stone", "much", "2", '"People'],
  ]);
  const mended = rows.replace("Bob Stone;much", "bob@a.test;12").replace("\r\n;grace", "\r\nTower;grace");
  const again = await admin.run("", "import", "Deals", files.write("mended.csv", mended), ...given.slice(3), "--json");
  expect(again.json()).toEqual({ ...none, read: 2, created: 1, updated: 1 });
  expect(await deals()).toMatchObject([
    { name: "Engine", people: [{ fullName: "Bob Stone" }], customFieldValues: { Amount: "12" } },
    { name: "Bridge" },
    { name: "Tower" },
  ]);
});
