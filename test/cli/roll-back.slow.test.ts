import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { release } from "../../config/release.ts";
import { serviceFolders } from "../../config/service-folders.ts";
import { startCommand } from "../../lab/harness/command.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { TEST_ENV } from "../../lab/harness/server-env.ts";
import { ROOT, type ServerProcess, spawnServer } from "../../lab/harness/server-process.ts";
import { until } from "../../lab/harness/until.ts";
import { startWorld, type World } from "../../lab/harness/world.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";
import { type NextRelease, nextRelease } from "../support/next-release.ts";
import { startWalkers, type Walkers } from "../support/walkers.ts";

jest.setTimeout(600_000);

const OF_GATEWAY = ["gateway", "ratelimit", "idempotency"];
/** Adds a column, and a table that a trigger fills, also when the release before writes. */
const EXPANSION = `
alter table people add column nickname text not null default '';
create table walks (
  workspace_id uuid not null,
  person_id uuid not null,
  primary key (workspace_id, person_id),
  foreign key (workspace_id, person_id) references people (workspace_id, id) on delete cascade
);
create function note_walk() returns trigger language plpgsql as $$
begin
  insert into walks values (new.workspace_id, new.id);
  return null;
end $$;
create trigger people_walk after insert on people for each row execute function note_walk();
`;

// docs/guides/upgrading.md#going-back
describeBus("From a release to the next and back, one process after the other, under load", () => {
  let nats: NatsServer;
  let test: TestDatabase;
  let world: World;
  let next: NextRelease;
  let walkers: Walkers;
  const processes = new Map<string, { server: ServerProcess; lines: string[] }>();
  /** Lines of all processes, also of those that have ended. */
  const said: string[] = [];
  const variables = new Map<string, Record<string, string>>();

  beforeAll(async () => {
    next = nextRelease(EXPANSION);
    [nats, test] = await Promise.all([startNats(), testDatabase()]);
    world = await startWorld(test.database);
    const { key } = (await world.workspace()).ada;
    const shared = {
      ...TEST_ENV,
      LOG_LEVEL: "info",
      ACCESS_LOG: "off",
      NATS_URL: nats.url,
      DATABASE_URL: test.url,
      NAMESPACE: `walk-${randomBytes(4).toString("hex")}`,
    };
    const ports = [await freePort(), await freePort()];
    const others = serviceFolders().filter((folder) => !OF_GATEWAY.includes(folder));
    for (const [i, port] of ports.entries()) {
      variables.set(`gateway ${i}`, { ...shared, PORT: String(port), SERVICES: OF_GATEWAY.join() });
      variables.set(`services ${i}`, { ...shared, SERVICES: others.join() });
    }
    await Promise.all([...variables.keys()].map((name) => start(name, ROOT)));
    walkers = startWalkers(ports, key);
  });

  afterAll(async () => {
    await walkers?.rest().catch(() => undefined);
    walkers?.close();
    await Promise.all([...processes.values()].map(({ server }) => server.end()));
    await world?.stop();
    await nats?.stop();
    await test?.drop();
    next?.remove();
  });

  /** Starts a process of the checkout at `root`; returns when it says that it is ready. */
  async function start(name: string, root: string): Promise<void> {
    const lines: string[] = [];
    const server = spawnServer(name, variables.get(name) ?? {}, {
      root,
      read(line) {
        lines.push(line);
        said.push(`${name}: ${line}`);
      },
    });
    processes.set(name, { server, lines });
    await server.ready;
  }
  const end = (name: string, signal: NodeJS.Signals) => processes.get(name)?.server.end(signal);

  /** Exchanges processes one by one, in the orderly way. */
  async function exchange(names: string[], root: string): Promise<void> {
    for (const name of names) {
      await end(name, "SIGTERM");
      await start(name, root);
      await someRequests();
    }
  }

  /** Lets the walkers go on for a while. */
  async function someRequests(): Promise<void> {
    const from = walkers.requests();
    await until("the walkers go on", () => walkers.requests() > from + 50, 60_000);
  }

  /** Requests that failed since the last call, each with what the processes have logged about it. */
  const failures = () =>
    walkers.takeFailures().map((failure) => {
      const [id = "none"] = /(?<="requestId":")[^"]+/.exec(failure) ?? [];
      return [failure, ...said.filter((line) => line.includes(id))];
    });
  const says = (name: string, words: string) =>
    until(`${name} says: ${words}`, () => processes.get(name)?.lines.some((line) => line.includes(words)), 60_000);
  const run = async (words: string[], root: string) => {
    const { code, out } = await startCommand(words, { DATABASE_URL: test.url }, root).ended;
    return { code, json: JSON.parse(out) };
  };

  it("serves every request while the next release comes, also when an old process dies and comes back", async () => {
    await someRequests();
    await exchange(["services 0"], next.root);
    await says("services 0", `Migrated the database: applied ${next.migration}.`);
    await says("services 0", `Two releases run: ${release()} (`);
    expect(failures()).toEqual([]);

    await end("services 1", "SIGKILL");
    await start("services 1", ROOT);
    const found = `A later release has migrated the database (${next.migration} of ${next.version}). This release, ${release()}, may run with that: it goes on, and migrates nothing.`;
    await says("services 1", found);
    await someRequests();
    // Only one process served meanwhile, so a busy machine may have refused the same request three times.
    expect(walkers.takeFailures().filter((failure) => !/: (503|0) /.test(failure))).toEqual([]);

    await exchange(["services 1", "gateway 0", "gateway 1"], next.root);
    await says("services 0", `All processes run ${next.version} now.`);
    expect(failures()).toEqual([]);
  });

  it("serves every request while the release before comes back", async () => {
    await exchange(["services 1", "services 0", "gateway 0", "gateway 1"], ROOT);
    await says("services 1", `All processes run ${release()} now.`);
    expect(failures()).toEqual([]);
    const { id } = await walkers.ask<{ id: string }>("POST", "/v1/people", { firstName: "Last" });
    await walkers.ask("DELETE", `/v1/people/${id}`);
  });

  it("keeps every acknowledged write once, and is sound for both releases", async () => {
    await walkers.rest();
    const people = await test.database.read<{ title: string; walks: number }>(
      `select job_title as title, (select count(*)::int from walks w where (w.workspace_id, w.person_id) = (p.workspace_id, p.id)) as walks
       from people p`,
      [],
    );
    expect(people.map(({ title }) => title).sort()).toEqual([...walkers.acknowledged.values()].sort());
    // Those of the time before the migration have none, all others one, whichever release has written them.
    expect(people.filter(({ walks }) => walks === 1).length).toBeGreaterThan(people.length / 2);
    for (const [id, title] of [...walkers.acknowledged].slice(-20))
      expect(await walkers.ask("GET", `/v1/people/${id}`)).toMatchObject({ jobTitle: title });
    const { json } = await run(["doctor", "--json"], ROOT);
    const faults = (json.checks as { name: string; ok: boolean }[]).filter(({ ok }) => !ok).map(({ name }) => name);
    // The PostgreSQL of the tests is not durable.
    expect(faults.filter((name) => name !== "durability")).toEqual([]);
    expect(await run(["migrate", "--json"], next.root)).toEqual({ code: 0, json: { applied: [] } });
  });
});
