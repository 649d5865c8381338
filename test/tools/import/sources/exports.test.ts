import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { importScene } from "../../../support/import-scene.ts";

// Files in the published form of each program, with all of its headings:
// docs/guides/import-files.md#where-files-come-from

const FILES = join(import.meta.dirname, "files");

const scene = importScene(`users:
  - { email: ada@acme.test, fullName: Ada, role: admin }
groups:
  - { name: Sales, members: [{ user: ada@acme.test, role: admin }] }
`);

interface Imported {
  /** What was said of the file. */
  notes: string;
  answer: { read: number; created: number; refused: unknown[] };
  records: Record<string, unknown>[];
}

async function imported(kind: "people" | "companies", file: string, ...options: string[]): Promise<Imported> {
  // Copied, because refused rows go into a file beside it.
  const copy = scene.files.write(file, readFileSync(join(FILES, file)));
  const run = await scene.run(kind, copy, "--fields", "--json", ...options);
  if (run.out === "") throw new Error(run.err);
  const records = (await scene.list(kind)).map((record) => ({
    ...record,
    own: Object.values(record.customFieldValues)[0],
  }));
  return { notes: run.err.replace(/\n?To take this run back: .*$/m, ""), answer: run.json(), records };
}

/** Dates that are not in the form of ISO: as the file has them, or as what they are. */
const day = (written: string, iso: string) => expect.stringMatching(new RegExp(`^(?:${written}|${iso}.*)$`));

const complete = (created: number) => ({ read: created, created, refused: [] });

test("Google Contacts (docs/guides/import-files.md#google-contacts)", async () => {
  const { notes, answer, records } = await imported("people", "google-contacts.csv");
  expect(notes).toBe("Read as an export of Google Contacts.");
  expect(answer).toMatchObject(complete(3));
  expect(records).toMatchObject([
    {
      fullName: "Dr. Mirela Ana Kovač",
      firstName: "Mirela",
      lastName: "Kovač",
      emails: ["mirela.kovac@blaue-laterne.test", "einkauf@blaue-laterne.test", "mirela@kovac.test"],
      phones: ["+49 171 0000001", "+49 171 0000002", "+49 30 0000003"],
      urls: ["https://blaue-laterne.test", "https://profile.test/mirela"],
      addresses: ["Hafenstraße 12, 2. Stock, Hamburg, 20457, Deutschland", "Obala 3, Split, Dalmacija, 21000, HR"],
      companies: [{ name: "Blaue Laterne GmbH" }],
      jobTitle: "Leiterin Einkauf",
      birthday: "1984-03-09",
      description: 'Met at the fair.\nPrefers "calls", not mail; early.',
    },
    {
      fullName: "Ọlá Adéwálé Jr.",
      emails: ["ola@kite.test"],
      companies: [{ name: "Kite & Anchor" }, { name: "Second Job, Inc." }],
      addresses: ["Somewhere near the harbour"],
    },
    { fullName: "O'Brien, Pat", phones: ["(555) 010-0005"] },
  ]);
  expect(records.map(({ own }) => own)).toEqual([
    {
      Nickname: "Miri",
      "Organization Department": "Einkauf",
      Labels: ["Kunden", "Messe 2024"],
      Assistant: "Tom Brandt",
      Anniversary: "2011-06-18",
      "Customer number": "K-1001",
      "Shirt size": null,
    },
    expect.objectContaining({ Labels: null, "Customer number": "K-1002", "Shirt size": "M" }),
    expect.objectContaining({ Labels: ["Lieferanten"] }),
  ]);
});

test("Google Contacts with its older headings", async () => {
  const { notes, answer, records } = await imported("people", "google-contacts-older.csv");
  expect(notes).toBe("Read as an export of Google Contacts.");
  expect(answer).toMatchObject(complete(2));
  expect(records).toMatchObject([
    {
      fullName: "Dr. Hana Novotná",
      firstName: "Hana",
      emails: ["hana@sklo.test"],
      phones: ["+420 200 000 006", "+420 200 000 007"],
      addresses: ["Dlouhá 5, Praha, 11000", "Krátká 7, Brno, 60200"],
      companies: [{ name: "Sklo a.s." }],
      jobTitle: "Ředitelka",
      birthday: "1979-12-01",
      description: "Speaks Czech and German",
      urls: ["sklo.test"],
      own: { "Group Membership": "Partner" },
    },
    { fullName: "Iñaki Etxea", emails: ["inaki@etxea.test", "info@etxea.test"] },
  ]);
});

