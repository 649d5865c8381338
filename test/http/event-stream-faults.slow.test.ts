import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type NatsServer, natsProgram, startNats } from "../../lab/harness/nats-server.ts";
import { until } from "../../lab/harness/until.ts";
import { startWorld, type TestWorkspace, type World } from "../../lab/harness/world.ts";
import { type Cluster, copyName, startCluster } from "../support/cluster.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type EventReader, readEvents } from "../support/event-reader.ts";
import { publish } from "../support/events.ts";
import { overNats } from "../support/server.ts";

// Two gateways, each of which has all services. In one process there is only one.
const possible = overNats && "path" in natsProgram();

(possible ? describe : describe.skip)("Streams in two gateways (docs/guides/event-feed.md#when-it-ends)", () => {
  let bus: NatsServer;
  let test: TestDatabase;
  let cluster: Cluster;
  let world: World;
  let workspace: TestWorkspace;
  const open: EventReader[] = [];

  beforeAll(async () => {
    [bus, test] = await Promise.all([startNats(), testDatabase()]);
    cluster = await startCluster({ natsUrl: bus.url, databaseUrl: test.url, copies: 2 });
    world = await startWorld(test.database);
    workspace = await world.workspace();
  });

  afterAll(async () => {
    await cluster?.stop();
    await world?.stop();
    await test?.drop();
    await bus?.stop();
  });

  afterEach(async () => {
    for (const reader of open.splice(0)) reader.close();
    // As if half a minute had passed, after which a gateway that was killed holds no places.
    await until(
      "all places are free",
      async () => {
        await test.database.read("update event_streams set until = now() where until < now() + interval '25 s'");
        return (await test.database.read("select from event_streams where until > now()")).length === 0;
      },
      20_000,
    );
  });

  async function read(gateway: number, lastEventId = ""): Promise<EventReader> {
    const headers = { "Last-Event-ID": lastEventId };
    const reader = await readEvents(
      { base: cluster.bases[gateway] ?? "", publicUrl: cluster.publicUrl },
      workspace.ada.key,
      "",
      headers,
    );
    open.push(reader);
    return reader;
  }
  const tell = (count: number) =>
    publish(
      test.database,
      workspace.uuid,
      Array.from({ length: count }, () => ({})),
    );

  it("a user has five in both together", async () => {
    const readers = await Promise.all(Array.from({ length: 12 }, (_, i) => read(i % 2)));
    expect(readers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(readers.filter(({ status }) => status === 429)).toHaveLength(7);
  });

  it("a stop ends them whole and does not wait for them", async () => {
    const reader = await read(0);
    await cluster.terminate(copyName(0));
    await until("it has ended", reader.isOver);
    expect(reader.isWhole()).toBe(true);
    await cluster.start(copyName(0));
  });

  it("kill -9 of a gateway: who goes on at the other one with the last id misses nothing", async () => {
    const reader = await read(0);
    const made = await tell(50);
    await until("some have come", () => reader.about().length > 0);
    await cluster.kill(copyName(0));
    await until("it has ended", reader.isOver);
    made.push(...(await tell(50)));
    const again = await read(1, reader.events().at(-1)?.id);
    await until("all have come", () => again.text().includes(made.at(-1) ?? "-"));
    expect([...reader.about(), ...again.about()]).toEqual(made);
    await cluster.start(copyName(0));
  });
});
