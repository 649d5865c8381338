import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Ran } from "../support/admin.ts";
import { type ImportAnswer as Answer, importScene, NONE } from "../support/import-scene.ts";

const scene = importScene(`users: [{ email: ada@acme.test, role: admin }]
groups:
  - name: Sales
    members: [{ user: ada@acme.test, role: admin }]
    fields: { person: [{ name: Status, type: singleSelect, options: [Lead] }, { name: Met, type: dateField }] }
`);
const { admin, files, importText, list } = scene;
const none = NONE;

const run = (kind: string, name: string, text: string, ...options: string[]): Promise<Ran> =>
  scene.run(kind, files.write(name, text), ...options);

async function fields(): Promise<string[]> {
  const { groups } = (await admin.run(`export --workspace ${scene.slug} --json`)).json<{
    groups: { fields: { person: { name: string; type: string }[] } }[];
  }>();
  return (groups[0]?.fields.person ?? []).map(({ name, type }) => `${name} ${type}`);
}

test("a dry run prints the plan: columns, samples, new fields, orders of dates, rows about one record", async () => {
  const text = `Name,E-mail,Born,Party,Fax,Signed up,,Met,Status
Ada,a@x.test,24.12.1970,Red,,2024-01-02T10:00:00Z,x,13/2/2020,Lead
Bob,b@x.test,1.2.71,Blue,,2024-01-03 11:00,x,1/2/2020,Lost
,,,,,,,,
Bo,b@x.test,,Red,,,,,
Cy,,,Blue,,,,,
Di,,,Red,,,,,
Ed,,,Red,,,,,
`;
  const { code, out } = await run("people", "rows.csv", text, "--fields", "--dry-run");
  expect(code).toBe(1);
  expect(out.split("\n").slice(1)).toEqual([
    '  Name → fullName (6 values: "Ada", "Bob", "Bo")',
    '  E-mail → emails (3 values: "a@x.test", "b@x.test")',
    '  Born → birthday (2 values: "24.12.1970", "1.2.71")',
    '  Party → new singleSelect with 2 options, Red, Blue (6 values: "Red", "Blue")',
    '  Signed up → new dateField (2 values: "2024-01-02T10:00:00Z", "2024-01-03 11:00")',
    '  Met → custom field "Met", dateField, day first (2 values: "13/2/2020", "1/2/2020")',
    '  Status → custom field "Status", singleSelect (2 values: "Lead", "Lost")',
    "Left out, because they have no heading: column 7",
    "Without values: Fax",
    'New options of "Status": Lost',
    '1 row about the same record as an earlier one: line 5 as line 3 ("b@x.test"). They add to it and replace nothing; other values are refused.',
    "Found: 1 by e-mail address",
    "6 read: 5 created, 0 updated, 1 unchanged, 0 rows refused, 2 cells left out",
    'line 5, Name: The person of line 3 has "Bob" here, not "Bo"',
    'line 5, Party: The person of line 3 has "Blue" here, not "Red"',
    "Dry run: nothing was written.",
  ]);
  expect(out.split("\n")[0]).toMatch(/rows\.csv: 6 rows, and 1 blank row skipped$/);
  expect(await list("people")).toEqual([]);
  expect(await fields()).toEqual(["Status singleSelect", "Met dateField"]);
  const { plan } = await importText("people", text, "--fields", "--dry-run");
  expect(plan).toMatchObject({
    rows: 6,
    blankRows: 1,
    newFields: [
      { name: "Party", type: "singleSelect", options: ["Red", "Blue"] },
      { name: "Signed up", type: "dateField", options: [] },
    ],
    newOptions: [{ field: "Status", options: ["Lost"] }],
    sameRecord: { count: 1, rows: [{ line: 5, first: 3, by: "b@x.test" }] },
  });
  expect(plan?.columns[2]).toEqual({
    heading: "Born",
    to: { field: "birthday" },
    leftOut: null,
    values: 2,
    samples: ["24.12.1970", "1.2.71"],
    dates: null,
  });
  expect(plan?.columns[7]?.dates).toBe("dmy");
});

