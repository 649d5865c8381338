import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import type { Claim } from "../../base/contract/claim.ts";
import { newUuid, toId } from "../../base/values/ids.ts";
import { plainAnswers } from "../../bus/plain-answers.ts";
import { JsonSchemaValidator } from "../../bus/validator.ts";
import { storeOf } from "../../engine/store/store.ts";
import { startWorld, type TestUser, type World } from "../../lab/harness/world.ts";
import { resourceActions } from "../../mixins/resource-actions.ts";
import { name } from "../../model/fields/name.ts";
import { createdAt, createdBy, id } from "../../model/fields/server.ts";
import { text, textList } from "../../model/fields/texts.ts";
import { date } from "../../model/fields/times.ts";
import { defineResource } from "../../model/resources/resource.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

/** Nothing of the product: the least that a plain resource is made of. The kind lends it a prefix for its ids. */
const bookmarks = defineResource({
  kind: "key",
  title: "Bookmark",
  table: "bookmarks",
  fields: {
    id: id("key"),
    name: name("name", { max: 20 }),
    note: text("note", { max: 100 }),
    readOn: date("read_on"),
    urls: textList("urls", { maxItems: 3, max: 100 }),
    createdAt: createdAt(),
    createdBy: createdBy(),
  },
});

const TABLE = `
create table bookmarks (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  name text not null,
  note text not null,
  read_on date,
  urls text[] not null,
  primary key (workspace_id, id)
)`;

type Bookmark = Record<string, unknown> & { id: string };

describe("The actions of a plain resource (docs/additions.md#add-a-resource)", () => {
  let home: TestDatabase;
  let world: World;
  let broker: ServiceBroker;
  let ada: TestUser;
  let stranger: TestUser;

  const call = async <Result = Bookmark>(
    action: string,
    params: object,
    caller: object = ada.caller,
  ): Promise<Result> => {
    const answer = await broker.call<unknown, object>(`bookmarks.${action}`, params, { meta: { caller } });
    return typeof answer === "string" ? JSON.parse(answer) : (answer as Result);
  };
  const page = async (params: object, caller: object = ada.caller) => {
    const { items, next } = await call<{ items: string; next: string | null }>("list", params, caller);
    return { names: (JSON.parse(items) as Bookmark[]).map((one) => one.name), next };
  };

  beforeAll(async () => {
    home = await testDatabase();
    await home.database.knex.raw(TABLE);
    world = await startWorld(home.database);
    ada = (await world.workspace()).ada;
    stranger = (await world.workspace()).ada;
    broker = new ServiceBroker({
      logger: false,
      validator: new JsonSchemaValidator(),
      middlewares: [plainAnswers],
    });
    broker.createService({ name: "bookmarks", actions: resourceActions(bookmarks, storeOf(home.database)) });
    await broker.start();
  });

  afterAll(async () => {
    await broker.stop();
    await world.stop();
    await home.drop();
  });

  it("make one of what was sent, with what is unset told as its table says", async () => {
    const made = await call("create", { body: { name: "First", urls: ["a", "b"] } });
    expect(made).toEqual({
      id: expect.stringMatching(/^key_/),
      name: "First",
      note: "",
      readOn: null,
      urls: ["a", "b"],
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      createdBy: { id: ada.id, fullName: ada.fullName, email: ada.email },
    });
    expect(await call("get", { keyId: made.id })).toEqual(made);
  });

  it("change what is sent, clear what is null, and leave the rest", async () => {
    const { id } = await call("create", { body: { name: "Second", note: "kept", readOn: "2026-01-31" } });
    const changed = await call("update", { keyId: id, body: { readOn: null, urls: ["c"] } });
    expect(changed).toMatchObject({ name: "Second", note: "kept", readOn: null, urls: ["c"] });
    expect(await call("update", { keyId: id, body: {} })).toEqual(changed);
    expect(await call("get", { keyId: id })).toEqual(changed);
  });

  it("list the workspace's own in order of creation, page by page", async () => {
    const other = stranger.caller;
    for (const one of ["a", "b", "c"]) await call("create", { body: { name: one } }, other);
    const first = await page({ limit: 2 }, other);
    expect(first.names).toEqual(["a", "b"]);
    expect(await page({ limit: 2, after: first.next }, other)).toEqual({ names: ["c"], next: null });
    expect(await page({ limit: 3 }, other)).toEqual({ names: ["a", "b", "c"], next: null });
  });

  it("are described with the article that the word for one of them has", () => {
    const { get, remove } = resourceActions({ ...bookmarks, title: "Entry" }, storeOf(home.database));
    expect([get.summary, remove.summary]).toEqual(["Get an entry", "Delete an entry"]);
  });

  it("refuse what the table of fields refuses, naming each fault", async () => {
    const fault = await call("create", { body: { readOn: "2026-02-30", colour: "red" } }).catch((error) => error);
    expect(
      fault.data.details.issues.map(({ path, code }: { path: string[]; code: string }) => [code, ...path]),
    ).toEqual([["invalid_type", "name"], ["invalid_string", "readOn"], ["unrecognized_keys"]]);
  });

  it("find nothing in another workspace, and nothing that was deleted (docs/guides/values.md#identifiers)", async () => {
    const { id } = await call("create", { body: { name: "Gone" } });
    const attempts = (caller: object, keyId: string) => [
      call("get", { keyId }, caller),
      call("update", { keyId, body: { note: "x" } }, caller),
      call("remove", { keyId }, caller),
    ];
    const codes = async (caller: object, keyId: string) =>
      (await Promise.allSettled(attempts(caller, keyId))).map((one) =>
        one.status === "rejected" ? one.reason.code : 200,
      );
    expect(await codes(stranger.caller, id)).toEqual([404, 404, 404]);
    expect(await codes(ada.caller, toId("key", newUuid()))).toEqual([404, 404, 404]);
    expect(await call("remove", { keyId: id })).toEqual({ id });
    expect(await codes(ada.caller, id)).toEqual([404, 404, 404]);
  });

  it("write once under an Idempotency-Key (docs/guides/idempotency.md#replays)", async () => {
    const claim: Claim = { key: "once", fingerprint: "f", requestId: newUuid(), publicUrl: "http://x", ttlS: 60 };
    const body = { name: "Once" };
    await call("create", { body }, { ...ada.caller, claim });
    await expect(call("create", { body }, { ...ada.caller, claim })).rejects.toMatchObject({ code: 409 });
    const { names } = await page({ limit: 100 });
    expect(names.filter((one) => one === "Once")).toHaveLength(1);
  });
});
