import { expect, test } from "@jest/globals";
import type { Uuid } from "../../base/values/ids.ts";
import { adminScene } from "../support/admin-scene.ts";
import { type Definition, seedDefinitions } from "../support/definitions.ts";

const { admin, files } = adminScene();

const fileOf = (slug: string, fields = "") => `workspace: ${slug}
users: [{ email: ada@acme.test, role: admin }]
groups: [{ name: Sales, visibility: public, fields: { person: [${fields}] } }]
`;
const field = (name: string) => `{ name: ${name}, type: textField }`;
const apply = (text: string) => admin.run("apply", files.write("world.yaml", text));

async function workspace(slug: string) {
  await apply(fileOf(slug));
  const [group] = await admin.query<{ id: string; workspace: Uuid }>(
    "select g.id, w.id as workspace from groups g join workspaces w on w.id = g.workspace_id where w.slug = $1",
    [slug],
  );
  if (!group) throw new Error("There is no group");
  return (what: Definition, count: number) =>
    seedDefinitions({ read: admin.query }, group.workspace, what, count, group.id);
}

// docs/guides/limits.md#what-a-workspace-may-have
test("users add makes no user beyond 10,000, and goes on changing those there are", async () => {
  const seed = await workspace("users");
  await seed("users", 9999);
  const user = await admin.run("users add --workspace users --email more@x.test");
  expect(user).toMatchObject({
    code: 1,
    err: expect.stringContaining("The workspace would have 10,001 users. At most 10,000 are possible"),
  });
  expect(await admin.run("users add --workspace users --email seed7@x.test --role admin")).toMatchObject({ code: 0 });
});

test("apply makes all fields of a file, or none when a group would have more than 1,000", async () => {
  const seed = await workspace("apply");
  await seed("fields", 999);
  const { code, err } = await apply(fileOf("apply", `${field("One")}, ${field("Two")}`));
  expect(code).toBe(1);
  expect(err).toContain('The group "Sales" would have 1,001 custom fields. At most 1,000 are possible');
  expect(await apply(fileOf("apply", field("One")))).toMatchObject({ code: 0 });
});

test("an import makes all fields of its columns, or none when a group would have more than 1,000", async () => {
  const seed = await workspace("import");
  await seed("fields", 999);
  const rows = files.write("people.csv", "First name,Shoe,Hat\nAda,39,55\n");
  const { code, err } = await admin.run("import people", rows, "--workspace", "import", "--group", "Sales", "--fields");
  expect(code).toBe(1);
  expect(err).toContain('The group "Sales" would have 1,001 custom fields. At most 1,000 are possible');
});
