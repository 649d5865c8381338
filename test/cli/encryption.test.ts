import { randomBytes } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Caller } from "../../base/contract/caller.ts";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import { runServer } from "../../cli/process.ts";
import { readEnv } from "../../config/env.ts";
import { serviceFolders } from "../../config/service-folders.ts";
import type { Query } from "../../database/query.ts";
import { createSealing, type Sealing } from "../../engine/secrets/cipher.ts";
import { keyOf } from "../../engine/secrets/key.ts";
import { useKeys } from "../../engine/secrets/sealing.ts";
import { storeOf } from "../../engine/store/store.ts";
import { rotate } from "../../services/workspaces/encryption/encryption.service.ts";
import { FOLDERS_WITH_KEYS, keyPlaces, keyWarnings } from "../../tools/installation/encryption-keys.ts";
import { adminOf } from "../support/admin.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

interface Key {
  id: string;
  place: string | null;
  encrypts: boolean;
  secrets: number;
}

const [OLD, NEW] = [randomBytes(32), randomBytes(32)] as [Buffer, Buffer];
const keys = (...all: Buffer[]) => all.map((bytes) => keyOf(bytes, "ENCRYPTION_KEYS"));
const variable = (...all: Buffer[]) => ({ ENCRYPTION_KEYS: all.map((bytes) => bytes.toString("base64")).join(",") });
const UNTIL = "2099-01-01T00:00:00.000Z";

let test: TestDatabase;
let workspaceId: Uuid;

beforeAll(async () => {
  test = await testDatabase();
  workspaceId = newUuid();
  await test.database.read("insert into workspaces (id, slug, name, created_at) values ($1, 'w', 'W', now())", [
    workspaceId,
  ]);
});

beforeEach(() => useKeys(test.database, { given: [OLD], folder: null }));

afterEach(async () => {
  await test.database.read("delete from webhooks");
  await test.database.read("delete from saved_responses");
  await test.database.read("delete from settings");
});

afterAll(() => test.drop());

/** Runs a command of the command line with these keys. */
async function run(words: string, env: Record<string, string> = {}) {
  const admin = adminOf(test.url, env);
  try {
    return await admin.run(words);
  } finally {
    await admin.close();
  }
}

async function statusOf(env: Record<string, string>) {
  return (await run("encryption status --json", env)).json<{ keys: Key[]; plain: number }>();
}

/** A key in the table, as earlier versions have made one. */
async function keepKeyInTable(bytes: Buffer): Promise<void> {
  const value = JSON.stringify(bytes.toString("base64"));
  await test.database.read("insert into settings (name, value) values ('secret.encryption', $1)", [value]);
}

/** A webhook with its secret and replaced ones, of these texts. */
async function keepWebhook(sealing: Sealing, secret: string, ...replaced: string[]): Promise<Uuid> {
  const id = newUuid();
  const entry = (text: string) => ({ secret: sealing.seal(text, `webhook ${id}`).toString("base64"), until: UNTIL });
  await test.database.read(
    `insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret, redacted_secret, replaced_secrets, since_seq)
     values ($1, $2, now(), $2, 'w', 'https://x.test', '[]', 'active', $3, '', $4, 0)`,
    [workspaceId, id, sealing.seal(secret, `webhook ${id}`), JSON.stringify(replaced.map(entry))],
  );
  return id;
}

/** What can be read of the secrets of a webhook by these keys. */
async function secretsOf(id: Uuid, sealing: Sealing): Promise<string[]> {
  const [row] = await test.database.read<{ secret: Buffer; replaced: { secret: string; until: string }[] }>(
    "select secret, replaced_secrets as replaced from webhooks where id = $1",
    [id],
  );
  if (!row) return [];
  expect(row.replaced.every(({ until }) => until === UNTIL)).toBe(true);
  const sealed = [row.secret, ...row.replaced.map(({ secret }) => Buffer.from(secret, "base64"))];
  return sealed.map((bytes) => sealing.open(bytes, `webhook ${id}`));
}

async function saveResponse(): Promise<void> {
  const claim = { key: "k", fingerprint: "f", requestId: "r", publicUrl: "http://here", ttlS: 60 };
  const caller: Caller = { workspaceId, userId: newUuid(), keyId: null, access: "full", claim };
  await storeOf(test.database).write(caller, async () => '"a secret"', { sealed: true });
}

