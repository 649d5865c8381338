import { expect, test } from "@jest/globals";
import { adminScene } from "../support/admin-scene.ts";

const { admin } = adminScene(
  ...["acme", "globex"].map((slug) => `workspace: ${slug}\nusers: [{ email: ada@acme.test }]\n`),
);

const credits = (words: string) => admin.run(`credits --workspace ${words} --json`);

test("a new workspace has 100 credits (docs/guides/enrichment.md#credits)", async () => {
  expect((await credits("acme")).json()).toEqual({ remaining: 100, used: 0 });
  expect(await admin.run("credits --workspace acme")).toMatchObject({
    code: 0,
    out: "acme has 100 credits left and has used 0.",
  });
});

test("--set sets what is left, of this workspace alone, and leaves what was used", async () => {
  expect((await credits("acme --set 250")).json()).toEqual({ remaining: 250, used: 0 });
  await admin.query("update credits set used = 7");
  expect((await credits("acme --set 0")).json()).toEqual({ remaining: 0, used: 7 });
  expect((await credits("acme --set 1000000000")).json()).toEqual({ remaining: 1_000_000_000, used: 7 });
  expect((await credits("acme --set 1")).json()).toEqual({ remaining: 1, used: 7 });
  expect((await admin.run("credits --workspace acme")).out).toBe("acme has 1 credit left and has used 7.");
  expect((await credits("globex")).json()).toEqual({ remaining: 100, used: 0 });
});

test.each(["-1", "1.5", "1e3", "many", "1000000001", "99999999999999"])("--set %s is wrong usage", async (number) => {
  const { code, out, err } = await credits(`acme --set=${number}`);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("whole number from 0 to 1000000000");
});

test("an unknown workspace is an error that tells which there are", async () => {
  const { code, out, err } = await credits("nowhere --set 5");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe('There is no workspace "nowhere". There are: acme, globex.');
});

test("a workspace that is removed takes its enrichments and credits along", async () => {
  await credits("globex --set 5");
  const [workspace] = await admin.query<{ id: string }>("select id from workspaces where slug = 'globex'");
  await admin.query(
    `insert into enrichments (workspace_id, id, created_at, created_by, entity_id, status)
     values ($1, gen_random_uuid(), now(), gen_random_uuid(), gen_random_uuid(), 'pending')`,
    [workspace?.id],
  );
  await admin.run("workspaces remove --workspace globex --yes");
  const left =
    "select (select count(*) from enrichments)::int as enrichments, (select count(*) from credits)::int as credits";
  expect(await admin.query(left)).toEqual([{ enrichments: 0, credits: 1 }]);
});
