import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { openDatabase } from "../../database/database.ts";
import { migrate } from "../../database/migrate/migrate.ts";
import { type NatsServer, natsProgram, startNats } from "../../lab/harness/nats-server.ts";
import { type ReplicaPair, startReplicaPair } from "../../lab/harness/replica-pair.ts";
import { until } from "../../lab/harness/until.ts";
import { startWorld, type World } from "../../lab/harness/world.ts";
import { type Client, client, type Item } from "../support/client.ts";
import { type Cluster, startCluster } from "../support/cluster.ts";
import { PATIENT } from "../support/database.ts";
import { overNats } from "../support/server.ts";

const nats = natsProgram();
const possible = !overNats || "path" in nats;

let pair: ReplicaPair;
let bus: NatsServer | undefined;
let cluster: Cluster;
let database: Awaited<ReturnType<typeof openDatabase>>;
let world: World;
let api: Client;

beforeAll(async () => {
  if (!possible) return;
  pair = await startReplicaPair();
  // The second host is the standby.
  const url = pair.url([pair.primary, pair.standby], "target_session_attrs=read-write");
  await migrate(url);
  database = await openDatabase(url, { waits: PATIENT });
  if (overNats) bus = await startNats();
  cluster = await startCluster({ databaseUrl: url, ...(bus && { natsUrl: bus.url }) });
  world = await startWorld(database);
  const { ada } = await world.workspace();
  api = client({ ...cluster, database, stop: cluster.stop }, ada.key);
  await pair.setSynchronous(true);
}, 240_000);

afterAll(async () => {
  pair?.standby.resume();
  await cluster?.stop();
  await world?.stop();
  await database?.close();
  await pair?.stop();
  await bus?.stop();
});

// docs/guides/high-availability.md#while-the-standby-hangs
(possible ? it : it.skip)(
  "While a synchronous standby hangs, reads go on, writes are 503, and each takes effect once afterwards",
  async () => {
    const { data: ada } = await api.post("/v1/people", { fullName: "Ada Byron" });
    pair.standby.pause();
    const writes = Array.from({ length: 12 }, (_, i) => ({ fullName: `Waits ${i}`, key: randomUUID() }));
    const send = ({ fullName, key }: { fullName: string; key: string }) =>
      api.post("/v1/people", { fullName }, { "Idempotency-Key": key });
    const first = await Promise.all(writes.map(send));
    expect(first.map(({ status, headers }) => [status, headers["retry-after"]])).toEqual(first.map(() => [503, "1"]));

    const reads = [
      `/v1/people/${ada.id}`,
      "/v1/people?limit=100",
      "/v1/people?filter[fullName][like]=ada",
      "/v1/notes?query=ada",
      "/v1/events?limit=5",
      "/v1/interactions",
      "/v1/users/me",
      "/v1/groups",
    ];
    for (let i = 0; i < 3; i += 1) {
      const answers = await Promise.all(reads.map((path) => api.get(path)));
      expect(answers.map(({ status }, at) => [reads[at], status])).toEqual(reads.map((path) => [path, 200]));
    }
    const refused = await api.post("/v1/people", { fullName: "Never begun" });
    expect(refused.status).toBe(503);
    // Its checks have less than half a second, which a busy machine may take longer than.
    await until("/readyz says so", async () => (await api.get("/readyz")).status === 200);
    expect(names(await api.all("/v1/people"))).toEqual(["Ada Byron"]);

    pair.standby.resume();
    for (const write of writes) expect((await until("it is answered", () => answered(send(write)))).status).toBe(200);
    expect(names(await api.all("/v1/people"))).toEqual(["Ada Byron", ...writes.map(({ fullName }) => fullName)].sort());
  },
  240_000,
);

function names(people: Item[]): unknown[] {
  return people.map(({ fullName }) => fullName).sort();
}

async function answered(request: ReturnType<Client["post"]>) {
  const answer = await request;
  return answer.status !== 503 && answer.status !== 409 && answer;
}