test("Outlook for Windows: Title is no job title, and what is empty makes no field (docs/guides/import-files.md#outlook)", async () => {
  const { notes, answer, records } = await imported("people", "outlook.csv");
  expect(notes).toMatch(/read as windows-1252\. It reads "Jürgen", for example\..*\nRead as an export of Outlook\.$/);
  expect(answer).toMatchObject(complete(3));
  expect(records).toMatchObject([
    {
      fullName: "Dr. Jürgen Weiß Jr.",
      firstName: "Jürgen",
      lastName: "Weiß",
      jobTitle: "Geschäftsführer",
      emails: ["jw@mueller.test", "weiss@zuhause.test", "office@mueller.test"],
      phones: ["+49 211 0000010", "+49 211 0000011", "+49 2131 0000012", "+49 171 0000013"],
      addresses: ["Königsallee 1, Hinterhaus, Düsseldorf, 40212, Deutschland", "Am Bach 3, Neuss, 41460"],
      companies: [{ name: "Müller & Söhne KG" }],
      birthday: "1968-11-30",
      gender: "Male",
      description: expect.stringMatching(/^Erste Zeile\nZweite Zeile, mit "Zitat"/),
      urls: ["http://mueller.test"],
    },
    {
      fullName: "Zoë M. Clarke",
      birthday: null,
      gender: "Unknown",
      addresses: ["7 Pier Road, Hull, Yorkshire, HU1 1AA, UK"],
    },
    { emails: ["info@only.test"], companies: [{ name: "Only a company" }] },
  ]);
  expect(records[0]?.own).toEqual({
    Department: "Vertrieb",
    "Business Fax": "+49 211 0000014",
    Categories: ["Kunde", "VIP"],
    Spouse: "Karin",
  });
});

test("outlook.com", async () => {
  const { answer, records } = await imported("people", "outlook-com.csv");
  expect(answer).toMatchObject(complete(1));
  expect(records).toMatchObject([
    {
      fullName: "Ir. Noor van den Berg",
      jobTitle: "Engineer",
      emails: ["noor@windmolen.test"],
      phones: ["+31 20 0000020", "+31 6 00000021"],
      addresses: ["Dijkweg 9, Hal 3, Delft, ZH, 2611 AA, Nederland"],
      companies: [{ name: "Windmolen BV" }],
      urls: ["https://noor.test"],
      birthday: "1990-07-04",
      description: "Likes tea",
    },
  ]);
  // A group without custom fields.
  expect(records[0]?.own).toEqual({});
});

test("Outlook in German", async () => {
  const { notes, answer, records } = await imported("people", "outlook-german.csv");
  expect(notes).toMatch(/Read as an export of Outlook in German\.$/);
  expect(answer).toMatchObject(complete(1));
  expect(records).toMatchObject([
    {
      fullName: "Änne Größl",
      jobTitle: "Inhaberin",
      emails: ["aenne@groessl.test", "privat@groessl.test"],
      phones: ["+49 851 0000030", "+49 171 0000031"],
      addresses: ["Marktplatz 2, Passau, Bayern, 94032, Deutschland", "Innstraße 5, Schärding, 4780, Österreich"],
      companies: [{ name: "Bäckerei Größl" }],
      birthday: null,
      gender: "Unknown",
      description: "Brötchen für die Messe",
      urls: ["https://groessl.test"],
      own: {},
    },
  ]);
});

test("LinkedIn, with the lines before its headings (docs/guides/import-files.md#linkedin)", async () => {
  const { notes, answer, records } = await imported("people", "linkedin.csv");
  expect(notes).toBe("The headings are in line 4: 3 lines before them are skipped.\nRead as an export of LinkedIn.");
  expect(answer).toMatchObject(complete(3));
  expect(records).toMatchObject([
    {
      fullName: "Thandi Mbeki-Roy",
      emails: ["thandi@savanna.test"],
      urls: ["https://www.linkedin.test/in/thandi"],
      companies: [{ name: "Savanna Analytics, Inc." }],
      jobTitle: 'Head of "Growth"',
      own: { "Connected On": day("12 May 2024", "2024-05-12") },
    },
    { fullName: "José Peña", companies: [{ name: "Cañón" }], jobTitle: "Diseñador" },
    { fullName: "Li Wei (李伟)", companies: [], own: { "Connected On": day("30 Nov 2021", "2021-11-30") } },
  ]);
});

