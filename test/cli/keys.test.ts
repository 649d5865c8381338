import { afterEach, expect, test } from "@jest/globals";
import { hashOf, newKey } from "../../engine/secrets/api-keys.ts";
import { adminScene } from "../support/admin-scene.ts";

// Names, beginnings, states and rotation of keys: docs/guides/keys.md
const { admin } = adminScene(
  ...["acme", "other"].map((slug) => `workspace: ${slug}\nusers: [{ email: ada@acme.test }]\n`),
);

afterEach(async () => {
  await admin.query("delete from api_keys");
});

interface Made {
  id: string;
  key: string;
}
interface Listed {
  id: string;
  name: string | null;
  prefix: string | null;
  state: string;
  expiresAt: string | null;
  revokedAt: string | null;
  replacedBy: string | null;
}
interface Rotated extends Made {
  expiresAt: string | null;
  replaces: { id: string; expiresAt: string };
}

const make = async (...more: string[]) =>
  (await admin.run("keys create --workspace acme --user ada@acme.test --json", ...more)).json<Made>();
const list = async () => (await admin.run("keys list --workspace acme --json")).json<{ keys: Listed[] }>().keys;
const identify = (key: string) =>
  admin.call<{ access: string } | null>("keys.identify", { hash: hashOf(key).toString("hex") });
const expire = (id: string) => admin.query("update api_keys set expires_at = now() where id = $1", [id.slice(4)]);

test("a list tells a key by its name and by how it begins, and its members are those of the contract and more", async () => {
  const { id, key } = await make("--name", "  Billing job ");
  expect(await list()).toEqual([
    {
      id,
      user: { id: expect.stringMatching(/^usr_/), email: "ada@acme.test" },
      access: "full",
      createdAt: expect.any(String),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      name: "Billing job",
      prefix: key.slice(0, 12),
      state: "active",
      replacedBy: null,
    },
  ]);
  const { out } = await admin.run("keys list --workspace acme");
  expect(out).toContain(`${key.slice(0, 12)}…`);
  expect(out).not.toContain(key.slice(0, 13));
  expect(out).toContain("Billing job");
});

test("a key that was made before keys had beginnings has neither name nor beginning", async () => {
  const { id } = await make();
  await admin.query("update api_keys set prefix = null where id = $1", [id.slice(4)]);
  expect(await list()).toMatchObject([{ name: null, prefix: null, state: "active" }]);
  expect((await admin.run("keys list --workspace acme")).out).toMatch(/ {2}- {2,}- {2,}ada@acme\.test/);
});

test("names have up to 100 characters, and look neither like ids nor like keys", async () => {
  const create = (name: string) => admin.run("keys create --workspace acme --user ada@acme.test --name", name);
  expect((await create("x".repeat(100))).code).toBe(0);
  for (const name of ["", " ", "x".repeat(101), "key_1", "cwk_abcdefgh", `the ${newKey().slice(0, 30)}`]) {
    const { code, out, err } = await create(name);
    expect({ name, code, out }).toEqual({ name, code: 1, out: "" });
    expect(err).not.toContain("\n");
  }
});

test("a key is active, then rotating while its successor has taken its place, then expired, or revoked", async () => {
  const { id, key } = await make("--name", "job", "--access", "read");
  const rotated = (await admin.run("keys rotate job --overlap 2h --json")).json<Rotated>();
  expect(rotated).toMatchObject({ access: "read", name: "job", user: { email: "ada@acme.test" }, expiresAt: null });
  expect(rotated.replaces.id).toBe(id);
  const untilMs = Date.parse(rotated.replaces.expiresAt) - Date.now();
  expect(untilMs).toBeGreaterThan(7_100_000);
  expect(untilMs).toBeLessThanOrEqual(7_200_000);
  const [old, made] = await list();
  expect(old).toMatchObject({ id, state: "rotating", replacedBy: rotated.id, expiresAt: rotated.replaces.expiresAt });
  expect(made).toMatchObject({ id: rotated.id, name: "job", state: "active", prefix: rotated.key.slice(0, 12) });
  expect(await identify(key)).toMatchObject({ access: "read" });
  expect(await identify(rotated.key)).toMatchObject({ access: "read" });
  await expire(id);
  expect((await list())[0]).toMatchObject({ state: "expired" });
  expect(await identify(key)).toBeNull();
  await admin.run("keys revoke", rotated.id);
  expect((await list())[1]).toMatchObject({ state: "revoked" });
});

test("the overlap is a day by default, may be nothing, and never makes a key live longer", async () => {
  const first = await make();
  const day = (await admin.run("keys rotate --json", first.id)).json<Rotated>();
  expect(Math.round((Date.parse(day.replaces.expiresAt) - Date.now()) / 3_600_000)).toBe(24);
  const second = await make();
  await admin.run("keys rotate --overlap 0s", second.id);
  expect(await identify(second.key)).toBeNull();
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const third = await make("--expires", soon);
  const rotated = (await admin.run("keys rotate --overlap 90d --json", third.id)).json<Rotated>();
  expect(rotated).toMatchObject({ expiresAt: soon, replaces: { expiresAt: soon } });
  const fourth = await make("--expires", soon);
  const longer = (await admin.run("keys rotate --expires 2099-01-01 --json", fourth.id)).json<Rotated>();
  expect(longer).toMatchObject({ expiresAt: "2099-01-01T00:00:00.000Z", replaces: { expiresAt: soon } });
});

