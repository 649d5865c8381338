import { beforeEach, expect, test } from "@jest/globals";
import { confirm } from "../../tools/terminal/ask.ts";
import { adminScene } from "../support/admin-scene.ts";
import { atTerminal, CTRL_C, CTRL_D } from "../support/terminal.ts";

// docs/guides/commands.md#questions
const { admin, files } = adminScene();

beforeEach(async () => {
  const text = "workspace: acme\nusers: [{ email: ada@acme.test }, { email: bob@acme.test }]\n";
  expect((await admin.run("apply", files.write("acme.yaml", text))).err).toBe("");
});

const slugs = async () =>
  (await admin.run("workspaces list --json")).json<{ workspaces: { slug: string }[] }>().workspaces.map((w) => w.slug);
const emails = async () =>
  (await admin.run("users list --workspace acme --json"))
    .json<{ users: { email: string }[] }>()
    .users.map((user) => user.email);

test("workspaces remove asks for the slug at a terminal, and removes nothing at another answer", async () => {
  for (const answer of ["", "y", "yes", "acm"]) {
    const { code, out, err, asked } = await admin.answering(answer, "workspaces remove --workspace acme");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(asked).toEqual(['This permanently deletes everything of "acme". Type acme to continue: ']);
    expect(err).toBe('The answer was not "acme", so nothing was done.');
  }
  expect(await slugs()).toEqual(["acme"]);
  expect((await admin.answering(" acme ", "workspaces remove --workspace acme")).code).toBe(0);
  expect(await slugs()).toEqual([]);
});

test("a workspace that is not there is told before anything is asked", async () => {
  const { code, err, asked } = await admin.answering("nix", "workspaces remove --workspace nix");
  expect({ code, asked }).toEqual({ code: 1, asked: [] });
  expect(err).toBe('There is no workspace "nix". There are: acme.');
});

test("users remove tells at a terminal what ends, and asks", async () => {
  await admin.run("keys create --workspace acme --user bob@acme.test");
  const no = await admin.answering("n", "users remove --workspace acme --email bob@acme.test");
  expect(no).toMatchObject({ code: 1, err: "The answer was not yes, so nothing was done." });
  expect(no.asked).toEqual([
    'This removes bob@acme.test (bob@acme.test) from "acme": 0 memberships and 1 key end. Continue? [y/N] ',
  ]);
  expect(await emails()).toEqual(["ada@acme.test", "bob@acme.test"]);
  expect((await admin.answering("y", "users remove --workspace acme --email bob@acme.test")).code).toBe(0);
  expect(await emails()).toEqual(["ada@acme.test"]);
});

test("--yes asks nothing, and a script is not asked", async () => {
  const { code, asked } = await admin.answering("", "users remove --yes --workspace acme --email bob@acme.test");
  expect({ code, asked }).toEqual({ code: 0, asked: [] });
  expect((await admin.run("workspaces remove --workspace acme")).code).toBe(0);
  expect(await slugs()).toEqual([]);
});

test("the REPL, which cannot ask, refuses what loses something without --yes", async () => {
  for (const words of ["workspaces remove --workspace acme", "users remove --workspace acme --email bob@acme.test"]) {
    const { code, out, err } = await admin.inRepl(words);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(
      /^This (permanently )?(deletes|removes) .* This command cannot ask here: add --yes to continue\.$/,
    );
  }
  expect(await emails()).toEqual(["ada@acme.test", "bob@acme.test"]);
  expect((await admin.inRepl("workspaces remove --yes --workspace acme")).code).toBe(0);
  expect(await slugs()).toEqual([]);
});

test("what always asks is refused in a script without --yes", async () => {
  const refused = confirm({ interactive: false }, "This erases a person.");
  await expect(refused).rejects.toMatchObject({
    exitCode: 2,
    message: "This erases a person. This command cannot ask here: add --yes to continue.",
  });
});

test("at a real terminal the question stands on the screen, and what is typed answers it", async () => {
  const remove = (type: string) =>
    atTerminal(["workspaces", "remove", "--workspace", "acme"], { DATABASE_URL: admin.url }, [
      { at: "Type acme to continue: ", type },
    ]);
  const no = await remove("acne\n");
  expect(no.code).toBe(1);
  expect(no.screen).toContain('The answer was not "acme"');
  expect((await remove(CTRL_D)).code).toBe(1);
  expect((await remove(CTRL_C)).code).toBe(130);
  expect(await slugs()).toEqual(["acme"]);
  expect((await remove("acme\n")).code).toBe(0);
  expect(await slugs()).toEqual([]);
});

test("at a real terminal apply --prune shows the plan, and removes nothing at another answer than yes", async () => {
  const text = "workspace: acme\nusers: [{ email: ada@acme.test }]\ngroups:\n  - { name: Old, visibility: public }\n";
  await admin.run("apply", files.write("more.yaml", text));
  const apply = (type: string) =>
    atTerminal(["apply", files.write("less.yaml", "workspace: acme\n"), "--prune"], { DATABASE_URL: admin.url }, [
      { at: "This permanently removes 1 group. Continue? [y/N] ", type },
    ]);
  for (const [type, code] of [
    ["n\n", 1],
    ["\n", 1],
    [CTRL_D, 1],
    [CTRL_C, 130],
  ] as const) {
    const { screen, ...ended } = await apply(type);
    expect(ended.code).toBe(code);
    expect(screen).toContain("acme: 0 to add, 0 to change, 1 to remove\n  - group Old: it is empty\n");
    expect(screen).toContain('Note that the file names no groups of "acme"');
  }
  expect((await admin.run("export --workspace acme")).out).toContain("Old");
  expect((await apply("yes\n")).screen).toContain("acme: 0 added, 0 changed, 1 removed\n");
  expect((await admin.run("export --workspace acme")).out).toContain("groups: []");
});

test("at a real terminal users remove tells what ends, and keys revoke asks nothing", async () => {
  const { out } = await admin.run("keys create --workspace acme --user bob@acme.test --name Nightly --json");
  const revoked = await atTerminal(["keys", "revoke", "Nightly"], { DATABASE_URL: admin.url }, []);
  expect(revoked).toMatchObject({ code: 0, screen: expect.stringMatching(/^key_\S+ is revoked since /) });
  expect(revoked.screen).toContain(JSON.parse(out).id);
  const remove = (type: string) =>
    atTerminal(["users", "remove", "--workspace", "acme", "--email", "bob@acme.test"], { DATABASE_URL: admin.url }, [
      { at: "0 memberships and 0 keys end. Continue? [y/N] ", type },
    ]);
  expect((await remove("n\n")).code).toBe(1);
  expect((await remove("Y\n")).code).toBe(0);
  expect(await emails()).toEqual(["ada@acme.test"]);
});
