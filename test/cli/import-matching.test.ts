import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { importScene, type ListedRecord, NONE } from "../support/import-scene.ts";

const scene = importScene(`users:
  - { email: ada@acme.test, fullName: Ada Lovelace, role: admin }
groups:
  - name: Sales
    members: [{ user: ada@acme.test, role: admin }]
    fields: { Deals: [{ name: Amount, type: numericField }] }
`);
const { admin, files, importText, list } = scene;
const none = NONE;

/**
 * An export of LinkedIn, which gives most people no address: two Maria Garcias, and an Olivia Smith whom the workspace
 * has not.
 */
const LINKEDIN = `Notes:
"When exporting your connection data, you may notice that some of the email addresses are missing."

First Name,Last Name,URL,Email Address,Company,Position,Connected On
Maria,Garcia,https://www.linkedin.com/in/maria-garcia-1,,Wayne LLC,Accountant,02 Mar 2024
Maria,Garcia,https://www.linkedin.com/in/maria-garcia-2,,Globex,Chemist,03 Mar 2024
Olivia,Smith,https://www.linkedin.com/in/olivia-in-space,,NASA,Astronaut,04 Mar 2024
Olga,Bernard,https://www.linkedin.com/in/olga-bernard,,Wayne LLC,Head of Purchasing,05 Mar 2024
`;

const KNOWN = `Name,Email,Company,Job title
Olivia Smith,olivia@wayne.test,Wayne LLC,Buyer
Olivia Smith,os@globex.test,Globex,Driver
Olga Bernard,olga@wayne.test,Wayne LLC,Buyer
`;

const shown = (people: ListedRecord[]) =>
  people.map(({ fullName, jobTitle, companies }) => [fullName, jobTitle, companies.map(({ name }) => name).join("+")]);

test("two people of one name stay two, and somebody known keeps the job title", async () => {
  await importText("people", KNOWN);
  const { plan, ...dry } = await importText("people", LINKEDIN, "--dry-run");
  expect(dry).toEqual({ ...none, read: 4, created: 3, updated: 1 });
  expect(plan).toMatchObject({ sameRecord: { count: 0 }, matched: { urls: 0, nameAndCompany: 1, nameOnly: 2 } });
  const real = await scene.run("people", files.write("rows.csv", LINKEDIN), "--json");
  expect(real.json()).toEqual(dry);
  expect(real.err).toContain("2 rows with the name of an existing person, and nothing else in common");
  const people = [
    ["Olivia Smith", "Buyer", "Wayne LLC"],
    ["Olivia Smith", "Driver", "Globex"],
    ["Olga Bernard", "Head of Purchasing", "Wayne LLC"],
    ["Maria Garcia", "Accountant", "Wayne LLC"],
    ["Maria Garcia", "Chemist", "Globex"],
    ["Olivia Smith", "Astronaut", "NASA"],
  ];
  expect(shown(await list("people"))).toEqual(people);
  expect(await importText("people", LINKEDIN)).toEqual({ ...none, read: 4, unchanged: 4 });
  // A URL that is written in another way finds its person, and is not added beside the one that is there.
  const moved = LINKEDIN.replaceAll("https://www.", "").replace("Globex,Chemist", "Initech,Head of Chemistry");
  expect(await importText("people", moved)).toEqual({ ...none, read: 4, updated: 1, unchanged: 3 });
});

test("an import of people who have names only makes nobody twice, and overwrites nobody", async () => {
  const text = "Name,Title\nMaria Garcia,Accountant\nMaria Garcia,Chemist\nIda Rhodes,\nIda Rhodes,\nMaria Garcia,\n";
  const { plan, ...dry } = await importText("people", text, "--dry-run");
  expect(dry).toEqual({ ...none, read: 5, created: 3, unchanged: 2 });
  expect(plan).toMatchObject({
    sameRecord: { count: 1, rows: [{ line: 5, first: 4, by: "the whole row" }] },
    matched: { sameValues: 2, nameOnly: 1 },
  });
  expect(await importText("people", text)).toEqual(dry);
  expect(await importText("people", text)).toEqual({ ...none, read: 5, unchanged: 5 });
  // Somebody else of the name is somebody else.
  expect(await importText("people", "Name,Title\nIda Rhodes,Programmer\n")).toEqual({ ...none, read: 1, created: 1 });
  expect((await list("people")).map(({ fullName, jobTitle }) => [fullName, jobTitle])).toEqual([
    ["Maria Garcia", "Accountant"],
    ["Maria Garcia", "Chemist"],
    ["Ida Rhodes", ""],
    ["Ida Rhodes", "Programmer"],
  ]);
});

