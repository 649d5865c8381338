import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { trimmed } from "contact-workspace-readers/cell-text";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { readEnv } from "../../config/env.ts";
import { cellOf, entriesOf } from "../../model/custom-fields/list.ts";
import { USUAL_SPLITS, valueCell } from "../../tools/export/list-cells.ts";
import { exportRecords } from "../../tools/export/records.ts";
import { valuesOf } from "../../tools/import/cells.ts";
import type { Column } from "../../tools/import/columns.ts";
import { writeWhole } from "../../tools/terminal/whole-file.ts";
import type { Item } from "../support/client.ts";
import { testFolder } from "../support/folder.ts";
import { type RichWorkspace, richWorkspace } from "../support/rich-workspace.ts";
import { startProcess } from "../support/server.ts";

let server: Awaited<ReturnType<typeof startProcess>>;
let rich: RichWorkspace;
const files = testFolder();

beforeAll(async () => {
  server = await startProcess();
  rich = await richWorkspace(server, files, { slug: "rich" });
});
afterAll(async () => {
  await rich.close();
  await server.stop();
  files.remove();
});

const UNUSED = { print: () => undefined, note: () => undefined, interactive: false };

const inFolder = (name: string) => join(files.path, name);

/** Exports into a file, and gives its path. */
async function exported(words: string, name = "out.csv"): Promise<string> {
  const { code, err } = await rich.admin.run(`export ${words} --force --output`, inFolder(name));
  if (code !== 0) throw new Error(err);
  return inFolder(name);
}

/** The rows of an exported file, by headings. */
const rowsOf = (file: string): Record<string, string>[] => parse(readFileSync(file), { columns: true, bom: true });

const NO_CHANGE = { created: 0, updated: 0, refused: [] };

test("people of a group are a table that says everything of them, under headings that import knows", async () => {
  const file = await exported("people --workspace rich --group Sales");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(rowsOf(file)).toEqual([
    expect.objectContaining({ fullName: "Katherine Johnson", emails_: "katherine@nasa.example", "emails 2": "" }),
    {
      firstName: "Grace Brewster",
      lastName: "Hopper",
      fullName: "Grace Brewster Hopper",
      description: '=HYPERLINK("x")\r\nSaid "it\'s easier", and more',
      birthday: "1906-12-09",
      gender: "Female",
      jobTitle: "-Rear admiral",
      companies: "US Navy; Reserve",
      "companies 2": "Vassar",
      addresses: "1 Main Street; Suite 2\nArlington, VA",
      emails_: "grace.hopper@navy.example",
      "emails 2": "amazing.grace@cobol.example",
      "emails 3": "grace.murray@vassar.example",
      phones: "+1 202 555 0142",
      "phones 2": "+1 202 555 0143",
      urls: "https://navy.example/grace",
      Status: "Customer",
      Tags: '"A; B"; """quoted"""; Plain',
      Nickname: "Amazing",
      Height: "1.68",
      Met: "2026-01-31",
      Owner: "ada@acme.test",
      Knows: 'katherine@nasa.example; "US Navy; Reserve"',
      emails: "a custom field",
    },
  ]);
});

test("without a group all people are there, with the custom fields of all groups under their names", async () => {
  const [first, second] = rowsOf(await exported("people --workspace rich --server-fields"));
  expect(first).toMatchObject({ id: rich.other.id, groups: "Sales", createdBy: "ada@acme.test", "Board: Seat": "" });
  expect(second).toMatchObject({ groups: "Sales; Board", "Sales: Status": "Customer", "Board: Seat": "7" });
  expect(second?.createdAt).toBe(rich.person.createdAt);
});

test("importing an export into the workspace where it comes from changes nothing", async () => {
  for (const kind of ["people", "companies"]) {
    const file = await exported(`${kind} --workspace rich --group Sales --links id`);
    const { json, err } = await rich.admin.run(
      `import ${kind}`,
      file,
      ..."--workspace rich --group Sales --json".split(" "),
    );
    expect({ err, ...json<object>() }).toMatchObject({
      err: expect.stringMatching(/^To take this run back: .*$/),
      ...NO_CHANGE,
      unchanged: kind === "people" ? 2 : 1,
    });
  }
});

