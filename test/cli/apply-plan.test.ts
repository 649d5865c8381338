import { beforeEach, expect, test } from "@jest/globals";
import type { Uuid } from "../../base/values/ids.ts";
import { adminScene } from "../support/admin-scene.ts";

// What `apply` tells before and after it changes something: docs/guides/workspace-file.md#the-plan
const { admin, files } = adminScene();

const FILE = `workspace: acme
name: Acme
users:
  - { email: ada@acme.test, fullName: Ada Lovelace, role: admin }
  - { email: bob@acme.test, fullName: Bob Stone }
groups:
  - name: Sales
    members: [{ user: ada@acme.test, role: admin }, { user: bob@acme.test, role: reader }]
    fields:
      Deals:
        - { name: Amount, type: numericField }
      person:
        - { name: Status, type: singleSelect, options: [Lead, Customer] }
        - { name: Nickname, type: textField }
  - name: Old team
    visibility: public
    fields: { company: [{ name: Tier, type: textField }], Deals: [{ name: Size, type: textField }] }
`;

interface Planned {
  dryRun: true;
  workspaces: { slug: string; changes: Record<string, unknown>[] }[];
  warnings: string[];
}

const write = (text: string) => files.write("acme.yaml", text);
const apply = (text: string, ...options: string[]) => admin.run("apply", write(text), ...options);
const plan = async (text: string, ...options: string[]) =>
  (await apply(text, "--dry-run", "--json", ...options)).json<Planned>();
const exported = async () => (await admin.run("export --workspace acme")).out;

beforeEach(async () => {
  await admin.run("workspaces remove --workspace acme");
  expect((await apply(FILE)).err).toBe("");
});

/** Two people and a company with values, and a deal with one, in the groups of the file. */
async function writeRecords(): Promise<void> {
  const { caller, group } = await targetIn("Sales");
  const old = await targetIn("Old team");
  const values = (Status: string) => ({ [group.id]: { Status, Nickname: "N" } });
  for (const [fullName, status] of [
    ["Grace Hopper", "Lead"],
    ["Alan Kay", "Lead"],
    ["Barbara Liskov", "Customer"],
  ]) {
    const body = { fullName, groups: [{ id: group.id }], customFieldValues: values(status ?? "") };
    await admin.call("people.create", { body }, caller);
  }
  const company = {
    name: "Glenn",
    groups: [{ id: old.group.id }],
    customFieldValues: { [old.group.id]: { Tier: "A" } },
  };
  await admin.call("companies.create", { body: company }, caller);
  const deal = { name: "First", customFieldValues: { Size: "XL" } };
  await admin.call("objects.create", { groupId: old.group.id, objectType: "Deals", body: deal }, caller);
}

async function targetIn(group: string) {
  const found = await admin.call<{ caller: { userId: Uuid; workspaceId: Uuid }; group: { id: string } }>(
    "workspaces.importTarget",
    { workspace: "acme", group, kind: "person", user: "ada@acme.test" },
  );
  return { ...found, caller: { ...found.caller, keyId: null, access: "full" as const } };
}

test("a dry run of a new workspace tells all that would be made, and makes nothing", async () => {
  const { code, out, err } = await apply(FILE.replace("workspace: acme", "workspace: fresh"), "--dry-run");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toBe(`fresh: 14 to add, 0 to change, 0 to remove
  + workspace fresh: Acme
  + user ada@acme.test: "Ada Lovelace", admin
  + user bob@acme.test: "Bob Stone", member
  + group Sales: private
  + member Sales / ada@acme.test: admin
  + member Sales / bob@acme.test: reader
  + object type Sales / Deals
  + field Sales / Deals / Amount: numericField, {"format":"default"}
  + field Sales / person / Status: singleSelect, options Lead, Customer
  + field Sales / person / Nickname: textField
  + group "Old team": public
  + object type "Old team" / Deals
  + field "Old team" / company / Tier: textField
  + field "Old team" / Deals / Size: textField
A dry run: nothing was written.`);
  expect((await admin.run("workspaces list --json")).out).not.toContain("fresh");
});