test("dates are found by column, and a column of timestamps becomes a dateField", async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `P${i},${(i % 12) + 1}/28/${i < 30 ? 70 : 1980},2024-01-02T10:00:${10 + i}Z`,
  );
  const text = `Name,Birthday,Created\n${rows.join("\n")}\nX,0/0/00,\nY,--03-09,\n`;
  const refused = [{ line: 63, column: "Birthday", reason: '"--03-09" has no year: write it like 2026-03-01' }];
  expect(await importText("people", text, "--fields")).toEqual({ ...none, read: 62, created: 62, refused });
  expect(await fields()).toContain("Created dateField");
  const people = await list("people");
  expect(people[1]).toMatchObject({ fullName: "P1", birthday: "1970-02-28" });
  expect(people[60]).toMatchObject({ fullName: "X", birthday: null });
  expect(Object.values(people[1]?.customFieldValues ?? {})[0]).toMatchObject({ Created: "2024-01-02" });
  expect(await importText("people", text, "--fields")).toEqual({ ...none, read: 62, unchanged: 62, refused });
});

test("where the order of dates cannot be told nothing is written, and --dates says it", async () => {
  const text = "Name,Birthday,Kind\nAda,1/2/1970,x\n";
  for (const options of [["--fields"], ["--fields", "--dry-run"]]) {
    const { code, out, err } = await run("people", "rows.csv", text, "--json", ...options);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/rows\.csv: in the column "Birthday" .*"1\/2\/1970" in line 2 .*--dates dmy or --dates mdy/);
  }
  expect(await list("people")).toEqual([]);
  expect(await fields()).not.toContain("Kind textField");
  expect(await importText("people", text, "--dates", "mdy")).toEqual({ ...none, read: 1, created: 1 });
  expect(await list("people")).toMatchObject([{ birthday: "1970-01-02" }]);
});

test("a year is taken of a number or a date, and one that is none is left out of its row", async () => {
  const text = "Name,Founded\nA,2013 (1888)\nB,1998.0\nC,5/6/1999\nD,2000\n";
  const answer = await importText("companies", text);
  expect(answer).toMatchObject({ read: 4, created: 4, refused: [{ line: 2, column: "Founded" }] });
  const years = (await list("companies")).map(({ foundationYear }) => foundationYear);
  expect(years).toEqual([null, "1998", "1999", "2000"]);
});

test("amounts are read as people write them, and one whose meaning is in doubt is refused", async () => {
  const fields = "fields: { company: [{ name: Share, type: numericField }] }";
  await admin.run("apply", files.write("f.yaml", `workspace: ${scene.slug}\ngroups: [{ name: Sales, ${fields} }]\n`));
  const text = 'Company,Funding,Share\nA,$1.2M,"12,5 %"\nB,"$1,200",1.250\nC,€5,soon\n';
  expect((await importText("companies", text)).refused).toEqual([
    { line: 4, column: "Funding", reason: '"€5" is not in USD' },
    { line: 4, column: "Share", reason: '"soon" is not a number: write it like 1200.50' },
  ]);
  const stored = (await list("companies")).map(({ fundingRaised, customFieldValues }) => [
    fundingRaised,
    ...Object.values(customFieldValues as object).map(({ Share }) => Share),
  ]);
  expect(stored).toEqual([
    ["1200000", "12.5"],
    ["1200", "1250"],
    [null, null],
  ]);
});

test("no field is made when every row is refused, nor of a column without values", async () => {
  const file = "Email,Name,Kind,Empty\n,,a,\n,,b,\n";
  const answer = await importText("people", file, "--fields", "--map", files.write("m.yaml", "Name: fullName\n"));
  expect(answer).toMatchObject({ read: 2, created: 0, updated: 0, unchanged: 0 });
  expect(answer.refused).toHaveLength(2);
  expect(await fields()).toEqual(["Status singleSelect", "Met dateField"]);
  const more = "Email,Name,Kind,Empty\n,,a,\n,Ada,,\n";
  expect(await importText("people", more, "--fields")).toMatchObject({ created: 1 });
  expect(await fields()).toEqual(["Status singleSelect", "Met dateField"]);
  expect(await importText("people", `${more},Bob,a,\n`, "--fields")).toMatchObject({ created: 1, unchanged: 1 });
  expect(await fields()).toEqual(["Status singleSelect", "Met dateField", "Kind textField"]);
});