test("people of HubSpot (docs/guides/import-files.md#hubspot)", async () => {
  const { notes, answer, records } = await imported("people", "hubspot-contacts.csv");
  expect(notes).toBe("Read as an export of HubSpot.");
  expect(answer).toMatchObject(complete(2));
  expect(records).toMatchObject([
    {
      fullName: "Aoife Ní Bhriain",
      emails: ["aoife@loch.test"],
      phones: ["+353 1 000 0040", "+353 87 000 0041"],
      urls: ["https://loch.test"],
      addresses: ["1 Quay St, Galway, Connacht, H91, Ireland"],
      companies: [{ name: "Loch Dairy" }],
      jobTitle: "Owner",
      birthday: "1975-04-30",
      own: { "Contact owner": "Sam Sales", "Lead Status": "OPEN", "Lifecycle Stage": "Customer" },
    },
    { fullName: "Bjørn Østby", companies: [{ name: "Fjord AS" }, { name: "Second AS" }] },
  ]);
});

test("companies of HubSpot", async () => {
  const { notes, answer, records } = await imported("companies", "hubspot-companies.csv");
  expect(notes).toBe("Read as an export of HubSpot.");
  expect(answer).toMatchObject(complete(2));
  expect(records).toMatchObject([
    {
      name: "Loch Dairy",
      urls: ["loch.test", "https://loch.test", "https://www.linkedin.test/company/loch"],
      phones: ["+353 1 000 0042"],
      addresses: ["1 Quay St, Galway, Connacht, H91, Ireland"],
      industry: "DAIRY",
      employeeRange: "11-50",
      foundationYear: "1998",
      description: 'Cheese & "butter"',
      own: { "Company owner": "Sam Sales", "Associated Contact": "Aoife Ní Bhriain" },
    },
    { name: "Øst, Vest & Sønner", employeeRange: "1001-5000", addresses: ["Oslo, Norway"] },
  ]);
});

test("a database of Notion, whose relations are names with links (docs/guides/import-files.md#notion)", async () => {
  const { notes, answer, records } = await imported(
    "people",
    "notion-contacts 0f1e2d3c4b5a69788796a5b4c3d2e1f0_all.csv",
  );
  expect(notes).toBe("Read as an export of Notion.");
  expect(answer).toMatchObject(complete(3));
  expect(records).toMatchObject([
    {
      fullName: "Yuki Tanaka",
      companies: [{ name: "Kumo Studio" }, { name: "Ame (East) Ltd" }],
      emails: ["yuki@kumo.test"],
      phones: ["+81 3 0000 0050"],
      urls: ["https://kumo.test"],
      jobTitle: "Art director",
      description: "Line one\nLine two",
      own: { Stage: "Active", Tags: ["Design", "Japan"], "Last contact": day("September 1, 2026", "2026-09-01") },
    },
    { fullName: "Émile Zhao", companies: [{ name: "Café Noir" }], own: { Tags: ["Food"] } },
    { fullName: "No Company", companies: [] },
  ]);
});

test("a table of Airtable, with linked records, choices and files (docs/guides/import-files.md#airtable)", async () => {
  const { notes, answer, records } = await imported("people", "Contacts-Grid view.csv");
  expect(notes).toBe("Read as an export of Airtable.");
  expect(answer).toMatchObject(complete(2));
  expect(records).toMatchObject([
    {
      fullName: "Freya Lindqvist",
      companies: [{ name: "Nord, Sjö & Co" }, { name: "Fjäll AB" }],
      emails: ["freya@nord.test"],
      phones: ["+46 8 000 00 60"],
      urls: ["https://www.linkedin.test/in/freya"],
      jobTitle: "Product lead",
      description: 'Prefers "short" mails',
      own: {
        Tags: ["Customer", "Nordic"],
        Photo: "freya.png",
        Newsletter: "checked",
        "First met": "2023-08-15",
      },
    },
    { fullName: "Kwame Boateng", companies: [{ name: "Gold Coast Tea" }], own: { Tags: ["Supplier"] } },
  ]);
});

