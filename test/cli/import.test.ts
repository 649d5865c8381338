import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { ImportPlan } from "../../tools/import/plan.ts";
import { type ImportAnswer as Answer, importScene, type ListedRecord, NONE } from "../support/import-scene.ts";

/** Real files, beside the repository on the machines of its developers. */
const DATA = join(process.cwd(), "..", "shared", "data");

const scene = importScene(`users:
  - { email: ada@acme.test, fullName: Ada Lovelace, role: admin }
  - { email: bob@acme.test, fullName: Bob Stone }
groups:
  - name: Sales
    members: [{ user: ada@acme.test, role: admin }, { user: bob@acme.test, role: reader }]
    fields: { person: [{ name: Status, type: singleSelect, options: [Lead] }] }
`);
const { admin, files, importText, list } = scene;
const none = NONE;
const run = (kind: string, path: string, ...options: string[]) => scene.run(kind, path, "--json", ...options);

const valuesOf = (record: ListedRecord | undefined) => Object.values(record?.customFieldValues ?? {})[0];

test("columns are recognised by usual headings, several of a kind make a list, cells are trimmed", async () => {
  const text = `First Name,SURNAME,E-mail,E-Mail 2,Mobile phone,Organisation,Job title,Date of birth,Sex,Street,City,Postal code,Country,Notes
Zoë, Ångström ,zoe@x.test,z@y.test,+46 1,Volvo,Chef,1980-02-29,f,Gatan 1,Malmö,021 00,Sverige,"one
two"
`;
  expect(await importText("people", text)).toEqual({ ...none, read: 1, created: 1 });
  const [person] = await list("people");
  expect(person).toMatchObject({
    firstName: "Zoë",
    lastName: "Ångström",
    fullName: "Zoë Ångström",
    emails: ["zoe@x.test", "z@y.test"],
    phones: ["+46 1"],
    companies: [{ name: "Volvo" }],
    jobTitle: "Chef",
    birthday: "1980-02-29",
    gender: "Female",
    addresses: ["Gatan 1, Malmö, 021 00, Sverige"],
    description: "one\ntwo",
    groups: [{ name: "Sales" }],
    createdBy: { email: "ada@acme.test" },
  });
});

test("a file with CRLF, CR or LF in its cells gives the same records, and says them once", async () => {
  const text = 'Name,Email,Address,Notes\nAnn Field,ann@x.test,"1 Mill Lane\nLeeds\nUK","one\ntwo"\n';
  expect(await importText("people", text)).toEqual({ ...none, read: 1, created: 1 });
  for (const end of ["\r\n", "\r"])
    expect(await importText("people", text.replaceAll("\n", end))).toEqual({ ...none, read: 1, unchanged: 1 });
  expect(await list("people")).toMatchObject([{ addresses: ["1 Mill Lane\nLeeds\nUK"], description: "one\ntwo" }]);
});

test("invisible signs keep nobody from being found, and no name in one piece", async () => {
  await importText("people", "Name,Email\nBob Field,bob@x.test\n");
  const text = "\u200bName,\u00a0Email\nBob\u00a0Field,\u200ebob@x.te\u200bst\n";
  expect(await importText("people", text)).toEqual({ ...none, read: 1, unchanged: 1 });
  expect(await list("people")).toMatchObject([{ firstName: "Bob", lastName: "Field", emails: ["bob@x.test"] }]);
});

