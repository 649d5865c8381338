import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import type { Caller } from "../../../base/contract/caller.ts";
import type { SavedResponse } from "../../../base/contract/claim.ts";
import { ApiError } from "../../../base/contract/errors.ts";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { JsonSchemaValidator } from "../../../bus/validator.ts";
import { readEnv } from "../../../config/env.ts";
import type { Database } from "../../../database/database.ts";
import { useKeys } from "../../../engine/secrets/sealing.ts";
import { storeOf } from "../../../engine/store/store.ts";
import idempotencyService from "../../../services/idempotency/idempotency.service.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

const SECRET = "whsec_c2VjcmV0";
const ANSWER = JSON.stringify({ name: "Zoë", signingSecret: SECRET });

let test: TestDatabase;
let broker: ServiceBroker;
const workspaceId: Uuid = newUuid();

beforeAll(async () => {
  test = await testDatabase();
  await test.database.read("insert into workspaces (id, slug, name, created_at) values ($1, 'w', 'W', now())", [
    workspaceId,
  ]);
  broker = new ServiceBroker({ logger: false, validator: new JsonSchemaValidator() });
  // The process that replays is another one than the one that saves, so it reads the key by itself.
  const database: Database = { ...test.database };
  const given = [randomBytes(32)];
  for (const one of [test.database, database]) useKeys(one, { given, folder: null });
  broker.createService(idempotencyService({ env: readEnv({}), database }));
  await broker.start();
});

afterAll(async () => {
  await broker.stop();
  await test.drop();
});

function callerWithKey(): Caller & { claim: { key: string } } {
  const claim = { key: randomUUID(), fingerprint: "f", requestId: "r", publicUrl: "http://here", ttlS: 60 };
  return { workspaceId, userId: newUuid(), keyId: null, access: "full", claim };
}

const saved = ({ userId, claim }: ReturnType<typeof callerWithKey>): Promise<SavedResponse | null> =>
  broker.call("idempotency.findSaved", { workspaceId, userId, key: claim.key });

async function storedOf({ userId }: Caller): Promise<Buffer | undefined> {
  const [row] = await test.database.read<{ body: Buffer }>("select body from saved_responses where user_id = $1", [
    userId,
  ]);
  return row?.body;
}

// docs/guides/database.md#encryption
describe("A saved response that holds a secret", () => {
  const write = (caller: Caller, work: () => Promise<string>, options?: { sealed?: boolean }, by = test.database) =>
    storeOf(by).write(caller, work, options);

  it("is replayed byte for byte, and nothing of it can be read in the table", async () => {
    const caller = callerWithKey();
    await write(caller, async () => ANSWER, { sealed: true });
    expect(await saved(caller)).toEqual({ fingerprint: "f", status: 200, body: `{"data":${ANSWER}}` });
    const stored = await storedOf(caller);
    for (const part of [SECRET, "name", "data"]) expect(stored?.includes(part)).toBe(false);
  });

  it("stands beside others, which are stored as they are", async () => {
    const caller = callerWithKey();
    await write(caller, async () => ANSWER);
    expect((await storedOf(caller))?.toString()).toBe(`{"data":${ANSWER}}`);
    expect(await saved(caller)).toEqual({ fingerprint: "f", status: 200, body: `{"data":${ANSWER}}` });
  });

  it("is stored as it is without a key, and replayed whatever keys there are later", async () => {
    const caller = callerWithKey();
    await write(caller, async () => ANSWER, { sealed: true }, { ...test.database });
    expect((await storedOf(caller))?.toString()).toBe(`{"data":${ANSWER}}`);
    expect(await saved(caller)).toEqual({ fingerprint: "f", status: 200, body: `{"data":${ANSWER}}` });
  });

  it("is an error as any other when its write fails by a rule", async () => {
    const caller = callerWithKey();
    const refused = write(caller, () => Promise.reject(new ApiError("UNPROCESSABLE_ENTITY", "No.")), { sealed: true });
    await expect(refused).rejects.toMatchObject({ type: "UNPROCESSABLE_ENTITY" });
    expect(await saved(caller)).toMatchObject({ status: 422, body: expect.stringContaining("No.") });
  });

  it("that cannot be opened fails its own replay, and not those that are asked for together with it", async () => {
    const [moved, whole] = [callerWithKey(), callerWithKey()];
    await write(moved, async () => ANSWER, { sealed: true });
    await write(whole, async () => ANSWER, { sealed: true });
    await test.database.read(
      "update saved_responses set body = (select body from saved_responses where user_id = $2) where user_id = $1",
      [moved.userId, whole.userId],
    );
    const [failed, answered] = await Promise.allSettled([saved(moved), saved(whole)]);
    expect(failed).toMatchObject({ status: "rejected" });
    expect(String((failed as PromiseRejectedResult).reason)).not.toContain(SECRET);
    expect(answered).toMatchObject({ value: { body: `{"data":${ANSWER}}` } });
  });
});