// docs/guides/database.md#encryption
describe("encryption status", () => {
  it("lists the keys in their order, and what is stored under each", async () => {
    await keepWebhook(createSealing(keys(OLD)), "a", "b", "c");
    await keepWebhook(createSealing([]), "d");
    await saveResponse();
    const [first, second] = keys(NEW, OLD);
    expect(await statusOf(variable(NEW, OLD))).toEqual({
      keys: [
        { id: first?.id, place: "ENCRYPTION_KEYS", encrypts: true, secrets: 0 },
        { id: second?.id, place: "ENCRYPTION_KEYS", encrypts: false, secrets: 3 },
      ],
      plain: 1,
    });
  });

  it("without any key tells how many secrets are not encrypted, and makes no key", async () => {
    await keepWebhook(createSealing([]), "a", "b");
    expect(await run("encryption status")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\n2 secrets not encrypted\.$/),
    });
    expect(await run("encryption rotate --json")).toMatchObject({ code: 0, out: '{"webhooks":0,"keys":[],"plain":2}' });
    expect(await test.database.read("select * from settings")).toEqual([]);
  });

  it("names a key that is missing, exits with 1, and makes none", async () => {
    await keepWebhook(createSealing(keys(OLD)), "a");
    const { code, out, err } = await run("encryption status");
    const [old] = keys(OLD);
    expect({ code, err: err.includes(`${old?.id}`), out: out.includes("unknown") }).toEqual({
      code: 1,
      err: true,
      out: true,
    });
    expect(await test.database.read("select * from settings")).toEqual([]);
  });
});

describe("encryption rotate", () => {
  it("encrypts everything with the first key, so that the old one can go, and once is enough", async () => {
    const old = createSealing(keys(OLD));
    const ids = await Promise.all(Array.from({ length: 450 }, (_, i) => keepWebhook(old, `s${i}`, `r${i}`)));
    const rotated = (await run("encryption rotate --json", variable(NEW, OLD))).json<object>();
    expect(rotated).toMatchObject({ webhooks: 450, plain: 0 });
    for (const [i, id] of ids.entries())
      expect(await secretsOf(id, createSealing(keys(NEW)))).toEqual([`s${i}`, `r${i}`]);
    expect(await statusOf(variable(NEW))).toMatchObject({ keys: [{ secrets: 900 }] });
    const again = (await run("encryption rotate --json", variable(NEW))).json<object>();
    expect(again).toMatchObject({ webhooks: 0 });
  });

  it("leads away from the key in the database, which stays for what was sealed meanwhile", async () => {
    await keepKeyInTable(OLD);
    const id = await keepWebhook(createSealing(keys(OLD)), "a");
    const inTable = { place: "database", encrypts: false };
    expect(await statusOf(variable(NEW))).toMatchObject({ keys: [{ secrets: 0 }, { ...inTable, secrets: 1 }] });
    await run("encryption rotate", variable(NEW));
    expect(await statusOf(variable(NEW))).toMatchObject({ keys: [{ secrets: 1 }, { ...inTable, secrets: 0 }] });
    expect(await secretsOf(id, createSealing(keys(NEW)))).toEqual(["a"]);
  });

  it("encrypts what was stored before there was a key, replaced secrets too", async () => {
    const plain = await keepWebhook(createSealing([]), "whsec_a", "whsec_b");
    expect(await secretsOf(plain, createSealing(keys(NEW)))).toEqual(["whsec_a", "whsec_b"]);
    expect((await run("encryption rotate --json", variable(NEW))).json()).toMatchObject({ webhooks: 1, plain: 0 });
    expect(await secretsOf(plain, createSealing(keys(NEW)))).toEqual(["whsec_a", "whsec_b"]);
    const rows = await test.database.read<{ row: string }>(
      "select encode(secret, 'escape') || replaced_secrets::text as row from webhooks",
    );
    for (const text of ["whsec", Buffer.from("whsec_b").toString("base64")]) expect(rows[0]?.row).not.toContain(text);
  });

  it("leaves saved answers, which end by themselves, and their key opens them until then", async () => {
    await saveResponse();
    const body = async () => (await test.database.read<{ body: Buffer }>("select body from saved_responses"))[0]?.body;
    const before = await body();
    await run("encryption rotate", variable(NEW, OLD));
    expect(await body()).toEqual(before);
    expect(before?.subarray(1, 9).toString("hex")).toBe(keys(OLD)[0]?.id);
  });

  it("leaves what an unknown key has encrypted as it is, encrypts the rest, and exits with 1", async () => {
    const lost = createSealing(keys(randomBytes(32)));
    const [known, mixed] = [await keepWebhook(createSealing(keys(OLD)), "a"), await keepWebhook(lost, "b")];
    expect(await run("encryption rotate", variable(NEW, OLD))).toMatchObject({ code: 1 });
    expect(await secretsOf(known, createSealing(keys(NEW)))).toEqual(["a"]);
    expect(await secretsOf(mixed, lost)).toEqual(["b"]);
  });

  it("overwrites nothing that was written since it was read", async () => {
    const id = await keepWebhook(createSealing(keys(OLD)), "before");
    const both = createSealing(keys(NEW, OLD));
    let isWritten = false;
    const query: Query = async (sql, values) => {
      if (sql.startsWith("update webhooks") && !isWritten) {
        isWritten = true;
        const sealed = createSealing(keys(OLD)).seal("after", `webhook ${id}`);
        await test.database.read("update webhooks set secret = $1 where id = $2", [sealed, id]);
      }
      return test.database.queryPlanned(sql, values);
    };
    expect(await rotate(query, keys(NEW, OLD))).toBe(0);
    expect(await secretsOf(id, both)).toEqual(["after"]);
    expect(await rotate(query, keys(NEW, OLD))).toBe(1);
    expect(await secretsOf(id, createSealing(keys(NEW)))).toEqual(["after"]);
  });

  it("beside writers who still encrypt with the old key loses none of what they write", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => keepWebhook(createSealing(keys(OLD)), "0")));
    let isOver = false;
    const writers = ids.map(async (id) => {
      let written = "0";
      for (let n = 1; !isOver; n += 1) {
        written = String(n);
        const sealed = createSealing(keys(OLD)).seal(written, `webhook ${id}`);
        await test.database.read("update webhooks set secret = $1 where id = $2", [sealed, id]);
      }
      return written;
    });
    for (let i = 0; i < 10; i += 1) await rotate(test.database.queryPlanned, keys(NEW, OLD));
    isOver = true;
    const written = await Promise.all(writers);
    await rotate(test.database.queryPlanned, keys(NEW, OLD));
    for (const [i, id] of ids.entries()) expect(await secretsOf(id, createSealing(keys(NEW)))).toEqual([written[i]]);
  });

  it("that was killed in the middle has lost nothing, and is finished by the next one", async () => {
    const old = createSealing(keys(OLD));
    const ids = await Promise.all(Array.from({ length: 250 }, (_, i) => keepWebhook(old, `s${i}`)));
    let updates = 0;
    const query: Query = async (sql, values) => {
      if (sql.startsWith("update")) updates += 1;
      if (updates > 1) throw new Error("killed");
      return test.database.queryPlanned(sql, values);
    };
    await expect(rotate(query, keys(NEW, OLD))).rejects.toThrow("killed");
    const both = createSealing(keys(NEW, OLD));
    for (const [i, id] of ids.entries()) expect(await secretsOf(id, both)).toEqual([`s${i}`]);
    expect(await rotate(test.database.queryPlanned, keys(NEW, OLD))).toBe(50);
  });
});

