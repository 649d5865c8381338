import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startWorld, type TestGroup, type TestWorkspace, type World } from "../../lab/harness/world.ts";
import { brokenInvariants } from "../http/record-invariants.ts";
import { type Answer, type Client, client, patientClient } from "../support/client.ts";
import { type Cluster, copyName, startCluster } from "../support/cluster.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";

const CLIENTS = 64;
const REQUESTS = 5000;
/** Requests of the race in which processes are killed. */
const REQUESTS_KILLED = 2000;
const VALUES = 200;
const KILLS = 3;

/** A value of a match key in one of its spellings, in a body that differs each time. */
interface Ask {
  value: number;
  path: string;
  body: { match: string[]; record: Record<string, unknown> };
}

// docs/guides/upsert.md#at-the-same-moment
describeBus("Upserts of equal values at the same moment, through two gateways", () => {
  let test: TestDatabase;
  let nats: NatsServer;
  let cluster: Cluster;
  let world: World;
  let workspace: TestWorkspace;
  let group: TestGroup;
  let apis: Client[];

  beforeAll(async () => {
    [test, nats] = await Promise.all([testDatabase(), startNats()]);
    cluster = await startCluster({ natsUrl: nats.url, databaseUrl: test.url, copies: 2 });
    world = await startWorld(test.database);
  });

  afterAll(async () => {
    await world?.stop();
    await cluster?.stop();
    await nats?.stop();
    await test?.drop();
  });

  async function setUp() {
    workspace = await world.workspace();
    group = await workspace.group(workspace.ada);
    await workspace.field(workspace.ada, group, "company", { type: "objectField", name: "Deals" });
    await workspace.field(workspace.ada, group, "Deals", { type: "textField", name: "Key" });
    apis = cluster.bases.map((_, i) => client(serverAt(i), workspace.ada.key));
  }

  const serverAt = (i: number) => ({
    ...{ base: cluster.bases[i] ?? "", publicUrl: cluster.publicUrl },
    ...{ database: test.database, stop: cluster.stop },
  });

  /** A fifth of the values each are of addresses, phones, URLs, names of companies, and custom values of objects. */
  const KINDS: ((i: number, value: number, isOdd: boolean) => Omit<Ask, "value">)[] = [
    (i, value, isOdd) => person("emails", i, isOdd ? `RACE${value}@X.TEST` : `race${value}@x.test`),
    (i, value, isOdd) => person("phones", i, `${isOdd ? "0044 20 7946" : "+44 (0)20-7946-"}${1000 + value}`),
    (i, value, isOdd) => person("urls", i, isOdd ? `https://www.x.test/race/${value}/` : `X.test/race/${value}`),
    (i, value, isOdd) => ({
      path: "/v1/companies",
      body: {
        match: isOdd ? ["name"] : ["emails", "name"],
        record: { name: isOdd ? ` Race ${value}` : `Race ${value}`, industry: `${i}` },
      },
    }),
    (i, value, isOdd) => ({
      path: `/v1/groups/${group.id}/Deals`,
      body: {
        match: ["customFieldValues.Key"],
        record: { name: `Deal ${i}`, customFieldValues: { Key: isOdd ? `e\u0301${value}` : `é${value}` } },
      },
    }),
  ];

  function person(list: string, i: number, text: string): Omit<Ask, "value"> {
    const record = { [list]: [`other ${i}`, text], jobTitle: `${i}` };
    return { path: "/v1/people", body: { match: [list], record } };
  }

  /** The requests about one value are sent at the same moment, through both gateways in both spellings. */
  function ask(i: number, requests: number): Ask {
    const value = Math.floor((i * VALUES) / requests);
    const isOdd = Math.floor(i / 2) % 2 === 1;
    const kind = KINDS[value % KINDS.length];
    if (!kind) throw new Error("There is no such kind");
    return { value, ...kind(i, value, isOdd) };
  }

  /** Sends all requests from so many clients, each of which sends its next one when it has an answer. */
  async function race(
    requests: number,
    send: (ask: Ask, i: number) => Promise<Answer>,
  ): Promise<Map<number, Answer[]>> {
    const answers = new Map<number, Answer[]>();
    let next = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (next < requests) {
          const i = next;
          next += 1;
          const one = ask(i, requests);
          const answer = await send(one, i);
          answers.set(one.value, [...(answers.get(one.value) ?? []), answer]);
        }
      }),
    );
    return answers;
  }

  const apiAt = (i: number) => apis[i % apis.length] as Client;

  async function idsThere(): Promise<string[]> {
    const paths = ["/v1/people", "/v1/companies", `/v1/groups/${group.id}/Deals`];
    const lists = await Promise.all(paths.map((path) => apiAt(0).all(`${path}?limit=100`)));
    return lists.flat().map(({ id }) => id);
  }

  it(`make one record of each of ${VALUES} values, and no error, in ${REQUESTS} requests of ${CLIENTS} clients`, async () => {
    await setUp();
    const patient = apis.map((_, i) => patientClient(serverAt(i), workspace.ada.key));
    const answers = await race(REQUESTS, ({ path, body }, i) => {
      const { record, ...options } = body;
      // Every tenth is a batch, with its record twice. Few batches run at once, so they are sent again while they are 503.
      return i % 10 === 0
        ? (patient[(i / 10) % 2] as Client).post(`${path}/batch/upsert`, { ...options, records: [record, record] })
        : apiAt(i).post(`${path}/upsert`, body);
    });
    const all = [...answers.values()].flat();
    expect(all.flatMap(({ status, text }) => (status === 200 ? [] : text)).slice(0, 5)).toEqual([]);
    const operations = all.flatMap(({ body, data }) => {
      const results = data.results as { status: string; operation: string }[] | undefined;
      return results ? results.map((one) => one.operation) : (body as { operation: string }).operation;
    });
    expect(operations.filter((operation) => operation === "created")).toHaveLength(VALUES);
    expect(await idsThere()).toHaveLength(VALUES);
    expect(await brokenInvariants(test.database, workspace.uuid)).toEqual([]);
  });

  it("make one record of each value while a process is killed again and again, and what was answered is there", async () => {
    await setUp();
    const kills = { left: KILLS, underWay: Promise.resolve() };
    const kill = async () => {
      await cluster.kill(copyName(1));
      await cluster.start(copyName(1));
    };
    let failed = 0;
    const insist = async ({ path, body }: Ask, i: number): Promise<Answer> => {
      const answer = await apiAt(i)
        .post(`${path}/upsert`, body)
        .catch(() => undefined);
      if (answer?.status === 200) return answer;
      if (answer && answer.status !== 503) throw new Error(answer.text);
      failed += 1;
      return insist({ path, body, value: 0 }, i + 1);
    };
    const answers = await race(REQUESTS_KILLED, (one, i) => {
      const killed = KILLS - kills.left;
      if (kills.left > 0 && i > (killed + 1) * (REQUESTS_KILLED / (KILLS + 2))) {
        kills.left -= 1;
        kills.underWay = kills.underWay.then(kill);
      }
      return insist(one, i);
    });
    await kills.underWay;
    expect(failed).toBeGreaterThan(0);
    const ids = await idsThere();
    expect(ids).toHaveLength(VALUES);
    for (const of of answers.values()) {
      const answered = [...new Set(of.map(({ data }) => data.id))];
      expect(answered).toHaveLength(1);
      expect(ids).toContain(answered[0]);
    }
    expect(await brokenInvariants(test.database, workspace.uuid)).toEqual([]);
  });
});