test("a cell that a spreadsheet has taken the digits of is refused and told, and makes no option", async () => {
  const text = `Name,Email,Phone,Postal Code,City,Member No
Ann,ann@x.test,'+49 30 1234567,="01067",Dresden,="000123"
Bob,bob@x.test,4.94E+11;+49 1,"4,94E+11",Dresden,4.94E+11
Cy,cy@x.test,4.91701234567E+11,#####,Dresden,'000125
`;
  const lost = (line: number, column: string, value: string) => ({
    line,
    column,
    reason: expect.stringContaining(`"${value}" has lost its digits`),
  });
  expect(await importText("people", text, "--fields")).toEqual({
    ...none,
    read: 3,
    created: 3,
    refused: [
      lost(3, "Phone", "4.94E+11"),
      lost(3, "Postal Code", "4,94E+11"),
      lost(3, "Member No", "4.94E+11"),
      lost(4, "Postal Code", "#####"),
    ],
  });
  const people = await list("people");
  expect(people).toMatchObject([
    { phones: ["+49 30 1234567"], addresses: ["Dresden, 01067"] },
    { phones: ["+49 1"], addresses: ["Dresden"] },
    { phones: ["491701234567"], addresses: ["Dresden"] },
  ]);
  expect(people.map(valuesOf)).toEqual(
    [{ "Member No": "000123" }, {}, { "Member No": "000125" }].map((own) => expect.objectContaining(own)),
  );
});

test("a file read again changes nothing; a changed row changes its record; an empty cell leaves what is there", async () => {
  const text = "Name,Email,Phone,Company,Status\nEve Moss,eve@x.test,1,Acme,Lead\nTim Reed,,2,,\n";
  expect(await importText("people", text)).toEqual({ ...none, read: 2, created: 2 });
  expect(await importText("people", text)).toEqual({ ...none, read: 2, unchanged: 2 });
  const later = "Name,Email,Phone,Company,Status\nEva Moss,EVE@x.test,9,,\nTim Reed,,2,Acme,Lead\n";
  expect(await importText("people", later)).toEqual({ ...none, read: 2, updated: 2 });
  const people = await list("people");
  expect(people).toHaveLength(2);
  expect(people[0]).toMatchObject({
    fullName: "Eva Moss",
    emails: ["eve@x.test"],
    phones: ["1", "9"],
    companies: [{ name: "Acme" }],
  });
  expect(valuesOf(people[0])).toEqual({ Status: "Lead" });
});

test("rows of one file about one person end as one person, of which the first row counts, also the next time", async () => {
  const text =
    "Name,Email,Phone,Title,Status\nEve,e@x.test,1,,Lead\nEve,e@x.test,2,Chef,Lead\nEve Moss,E@x.test,3,Cook,Lost\n";
  const refused = [
    { line: 4, column: "Name", reason: 'The person of line 2 has "Eve" here, not "Eve Moss"' },
    { line: 4, column: "Title", reason: 'The person of line 2 has "Chef" here, not "Cook"' },
    { line: 4, column: "Status", reason: 'The person of line 2 has "Lead" here, not "Lost"' },
  ];
  const { err, json } = await run("people", files.write("rows.csv", text), "--fields");
  expect(err).toMatch(
    /^2 rows about the same record as an earlier one: line 3 as line 2 \("e@x\.test"\), line 4 as line 2 \("e@x\.test"\)/,
  );
  expect(json<Answer>()).toEqual({ ...none, read: 3, created: 1, updated: 2, refused });
  expect(await list("people")).toMatchObject([
    { fullName: "Eve", phones: ["1", "2", "3"], emails: ["e@x.test"], jobTitle: "Chef" },
  ]);
  expect(await importText("people", text, "--fields")).toEqual({ ...none, read: 3, unchanged: 3, refused });
});

