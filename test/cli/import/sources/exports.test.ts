import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Caller } from "../../../../lib/contract/caller.ts";
import { type TestAdmin, testAdmin } from "../../../support/admin.ts";
import { testFolder } from "../../../support/folder.ts";

// Files in the published form of each program, with all of its headings: docs/guides/import.md#where-files-come-from

const FILES = join(import.meta.dirname, "files");

let admin: TestAdmin;
let slug = "";
let count = 0;
const files = testFolder();

beforeAll(async () => {
  admin = await testAdmin();
});
afterAll(async () => {
  await admin.close();
  files.remove();
});

/** Each test has a workspace of its own. */
beforeEach(async () => {
  count += 1;
  slug = `w${count}`;
  const text = `workspace: ${slug}\nusers:\n  - { email: ada@acme.test, fullName: Ada, role: admin }\ngroups:\n  - { name: Sales, members: [{ user: ada@acme.test, role: admin }] }\n`;
  await admin.run("apply", files.write("world.yaml", text));
});

interface Imported {
  /** What was said of the file. */
  notes: string;
  answer: { read: number; created: number; refused: unknown[] };
  records: Record<string, unknown>[];
}

async function imported(kind: "people" | "companies", file: string, ...options: string[]): Promise<Imported> {
  const where = ["--workspace", slug, "--group", "Sales"];
  const run = await admin.run(`import ${kind}`, join(FILES, file), ...where, "--fields", "--json", ...options);
  if (run.out === "") throw new Error(run.err);
  const { caller } = await admin.call<{ caller: Caller }>("workspaces.importTarget", {
    workspace: slug,
    group: "Sales",
    kind: "person",
  });
  const { items } = await admin.call<{ items: string }>(`${kind}.list`, { limit: 100 }, caller);
  const records = JSON.parse(items).map((record: { customFieldValues: Record<string, object> }) => ({
    ...record,
    own: Object.values(record.customFieldValues)[0],
  }));
  return { notes: run.err, answer: run.json(), records };
}

test("show", async () => {
  for (const [k, f] of [
    ["people", "google-contacts.csv"],
    ["people", "google-contacts-older.csv"],
    ["people", "outlook.csv"],
    ["people", "outlook-com.csv"],
    ["people", "outlook-german.csv"],
    ["people", "linkedin.csv"],
    ["people", "hubspot-contacts.csv"],
    ["companies", "hubspot-companies.csv"],
    ["people", "notion-contacts 0f1e2d3c4b5a69788796a5b4c3d2e1f0_all.csv"],
    ["people", "Contacts-Grid view.csv"],
    ["people", "folk-people.csv"],
    ["companies", "folk-companies.csv"],
  ] as const) {
    count += 1;
    slug = `w${count}`;
    await admin.run(
      "apply",
      files.write(
        "world.yaml",
        `workspace: ${slug}\nusers:\n  - { email: ada@acme.test, fullName: Ada, role: admin }\ngroups:\n  - { name: Sales, members: [{ user: ada@acme.test, role: admin }] }\n`,
      ),
    );
    const r = await imported(k, f);
    console.log(
      f,
      r.notes,
      JSON.stringify(r.answer),
      JSON.stringify(
        r.records.map(({ id, groups, createdAt, createdBy, customFieldValues, ...x }) => x),
        null,
        1,
      ),
    );
  }
});