test("a row whose address is refused is imported without it, and mended it finds the same person", async () => {
  const text = "Name,Email,Mail\nAda,ada at x.test,\nBob,b@x,b@x.test\n,eve@x,\n";
  const first = await run("people", "people.csv", text, "--json");
  expect(first.json()).toMatchObject({
    created: 2,
    refused: [
      { line: 2, column: "Email", reason: '"ada at x.test" is not an e-mail address: write it like ada@example.com' },
      { line: 3, column: "Email" },
      { line: 4, column: "Email" },
    ],
  });
  expect(await list("people")).toMatchObject([
    { fullName: "Ada", emails: [] },
    { fullName: "Bob", emails: ["b@x.test"] },
  ]);
  const mended = readFileSync(join(files.path, "people.refused.csv"), "utf8")
    .replace(",ada at x.test,", ",ada@x.test,")
    .replace(",b@x,", ",bob@x.test,")
    .replace(",eve@x,", ",eve@x.test,");
  const again = await run("people", "people.refused.csv", mended, "--json");
  expect(again.json()).toEqual({ ...none, read: 3, created: 1, updated: 2 });
  expect(await list("people")).toMatchObject([
    { fullName: "Ada", emails: ["ada@x.test"] },
    { fullName: "Bob", emails: ["b@x.test", "bob@x.test"] },
    { fullName: "", emails: ["eve@x.test"] },
  ]);
});

test("a list that would be too long takes what fits, and the rest is told", async () => {
  const headings = Array.from({ length: 21 }, (_, i) => `Phone ${i + 1}`);
  const text = `Email,${headings.join(",")}\na@x.test,${headings.map((_, i) => i).join(",")}\n`;
  const answer = await importText("people", text);
  expect(answer).toMatchObject({ created: 1, refused: [{ line: 2, column: "Phone 21" }] });
  const more = await importText("people", "Email,Phone\na@x.test,7\na@x.test,99\n");
  expect(more).toMatchObject({ unchanged: 2, refused: [{ line: 3, column: "Phone" }] });
  expect(more.refused[0]?.reason).toBe("The record would have more than 20 phones");
});

test("refused rows and cells are in a file that is mended and imported again", async () => {
  const text =
    'Name;Email;Status;Met;Note\nAda;a@x.test;Lead;soon;"one ""1""\ntwo; three"\n;;Lead;;nobody\nBob;b@x.test;Lots;1.2.2020;\nCy;c@x.test;;;\nD;;;;;6\nE\n';
  const first = await run("people", "people.csv", text, "--json");
  expect(first.code).toBe(1);
  expect(first.json()).toMatchObject({ read: 6, created: 3 });
  const path = join(files.path, "people.refused.csv");
  expect(first.err.split("\n").at(-1)).toBe(
    `3 rows refused, 2 cells left out. They are in ${path}: correct them there, and import that file with the same options.`,
  );
  const rows = readFileSync(path, "utf8");
  const [ada, bob] = await list("people");
  expect(rows).toBe(
    [
      "\ufeffName;Email;Status;Met;Note;Refused line;Refused column;Refused reason;Refused record",
      `Ada;a@x.test;Lead;soon;"one ""1""\ntwo; three";2;Met;"""soon"" is not a date: write it like 2026-03-01";${ada?.id}`,
      ";;Lead;;nobody;4;;The row has no name to recognise it by;",
      `Bob;b@x.test;Lots;1.2.2020;;5;Status;"The field ""Status"" has no option ""Lots"". It has: Lead";${bob?.id}`,
      "D;;;;;7;;The row has 6 cells below 5 headings: a delimiter or a quote is wrong;;6",
      "E",
      "",
    ].join("\r\n"),
  );
  const mended = rows
    .replace(";soon;", ";24.12.2020;")
    .replace("\r\n;;Lead;;nobody;", "\r\nEve;;Lead;;nobody;")
    .replace(";Lots;", ";Lead;")
    .replace(";;6\r\n", ";\r\n")
    .replace("\r\nE\r\n", "\r\nE;;;;\r\n");
  const again = await run("people", "people.refused.csv", mended, "--json");
  expect({ code: again.code, ...again.json<Answer>() }).toEqual({ code: 0, ...none, read: 5, created: 3, updated: 2 });
  expect(await list("people")).toMatchObject([
    { fullName: "Ada", description: 'one "1"\ntwo; three' },
    { fullName: "Bob" },
    { fullName: "Cy" },
    { fullName: "Eve" },
    { fullName: "D" },
    { fullName: "E" },
  ]);
  expect(readdirSync(files.path).filter((name) => name.includes("refused"))).toEqual(["people.refused.csv"]);
});

test("refused rows of a file in another encoding come in with the same options", async () => {
  const text = Buffer.from("Name;Met\nJörg;soon\n", "latin1");
  const first = await scene.run("people", files.write("p.csv", text), "--encoding", "windows-1252");
  expect(first.code).toBe(1);
  const path = join(files.path, "p.refused.csv");
  writeFileSync(path, readFileSync(path, "utf8").replace("soon", "24.12.2020"));
  expect((await scene.run("people", path, "--encoding", "windows-1252")).out).toContain("0 created, 1 updated");
});