test("exports that are imported into a new workspace are exported equal", async () => {
  const world = await rich.admin.run("export --workspace rich");
  const copy = files.write("copy.yaml", world.out.replace("workspace: rich", "workspace: copy"));
  expect(await rich.admin.run("apply", copy)).toMatchObject({ code: 0 });
  const kinds = ["companies", "people", "Deals"];
  const tables = new Map<string, string>();
  for (const kind of kinds) tables.set(kind, await exported(`${kind} --workspace rich --group Sales`, `${kind}.csv`));
  const importAll = async () => {
    const answers: { created: number; updated: number; refused: { column: string }[] }[] = [];
    for (const [kind, file] of tables) {
      const words = `--workspace copy --group Sales --refused ${inFolder(`${kind}-${Math.random()}.csv`)} --json`;
      answers.push((await rich.admin.run(`import ${kind}`, file, ...words.split(" "))).json());
    }
    return answers;
  };
  // A link leads to what is there. What comes in later has its links the second time.
  const first = await importAll();
  expect(first.map(({ created, updated }) => ({ created, updated }))).toEqual([
    { created: 1, updated: 0 },
    { created: 2, updated: 0 },
    { created: 1, updated: 0 },
  ]);
  expect(new Set(first.flatMap(({ refused }) => refused.map(({ column }) => column)))).toEqual(
    new Set(["Champion", "Deals", "Knows"]),
  );
  expect(await importAll()).toMatchObject([
    { created: 0, updated: 1, refused: [] },
    { created: 0, updated: 1, refused: [] },
    NO_CHANGE,
  ]);
  expect(await importAll()).toMatchObject(kinds.map(() => NO_CHANGE));
  for (const [kind, file] of tables) {
    const again = await exported(`${kind} --workspace copy --group Sales`, "again.csv");
    // An import reads each line break as LF.
    const text = (path: string) => readFileSync(path, "utf8").replaceAll("\r\n", "\n");
    expect(text(again)).toBe(text(file));
  }
});

test("objects name people by an address of theirs alone, by ids on demand, and what is ambiguous by its id", async () => {
  const [deal] = rowsOf(await exported("Deals --workspace rich"));
  expect(deal).toEqual({
    name: "Compilers",
    companies: '"US Navy; Reserve"',
    people: "grace.hopper@navy.example",
    "people 2": "katherine@nasa.example",
    Amount: "1250.5",
    Buyers: "grace.hopper@navy.example",
  });
  const [byId] = rowsOf(await exported("Deals --workspace rich --links id"));
  expect(byId).toMatchObject({ people: rich.person.id, Buyers: rich.person.id, companies: '"US Navy; Reserve"' });
  const groups = rich.other.groups as { id: string }[];
  const made = async (fullName: string) =>
    (await rich.api.post("/v1/people", { fullName, groups: groups.map(({ id }) => ({ id })) })).data;
  const [one, two, alone] = [await made("John Smith"), await made("John Smith"), await made("Emmy Noether")];
  const body = { people: [one, two, alone].map(({ id }) => ({ id })) };
  await rich.api.patch(`/v1/groups/${groups[0]?.id}/Deals/${rich.deal.id}`, body);
  expect(rowsOf(await exported("Deals --workspace rich"))).toMatchObject([
    { people: one.id, "people 2": two.id, "people 3": "Emmy Noether" },
  ]);
});