test("the plan of a file that changes nothing says so", async () => {
  expect(await plan(FILE, "--prune")).toEqual({
    dryRun: true,
    workspaces: [{ slug: "acme", changes: [] }],
    warnings: [],
  });
  expect((await apply(FILE, "--dry-run")).out).toBe("acme: nothing to change\nA dry run: nothing was written.");
  expect((await apply(FILE)).out).toBe("acme: nothing to change");
});

const CHANGED = FILE.replace("name: Acme", "name: Acme Ltd")
  .replace(
    "{ email: bob@acme.test, fullName: Bob Stone }",
    "{ email: bob@acme.test, fullName: Bob Stone, role: admin }",
  )
  .replace("role: reader", "role: contributor")
  .replace("[Lead, Customer]", '[{ label: Lead, color: "#000000" }, Former]')
  .replace("        - { name: Nickname, type: textField }\n", "")
  .replace("numericField }", "numericField, config: { format: currency, currency: EUR } }")
  .replace(/ {2}- name: Old team[\s\S]*$/, "");

test("changes and removals are told with what was and what is, and removals with what records lose", async () => {
  await writeRecords();
  const { out, err } = await apply(CHANGED, "--prune");
  expect(err).toBe("");
  const lines = out.split("\n");
  expect(lines[0]).toBe("acme: 1 added, 5 changed, 3 removed");
  expect(lines).toEqual(
    expect.arrayContaining([
      '  ~ workspace acme: name Acme → "Acme Ltd"',
      "  ~ user bob@acme.test: role member → admin",
      "  ~ member Sales / bob@acme.test: role reader → contributor",
      '  ~ field Sales / Deals / Amount: config {"format":"default"} → {"format":"currency","currency":"EUR"}',
      expect.stringMatching(/^ {2}~ option Sales \/ person \/ Status \/ Lead: color #[0-9a-f]{6} → #000000$/),
      "  + option Sales / person / Status / Former",
      "  - option Sales / person / Status / Customer: 1 value lost",
      "  - field Sales / person / Nickname: 3 values lost",
      '  - group "Old team": 1 company in it, 1 object and 2 values lost',
    ]),
  );
  expect(lines).toHaveLength(10);
});

test("a plan is what the run does: the same changes, and afterwards none are left", async () => {
  await writeRecords();
  const before = await exported();
  const planned = await plan(CHANGED, "--prune");
  expect(await exported()).toBe(before);
  const { changes } = await admin.call<{ changes: Planned["workspaces"] }>("workspaces.apply", {
    documents: [(await admin.run("export --workspace acme --json")).json()],
    dryRun: true,
  });
  expect(changes).toEqual([{ slug: "acme", changes: [] }]);
  const done = (await apply(CHANGED, "--prune")).out;
  expect(done.split("\n")).toHaveLength(1 + (planned.workspaces[0]?.changes.length ?? 0));
  expect((await plan(CHANGED, "--prune")).workspaces).toEqual([{ slug: "acme", changes: [] }]);
});

test("with --json a plan has places, members and losses by their names", async () => {
  await writeRecords();
  const { workspaces } = await plan(CHANGED, "--prune");
  expect(workspaces[0]?.changes).toEqual(
    expect.arrayContaining([
      { action: "change", what: "workspace", name: "acme", differences: { name: { from: "Acme", to: "Acme Ltd" } } },
      { action: "remove", what: "field", name: "Nickname", group: "Sales", entity: "person", loses: { values: 3 } },
      {
        action: "remove",
        what: "option",
        name: "Customer",
        group: "Sales",
        entity: "person",
        field: "Status",
        loses: { values: 1 },
      },
      { action: "remove", what: "group", name: "Old team", loses: { values: 2, people: 0, companies: 1, objects: 1 } },
    ]),
  );
});

test("with --json a run prints what it always did, and nothing of the changes", async () => {
  const { workspaces, ...more } = (await apply(CHANGED, "--json")).json<{ workspaces: object[] }>();
  expect(more).toEqual({});
  expect(Object.keys(workspaces[0] ?? {})).toEqual(["id", "slug", "users", "groups"]);
});

const WITHOUT_GROUPS = FILE.slice(0, FILE.indexOf("groups:"));

test("a file without groups is warned of, in the plan and in the run, for --prune removes all groups", async () => {
  const warning = 'Note that the file names no groups of "acme": with --prune it loses all of its 2 groups.';
  expect(await plan(WITHOUT_GROUPS, "--prune")).toMatchObject({ warnings: [warning] });
  expect((await apply(WITHOUT_GROUPS, "--prune", "--dry-run")).out).toContain(warning);
  expect(await plan(WITHOUT_GROUPS)).toMatchObject({ warnings: [] });
  expect(await apply(WITHOUT_GROUPS, "--prune", "--json")).toMatchObject({ code: 0, err: warning });
  expect(await exported()).toContain("groups: []");
});

test("of an object type whose name may have been meant for people or companies is warned, in the plan and in the run", async () => {
  const warning = 'Note that "People" in Sales is a new object type. Fields of the kind person stand under "person".';
  const people = FILE.replace("Deals:", "People:");
  expect(await plan(people)).toMatchObject({ warnings: [warning] });
  expect((await apply(people)).err).toBe(warning);
  expect((await apply(people)).err).toBe("");
});

test("at a terminal --prune shows the plan and asks before something is lost", async () => {
  const before = await exported();
  const no = await admin.answering("", "apply --prune", write(WITHOUT_GROUPS));
  expect(no).toMatchObject({ code: 1, out: "" });
  expect(no.asked).toEqual(["This permanently removes 2 groups. Continue? [y/N] "]);
  expect(no.err).toContain("  - group Sales: it is empty\n");
  expect(no.err).toContain("Note that the file names no groups");
  expect(await exported()).toBe(before);
  const yes = await admin.answering("yes", "apply --prune", write(WITHOUT_GROUPS));
  expect(yes).toMatchObject({ code: 0 });
  expect(await exported()).toContain("groups: []");
});

test("nothing is asked when nothing is lost, with --yes, without --prune, or of a dry run", async () => {
  for (const [text, options] of [
    [FILE, "--prune"],
    [CHANGED, ""],
    [WITHOUT_GROUPS, "--prune --dry-run"],
    [WITHOUT_GROUPS, "--prune --yes"],
  ] as const)
    expect(await admin.answering("n", `apply ${options}`, write(text))).toMatchObject({ code: 0, asked: [] });
});

test("the REPL refuses to prune what is lost without --yes", async () => {
  const before = await exported();
  const { code, err } = await admin.inRepl("apply --prune", write(WITHOUT_GROUPS));
  expect(code).toBe(2);
  expect(err).toContain("This permanently removes 2 groups. This command cannot ask here: add --yes to continue.");
  expect(await exported()).toBe(before);
  expect((await admin.inRepl("apply --prune", write(FILE))).code).toBe(0);
});

test("all that speaks against a file is told at once, a line each, in the order of the file", async () => {
  const { code, out, err } = await apply(
    FILE.replace("role: admin }", "role: boss }")
      .replace("fullName: Bob Stone", "fullname: Bob, nick: B")
      .replace("type: textField", "type: text"),
  );
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err.split("\n").map((line) => line.replace(/^.*acme\.yaml/, ""))).toEqual([
    ":4:53: users[0].role: must be one of admin, member",
    ":5:29: users[1].fullname: is unknown here: correct its spelling, or take it out",
    ":5:44: users[1].nick: is unknown here: correct its spelling, or take it out",
    expect.stringMatching(
      /^:14:29: groups\[0\]\.fields\.person\[1\]\.type: must be one of singleSelect, .*\. Did you mean textField\?$/,
    ),
  ]);
});