test("an import that was stopped goes on, though its people have names only", async () => {
  const rows = Array.from({ length: 700 }, (_, i) => `Person ${i % 650},Title ${i}`);
  const text = (count: number) => `Name,Title\n${rows.slice(0, count).join("\n")}\n`;
  expect(await importText("people", text(500))).toEqual({ ...none, read: 500, created: 500 });
  expect(await importText("people", text(700))).toEqual({ ...none, read: 700, created: 200, unchanged: 500 });
  expect(await importText("people", text(700))).toEqual({ ...none, read: 700, unchanged: 700 });
});

const GRACE = `Name,Email,Phone,Website,Company,Birthday,Address
Grace Hopper,Grace@Navy.test,+44 (0)7700 900123,https://www.Example.com/in/grace/,US Navy,1906-12-09,1 Main Street
`;

test.each([
  ["emails", "Email,Title\nGRACE@navy.TEST,Admiral\n"],
  ["emails", "Email,Title\nmailto:grace@navy.test,Admiral\n"],
  ["phones", "Name,Phone,Title\nG. Hopper,00447700900123,Admiral\n"],
  ["phones", "Phone,Name,Title\n+44 7700-900123,,Admiral\n"],
  ["urls", "Name,URL,Title\nG. Hopper,example.com/in/grace,Admiral\n"],
  ["urls", "Name,URL,Title\nG. Hopper,http://EXAMPLE.com/in/grace#work,Admiral\n"],
  ["nameAndCompany", "Name,Company,Title\nGrace Hopper,US Navy,Admiral\n"],
  ["nameAndCompany", "Name,Email,Company,Title\nGrace Hopper,grace@home.test,US Navy,Admiral\n"],
  ["nameAndBirthday", "Name,Born,Title\nGrace Hopper,9.12.1906,Admiral\n"],
  ["nameAndAddress", "Name,Address,Title\nGrace Hopper,1 Main Street,Admiral\n"],
])("a person is found by %s: %j", async (by, text) => {
  await importText("people", GRACE);
  const { plan } = await importText("people", text, "--dry-run");
  expect(plan?.matched).toMatchObject({ [by]: 1, nameOnly: 0 });
  expect(await importText("people", text)).toMatchObject({ updated: 1, refused: [] });
  const people = await list("people");
  expect(people).toMatchObject([{ jobTitle: "Admiral", phones: ["+44 (0)7700 900123"] }]);
  expect(people[0]?.urls).toHaveLength(1);
});

test.each([
  ["οδυς.παππας@navy.test", "ΟΔΥΣ.ΠΑΠΠΑΣ@NAVY.test"],
  ["ΟΔΥΣ.ΠΑΠΠΑΣ@navy.test", "οδυς.παππας@navy.test"],
  ["ÉMILE@navy.test", "e\u0301mile@navy.test"],
  ["émile@navy.test", "ÉMILE@navy.test"],
])("a person with the address %s is found by %s", async (stored, asked) => {
  await importText("people", `Name,Email\nGrace Hopper,${stored}\n`);
  expect(await importText("people", `Email,Title\n${asked},Admiral\n`)).toMatchObject({ updated: 1, created: 0 });
});