test("the file of refused rows never overwrites another, and a dry run makes it only when it is named", async () => {
  const text = "Name,Met\nAda,soon\n";
  await run("people", "a.csv", text, "--dry-run");
  expect(readdirSync(files.path)).not.toContain("a.refused.csv");
  const named = join(files.path, "b.csv");
  expect((await run("people", "a.csv", text, "--dry-run", "--refused", named)).err).toContain(`They are in ${named}`);
  expect(existsSync(named)).toBe(true);
  const before = await run("people", "a.csv", text, "--refused", named);
  expect(before.err).toBe(`The file ${named} for refused rows exists already: remove it, or name another.`);
  expect(await list("people")).toEqual([]);
  await run("people", "a.csv", text);
  await run("people", "a.csv", text);
  await run("people", "a.refused.csv", readFileSync(join(files.path, "a.refused.csv"), "utf8"));
  expect(readdirSync(files.path).filter((name) => name.includes("refused"))).toEqual([
    "a.refused-2.csv",
    "a.refused-3.csv",
    "a.refused.csv",
  ]);
  expect(readFileSync(join(files.path, "a.refused-3.csv"), "utf8")).toMatch(
    /^\ufeffName,Met,Refused line,Refused column,Refused reason,Refused record\r\nAda,soon,2,Met,/,
  );
});

test("more than 20 refusals are counted on the screen, and all of them are in the file and in JSON", async () => {
  const text = `Name,Met\n${Array.from({ length: 30 }, (_, i) => `P${i},soon`).join("\n")}\n`;
  const { out } = await run("people", "rows.csv", text);
  expect(out.split("\n")).toHaveLength(22);
  expect(out).toMatch(/\nand 10 more; \S+rows\.refused\.csv has all$/);
  expect((await importText("people", text)).refused).toHaveLength(30);
});

test("rows with different addresses of one person are about one record, however far apart they are", async () => {
  await importText("people", "Name,Email,Mail,Phone\nAda,a@x.test,ada@home.test,\nBob,b@x.test,bob@home.test,5\n");
  const others = Array.from({ length: 600 }, (_, i) => `P${i},p${i}@x.test,,`).join("\n");
  const text = [
    "Name,Email,Title,Phone",
    ",a@x.test,Chef,1",
    "Bob,,Cook,5",
    ",bob@home.test,,7",
    others,
    "Ada L,ada@home.test,Boss,2",
    ",b@x.test,Chief,8",
  ].join("\n");
  const { plan: _, ...dry } = await importText("people", text, "--dry-run");
  const answer = await importText("people", text);
  expect(answer).toEqual(dry);
  expect(answer).toEqual({
    read: 605,
    created: 600,
    updated: 5,
    unchanged: 0,
    refused: [
      { line: 605, column: "Name", reason: 'The person of line 2 has "Ada" here, not "Ada L"' },
      { line: 605, column: "Title", reason: 'The person of line 2 has "Chef" here, not "Boss"' },
      { line: 606, column: "Title", reason: 'The person of line 3 has "Cook" here, not "Chief"' },
    ],
  });
  expect(await importText("people", text)).toEqual({ ...answer, created: 0, updated: 0, unchanged: 605 });
  expect((await list("people")).slice(0, 2)).toMatchObject([
    { fullName: "Ada", jobTitle: "Chef", phones: ["1", "2"] },
    { fullName: "Bob", jobTitle: "Cook", phones: ["5", "7", "8"] },
  ]);
});

test("a dry run counts rows about one record as the import does, however far apart they are", async () => {
  const rows = Array.from({ length: 1200 }, (_, i) => {
    const person = i % 7 === 0 ? 0 : i;
    return `P${i % 14 === 0 ? 0 : person},p${person}@x.test,${i % 5},${i === 7 ? "Chef" : ""}`;
  });
  const text = `Name,Email,Phone,Title\n${rows.join("\n")}\n`;
  const { plan, ...dry } = await importText("people", text, "--dry-run");
  expect(plan?.sameRecord.count).toBe(171);
  const real = await importText("people", text);
  expect(real).toEqual(dry);
  expect(real.updated).toBeGreaterThan(3);
  const again = await importText("people", text);
  expect(again).toEqual({ ...real, created: 0, updated: 0, unchanged: 1200 });
});
