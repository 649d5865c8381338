import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { type Database, openDatabase } from "../../../database/database.ts";
import { type NatsServer, startNats } from "../../../lab/harness/nats-server.ts";
import { type Postgres, startPostgres } from "../../../lab/harness/postgres.ts";
import { until } from "../../../lab/harness/until.ts";
import { startWorld, type TestUser, type World } from "../../../lab/harness/world.ts";
import { sendAll } from "../../../lab/torture/limits/clients.ts";
import type { Asked, History, User } from "../../../lab/torture/limits/history.ts";
import { BOUNDS, judge } from "../../../lab/torture/limits/judge.ts";
import { POLICIES } from "../../../lab/torture/limits/program.ts";
import { now } from "../../../lab/torture/promise.ts";
import { type Came, openSender, type Sender } from "../../../lab/torture/sender.ts";
import { type Cluster, copyName, startCluster } from "../../support/cluster.ts";
import { PATIENT } from "../../support/database.ts";
import { describeBus } from "../../support/nats.ts";

jest.setTimeout(300_000);

const PROCESSES = 3;
const BEFORE_MS = 2_500;
/** A test goes on for so long after what it does to a process: longer than a process that hangs keeps its users. */
const AFTER_MS = 4_000;
/** A quota of the shorter window: so many are admitted again, however long a busy machine takes for it. */
const ADMITTED_AGAIN = 20;
const ADMITTED_WITHIN_MS = 30_000;
const LATE_MS_MAX = 100;
const REFUSED = ["nobody is refused within the quota", "who reads the headers is not refused"];
/** On a busy machine the other processes may hang too, and then a user may lose half of a quota. */
const TRIES_MAX = 4;