test.each([
  ["a phone without its country", "Name,Phone\nG. Hopper,07700 900123\n", 0],
  ["another extension", "Name,Phone\nG. Hopper,+44 7700 900123 ext. 5\n", 0],
  ["a bare host", "Name,URL\nG. Hopper,https://example.com/\n", 0],
  ["a path in other letters", "Name,URL\nG. Hopper,https://example.com/in/Grace\n", 0],
  ["the job title", "Name,Title\nGrace Hopper,\n,x\n", undefined],
  ["another profile at the same site", "Name,URL,Company\nGrace Hopper,example.com/in/hopper,US Navy\n", 1],
  ["another address at the same domain", "Name,Email,Company\nGrace Hopper,gh@navy.test,US Navy\n", 1],
  ["a colleague with the same telephone", "Name,Email,Phone\nAda Byron,ada@home.test,+447700900123\n", 0],
])("a person is not found by %s", async (_what, text, nameOnly) => {
  await importText("people", GRACE);
  if (nameOnly === undefined) {
    expect(await importText("people", "Name,Title\nGrace Hopper,Cook\n")).toMatchObject({ created: 1 });
    return;
  }
  const { plan } = await importText("people", text, "--dry-run");
  expect(plan?.matched?.nameOnly).toBe(nameOnly);
  expect(await importText("people", text)).toMatchObject({ created: 1, updated: 0, refused: [] });
});

test("a row that several people fit is refused with their ids, and nobody is changed", async () => {
  const twins = await Promise.all([1, 2].map(() => scene.make("people", { fullName: "Eve", emails: ["eve@x.test"] })));
  await scene.make("people", { fullName: "Tim", emails: ["tim@x.test"], phones: ["+44 20 7946 0000"] });
  await scene.make("people", { fullName: "Tom", phones: ["+44 20 7946 0000"] });
  const text = "Name,Email,Mail,Phone\nEve,EVE@x.test,,\nIda,tim@x.test,eve@x.test,\nIda,,,+442079460000\n";
  const { refused, ...counts } = await importText("people", text);
  expect(counts).toEqual({ read: 3, created: 0, updated: 0, unchanged: 0 });
  expect(refused.map(({ line, column }) => [line, column])).toEqual([
    [2, null],
    [3, null],
    [4, null],
  ]);
  expect(refused[0]?.reason).toBe(
    `2 people have the e-mail address "EVE@x.test": ${twins.join(", ")}. Give the id of one in a column "id", or merge them`,
  );
  expect(refused[1]?.reason).toMatch(/^3 people have the e-mail address "tim@x\.test" or "eve@x\.test": /);
  expect(refused[2]?.reason).toMatch(/^2 people have the phone "\+442079460000": per_/);
  const byId = await importText("people", `id,Name,Email,Title\n${twins[1]},Eve,eve@x.test,Cook\n`);
  expect(byId).toEqual({ ...none, read: 1, updated: 1 });
  expect((await list("people")).map(({ jobTitle }) => jobTitle)).toEqual(["", "Cook", "", ""]);
});

test("an export with ids is mended and read back: the id finds the record, and is never written", async () => {
  await importText("people", "Name,Email\nIda Rhodes,ida@x.tset\nEve,eve@x.test\n");
  await importText("companies", "Name\nAcme\n");
  for (const [kind, from, to] of [
    ["people", "ida@x.tset", "ida@x.test"],
    ["companies", "Acme", "Acme Ltd"],
  ] as const) {
    const file = join(files.path, `${kind}.csv`);
    const exported = await admin.run(
      `export ${kind} --workspace ${scene.slug} --group Sales --server-fields --output`,
      file,
    );
    expect(exported.code).toBe(0);
    const text = readFileSync(file, "utf8").replace(from, to);
    expect(await importText(kind, text, "--fields")).toMatchObject({ created: 0, updated: 1, refused: [] });
    expect(await importText(kind, text, "--fields")).toMatchObject({ created: 0, updated: 0, refused: [] });
  }
  expect((await list("people")).map(({ emails }) => emails)).toEqual([["ida@x.tset", "ida@x.test"], ["eve@x.test"]]);
  expect((await list("companies")).map(({ name }) => name)).toEqual(["Acme Ltd"]);
  expect((await admin.run(`export --workspace ${scene.slug}`)).out).not.toMatch(/createdAt|name: id/);
});

test("an id of nobody is refused; numbers of another program under the heading id are a column like any other", async () => {
  const id = `per_${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}`;
  const { refused } = await importText("people", `id,Name\n${id},Eve\n17,Tim\n,Ida\n`);
  expect(refused).toEqual([
    {
      line: 2,
      column: "id",
      reason: `There is no person with the id ${id}: correct it, or empty the cell to make a new person`,
    },
    { line: 3, column: "id", reason: expect.stringMatching(/^"17" is not the id of a person, which looks like per_/) },
  ]);
  expect((await list("people")).map(({ fullName }) => fullName)).toEqual(["Ida"]);
  expect(await importText("people", "id,Name,Email\n17,Ada,ada@x.test\n", "--fields")).toMatchObject({ created: 1 });
  expect((await admin.run(`export --workspace ${scene.slug}`)).out).toContain("name: id");
});

