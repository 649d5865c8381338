import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "@jest/globals";
import { release } from "../../config/release.ts";
import { adminScene } from "../support/admin-scene.ts";
import { LAST_MIGRATION, migrateLater } from "../support/later-release.ts";

const WORLD = `
workspace: acme
users: [{ email: ada@acme.test, role: admin }]
groups:
  - name: Sales
    members: [{ user: ada@acme.test, role: admin }]
`;
const { admin, files } = adminScene(WORLD);
const FOUND = `A later release has migrated the database (9001-nickname of ${release()}).`;
const inWorkspace = ["--workspace", "acme"];
const inFolder = (name: string) => join(files.path, name);

async function importPerson(row: string): Promise<void> {
  const file = files.write("people.csv", `First name,Email\n${row}\n`);
  expect(await admin.run("import people", file, ...inWorkspace, "--group", "Sales")).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^To take this run back: .*$/),
  });
}
const exported = async () => (await admin.run("export people", ...inWorkspace)).out;

// docs/guides/upgrading.md#going-back
beforeAll(async () => {
  await importPerson("Grace,grace@navy.test");
  expect(await admin.run("backup --output", inFolder("before.zip"))).toMatchObject({ code: 0 });
  const sql = `-- Runs with: ${LAST_MIGRATION}
    alter table people add column nickname text;
    create table nicknames (workspace_id uuid not null, person_id uuid not null, primary key (workspace_id, person_id))`;
  await migrateLater(admin.url, { "9001-nickname.sql": sql });
});

it("commands about records and settings work on as before", async () => {
  expect(await admin.run("users list --workspace acme")).toMatchObject({ code: 0 });
  await importPerson("Alan,alan@bletchley.test");
  expect(await exported()).toContain("grace@navy.test");
  expect(await exported()).toContain("alan@bletchley.test");
});

it("migrate does nothing, and doctor says that the release may run", async () => {
  expect((await admin.run("migrate --json")).json()).toEqual({ applied: [] });
  const { checks } = (await admin.run("doctor --json")).json<{
    checks: { name: string; ok: boolean; message: string }[];
  }>();
  // The PostgreSQL of the tests is not durable.
  expect(checks.filter(({ name, ok }) => !ok && name !== "durability")).toEqual([]);
  expect(checks.find(({ name }) => name === "migrations")?.message).toMatch(
    `A later release has applied 9001-nickname of ${release()}, and this release may run with that`,
  );
});

it.each([
  ["backup --output", "after.zip", "A backup of this release would lack the tables that it does not know"],
  ["restore --replace --yes", "before.zip", "This release cannot remove the tables that it does not know"],
  ["export --all --workspace acme --output", "acme.gz", "An archive of this release would lack the data"],
  ["people export grace@navy.test --workspace acme --output", "p.json", "would leave out data that it does not know"],
  ["people erase grace@navy.test --workspace acme --yes", "", "would leave data that it does not know: erase with"],
])("%s is left to the later release", async (words, file, why) => {
  const { code, err } = await admin.run(words, ...(file ? [inFolder(file)] : []));
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(why) });
  expect(err).toContain(FOUND);
  expect(existsSync(inFolder(file))).toBe(file === "before.zip" || file === "");
  expect(await exported()).toContain("grace@navy.test");
});