test.each(["91d", "1w", "-1h", "soon", "1.5h", ""])("an overlap of %j is wrong usage", async (text) => {
  const { code, err } = await admin.run("keys rotate job --overlap", text);
  expect(code).toBe(2);
  expect(err).toContain("It takes a time like 30m, 24h or 7d, at most 90d");
});

test("without --json the new key alone is printed, and what becomes of the old one is noted", async () => {
  const { id } = await make();
  const { out, err } = await admin.run("keys rotate", id);
  expect(out).toMatch(/^cwk_[\w-]{51}$/);
  expect(err).toMatch(new RegExp(`^${id} works until 20.*Z\\. The new key:$`));
});

test("a key is rotated once, also when two do it at the same time", async () => {
  const { id } = await make();
  const both = await Promise.allSettled(
    [1, 2].map(() => admin.call<Rotated>("keys-admin.rotate", { keyId: id, overlapS: 60 })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await list()).toHaveLength(2);
  const again = await admin.run("keys rotate", id);
  expect(again).toMatchObject({ code: 1, out: "" });
  expect(again.err).toMatch(/was rotated before: key_\S+ is in its place\. Rotate that one\.$/);
});

test("what is revoked or expired is not rotated", async () => {
  const [revoked, expired] = [await make(), await make()];
  await admin.run("keys revoke", revoked.id);
  await expire(expired.id);
  for (const [key, state] of [
    [revoked, "revoked"],
    [expired, "expired"],
  ] as const)
    expect((await admin.run("keys rotate", key.id)).err).toBe(
      `The key ${key.id} is ${state}, and cannot be rotated: make a new one with "keys create".`,
    );
  expect(await list()).toHaveLength(2);
});

test("a key is found by its beginning and by its name, as lists show them", async () => {
  const [one, two] = [await make("--name", "one"), await make("--name", "two")];
  expect((await admin.run("keys revoke --json", `${one.key.slice(0, 12)}…`)).json()).toMatchObject({ id: one.id });
  expect((await admin.run("keys revoke --json two")).json()).toMatchObject({ id: two.id });
  expect((await list()).map(({ state }) => state)).toEqual(["revoked", "revoked"]);
  // Again by name: it is the only key that ever had it.
  expect((await admin.run("keys revoke two")).code).toBe(0);
});

test("a name that several usable keys have ends none of them; among used up ones the usable one is meant", async () => {
  const [one, two] = [await make("--name", "job"), await make("--name", "job")];
  const { code, err } = await admin.run("keys revoke job");
  expect(code).toBe(1);
  expect(err).toMatch(/^Several keys match "job"\. Give the id of one: key_\S+ of ada@acme\.test in acme, active; /);
  expect(err).toContain(two.id);
  await admin.run("keys revoke", one.id);
  expect((await admin.run("keys revoke job --json")).json()).toMatchObject({ id: two.id });
});

test("--workspace tells which of two keys of one name is meant", async () => {
  await make("--name", "job");
  await admin.run("keys create --workspace other --user ada@acme.test --name job");
  expect((await admin.run("keys revoke job")).code).toBe(1);
  expect((await admin.run("keys revoke job --workspace acme")).code).toBe(0);
  expect((await list())[0]).toMatchObject({ state: "revoked" });
  expect((await admin.run("keys revoke job --workspace nix")).err).toMatch(/^There is no workspace "nix"/);
});

test("an unknown key is told with those that there are", async () => {
  await make("--name", "billing");
  expect((await admin.run("keys revoke biling")).err).toBe(
    'There is no key "biling". Did you mean billing? There are: billing. "keys list" shows their ids.',
  );
});

test("keys rename gives a key another name", async () => {
  const { id } = await make("--name", "old");
  expect((await admin.run("keys rename old new --json")).json()).toEqual({ id, name: "new" });
  expect(await list()).toMatchObject([{ id, name: "new" }]);
  expect((await admin.run("keys rename new key_2")).code).toBe(1);
});

test("the key itself, typed for its id, is found by its hash and shown nowhere", async () => {
  const { id, key } = await make();
  const { code, out, err } = await admin.run("keys revoke", key);
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^${id} is revoked since `));
  expect(err).toBe(`The key itself was typed, and is now in the history of this shell. Next time type its id: ${id}`);
  expect(await identify(key)).toBeNull();
  expect((await admin.run("keys revoke", newKey())).err).toMatch(/^This server has no such key\./);
  const cut = await admin.run("keys revoke", key.slice(0, -1));
  expect(cut).toMatchObject({ code: 2, out: "" });
  expect(cut.err).toMatch(/^This looks like an API key, but it is incomplete or mistyped\./);
});