test("refused cells are told by line, column and reason, and their rows are imported without them", async () => {
  const long = "x".repeat(1001);
  const text = `Name,Birthday,Status,Phone\r\n"A\r\nB",1980-01-01,Lead,\r\nBad,1980-02-30,Lead,\r\n\r\n${long},,,${"1".repeat(31)}\r\nC,,Unknown,\r\n,,Lead,\r\nD,,,,,x\r\nE,,,\r\n`;
  const answer = await importText("people", text);
  expect(answer).toMatchObject({ read: 7, created: 4, updated: 0, unchanged: 0 });
  expect(answer.refused.map(({ line, column }) => [line, column])).toEqual([
    [4, "Birthday"],
    [6, "Name"],
    [7, "Status"],
    [8, null],
    [9, null],
  ]);
  expect(answer.refused[0]?.reason).toBe('"1980-02-30" is not a date: write it like 2026-03-01');
  expect(answer.refused[1]?.reason).toMatch(/^"x{60}…" must have at most 1000 characters/);
  expect(answer.refused[2]?.reason).toBe('The field "Status" has no option "Unknown". It has: Lead');
  expect((await list("people")).map(({ fullName }) => fullName)).toEqual(["A\nB", "Bad", "C", "E"]);
});

test("a dry run writes nothing and tells the same, also of rows that only the file itself repeats", async () => {
  const rows = Array.from({ length: 600 }, (_, i) => `P${i % 590},p${i % 590}@x.test,${i}`).join("\n");
  const text = `Name,Email,Badge\n${rows}\n`;
  const { plan, ...dry } = await importText("people", text, "--fields", "--dry-run");
  expect(plan).toMatchObject({ rows: 600, sameRecord: { count: 10 } });
  expect(await list("people")).toEqual([]);
  expect((await admin.run(`export --workspace ${scene.slug}`)).out).not.toContain("Badge");
  expect(await importText("people", text, "--fields")).toEqual(dry);
  expect(dry).toMatchObject({ read: 600, created: 590, unchanged: 10 });
  expect(dry.refused[9]).toEqual({
    line: 601,
    column: "Badge",
    reason: 'The person of line 11 has "9" here, not "599"',
  });
});

const choices = (cell: string) =>
  `Name,Kind,Status,Text\n${["A", "B", "C", "D"].map((name) => `${name},x,,\n`).join("")}E,${cell}\n`;
const whatever = (length: number) => "x".repeat(length);

test.each([
  [
    "a heading too long for a name",
    `\n\nName,${whatever(256)}\nEve,1\n`,
    /^\S+rows\.csv:3: the column "x{60}…" cannot become a custom field: name must have at most 255 characters\. Change the heading, or say with --map where the column belongs\.$/,
  ],
  ["NUL in a heading", "Name,a\0b\nEve,1\n", /^\S+:1: the column "a\\u0000b" cannot become .* holds a NUL character/],
  ["NUL in a cell of a column of choices", choices("x\0"), { created: 5, line: 6, column: "Kind" }],
  ["an unpaired surrogate's bytes", Buffer.from("Name,Kind\nEve,\xed\xa0\x80\n", "latin1"), /is not in UTF-8/],
  ["a text longer than fields take", choices(`x,,${whatever(5001)}`), { created: 5, line: 6, column: "Text" }],
  ["a label longer than options have", choices(`x,${whatever(501)}`), { created: 5, line: 6, column: "Status" }],
] as const)("a dry run finds what the import finds: %s", async (_what, text, found) => {
  const file = files.write("rows.csv", text);
  const dry = await run("people", file, "--fields", "--dry-run");
  expect(await list("people")).toEqual([]);
  expect((await admin.run(`export --workspace ${scene.slug}`)).out).not.toContain("Kind");
  const real = await run("people", file, "--fields");
  expect(dry.code).toBe(real.code);
  if (found instanceof RegExp) {
    expect(dry.err).toBe(real.err);
    expect({ code: dry.code, out: dry.out, err: dry.err }).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(found),
    });
  } else {
    const { created, ...refused } = found;
    const { plan: _plan, ...told } = dry.json<Answer>();
    expect(told).toEqual(real.json());
    expect(told).toMatchObject({ read: 5, created, refused: [refused] });
  }
});

