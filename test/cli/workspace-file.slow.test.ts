import { expect, test } from "@jest/globals";
import { type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { appendToLog } from "../../engine/events/append.ts";
import { beginPeriod } from "../../engine/events/periods.ts";
import { testAdmin } from "../support/admin.ts";
import { adminScene } from "../support/admin-scene.ts";

const { admin, files } = adminScene();

/** The example of docs/guides/workspace-file.md#the-file. */
const EXAMPLE = `workspace: SLUG
name: Acme
users:
  - { email: ada@acme.test, fullName: Ada Lovelace, role: admin }
  - { email: bob@acme.test, fullName: Bob Stone }
groups:
  - name: Sales
    visibility: private
    members: [{ user: ada@acme.test, role: admin }, { user: bob@acme.test, role: reader }]
    fields:
      person:
        - { name: Status, type: singleSelect, options: [Lead, Customer] }
      Deals:
        - { name: Amount, type: numericField, config: { format: currency, currency: USD } }
`;

const apply = (text: string, ...options: string[]) =>
  admin.run("apply", files.write("world.yaml", text), "--json", ...options);
const version = async (slug: string) =>
  (await admin.query<{ v: number }>("select catalog_version as v from workspaces where slug = $1", [slug]))[0]?.v;
const exported = async (slug: string) => (await admin.run(`export --workspace ${slug} --json`)).json<Exported>();

interface Exported {
  workspace: string;
  name: string;
  users: { email: string; fullName: string; role: string }[];
  groups: {
    name: string;
    visibility: string;
    members: unknown[];
    fields: Record<string, { name: string; options?: { label: string; color: string }[] }[]>;
  }[];
}

interface Applied {
  workspaces: {
    id: string;
    slug: string;
    users: { id: string; email: string }[];
    groups: { id: string; name: string }[];
  }[];
}

test("apply makes what the example of the workspace file says and answers with ids", async () => {
  const { code, json, err } = await apply(EXAMPLE.replace("SLUG", "acme"));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const [workspace] = json<Applied>().workspaces;
  expect(workspace).toEqual({
    id: expect.stringMatching(/^wsp_/),
    slug: "acme",
    users: [
      { id: expect.stringMatching(/^usr_/), email: "ada@acme.test" },
      { id: expect.stringMatching(/^usr_/), email: "bob@acme.test" },
    ],
    groups: [{ id: expect.stringMatching(/^grp_/), name: "Sales" }],
  });
  expect(await exported("acme")).toMatchObject({
    name: "Acme",
    users: [{ role: "admin" }, { email: "bob@acme.test", fullName: "Bob Stone", role: "member" }],
    groups: [
      {
        visibility: "private",
        fields: {
          Deals: [{ name: "Amount", config: { format: "currency", currency: "USD" } }],
          person: [{ options: [{ label: "Lead" }, { label: "Customer" }] }],
        },
      },
    ],
  });
});

test("a second apply of the same file answers the same, changes nothing and does not raise the version", async () => {
  const first = await apply(EXAMPLE.replace("SLUG", "twice"));
  const before = await version("twice");
  const second = await apply(EXAMPLE.replace("SLUG", "twice"));
  expect(second.out).toBe(first.out);
  expect(await version("twice")).toBe(before);
});

test("users are matched without letter case, groups and fields after trimming and NFC", async () => {
  await apply(EXAMPLE.replace("SLUG", "match").replaceAll("Sales", "Ca\u0301diz"));
  const changed = EXAMPLE.replace("SLUG", "match")
    .replaceAll("Sales", '" C\u00e1diz "')
    .replace("email: bob@acme.test", "email: BOB@acme.test")
    .replace("Status", '" Status "');
  expect((await apply(changed)).err).toBe("");
  const { users, groups } = await exported("match");
  expect(users.map(({ email }) => email)).toEqual(["ada@acme.test", "BOB@acme.test"]);
  expect(groups).toHaveLength(1);
  expect(groups[0]?.fields.person).toHaveLength(1);
});

test("a file with a fault in its second workspace changes nothing in the first", async () => {
  const second = EXAMPLE.replace("SLUG", "whole-b").replace(
    "{ user: bob@acme.test, role: reader }",
    "{ user: nobody@acme.test, role: reader }",
  );
  const { code, err } = await apply(`${EXAMPLE.replace("SLUG", "whole-a")}---\n${second}`);
  expect(code).toBe(1);
  expect(err).toMatch(/world\.yaml:24:\d+: groups\[0\]\.members\[1\]\.user: There is no user "nobody@acme\.test"/);
  expect(await admin.query("select 1 from workspaces where slug like 'whole-%'")).toEqual([]);
});

test.each([
  [
    "role: reader",
    "role: boss",
    /world\.yaml:9:\d+: groups\[0\]\.members\[1\]\.role: must be one of reader, contributor, admin$/,
  ],
  [
    "type: singleSelect",
    "type: select",
    /:12:\d+: groups\[0\]\.fields\.person\[0\]\.type: must be one of .*singleSelect/,
  ],
  [
    "currency: USD",
    "currency: EURO",
    /:14:\d+: groups\[0\]\.fields\.Deals\[0\]\.config\.currency: must be a currency of ISO 4217/,
  ],
  ["name: Acme", "nme: Acme", /:2:\d+: nme: is unknown here/],
  ["name: Acme", "name: 2024", /:2:\d+: name: must be a text, not a number: put it in quotes$/],
  [
    "    visibility: private",
    "    visibility: secret",
    /:8:\d+: groups\[0\]\.visibility: must be one of public, private$/,
  ],
  ["fullName: Bob Stone", "fullname: Bob Stone", /:5:\d+: users\[1\]\.fullname: is unknown here/],
  ["workspace: SLUG", "workspace: Acme Ltd", /:1:\d+: workspace: must be made of a-z, 0-9 and -/],
  ["workspace: SLUG\n", "", /:1:\d+: workspace: is missing/],
  ["Deals:", "Members:", /:13:\d+: groups\[0\]\.fields\.Members: No object type can be named "Members"/],
  ["Deals:", "Object-types:", /:13:\d+: groups\[0\]\.fields\.Object-types: No object type can be named "Object-types"/],
  [
    "[Lead, Customer]",
    "[Lead, ' Lead']",
    /:12:\d+: groups\[0\]\.fields\.person\[0\]\.options\[1\]: The option "Lead" is named twice/,
  ],
  [
    "role: admin }, {",
    "role: contributor }, {",
    /:9:\d+: groups\[0\]\.members: The private group "Sales" needs a member with the role admin/,
  ],
  ["users:", "users: [", /world\.yaml:4:3: Block collections are not allowed/],
  ["name: Acme", "name: Acme: Ltd", /world\.yaml:2:7: this stands behind a colon and has one of its own: put a text/],
])(
  "a file with %j as %j is refused in one line that names file, line, column and field",
  async (right, wrong, message) => {
    const { code, err, out } = await apply(EXAMPLE.replace(right, wrong).replace("SLUG", "faulty"));
    expect(err).toMatch(message);
    expect(err).not.toContain("\n");
    expect({ code, out }).toEqual({ code: 1, out: "" });
  },
);

const NESTED = "[".repeat(5000) + "]".repeat(5000);
const bomb = "bcdefghi".replaceAll(/./g, (name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[i]}`)}]\n`);
const chain = Array.from({ length: 100 }, (_, i) => `  - &a${i + 1} [*a${i}]\n`).join("");

test.each([
  ["a list as a name", "workspace: a\nusers:\n  - [a, b]: 1\n", /^\S+:3:\d+: the name before a colon must be a text\./],
  ["a mapping as a name", "workspace: a\n? { x: 1 }\n: 2\n", /:2:\d+: the name before a colon must be a text\./],
  [
    "a tag that runs code",
    "workspace: a\nname: !!js/function x\n",
    /:2:\d+: the tag !!js\/function is not allowed here: remove/,
  ],
  ["an unknown tag", "workspace: a\nusers: !mine []\n", /:2:\d+: the tag !mine is not allowed here/],
  [
    "a tag of YAML 1.1",
    "%YAML 1.1\n---\nworkspace: a\nusers: !!set { x }\n",
    /:4:\d+: the tag !!set is not allowed here/,
  ],
  ["a name given twice", "workspace: a\nname: A\nname: B\n", /:3:\d+: "name" is given twice here/],
  ["nested lists", `workspace: a\nusers: ${NESTED}\n`, /:2:\d+: is nested deeper than 64 levels/],
  ["nested entries", `workspace: a\nusers:\n${"- ".repeat(5000)}\n`, /:3:\d+: is nested deeper than 64 levels/],
  ["nested JSON", `{\n"workspace": "a",\n"users": ${NESTED}}`, /:3:\d+: is nested deeper than 64 levels/],
  ["lists nested by aliases", `workspace: a\nx:\n  - &a0 [1]\n${chain}`, /:1:\d+: has more than 1000 aliases/],
  [
    "an alias too often",
    `workspace: a\nx: &x []\ny:\n${"  - *x\n".repeat(1001)}`,
    /:1004:\d+: has more than 1000 aliases/,
  ],
  [
    "aliases of aliases",
    `workspace: a\na: &a [x,x,x,x,x,x,x,x,x]\n${bomb}`,
    /:1:\d+: has more than 1000 aliases, those included that aliases stand for/,
  ],
  ["an alias of its own", "workspace: a\nusers: &a [*a]\n", /:2:\d+: \*a stands for itself/],
  ["an alias of nothing", "workspace: a\nname: *a\n", /:2:\d+: \*a stands for nothing: there is no &a before it/],
  [
    "too much text",
    `workspace: a\nname: ${"x".repeat(5e6)}\n`,
    /^\S+ is too large: a file may have 4 MiB .* ten thousand/,
  ],
  [
    "too many values",
    `workspace: a\nusers:\n  [${"1,".repeat(3e5)}]\n`,
    /:3:\d+: is too large: .* 500,000 words and signs/,
  ],
  [
    "names without end",
    Array.from({ length: 6e4 }, (_, i) => `n${i}: 1\n`).join(""),
    /:1:\d+: workspace: is missing\n\S+:1:1: n0: is unknown here: correct its spelling, or take it out\n/,
  ],
  [
    "an option named ten thousand times",
    `workspace: a\ngroups:\n  - name: G\n    fields: { person: [{ name: F, type: singleSelect, options: [${"A,".repeat(1e4)}] }] }\n`,
    /:4:\d+: groups\[0\]\.fields\.person\[0\]\.options\[1\]: The option "A" is named twice\n/,
  ],
  ["too much JSON", JSON.stringify({ workspace: "a", users: Array(3e5).fill("x") }), /:1:\d+: is too large: /],
])("a file with %s is refused at once, in lines that name file, line and column", async (_what, text, message) => {
  const { code, err, out } = await apply(text);
  expect(err).toMatch(message);
  expect(err.split("\n").length).toBeLessThanOrEqual(51);
  expect({ code, out }).toEqual({ code: 1, out: "" });
});

test("a file with ten thousand options is taken, and one whose members are written once for 300 groups", async () => {
  const options = Array.from(
    { length: 10_000 },
    (_, i) => `            - { label: Option ${i} of many, color: "#5738ff" }\n`,
  );
  const field = `        - name: Status\n          type: singleSelect\n          options:\n${options.join("")}`;
  const many = await apply(EXAMPLE.replace("SLUG", "options").replace(/ +- \{ name: Status.*\n/, field));
  expect(many.err).toBe("");
  expect((await exported("options")).groups[0]?.fields.person?.[0]?.options).toHaveLength(10_000);
  const groups = Array.from(
    { length: 300 },
    (_, i) => `  - { name: G${i}, members: ${i === 0 ? "&all [{ user: a@b.test, role: admin }]" : "*all"} }\n`,
  );
  expect((await apply(`workspace: aliases\nusers: [{ email: a@b.test }]\ngroups:\n${groups.join("")}`)).err).toBe("");
  expect((await exported("aliases")).groups.at(-1)?.members).toEqual([{ user: "a@b.test", role: "admin" }]);
});

test("names are taken as they are written, also those that YAML takes for numbers, and brackets may end a line of their own", async () => {
  const file = `workspace: names
users: [
  { email: a@b.test }
]
groups:
  - { name: G, visibility: public, fields: { 007: [], null: [], 1e3: [], true: [] } }
`;
  expect((await apply(file)).err).toBe("");
  expect(Object.keys((await exported("names")).groups[0]?.fields ?? {})).toEqual(["007", "null", "1e3", "true"]);
});

test("two groups of one name are refused, in the file and in the workspace", async () => {
  const twice = `${EXAMPLE.replace("SLUG", "groups")}  - { name: " Sales", visibility: public }\n`;
  expect((await apply(twice)).err).toMatch(/:15:\d+: groups\[1\]\.name: The group "Sales" is named twice$/);
  const { json } = await apply(EXAMPLE.replace("SLUG", "groups"));
  const [workspace] = json<Applied>().workspaces;
  const [row] = await admin.query<{ workspaceId: string }>(
    `select id as "workspaceId" from workspaces where slug = 'groups'`,
  );
  const caller = {
    workspaceId: row?.workspaceId as Uuid,
    userId: uuidOf("user", workspace?.users[0]?.id ?? "") as Uuid,
    keyId: null,
    access: "full" as const,
  };
  await admin.call("groups.create", { body: { name: "Sales", visibility: "public" } }, caller);
  expect((await apply(EXAMPLE.replace("SLUG", "groups"))).err).toMatch(
    /:7:\d+: groups\[0\]\.name: The workspace has 2 groups of the name "Sales"/,
  );
});

test("the type of a field cannot change", async () => {
  await apply(EXAMPLE.replace("SLUG", "types"));
  const { err } = await apply(EXAMPLE.replace("SLUG", "types").replace("type: singleSelect", "type: multipleSelect"));
  expect(err).toMatch(/:12:\d+: groups\[0\]\.fields\.person\[0\]\.type: The field "Status" is a singleSelect/);
});

test("without --prune nothing is removed; with it what the file does not name goes", async () => {
  const more = `${EXAMPLE.replace("SLUG", "prune").replace("[Lead, Customer]", "[Lead, Customer, Lost]")}        - { name: Stage, type: textField }\n  - { name: Old, visibility: public }\n`;
  await apply(more);
  await apply(EXAMPLE.replace("SLUG", "prune"));
  const kept = await exported("prune");
  expect(kept.groups.map(({ name }) => name)).toEqual(["Sales", "Old"]);
  expect(kept.groups[0]?.fields.Deals).toHaveLength(2);
  const fewer = EXAMPLE.replace("SLUG", "prune").replace(", { user: bob@acme.test, role: reader }", "");
  expect((await apply(fewer, "--prune")).err).toBe("");
  const pruned = await exported("prune");
  expect(pruned.groups.map(({ name }) => name)).toEqual(["Sales"]);
  expect(pruned.groups[0]?.members).toEqual([{ user: "ada@acme.test", role: "admin" }]);
  expect(pruned.groups[0]?.fields.Deals?.map(({ name }) => name)).toEqual(["Amount"]);
  expect(pruned.groups[0]?.fields.person?.[0]?.options?.map(({ label }) => label)).toEqual(["Lead", "Customer"]);
  expect(pruned.users).toHaveLength(2);
});

test("--prune that would leave a private group without an admin is refused", async () => {
  await apply(EXAMPLE.replace("SLUG", "lonely"));
  const { code, err } = await apply(
    EXAMPLE.replace("SLUG", "lonely").replace("{ user: ada@acme.test, role: admin }, ", ""),
    "--prune",
  );
  expect(code).toBe(1);
  expect(err).toMatch(/The private group "Sales" needs a member with the role admin/);
});

test("object types are made in the order given, and an objectField on person makes one of its name", async () => {
  await apply(
    EXAMPLE.replace("SLUG", "order").replace(
      "      Deals:",
      "        - { name: Visits, type: objectField }\n      Projects:\n      Deals:",
    ),
  );
  const types = await admin.query<{ name: string }>(
    "select t.name from object_types t join workspaces w on w.id = t.workspace_id where w.slug = 'order' order by t.id",
  );
  expect(types.map(({ name }) => name)).toEqual(["Visits", "Projects", "Deals"]);
});

test("an export applied to an empty database exports the same, and applied where it comes from changes nothing", async () => {
  await apply(
    `${EXAMPLE.replace("SLUG", "round")}        - { name: "Näme: [1] \\"x\\"", type: multipleSelect, options: [{ label: "#1", color: "#ABCDEF" }, "no", "2024"] }
        - { name: Related, type: objectField }
      company: [{ name: Visits, type: objectField }, { name: Owner, type: userField }]
  - { name: "Öffentlich", visibility: public }
`,
  );
  const file = (await admin.run("export --workspace round")).out;
  const before = await version("round");
  expect((await apply(file, "--prune")).err).toBe("");
  expect(await version("round")).toBe(before);
  const other = await testAdmin();
  try {
    expect((await other.run("apply", files.write("round.yaml", file))).err).toBe("");
    expect((await other.run("export --workspace round")).out).toBe(file);
    expect((await other.run("export --workspace round --json")).json()).toEqual(await exported("round"));
  } finally {
    await other.close();
  }
});

test("JSON is a workspace file too", async () => {
  const { code, json } = await apply(
    JSON.stringify({ workspace: "json", users: [{ email: "a@b.test", fullName: "A \ud83d\ude00" }] }, null, "\t"),
  );
  expect(code).toBe(0);
  expect(json<Applied>().workspaces[0]?.users).toHaveLength(1);
});

test("a removed workspace leaves nothing behind, and others stay", async () => {
  await apply(EXAMPLE.replace("SLUG", "goner"));
  await admin.run("keys create --workspace goner --user ada@acme.test");
  await admin.run(
    "import people",
    files.write("p.csv", "Name,Company\nEve,Evil Inc\n"),
    "--workspace",
    "goner",
    "--group",
    "Sales",
  );
  const [row] = await admin.query<{ id: string }>("select id from workspaces where slug = 'goner'");
  expect((await admin.run("workspaces remove --workspace goner --json")).json()).toMatchObject({ slug: "goner" });
  const tables = await admin.query<{ name: string }>(
    "select distinct table_name as name from information_schema.columns where column_name = 'workspace_id' and table_schema = current_schema()",
  );
  for (const { name } of tables)
    expect(await admin.query(`select * from ${name} where workspace_id = $1`, [row?.id])).toEqual([]);
  expect((await admin.run("workspaces list --json")).out).not.toContain("goner");
  expect((await admin.run("users list --workspace acme")).code).toBe(0);
});

test("a removed workspace leaves no entry in any period of the log, and others keep theirs", async () => {
  const of = async (slug: string) => {
    const [{ id }] = (await apply(EXAMPLE.replace("SLUG", slug))).json<{ workspaces: [{ id: string }] }>().workspaces;
    return uuidOf("workspace", id) as Uuid;
  };
  const [goner, stayer] = [await of("long-goner"), await of("long-stayer")];
  const query: Query = (sql, values) => admin.query(sql, [...values]);
  const write = async () => {
    for (const workspaceId of [goner, stayer])
      await appendToLog(query, { workspaceId }, [{ type: "person.created", recordId: workspaceId, body: {} }]);
  };
  await write();
  expect(await beginPeriod(query, 0)).toBe(true);
  await write();
  // As the release before has left them.
  for (const [seq, workspaceId] of [goner, stayer].entries())
    await admin.query(
      `insert into change_log (workspace_id, seq, id, type, record_id, source, body)
       values ($1, $2, gen_random_uuid(), 'person.created', $1, 'api', '{}')`,
      [workspaceId, seq + 1],
    );
  const kept = (workspaceId: Uuid) =>
    admin.query<{ name: string }>(
      "select distinct tableoid::regclass::text as name from change_log where workspace_id = $1 order by 1",
      [workspaceId],
    );
  const periods = [{ name: "change_log_1" }, { name: "change_log_2" }, { name: "change_log_before" }];
  expect(await kept(goner)).toEqual(periods);
  expect((await admin.run("workspaces remove --workspace long-goner --json")).json()).toMatchObject({
    id: `wsp_${goner}`,
  });
  expect(await kept(goner)).toEqual([]);
  expect(await kept(stayer)).toEqual(periods);
});
