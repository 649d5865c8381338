import { expect, test } from "@jest/globals";
import { hashOf } from "../../engine/secrets/api-keys.ts";
import { adminScene } from "../support/admin-scene.ts";

const { admin } = adminScene(`workspace: acme
users:
  - { email: ada@acme.test, fullName: Ada Lovelace, role: admin }
  - { email: bob@acme.test, fullName: Bob Stone }
groups:
  - { name: Sales, members: [{ user: ada@acme.test, role: admin }, { user: bob@acme.test, role: reader }] }
`);

interface Key {
  id: string;
  key: string;
  access: string;
  expiresAt: string | null;
}

const create = (...more: string[]) => admin.run("keys create --workspace acme --user ada@acme.test --json", ...more);
const identify = (key: string) =>
  admin.call<{ userId: string } | null>("keys.identify", { hash: hashOf(key).toString("hex") });

test("a new key is shown once, belongs to its user and works", async () => {
  const made = (await create()).json<Key>();
  expect(made).toEqual({
    id: expect.stringMatching(/^key_/),
    key: expect.any(String),
    user: { id: expect.stringMatching(/^usr_/), email: "ada@acme.test" },
    access: "full",
    expiresAt: null,
  });
  expect(await identify(made.key)).toMatchObject({ access: "full" });
  const list = await admin.run("keys list --workspace acme --json");
  expect(list.out).not.toContain(made.key);
  expect(list.json()).toMatchObject({ keys: [{ id: made.id, revokedAt: null, expiresAt: null }] });
});

test("--expires is the start of that day in UTC, or the instant given", async () => {
  expect((await create("--expires", "2099-01-01")).json<Key>().expiresAt).toBe("2099-01-01T00:00:00.000Z");
  expect((await create("--expires", "2099-01-01T02:00:00+02:00")).json<Key>().expiresAt).toBe(
    "2099-01-01T00:00:00.000Z",
  );
  for (const wrong of ["2099-02-30", "tomorrow", "2099-01-01T02:00:00", "9999-12-31T23:59:59-23:59"]) {
    expect(await create("--expires", wrong)).toMatchObject({ code: 2, out: "" });
  }
});

test("a key that has expired when it is made is refused, one for today too, whose start has passed", async () => {
  const today = new Date().toISOString().slice(0, 10);
  for (const past of ["2020-02-29", today, new Date(Date.now() - 1).toISOString()]) {
    const { code, out, err } = await create("--expires", past);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z has passed: the key would never work\. Give a later time; .* UTC\.$/,
    );
    expect(err).toContain(past);
  }
  const soon = new Date(Date.now() + 60_000).toISOString();
  expect(await identify((await create("--expires", soon)).json<Key>().key)).not.toBeNull();
});

test("a revoked key no longer works, and revoking it again answers the first time", async () => {
  const { id, key } = (await create("--access", "read")).json<Key>();
  const first = (await admin.run("keys revoke --json", id)).json();
  expect(first).toEqual({ id, revokedAt: expect.stringMatching(/Z$/) });
  expect((await admin.run("keys revoke --json", id)).json()).toEqual(first);
  expect(await identify(key)).toBeNull();
});

test("users add makes a user, and changes name and role of one that is there", async () => {
  const made = (await admin.run("users add --workspace acme --email eve@acme.test --json")).json();
  expect(made).toMatchObject({ email: "eve@acme.test", fullName: "eve@acme.test", role: "member" });
  const changed = await admin.run(
    "users add --workspace acme --email EVE@acme.test --role admin --json --name",
    "Eve Moss",
  );
  expect(changed.json()).toEqual({ ...(made as object), email: "EVE@acme.test", fullName: "Eve Moss", role: "admin" });
  expect((await admin.run("users add --workspace acme --email nonsense")).err).toBe(
    '"nonsense" is not an e-mail address.',
  );
});

test("a removed user's keys and memberships end, and the address is free again", async () => {
  const { key } = (await admin.run("keys create --workspace acme --user bob@acme.test --json")).json<Key>();
  const before = (await admin.run("users remove --workspace acme --email bob@acme.test --json")).json<{ id: string }>();
  expect(await identify(key)).toBeNull();
  expect((await admin.run("users list --workspace acme --json")).out).not.toContain("bob@acme.test");
  expect((await admin.run("export --workspace acme")).out).not.toContain("bob@acme.test");
  const after = (await admin.run("users add --workspace acme --email bob@acme.test --json")).json<{ id: string }>();
  expect(after.id).not.toBe(before.id);
  expect(await identify(key)).toBeNull();
});

test("a user who is not there is told with those who are, and bounds in words", async () => {
  expect((await admin.run("users remove --workspace acme --email ad@acme.test")).err).toBe(
    "The workspace has no user with the e-mail address ad@acme.test. Did you mean ada@acme.test? There are: ada@acme.test, EVE@acme.test, bob@acme.test.",
  );
  expect((await admin.run(`users add --workspace acme --email ${"x".repeat(320)}@a.b`)).err).toBe(
    "email must have at most 320 characters.",
  );
});

test("the last admin of a private group cannot be removed, and the message names the group", async () => {
  const { code, err } = await admin.run("users remove --workspace acme --email ada@acme.test");
  expect(code).toBe(1);
  expect(err).toMatch(/^The last admin of the private group "Sales" can be neither removed nor demoted/);
});

test("an unknown workspace is told together with those that there are", async () => {
  for (const words of ["users list", "keys list", "export", "workspaces remove --yes"]) {
    expect(await admin.run(`${words} --workspace nix`)).toMatchObject({
      code: 1,
      out: "",
      err: 'There is no workspace "nix". There are: acme.',
    });
  }
});