test("a dry run counts what new fields and options change of records that are there", async () => {
  await importText("people", "Name,Phone,Status\nEve,1,Lead\nTim,2,Lead\nIda,3,Lead\n");
  const text = "Name,Phone,Status,Kind\nEve,1,Lead,\nTim,2,Lead,x\nIda,3,Lost,\n";
  const { plan, ...dry } = await importText("people", text, "--fields", "--dry-run");
  expect(plan).toMatchObject({
    newFields: [{ name: "Kind", type: "textField", options: [] }],
    newOptions: [{ field: "Status", options: ["Lost"] }],
  });
  expect(dry).toEqual({ ...none, read: 3, updated: 2, unchanged: 1 });
  expect(await importText("people", text, "--fields")).toEqual(dry);
  expect(await importText("people", text, "--fields", "--dry-run")).toMatchObject({ ...none, read: 3, unchanged: 3 });
});

test("fields of a file are made all or none", async () => {
  const file = files.write("rows.csv", `Name,Fine,${whatever(256)}\nEve,1,2\n`);
  expect((await run("people", file, "--fields")).code).toBe(1);
  expect((await admin.run(`export --workspace ${scene.slug}`)).out).not.toContain("Fine");
});

test("unknown columns are left out and told, or become fields of the type that all cells fit", async () => {
  const rows = Array.from(
    { length: 12 },
    (_, i) => `N${i},20${10 + i}-01-01,${i}.5,0${i}99,${["a", "b", "c"][i % 3]},free ${i},${i % 2 ? "Lead" : "New "}`,
  );
  const text = `Name,Since,Score,Code,Kind,Remarks 7,Status\n${rows.join("\n")}\n`;
  const { plan } = (await run("people", files.write("rows.csv", text), "--dry-run")).json<{ plan: ImportPlan }>();
  const unknown = plan.columns.filter(({ leftOut }) => leftOut === "unknown");
  expect(unknown.map(({ heading }) => heading)).toEqual(["Since", "Score", "Code", "Kind"]);
  expect(plan.newOptions).toEqual([]);
  expect(await importText("people", text, "--fields")).toEqual({ ...none, read: 12, created: 12 });
  const { groups } = (await admin.run(`export --workspace ${scene.slug} --json`)).json<{
    groups: { fields: { person: { name: string; type: string; options?: { label: string }[] }[] } }[];
  }>();
  expect(
    groups[0]?.fields.person.map(({ name, type, options }) => [name, type, options?.map(({ label }) => label)]),
  ).toEqual([
    ["Status", "singleSelect", ["Lead", "New"]],
    ["Since", "dateField", undefined],
    ["Score", "numericField", undefined],
    ["Code", "textField", undefined],
    ["Kind", "singleSelect", ["a", "b", "c"]],
  ]);
  expect(valuesOf((await list("people"))[2])).toEqual({
    Status: "New",
    Since: "2012-01-01",
    Score: "2.5",
    Code: "0299",
    Kind: "c",
  });
  expect(await importText("people", text, "--fields")).toEqual({ ...none, read: 12, unchanged: 12 });
});

test.each(["__proto__", "constructor", "toString"])("a column may be named %s like any other", async (name) => {
  const text = `Name,Email,${name},Who\nGrace Hopper,g@navy.test,kept,too\n`;
  expect(await importText("people", text, "--fields")).toEqual({ ...none, read: 1, created: 1 });
  const map = files.write("map.yaml", `Who: ${name}\n${name}: null\n`);
  const valuesOfGrace = async () => Object.entries(valuesOf((await list("people"))[0]) ?? {});
  expect(await valuesOfGrace()).toContainEqual([name, "kept"]);
  expect(await importText("people", text, "--map", map)).toEqual({ ...none, read: 1, updated: 1 });
  expect(await valuesOfGrace()).toContainEqual([name, "too"]);
});

test.each(["constructor", "__proto__"])("a cell that says %s is text, and no gender", async (text) => {
  const { refused } = await importText("people", `Name,Sex\nGrace Hopper,${text}\n`);
  expect(refused).toEqual([
    { line: 2, column: "Sex", reason: `"${text}" must be one of Male, Female, Other, Unknown` },
  ]);
});