describeBus("Users and the processes that hold them (docs/decisions/0007-rate-limits.md)", () => {
  // Transactions and sessions are those of a whole PostgreSQL, so that of the other tests will not do.
  let postgres: Postgres;
  let database: Database;
  let world: World;
  let nats: NatsServer;
  let cluster: Cluster;
  let senders: Sender[];

  beforeAll(async () => {
    postgres = await startPostgres({ durable: false });
    database = await openDatabase(postgres.url, { waits: PATIENT });
    world = await startWorld(database);
    nats = await startNats();
    const limits = POLICIES.map(({ name, quota, windowS }) => `${name}=${quota}/${windowS}`).join(",");
    cluster = await startCluster({
      natsUrl: nats.url,
      databaseUrl: postgres.url,
      copies: PROCESSES,
      env: { RATE_LIMITS: limits },
    });
    senders = cluster.bases.map((base) => openSender(Number(new URL(base).port)));
  });

  afterAll(async () => {
    for (const sender of senders ?? []) sender.close();
    await cluster?.stop();
    await nats?.stop();
    await world?.stop();
    await database?.close();
    await postgres?.stop();
  });

  const send = ({ key }: TestUser, gateway: number): Promise<Came> =>
    (senders[gateway] as Sender).send({
      method: "GET",
      path: "/v1/users/me",
      headers: { Authorization: `Bearer ${key}` },
    });

  /** The process that counts the requests of a user. Its node has its process id in its name. */
  async function holderOf({ uuid }: TestUser): Promise<number> {
    const sql = "select holder from rate_windows where user_id = $1";
    const [row] = await database.read<{ holder: string }>(sql, [uuid]);
    return Number(/-(\d+)-\w+\/\d+$/.exec(row?.holder ?? "")?.[1]);
  }

  /** Makes a process the holder of a user, by the first request. */
  async function beHeld(user: TestUser, { name }: User, gateway: number): Promise<Asked> {
    const sentAt = now();
    const { status } = await send(user, gateway);
    return { user: name, gateway, sentAt, answeredAt: now(), status };
  }

  /**
   * Lets a user who floods and one who reads the headers send through all gateways before, while and after something
   * happens to the process that holds them. Gives the broken promises, and how many requests of the first were admitted
   * afterwards.
   */
  async function during(happens: (holder: { pid: number; name: string }) => Promise<unknown>) {
    const [flood, reader] = [(await world.workspace()).ada, (await world.workspace()).ada];
    const users: [User, User] = [
      { name: "flood", manner: "flood", keys: [flood.key] },
      { name: "reader", manner: "reader", keys: [reader.key] },
    ];
    const asked = [await beHeld(flood, users[0], 1), await beHeld(reader, users[1], 1)];
    const holder = { pid: await holderOf(flood), name: copyName(1) };
    expect(await holderOf(reader)).toBe(holder.pid);
    const history: History = { asked, restarts: [] };
    let isOver = false;
    const sending = sendAll(users, 0, { senders, history, isOver: () => isOver });
    await pause(BEFORE_MS);
    await happens(holder);
    const happenedAt = now();
    const admittedSince = () =>
      history.asked.filter(({ user, sentAt, status }) => user === "flood" && sentAt > happenedAt && status === 200)
        .length;
    await pause(AFTER_MS);
    const isEnough = () => admittedSince() >= ADMITTED_AGAIN;
    // Too few of them are told by the test.
    await until("the flood is admitted again", isEnough, ADMITTED_WITHIN_MS).catch(() => undefined);
    isOver = true;
    await sending;
    const broken = new Set(judge(history, users, POLICIES, BOUNDS).map(({ promise }) => promise));
    return { broken: [...broken], admittedSince: admittedSince() };
  }

  it("take a twentieth of the transactions that there are requests", async () => {
    // In one workspace: the log of requests is written for each by itself.
    const workspace = await world.workspace();
    const users = await Promise.all(Array.from({ length: 60 }, (_, i) => workspace.user(`User ${i}`)));
    // The first use of a key in a minute is written too.
    await database.read("update api_keys set last_used_at = now()");
    const before = await nextTransaction();
    const begun = now();
    const answers: Promise<Came>[] = [];
    for (let [i, dueAt] = [0, begun]; i < 1000; i++) {
      while (now() < dueAt) await pause(1);
      // A sender that falls behind does not catch up in a burst.
      dueAt = Math.max(dueAt, now() - LATE_MS_MAX) + 2;
      answers.push(send(users[i % users.length] as TestUser, (i + Math.floor(i / users.length)) % PROCESSES));
    }
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    const used = (await nextTransaction()) - before;
    // On a busy machine the requests take longer than their two seconds, and there are more of the intervals.
    const times = Math.max(1, (now() - begun) / 2000);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(used).toBeLessThanOrEqual(50 * times);
  });

  async function nextTransaction(): Promise<number> {
    const [row] = await database.read<{ next: string }>("select pg_snapshot_xmax(pg_current_snapshot())::text as next");
    return Number(row?.next);
  }

  const OVER = "no more than the quota is admitted";

  it("admit no more than a quota while their holder stops in an orderly way, and refuse nobody within it", async () => {
    const refused: string[][] = [];
    while (refused.length < TRIES_MAX && refused.every(({ length }) => length > 0)) {
      const { broken, admittedSince } = await during(async ({ name }) => {
        await cluster.terminate(name);
        await cluster.start(name);
      });
      expect(broken).not.toContain(OVER);
      expect(admittedSince).toBeGreaterThanOrEqual(ADMITTED_AGAIN);
      refused.push(broken.filter((promise) => REFUSED.includes(promise)));
    }
    expect(refused).toContainEqual([]);
  });

  it("admit no more than a quota when their holder is killed", async () => {
    const { broken, admittedSince } = await during(async ({ name }) => {
      await cluster.kill(name);
      await cluster.start(name);
    });
    expect(broken).not.toContain(OVER);
    expect(admittedSince).toBeGreaterThanOrEqual(ADMITTED_AGAIN);
  });

  it("admit no more than a quota while their holder hangs, and after it goes on", async () => {
    const { broken, admittedSince } = await during(async ({ pid }) => {
      process.kill(pid, "SIGSTOP");
      await pause(AFTER_MS);
      process.kill(pid, "SIGCONT");
    });
    expect(broken).not.toContain(OVER);
    expect(admittedSince).toBeGreaterThanOrEqual(ADMITTED_AGAIN);
  });

  it("admit no more than a quota when all processes lose their sessions", async () => {
    const { broken, admittedSince } = await during(() =>
      database.read(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '%rate windows%'",
      ),
    );
    expect(broken).not.toContain(OVER);
    expect(admittedSince).toBeGreaterThanOrEqual(ADMITTED_AGAIN);
  });
});