test("JSON is what the API answers, as one list or a record in each line", async () => {
  const known = await rich.api.all("/v1/people");
  const withoutUser = (items: Item[]) =>
    items.map(({ interactionMetadata, ...item }) => ({
      ...item,
      counted: (interactionMetadata as { workspace: object }).workspace,
    }));
  // Ada sees both groups, as the operator does.
  const { json } = await rich.admin.run("export people --workspace rich --json");
  expect(withoutUser(json())).toEqual(withoutUser(known));
  const { out } = await rich.admin.run("export people --workspace rich --ndjson --group Sales");
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Item);
  expect(lines.slice(0, 2).map(({ id }) => id)).toEqual([rich.other.id, rich.person.id]);
  expect(lines.map(({ fullName }) => fullName).slice(2)).toEqual(["John Smith", "John Smith", "Emmy Noether"]);
  const none = files.write("none.yaml", "workspace: none\nusers: [{ email: ada@acme.test }]\n");
  await rich.admin.run("apply", none);
  expect((await rich.admin.run("export people --workspace none --json")).json()).toEqual([]);
  expect((await rich.admin.run("export companies --workspace none --csv")).out).toMatch(/^name,description,/);
});

test("for spreadsheets a byte order mark stands in front, and nothing is a formula", async () => {
  const file = await exported("people --workspace rich --group Sales --for-spreadsheets");
  expect(readFileSync(file).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const cells = rowsOf(file).flatMap((row) => Object.values(row));
  expect(cells.filter((cell) => /^[=+@-]/.test(cell))).toEqual([]);
  expect(cells).toContain("'-Rear admiral");
});

test("more records than a page holds come in their order, each once", async () => {
  const world = files.write(
    "many.yaml",
    "workspace: many\nusers: [{ email: ada@acme.test, role: admin }]\ngroups: [{ name: All, visibility: public }]\n",
  );
  await rich.admin.run("apply", world);
  const text = ["fullName", ...Array.from({ length: 1203 }, (_, i) => `Person ${i}`)].join("\n");
  await rich.admin.run("import people", files.write("many.csv", text), ..."--workspace many --group All".split(" "));
  const rows = rowsOf(await exported("people --workspace many --group All"));
  expect(rows.map(({ fullName }) => fullName)).toEqual(Array.from({ length: 1203 }, (_, i) => `Person ${i}`));
});

test("an export shows one moment, whatever is written while it runs (docs/guides/export.md#while-the-server-writes)", async () => {
  const { json } = await rich.admin.run("export people --workspace rich --json");
  const { data: late } = await rich.api.post("/v1/people", { fullName: "Deleted Meanwhile" });
  const parts: string[] = [];
  const admin = { ...UNUSED, env: readEnv({ DATABASE_URL: server.databaseUrl }), call: rich.admin.call };
  const write = async (part: string) => {
    if (parts.length === 0) {
      await rich.api.delete(`/v1/people/${late.id}`);
      await rich.api.post("/v1/people", { fullName: "Made Meanwhile" });
    }
    return parts.push(part) > 0;
  };
  await exportRecords({ ...admin, write }, "people", { workspace: "rich", format: "csv", links: "id" });
  const names = (parse(parts.join(""), { columns: true }) as Record<string, string>[]).map(({ fullName }) => fullName);
  expect(names).toEqual([...json<Item[]>().map(({ fullName }) => fullName), "Deleted Meanwhile"]);
});

test("what is not there is told with what there is, and nothing is written", async () => {
  const err = async (words: string) => (await rich.admin.run(`export ${words}`)).err;
  expect(await err("Projects --workspace rich")).toBe(
    'There is no type "Projects" in the workspace. There are: people, companies, Deals.',
  );
  expect(await err("people --workspace rich --group Sale")).toBe(
    'There is no group "Sale". There are: "Sales", "Board".',
  );
  expect(await err("people --workspace poor")).toMatch(/^There is no workspace "poor"\. There are: /);
  expect(await err("--workspace rich --csv")).toMatch(/^Say what to export: people, companies or a type of objects/);
  expect(await err("people --workspace rich --csv --json")).toMatch(/cannot be used with/);
  for (const what of ["people --workspace rich", "--workspace rich", "--workspace rich --all"]) {
    expect(await err(`${what} --output /nowhere/out`)).toBe(
      "There is no folder /nowhere: make it, or give another --output.",
    );
    expect(await err(`${what} --output ${files.path}`)).toBe(
      `${files.path} is a folder: name a file in it with --output.`,
    );
    const nameless = await rich.admin.run(`export ${what} --output`, "");
    expect(nameless).toMatchObject({ code: 2, err: "--output needs the name of a file." });
  }
  writeFileSync(inFolder("kept.csv"), "kept");
  expect((await rich.admin.run("export Projects --workspace rich --output", inFolder("kept.csv"))).code).toBe(1);
  expect(readFileSync(inFolder("kept.csv"), "utf8")).toBe("kept");
});

test("no file is overwritten without --force, and pipes take what comes (docs/guides/commands.md#files-that-commands-write)", async () => {
  const file = inFolder("kept.csv");
  const grace = "GRACE.hopper@navy.example";
  for (const what of [
    "export people --workspace rich",
    "export --workspace rich",
    "export --workspace rich --all",
    `people export ${grace} --workspace rich`,
  ]) {
    writeFileSync(file, "kept");
    const refused = await rich.admin.run(`${what} --output`, file);
    expect(refused).toMatchObject({
      code: 1,
      out: "",
      err: `The file ${file} exists already: give another --output, or overwrite it with --force.`,
    });
    expect(readFileSync(file, "utf8")).toBe("kept");
    expect((await rich.admin.run(`${what} --force --output`, file)).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toBe("kept");
  }
  symlinkSync("nowhere.csv", inFolder("link.csv"));
  expect((await rich.admin.run("export people --workspace rich --output", inFolder("link.csv"))).code).toBe(1);
  expect((await rich.admin.run("export people --workspace rich --output /dev/null")).code).toBe(0);
  // A file in memory is a file like others, though it lies below /dev.
  const inMemory = join(mkdtempSync("/dev/shm/contact-workspace-"), "people.csv");
  expect((await rich.admin.run("export people --workspace rich --output", inMemory)).code).toBe(0);
  expect(statSync(inMemory).mode & 0o777).toBe(0o600);
  expect((await rich.admin.run("export people --workspace rich --output", inMemory)).code).toBe(1);
  rmSync(dirname(inMemory), { recursive: true });
  const piped = await rich.admin.run("export people --workspace rich --output -");
  expect(piped.out).toBe((await rich.admin.run("export people --workspace rich")).out);
});

test("a file that another program makes meanwhile is not overwritten either", async () => {
  const file = inFolder("raced.csv");
  const write = async (sink: Writable) => {
    writeFileSync(file, "theirs");
    sink.end("ours");
    await finished(sink);
  };
  await expect(writeWhole(file, false, write)).rejects.toThrow(`The file ${file} exists already`);
  expect(readFileSync(file, "utf8")).toBe("theirs");
  await writeWhole(file, true, write);
  expect(readFileSync(file, "utf8")).toBe("ours");
});

test("a list in a cell is read again whatever its entries hold (docs/guides/export.md#lists-in-a-cell)", () => {
  const entry = fc
    .string({ minLength: 1, unit: fc.constantFrom("a", "b", " ", '"', ";", "\n", ",") })
    .map((text) => text.trim())
    .filter((text) => text !== "");
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
      expect(entriesOf([cellOf(entries)], false)).toEqual(entries);
    }),
  );
});

test.each([...USUAL_SPLITS])(
  "a value of %s is one value again, whatever it holds (docs/guides/export.md#columns)",
  (name, split) => {
    const column: Column = { index: 0, heading: name, target: { to: "field", name, isList: true }, split };
    const text = fc
      .string({ unit: fc.constantFrom(...'ab12@.;,:"\n /'), minLength: 1 })
      .filter((one) => trimmed(one) !== "");
    fc.assert(
      fc.property(text, (value) => {
        expect(valuesOf(column, valueCell(name, trimmed(value))).values).toEqual([trimmed(value)]);
      }),
    );
  },
);
