import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { toId, type Uuid } from "../../base/values/ids.ts";
import { type NatsServer, natsProgram, startNats } from "../../lab/harness/nats-server.ts";
import { type NetworkProxy, openProxy } from "../../lab/harness/network-proxy.ts";
import { until } from "../../lab/harness/until.ts";
import { startWorld, type World } from "../../lab/harness/world.ts";
import { type Client, type Item, patientClient } from "../support/client.ts";
import { ALL, type Cluster, copyName, startCluster } from "../support/cluster.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { answerJson, hang, type ProviderServer, startProvider } from "../support/provider-server.ts";
import { overNats } from "../support/server.ts";

jest.setTimeout(300_000);

const possible = !overNats || "path" in natsProgram();

// Processes, a database, a bus and a provider of their own, since they are killed and broken.
// docs/guides/enrichment.md#crashes
(possible ? describe : describe.skip)("Enrichments, when something fails", () => {
  let bus: NatsServer | undefined;
  let cluster: Cluster;
  let test: TestDatabase;
  let proxy: NetworkProxy;
  let provider: ProviderServer;
  let world: World;

  beforeAll(async () => {
    [test, provider] = await Promise.all([testDatabase(), startProvider()]);
    proxy = await openProxy(test.url);
    if (overNats) bus = await startNats();
    cluster = await startCluster({
      databaseUrl: proxy.url,
      ...(bus && { natsUrl: bus.url }),
      env: { ENRICHMENT_PROVIDER: "http", ENRICHMENT_URL: provider.url },
    });
    world = await startWorld(test.database);
  });

  afterAll(async () => {
    await cluster?.stop();
    await world?.stop();
    await provider?.stop();
    await proxy?.stop();
    await test?.drop();
    await bus?.stop();
  });

  afterEach(() => {
    provider.asked.length = 0;
  });

  /** The process that does enrichments. */
  const worker = overNats ? "interactions" : ALL;

  async function setUp() {
    const workspace = await world.workspace();
    const api = patientClient({ ...cluster, database: test.database, stop: cluster.stop }, workspace.ada.key);
    const { data: person } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const enrich = async () => (await api.post(`/v1/people/${person.id}/enrich`)).data;
    return { workspace, api, person, enrich };
  }

  /** Waits for longer than a lease, so that an attempt which a busy machine has broken is made again. */
  function finished(api: Client, { id }: Item): Promise<Item> {
    return until(
      "it has finished",
      async () => {
        const { data } = await api.get(`/v1/enrichments/${id}`);
        return data.finishedAt === null ? undefined : data;
      },
      60_000,
    );
  }

  /** Lets half a minute pass: the leases of all who work on something end. */
  const endLeases = () =>
    test.database.read("update enrichments set due_at = now() where due_at is not null and lease is not null");

  const asked = (count = 1) => until("the provider is asked", () => provider.asked[count - 1]);
  const keys = () => provider.asked.map(({ headers }) => headers["idempotency-key"]);

  it("kill -9 of the process that asks the provider: another one takes it up when the lease has ended", async () => {
    const { api, person, enrich } = await setUp();
    provider.answer(hang, answerJson({ jobTitle: "Rear admiral" }));
    const made = await enrich();
    await asked();
    await cluster.kill(worker);
    await cluster.start(worker);
    // While the lease holds nobody else touches it.
    const { data } = await until("it answers again", async () => {
      const answer = await api.get(`/v1/enrichments/${made.id}`);
      return answer.status === 200 && answer;
    });
    expect([data.status, provider.asked.length]).toEqual(["in_progress", 1]);
    await endLeases();
    expect(await finished(api, made)).toMatchObject({ status: "completed", result: { addedFields: ["jobTitle"] } });
    expect(new Set(keys())).toEqual(new Set([made.id]));
    expect(keys().length).toBeGreaterThanOrEqual(2);
    expect((await api.get(`/v1/people/${person.id}`)).data.jobTitle).toBe("Rear admiral");
    expect((await api.get("/v1/credits")).data).toMatchObject({ remaining: 99, used: 1 });
  });

  it("kill -9 at any moment of many: each is completed once, and costs one credit", async () => {
    const { workspace, api, enrich } = await setUp();
    provider.answer(answerJson({ jobTitle: "Rear admiral" }));
    const made: Item[] = [];
    for (let i = 0; i < 30; i += 1) made.push(await enrich());
    await asked(5);
    await cluster.kill(worker);
    await cluster.start(worker);
    await endLeases();
    const ended = await Promise.all(made.map((one) => finished(api, one)));
    expect(ended.map(({ status }) => status)).toEqual(made.map(() => "completed"));
    const filling = ended.filter(({ result }) => (result as { addedFields: string[] }).addedFields.length > 0);
    expect(filling).toHaveLength(1);
    const counted = "select remaining, used from credits where workspace_id = $1";
    expect(await test.database.read(counted, [workspace.uuid])).toEqual([{ remaining: 70, used: 30 }]);
  });

  it("an orderly stop gives back what was begun, and the next process goes on at once", async () => {
    const { api, enrich } = await setUp();
    provider.answer(hang, answerJson({ jobTitle: "Rear admiral" }));
    const made = await enrich();
    await asked();
    await cluster.terminate(worker);
    await cluster.start(worker);
    expect(await finished(api, made)).toMatchObject({ status: "completed" });
    expect(keys()).toEqual([made.id, made.id]);
  });

  it("a database that is away for a while holds enrichments up, and they go on when it is back", async () => {
    const { api, person, enrich } = await setUp();
    provider.answer(hang, answerJson({ jobTitle: "Rear admiral" }));
    const made = await enrich();
    await asked();
    await proxy.cut();
    await proxy.restore();
    await endLeases();
    expect(await finished(api, made)).toMatchObject({ status: "completed" });
    expect((await api.get(`/v1/people/${person.id}`)).data.jobTitle).toBe("Rear admiral");
    expect((await api.get("/v1/credits")).data).toMatchObject({ remaining: 99, used: 1 });
  });

  it("of two processes each enrichment is done by one, and when one is killed the other goes on", async () => {
    const two = await startCluster({
      databaseUrl: proxy.url,
      ...(bus && { natsUrl: bus.url }),
      env: { ENRICHMENT_PROVIDER: "http", ENRICHMENT_URL: provider.url },
      copies: 2,
    });
    try {
      await cluster.kill(worker);
      const workspace = await world.workspace();
      const [base = "", otherBase = ""] = two.bases;
      const at = (where: string) =>
        patientClient({ ...two, base: where, database: test.database, stop: two.stop }, workspace.ada.key);
      const api = at(base);
      const { data: person } = await api.post("/v1/people", {});
      provider.answer(answerJson({ jobTitle: "Rear admiral" }));
      const made: Item[] = [];
      for (let i = 0; i < 20; i += 1) made.push((await api.post(`/v1/people/${person.id}/enrich`)).data);
      await Promise.all(made.map((one) => finished(api, one)));
      // A busy machine may have no turn for what an attempt has found. It is lost then, and counted.
      const attempts = await test.database.read<{ uuid: Uuid; attempts: number }>(
        "select id as uuid, attempts from enrichments where workspace_id = $1",
        [workspace.uuid],
      );
      const attempted = attempts.flatMap((row) => Array(row.attempts).fill(toId("enrichment", row.uuid)));
      expect(keys().toSorted()).toEqual(attempted.toSorted());
      const before = keys().length;
      provider.answer(hang);
      const { data: last } = await api.post(`/v1/people/${person.id}/enrich`);
      await asked(before + 1);
      provider.answer(answerJson({}));
      await two.kill(copyName(0));
      await endLeases();
      expect(await finished(at(otherBase), last)).toMatchObject({ status: "completed" });
    } finally {
      await two.stop();
      await cluster.start(worker);
    }
  });
});
