import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type NatsServer, natsProgram, startNats } from "../../lab/harness/nats-server.ts";
import { type NetworkProxy, openProxy } from "../../lab/harness/network-proxy.ts";
import { until } from "../../lab/harness/until.ts";
import { startWorld, type TestUser, type World } from "../../lab/harness/world.ts";
import { type Answer, type Client, client } from "../support/client.ts";
import { ALL, type Cluster, startCluster } from "../support/cluster.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { whileLocked } from "../support/locked-row.ts";
import { overNats } from "../support/server.ts";

/** A key is free again 2 s after the crashed process is back. A loaded machine has 10 s more. */
const FREE_MS = 12_000;

const nats = natsProgram();
const possible = !overNats || "path" in nats;
const isReplay = ({ headers }: Answer) => headers["idempotent-replayed"] === "true";

// Processes, a database and a bus of their own, since they are killed and broken. docs/guides/idempotency.md#crashes
(possible ? describe : describe.skip)("An Idempotency-Key, when something fails", () => {
  let bus: NatsServer | undefined;
  let cluster: Cluster;
  let test: TestDatabase;
  let proxy: NetworkProxy;
  let world: World;
  let ada: TestUser;
  let api: Client;

  beforeAll(async () => {
    test = await testDatabase();
    proxy = await openProxy(test.url);
    if (overNats) bus = await startNats();
    cluster = await startCluster({ databaseUrl: proxy.url, ...(bus && { natsUrl: bus.url }) });
    world = await startWorld(test.database);
    ({ ada } = await world.workspace());
    api = client({ ...cluster, database: test.database, stop: cluster.stop }, ada.key);
  });

  afterAll(async () => {
    await cluster?.stop();
    await world?.stop();
    await proxy?.stop();
    await test?.drop();
    await bus?.stop();
  });

  const keyed = () => ({ "Idempotency-Key": randomUUID() });
  const named = async (lastName: string) =>
    (await test.database.read("select from people where last_name = $1", [lastName])).length;

  /** Sends until the answer is neither a 503 nor a 409, as clients are told to. docs/guides/idempotency.md#retrying */
  function untilDefinitive(lastName: string, headers: object): Promise<Answer> {
    return until(
      "the request is answered",
      async () => {
        const answer = await api.post("/v1/people", { lastName }, { ...headers });
        expect([200, 409, 503]).toContain(answer.status);
        return answer.status === 200 && answer;
      },
      20_000,
    );
  }

  /** Kills a process while a write waits for a row; `then` runs while the row is still locked. */
  async function killInSlowWrite(folder: string, headers: object, then?: () => Promise<void>): Promise<string> {
    // Processes find each other late on a busy machine.
    const { id } = (await untilDefinitive("", keyed())).data;
    const { slow } = await whileLocked(test.database, id, async (isAwaited) => {
      let isSlow = false;
      const send = async (): Promise<unknown> => {
        const answer = await api.patch(`/v1/people/${id}`, { lastName: "Slow" }, { ...headers });
        // A busy machine refuses some requests before they come to the row.
        return answer.status === 503 && !isSlow ? send() : answer;
      };
      const answered = send().catch(() => undefined);
      await isAwaited();
      isSlow = true;
      await cluster.kill(folder);
      await then?.();
      return { slow: answered };
    });
    await slow;
    return id;
  }

  it("kill -9 of the process that runs a slow write undoes it, and the key is free when it is back", async () => {
    const headers = keyed();
    // The database still waits for the row, but nobody is there any more who wants the answer.
    const folder = overNats ? "people" : ALL;
    const id = await killInSlowWrite(folder, headers, async () => {
      await cluster.start(folder);
      const answer = await until(
        "the key is free",
        async () => {
          const one = await api.post("/v1/people", { lastName: "Next" }, headers);
          return one.status === 200 && one;
        },
        FREE_MS,
      );
      expect(isReplay(answer)).toBe(false);
    });
    expect((await api.get(`/v1/people/${id}`)).data.lastName).toBe("");
    expect(await named("Next")).toBe(1);
  });

  if (overNats)
    it.each(["gateway", "idempotency"])(
      "kill -9 of the process of %s during a slow write: the write goes on, and a retry finds its answer",
      async (folder) => {
        const headers = keyed();
        // A write waits for a row for some seconds only, which a start may take.
        const id = await killInSlowWrite(folder, headers);
        await cluster.start(folder);
        const answer = await until(
          "the write is answered",
          async () => {
            const one = await api.patch(`/v1/people/${id}`, { lastName: "Slow" }, headers);
            return one.status === 200 && one;
          },
          FREE_MS,
        );
        expect([answer.data.lastName, isReplay(answer)]).toEqual(["Slow", true]);
      },
      60_000,
    );

  it("kill -9 at any moment of many writes: each is there once, and answered with the same bytes for good", async () => {
    const folder = overNats ? "people" : ALL;
    const writes = Array.from({ length: 40 }, (_, i) => ({ lastName: `Crash ${i}`, headers: keyed() }));
    const first = writes.map(({ lastName, headers }) =>
      api.post("/v1/people", { lastName }, headers).catch(() => undefined),
    );
    await Promise.race(first);
    await cluster.kill(folder);
    await cluster.start(folder);
    const before = await Promise.all(first);
    const after = await Promise.all(writes.map(({ lastName, headers }) => untilDefinitive(lastName, headers)));
    for (const [i, { lastName, headers }] of writes.entries()) {
      if (before[i]?.status === 200) expect(before[i].text).toBe(after[i]?.text);
      expect((await api.post("/v1/people", { lastName }, headers)).text).toBe(after[i]?.text);
      expect([lastName, await named(lastName)]).toEqual([lastName, 1]);
    }
  });

  it("a database that is away is 503, nothing runs, and the same key works when it is back", async () => {
    const headers = keyed();
    await proxy.cut();
    const { status, error, headers: told } = await api.post("/v1/people", { lastName: "Away" }, headers);
    expect([status, told["retry-after"]]).toEqual([503, "1"]);
    expect(["IDEMPOTENCY_UNAVAILABLE", "SERVICE_UNAVAILABLE"]).toContain(error.code);
    await proxy.restore();
    expect(await named("Away")).toBe(0);
    const answer = await untilDefinitive("Away", headers);
    expect(isReplay(answer)).toBe(false);
    expect(isReplay(await untilDefinitive("Away", headers))).toBe(true);
    expect(await named("Away")).toBe(1);
  });

  it("saved responses that cannot be looked up are 503 IDEMPOTENCY_UNAVAILABLE, and nothing runs; without a key all goes on", async () => {
    const headers = keyed();
    await test.database.transaction(async (trx) => {
      await trx.raw("lock table saved_responses in access exclusive mode");
      const [{ status, error, headers: told }, plain] = await Promise.all([
        api.post("/v1/people", { lastName: "Locked" }, headers),
        api.post("/v1/people", {}),
      ]);
      expect([status, error.code, told["retry-after"], plain.status]).toEqual([
        503,
        "IDEMPOTENCY_UNAVAILABLE",
        "1",
        200,
      ]);
    });
    expect(await named("Locked")).toBe(0);
    expect((await untilDefinitive("Locked", headers)).status).toBe(200);
  });

  it("a 500 of a write that had begun is kept, and nothing of what the write did (docs/guides/idempotency.md#what-is-saved)", async () => {
    const headers = keyed();
    const send = () => api.post("/v1/people", { lastName: "Broken" }, headers);
    await test.database.knex.raw(
      `create function fail() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create constraint trigger fail after insert on people for each row when (new.last_name = 'Broken') execute function fail()`,
    );
    const first = await send();
    expect([first.status, first.error.code]).toEqual([500, "INTERNAL_SERVER_ERROR"]);
    await test.database.knex.raw("drop trigger fail on people");
    const again = await send();
    expect([again.status, again.text, isReplay(again)]).toEqual([500, first.text, true]);
    expect(await named("Broken")).toBe(0);
    expect((await api.post("/v1/people", { lastName: "Broken" }, keyed())).status).toBe(200);
  });
});