test("what only the workspace can tell is told at once too: members, types of fields, doubles, in all workspaces", async () => {
  const wrong = FILE.replace("user: bob@acme.test", "user: zed@acme.test")
    .replace("Amount, type: numericField", "Amount, type: textField")
    .replace("Nickname, type: textField", "Nickname, type: dateField");
  const second = FILE.replace("workspace: acme", "workspace: beta").replace(
    "user: bob@acme.test",
    "user: yan@acme.test",
  );
  const { err } = await apply(`${wrong}---\n${second}`);
  expect(err.split("\n").map((line) => line.replace(/^.*acme\.yaml:(\d+):\d+: (\S+): .*$/, "$1 $2"))).toEqual([
    "8 groups[0].members[1].user",
    "11 groups[0].fields.Deals[0].type",
    "14 groups[0].fields.person[1].type",
    "26 groups[0].members[1].user",
  ]);
  expect(await exported()).toContain("bob@acme.test");
});

test("what the schema shows and what is named twice are told together, each at its place, and first of all", async () => {
  const { err } = await apply(
    FILE.replace(
      "users:\n",
      "users:\n  - { email: BOB@acme.test, fullname: Zoe, role: boss }\n  - ada\n  - { email: 5 }\n",
    )
      .replace("user: ada@acme.test, role: admin", "user: ada@acme.test, role: boss")
      .replace("user: bob@acme.test", "user: ADA@acme.test")
      .replace(
        "        - { name: Amount",
        "        - { name: 2024, type: textField }\n        - { nmae: Size, type: textField }\n        - { name: Amount",
      )
      .replace("Amount, type: numericField", "Amount, type: textField")
      .replace("[Lead, Customer]", "[Lead, 5, { label: Lead }]")
      .replace("Nickname, type: textField", "Status, type: text")
      .replace("name: Old team", "name: Sales")
      .replace("visibility: public", "visibilty: public")
      .replace("company: ", "Members: [], ' Deals ': 5, company: "),
  );
  expect(err.split("\n").map((line) => line.replace(/^.*acme\.yaml:(\d+):\d+: (.+?): (.{6}).*$/, "$1 $2 $3"))).toEqual([
    "4 users[0].fullname is unk",
    "4 users[0].role must b",
    "5 users[1] must b",
    "6 users[2].email must b",
    "8 users[4].email The us",
    "11 groups[0].members[0].role must b",
    "11 groups[0].members[1].user The me",
    "14 groups[0].fields.Deals[0].name must b",
    "15 groups[0].fields.Deals[1].name is mis",
    "15 groups[0].fields.Deals[1].nmae is unk",
    "18 groups[0].fields.person[0].options[1] must b",
    "18 groups[0].fields.person[0].options[2] The op",
    "19 groups[0].fields.person[1].name The fi",
    "19 groups[0].fields.person[1].type must b",
    "20 groups[1].name The gr",
    "21 groups[1].visibilty is unk",
    "22 groups[1].fields.Members No obj",
    '22 groups[1].fields[" Deals "] must b',
    "22 groups[1].fields.Deals The en",
  ]);
});