describe("A start", () => {
  async function warningsOf(variables: Record<string, string>, services = ["workspaces"]): Promise<string[]> {
    const warnings: string[] = [];
    const env = { ...readEnv({ DATABASE_URL: test.url, ...variables }), services };
    const server = runServer(env, (level, _module, [first]) => {
      if (level === "warn") warnings.push(String(first));
    });
    await server.started;
    await server.stop();
    return warnings;
  }

  it("warns when secrets are stored without a key of their own, and says what to set", async () => {
    expect(await warningsOf({})).toEqual([expect.stringMatching(/^ENCRYPTION_KEYS is not set, .*openssl rand/)]);
    expect(await warningsOf(variable(NEW))).toEqual([]);
    expect(await warningsOf({}, ["groups"])).toEqual([]);
  });

  it("wants the keys for exactly the folders that encrypt or decrypt (docs/guides/deploying.md#secrets)", () => {
    const services = join(import.meta.dirname, "..", "..", "services");
    const uses = (folder: string) =>
      globSync("**/*.ts", { cwd: join(services, folder) }).some((file) =>
        /import \{[^}]*(sealingOf|keysOf)/.test(readFileSync(join(services, folder, file), "utf8")),
      );
    expect(serviceFolders().filter(uses)).toEqual(FOLDERS_WITH_KEYS);
  });

  it("has the key of the embedded database beside its data, and none with another one", () => {
    const [given, folder] = [[NEW], "/data"];
    expect(keyPlaces(readEnv({ DATA_DIR: folder }))).toEqual({ given: [], folder });
    expect(keyWarnings(readEnv({ DATA_DIR: folder }))).toEqual([]);
    expect(keyPlaces(readEnv({ DATA_DIR: folder, DATABASE_URL: test.url, ...variable(NEW) }))).toEqual({
      given,
      folder: null,
    });
  });
});

describe("doctor", () => {
  const check = async (env: Record<string, string>) => {
    const { checks } = (await run("doctor --json", env)).json<{
      checks: { name: string; ok: boolean; message: string }[];
    }>();
    return checks.find(({ name }) => name === "encryption");
  };

  it("reads all that is stored, and says what to set when the key lies beside it", async () => {
    await keepWebhook(createSealing(keys(OLD)), "a", "b");
    expect(await check(variable(OLD))).toEqual({ name: "encryption", ok: true, message: "2 secrets can be read" });
    await keepWebhook(createSealing([]), "c");
    expect((await check(variable(OLD)))?.message).toMatch(/^3 secrets can be read. 1 of them are not encrypted: run/);
    await test.database.read("delete from webhooks");
    expect((await check({}))?.message).toMatch(/^0 secrets can be read. ENCRYPTION_KEYS is not set/);
  });

  it("tells of a key that is missing and of a secret that was changed, and shows none", async () => {
    const id = await keepWebhook(createSealing(keys(OLD)), "a");
    const missing = await check(variable(NEW));
    expect([missing?.ok, missing?.message.includes(`${keys(OLD)[0]?.id}`)]).toEqual([false, true]);
    await test.database.read(
      "update webhooks set secret = set_byte(secret, 30, 255 - get_byte(secret, 30)) where id = $1",
      [id],
    );
    const changed = await check(variable(OLD));
    expect([changed?.ok, changed?.message]).toEqual([false, expect.stringContaining("was changed")]);
  });
});