test("of columns with one heading the first counts, also when the file is read again", async () => {
  const text =
    "Name,E-mail,Name,Tag,Tag,City,City,E-mail\nGrace Hopper,g@navy.test,Other,a,b,Berlin,Rome,h@navy.test\n";
  const { err } = await run("people", files.write("rows.csv", text), "--fields");
  expect(err.split("\n")[0]).toBe('Several columns have the heading "Name", "Tag", "City": the first of them counts.');
  expect(await importText("people", text, "--fields")).toEqual({ ...none, read: 1, unchanged: 1 });
  const [grace] = await list("people");
  expect(grace).toMatchObject({
    fullName: "Grace Hopper",
    emails: ["g@navy.test", "h@navy.test"],
    addresses: ["Berlin"],
  });
  expect(valuesOf(grace)).toEqual({ Status: null, Tag: "a" });
  expect(await importText("people", "Name\nAlan Turing\n", "--match", "name")).toMatchObject({ created: 1 });
});

test("a column that a map leaves out is not told of", async () => {
  const map = files.write("map.yaml", "Score: null\n");
  const { err } = await run("people", files.write("rows.csv", "Name,Score,Rank\nAda,1,2\n"), "--map", map);
  expect(err).toMatch(/^Left out: "Rank"\. /);
});

test("a map says where columns go, takes a part of a cell and splits it", async () => {
  const map = files.write(
    "map.yaml",
    "Who: name\nMade: { field: foundationYear, pattern: '^(\\d{4})' }\nMails: { field: emails, split: ';' }\nArea: Region\nRest: null\n",
  );
  const text = "Who,Made,Mails,Area,Rest\nAcme,1999 (1888),a@x.test; b@x.test,North,x\nBeta,unknown,,,\n";
  const answer = await importText("companies", text, "--map", map, "--fields");
  expect(answer).toMatchObject({ read: 2, created: 2, refused: [{ line: 3, column: "Made" }] });
  expect(answer.refused[0]?.reason).toBe('"unknown" does not match the pattern ^(\\d{4})');
  const [company] = await list("companies");
  expect(company).toMatchObject({ name: "Acme", foundationYear: "1999", emails: ["a@x.test", "b@x.test"] });
  expect(valuesOf(company)).toEqual({ Region: "North" });
  const wrong = files.write("wrong.yaml", "Who: name\nWhat: industry\n");
  expect(
    (
      await run(
        "companies",
        files.write("rows.csv", text),
        "--map",
        files.write("map2.yaml", "Who: name\nArea: Regoin\n"),
      )
    ).err,
  ).toMatch(
    /map2\.yaml:2:\d+: Area: there is no field "Regoin"\. There are: name, fundingRaised, .*; custom fields of the group "Sales": Region\. --fields creates it$/,
  );
  for (const [faulty, message] of [
    ["Who: name\n? [Area]\n: x\n", /map3\.yaml:2:\d+: the name before a colon must be a text/],
    ["Who: !!js/function name\n", /map3\.yaml:1:\d+: the tag !!js\/function is not allowed here/],
    ["Who: [name]\n", /map3\.yaml:1:\d+: Who: must be the name of a field, or \{ field, pattern, split \}/],
    ["Who: { feild: name }\n", /map3\.yaml:1:\d+: Who: "feild" is unknown here/],
    ["Who: name\n---\nArea: x\n", /map3\.yaml:3:\d+: is a second document/],
    ["", /map3\.yaml:1:\d+: must be lines of the form column: field/],
  ] as const) {
    const refused = await run("companies", files.write("rows.csv", text), "--map", files.write("map3.yaml", faulty));
    expect(refused.err).toMatch(message);
  }
  expect((await run("companies", files.write("rows.csv", text), "--map", wrong)).err).toMatch(
    /wrong\.yaml:2:\d+: there is no column "What"\. There are: Who, Made/,
  );
});