test.each([
  ["users under another name", "users:", "usres:"],
  ["a fault in a list that aliases share", "members: [", "members: &all [{ role: reader }, "],
  [
    "an object type that is called as a role",
    "Deals:",
    "role: 5\n      visibility: 5\n      constructor: 5\n      Deals:",
  ],
] as const)("of a file with %s nothing is told that only the workspace shows", async (_what, right, wrong) => {
  const { code, err } = await apply(
    FILE.replace(right, wrong)
      .replace("user: bob@acme.test", "user: zed@acme.test")
      .replace("    visibility: public", "    members: *all".repeat(Number(wrong.includes("&all")))),
  );
  expect(code).toBe(1);
  expect(err).not.toMatch(/There is no user|needs a member/);
  expect(err).toMatch(/is unknown here|must be|is missing/);
});

test("no more than fifty faults are told, and how many more there are", async () => {
  const users = Array.from({ length: 60 }, (_, i) => `  - { email: u${i}@acme.test, role: boss }\n`).join("");
  const lines = (await apply(`workspace: acme\nusers:\n${users}`)).err.split("\n");
  expect(lines).toHaveLength(51);
  expect(lines.at(-1)).toBe("and 10 more");
});

test("an unknown name in a config or an option is told with the nearest that there is", async () => {
  const { err } = await apply(
    FILE.replace("numericField }", "numericField, config: { format: currency, currncy: EUR } }").replace(
      "[Lead, Customer]",
      "[{ lable: Lead }]",
    ),
  );
  expect(err).toContain("config.currncy: is unknown here. Did you mean 'currency'?");
  expect(err).toContain("options[0].lable: is unknown here. Did you mean 'label'?");
});