test("people of folk (docs/guides/import-files.md#folk)", async () => {
  const { notes, answer, records } = await imported("people", "folk-people.csv");
  expect(notes).toBe("Read as an export of folk.");
  expect(answer).toMatchObject(complete(2));
  expect(records).toMatchObject([
    {
      fullName: "Inés Duarte",
      emails: ["ines@lumen.test", "ines@casa.test"],
      phones: ["+351 21 000 0070", "+351 91 000 0071"],
      urls: ["https://lumen.test", "https://linkedin.test/in/ines"],
      addresses: ["Rua Alta 4, 1100-001 Lisboa", "Praia 9, Faro"],
      companies: [{ name: "Lumen, Lda" }, { name: "Casa Verde" }],
      jobTitle: "Partner",
      birthday: "1988-02-29",
      gender: "Female",
      description: "Introduced by Aoife",
      own: { Groups: ["Leads", "Investors"], Status: "Contacted" },
    },
    { fullName: "Pål", companies: [{ name: "Fjell" }], own: { Status: "Lead" } },
  ]);
});

test("companies of folk", async () => {
  const { notes, answer, records } = await imported("companies", "folk-companies.csv");
  expect(notes).toBe("Read as an export of folk.");
  expect(answer).toMatchObject(complete(1));
  expect(records).toMatchObject([
    {
      name: "Lumen, Lda",
      emails: ["hello@lumen.test"],
      phones: ["+351 21 000 0072"],
      addresses: ["Rua Alta 4, 1100-001 Lisboa"],
      urls: ["https://lumen.test"],
      industry: "Lighting",
      employeeRange: "11-50",
      foundationYear: "2009",
      fundingRaised: "1500000",
      lastFundingDate: "2023-05-17",
      description: "Lamps",
      own: { Groups: "Leads" },
    },
  ]);
});

test("vCards of three versions in one file; a broken one is refused with its line (docs/guides/import-files.md#vcards)", async () => {
  const { notes, answer, records } = await imported("people", "cards.vcf");
  expect(notes).toMatch(/^1 of the cards is about companies: import companies takes those\.$/m);
  expect(answer).toMatchObject({
    read: 4,
    created: 3,
    refused: [{ line: 67, column: null, reason: expect.stringContaining('"EMAIL without a colon"') }],
  });
  expect(records).toMatchObject([
    {
      fullName: "Dr. Mads Emil Sørensen PhD",
      firstName: "Mads",
      lastName: "Sørensen",
      emails: ["mads@havn.test", "privat@mads.test"],
      phones: ["+45 20 00 00 80"],
      urls: ["https://havn.test"],
      addresses: ["Havnegade 5, 2. sal, København, 1058, Danmark", "Bakken 1, Roskilde, 4000, Danmark"],
      companies: [{ name: "Havn, Vind & Co" }],
      jobTitle: "Head of design",
      birthday: "1981-07-24",
      description:
        "First line\nSecond line, with a comma and a very long text that the program has folded into two lines",
      own: {
        Nickname: "Madser",
        Department: "Design, Team Nord",
        Fax: "+45 33 00 00 81",
        Anniversary: "2010-05-15",
        Spouse: "Ida",
        Categories: ["Customers", "Nordic"],
      },
    },
    {
      fullName: "Lucía Gómez",
      emails: ["lucia@rio.test"],
      phones: ["+34 600 000 082"],
      addresses: ["Calle Mayor 1, Sevilla, 41001, España"],
      companies: [{ name: "Río Azul" }],
      description: expect.stringMatching(/^Primera línea\nsegunda\s*línea$/),
    },
    {
      fullName: "Ama Owusu",
      emails: ["ama@cocoa.test", "ama@home.test"],
      phones: ["+233-20-000-0083"],
      gender: "Female",
      birthday: "1993-02-12",
      companies: [{ name: "Cocoa Lab" }],
      own: { Messaging: "xmpp:ama@chat.test" },
    },
  ]);
});

test("companies out of vCards", async () => {
  const { notes, answer, records } = await imported("companies", "cards.vcf");
  expect(notes).toMatch(/^3 of the cards are about people: import people takes those\.$/m);
  expect(answer).toMatchObject({ read: 2, created: 1, refused: [{ line: 67 }] });
  expect(records).toMatchObject([
    { name: "Havn, Vind & Co", emails: ["info@havn.test"], phones: ["+45 33 00 00 84"], urls: ["https://havn.test"] },
  ]);
});

test("each of these files changes nothing when it is imported again", async () => {
  for (const file of ["google-contacts.csv", "outlook.csv", "linkedin.csv", "hubspot-contacts.csv", "cards.vcf"]) {
    await imported("people", file);
    expect((await imported("people", file)).answer).toMatchObject({ created: 0, updated: 0 });
  }
});