test("companies are matched by name, and a number of employees becomes its range", async () => {
  const text = "Company;Employees;Website;Industry\nAcme;120;https://a.test;Tools\n Acme ;120;https://b.test;Tools\n";
  expect(await importText("companies", text)).toEqual({ ...none, read: 2, created: 1, updated: 1 });
  expect(await list("companies")).toMatchObject([
    { name: "Acme", employeeRange: "51-200", urls: ["https://a.test", "https://b.test"], industry: "Tools" },
  ]);
});

test("a byte order mark, tabs and quoted headings are read; a quote without its end is refused", async () => {
  expect(await importText("people", '\ufeff"Full\tname"\tE-mail\nÉve\te@x.test\n')).toMatchObject({ created: 1 });
  expect(await list("people")).toMatchObject([{ emails: ["e@x.test"] }]);
  await expect(importText("people", 'Name,Email\n"Eve,e@x.test\n')).rejects.toThrow(
    /: a cell behind line 1 begins with a quote \("\) that is never closed/,
  );
  const bytes = Buffer.from(Array.from({ length: 2048 }, (_, i) => i % 256));
  expect((await run("people", files.write("a.db", bytes))).err).toMatch(
    /a\.db is not a text file: export the records as CSV/,
  );
  await expect(importText("people", "Colour,Size\nred,1\n")).rejects.toThrow(
    /: none of the headings in line 1 is known to mean the name: "Colour", "Size"\. If that line is a record/,
  );
});

test("an import needs the role contributor, and admin where it makes fields", async () => {
  const file = files.write("rows.csv", "Name\nEve\n");
  expect((await run("people", file, "--user", "bob@acme.test")).err).toMatch(
    /bob@acme\.test may not import there.*this needs contributor/,
  );
  expect((await run("people", file, "--user", "nobody@acme.test")).err).toMatch(
    /no user with the e-mail address nobody@acme\.test/,
  );
  const other = await admin.run("import people", file, "--workspace", scene.slug, "--group", "Nix");
  expect(other.err).toBe('There is no group "Nix". There are: "Sales".');
});

const real = existsSync(DATA) ? test : test.skip;

real(
  "537 real people are imported with exact accents, and a second time nothing changes",
  async () => {
    const path = join(DATA, "legislators.csv");
    expect((await run("people", path, "--fields")).json()).toEqual({ ...none, read: 537, created: 537 });
    expect((await run("people", path, "--fields")).json()).toEqual({ ...none, read: 537, unchanged: 537 });
    const accents = await admin.query<{ name: string }>(
      "select full_name as name from people where full_name ~ '[^ -~]' and workspace_id = (select id from workspaces where slug = $1) order by 1",
      [scene.slug],
    );
    expect(accents.map(({ name }) => name)).toContain("Nydia M. Velázquez");
  },
  60_000,
);

real(
  "503 real companies are imported, those with unusual years without the year, and with it by a map",
  async () => {
    const path = join(DATA, "companies.csv");
    const map = files.write("map.yaml", "Founded: { field: foundationYear, pattern: '^(\\d{4})' }\n");
    const refused = join(files.path, "companies.refused.csv");
    const first = await run("companies", path, "--fields", "--refused", refused);
    expect(first.json()).toMatchObject({ read: 503, created: 503, updated: 0, unchanged: 0 });
    expect(first.json<Answer>().refused).toHaveLength(39);
    expect(first.json<Answer>().refused[0]?.reason).toMatch(/ is not a year: write it with four digits like 1998$/);
    expect((await run("companies", refused, "--fields", "--map", map)).json()).toEqual({
      ...none,
      read: 39,
      updated: 39,
    });
    expect((await run("companies", path, "--fields", "--map", map)).json()).toEqual({
      ...none,
      read: 503,
      unchanged: 503,
    });
  },
  60_000,
);