test("an address in other letters is not added beside the one that is there", async () => {
  const text = "Name,Email\nPeter Pan,peter@pan.example\nPeter Pan,PETER@PAN.example\n";
  expect(await importText("people", text)).toEqual({ ...none, read: 2, created: 1, unchanged: 1 });
  expect(await importText("people", text)).toEqual({ ...none, read: 2, unchanged: 2 });
  expect(await list("people")).toMatchObject([{ emails: ["peter@pan.example"] }]);
});

test("texts that are no e-mail addresses are told and left out, and everything that is one is taken", async () => {
  const bad = ["not an email", "john(at)acme.com", "a b@c.de", "/o=ExchangeLabs/ou=x/cn=Recipients/cn=ada", "a@b"];
  const good = ["ü@exämple.de", "a+b@x.test", '"a b"@x.test', "a@[192.0.2.1]", "o'neil@sub.x-y.test", "用户@例え.jp"];
  const rows = [...bad, "john@acme,com", ...good].map((email, i) => `P${i},"${email.replaceAll('"', '""')}",${i}`);
  const answer = await importText("people", `Name,Email,Phone\n${rows.join("\n")}\n`);
  expect(answer).toMatchObject({ created: rows.length });
  expect(answer.refused.map(({ line, column }) => [line, column])).toEqual(
    [...bad, ""].map((_, i) => [i + 2, "Email"]),
  );
  expect(answer.refused[3]?.reason).toBe(
    '"/o=ExchangeLabs/ou=x/cn=Recipients/cn=ada" is not an e-mail address: it is known within Exchange only',
  );
  const emails = (await list("people")).map((person) => person.emails);
  expect(emails.slice(0, 6)).toEqual([[], [], [], [], [], []]);
  expect(emails.slice(6).flat()).toEqual(good);
  const wrapped = "\"Ada (Work) <ada@x.test>\"\nsmtp:bob@x.test\nada@y.test <ada@y.test>\n'eve@x.test'";
  expect(await importText("people", `Email\n${wrapped}\n`)).toMatchObject({ created: 4, refused: [] });
});

test("nobody is made of a link that is not an e-mail address", async () => {
  const { refused } = await importText("Deals", "Name,Contact\nRenewal,john@acme\n", "--create");
  expect(refused).toEqual([
    { line: 2, column: "Contact", reason: 'No person can be created from "john@acme": it is not an e-mail address' },
  ]);
  expect(await list("people")).toEqual([]);
});

test("objects of one name are refused with their ids rather than that one of them is overwritten", async () => {
  const ids = await Promise.all([1, 2].map(() => scene.make("Deals", { name: "Renewal" })));
  const { refused } = await importText("Deals", "Name,Amount\nRenewal,5\n");
  expect(refused).toMatchObject([{ line: 2, column: null }]);
  for (const id of ids) expect(refused[0]?.reason).toContain(id);
  expect(await importText("Deals", `id,Name,Amount\n${ids[1]},Renewal,5\n`)).toEqual({ ...none, read: 1, updated: 1 });
});

test("with --match name a name finds somebody only together with a second field, of which an address is one", async () => {
  await importText("people", "Name,Email,Title\nAda Byron,family@x.test,Analyst\n");
  const text = "Name,Email,Title\nAnne Byron,family@x.test,Poet\nAda Byron,family@x.test,Programmer\nAda Byron,,Cook\n";
  const { plan, ...dry } = await importText("people", text, "--match", "name", "--dry-run");
  expect(plan?.matched).toMatchObject({ nameAndEmail: 1, nameOnly: 1 });
  expect(dry).toEqual({ ...none, read: 3, created: 2, updated: 1 });
  expect(await importText("people", text, "--match", "name")).toEqual({ ...dry, duplicates: 1 });
  expect(shown(await list("people")).map(([, title]) => title)).toEqual(["Programmer", "Poet", "Cook"]);
});
