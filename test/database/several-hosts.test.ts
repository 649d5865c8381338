import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { WAITS } from "../../database/connection.ts";
import { type Database, isUnavailable, openDatabase, run } from "../../database/database.ts";
import { databaseFailure } from "../../database/migrate/failure.ts";
import { migrate } from "../../database/migrate/migrate.ts";
import { openClient } from "../../database/open-client.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { type ReplicaPair, startReplicaPair } from "../../lab/harness/replica-pair.ts";
import { until } from "../../lab/harness/until.ts";

// docs/guides/high-availability.md#several-hosts
describe("An address of several hosts", () => {
  jest.setTimeout(240_000);
  let pair: ReplicaPair;
  let silent: Server;
  let opened: Database | undefined;

  beforeAll(async () => {
    pair = await startReplicaPair();
    // It accepts connections and never says a word, like a host whose processes hang.
    silent = createServer((socket) => socket.on("error", () => undefined));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  afterAll(async () => {
    silent?.close();
    await pair?.stop();
  });

  const portOf = async (url: string, parameters = {}) => {
    const client = await openClient({ connectionString: url, connectionTimeoutMillis: 20_000, ...parameters });
    const { rows } = await client.query<{ port: string }>("select current_setting('port') as port");
    await client.end();
    return Number(rows[0]?.port);
  };
  const failureOf = (url: string) => portOf(url).catch((error: unknown) => error);

  it("leads to the primary, whatever its place in the list", async () => {
    const { primary, standby } = pair;
    expect(await portOf(pair.url([standby, primary]))).toBe(primary.port);
    expect(await portOf(pair.url([primary, standby]))).toBe(primary.port);
    expect(await portOf(pair.url([standby, primary], "target_session_attrs=primary"))).toBe(primary.port);
    expect(await portOf(pair.url([standby, primary], "target_session_attrs=any"))).toBe(standby.port);
    const parameters = `host=127.0.0.1,127.0.0.1&port=${standby.port},${primary.port}`;
    expect(await portOf(`${pair.url([standby]).replace(/@[^/]*/, "@")}?${parameters}`)).toBe(primary.port);
  });

  it("passes a host that refuses, and one that says nothing, and remembers the right one", async () => {
    const { primary } = pair;
    const refusing = { ...primary, port: await freePort() };
    const hanging = { ...primary, port: (silent.address() as AddressInfo).port };
    const url = pair.url([refusing, hanging, primary]);
    expect(await portOf(url)).toBe(primary.port);
    const asked = jest.fn();
    silent.on("connection", asked);
    expect(await portOf(url)).toBe(primary.port);
    expect(asked).not.toHaveBeenCalled();
  });

  it("tries each address of a name", async () => {
    // localhost is ::1 as well on many machines, where nobody listens.
    const url = pair.url([pair.standby, pair.primary]).replaceAll("127.0.0.1", "localhost");
    expect(await portOf(url)).toBe(pair.primary.port);
  });

  it("says in one line what each host has said, if none takes writes", async () => {
    const refusing = { ...pair.primary, port: await freePort() };
    const url = pair.url([pair.standby, refusing]);
    const failure = await failureOf(url);
    expect(isUnavailable(failure)).toBe(true);
    expect(databaseFailure(failure, url)).toBe(
      `None of the hosts of DATABASE_URL lets this server in: 127.0.0.1:${pair.standby.port} (this PostgreSQL is a standby, which takes no writes), 127.0.0.1:${refusing.port} (connect ECONNREFUSED 127.0.0.1:${refusing.port}). Start the primary, or correct DATABASE_URL.`,
    );
  });

  it("refuses for good if every host does", async () => {
    const url = pair.url([pair.primary, pair.primary]).replace("/contacts", "/nothing");
    const failure = await failureOf(url);
    expect(isUnavailable(failure)).toBe(false);
    expect(databaseFailure(failure, url)).toMatch(/database "nothing" does not exist/);
  });

  it("gives connections up, also those of reads, when their PostgreSQL stops to take writes", async () => {
    const { primary } = pair;
    const url = pair.url([primary]);
    await migrate(url);
    opened = await openDatabase(url, { waits: WAITS });
    const database = opened;
    const pidOf = "select pg_backend_pid() as pid";
    const lane = database.sharedConnection("lane");
    const pids = async () => {
      const filters = await database.queryPlanned<{ pid: number }>(pidOf);
      const transactions = await database.transaction((trx) => run<{ pid: number }>(trx, pidOf));
      return [...(await lane.read<{ pid: number }>(pidOf)), ...filters, ...transactions].map(({ pid }) => pid);
    };
    const before = await pids();
    await primary.run("alter system set default_transaction_read_only = on");
    await primary.run("select pg_reload_conf()");
    try {
      await until("all connections are others", async () => {
        const now = await pids();
        return now.every((pid) => !before.includes(pid));
      });
    } finally {
      await primary.run("alter system reset default_transaction_read_only");
      await primary.run("select pg_reload_conf()");
    }
  });

  it("finds the new primary after a fail-over, for writes and reads", async () => {
    const { primary, standby } = pair;
    opened = await openDatabase(pair.url([primary, standby]), { poolMax: 4 });
    const database = opened;
    const works = async () => {
      await database.transaction((trx) => run(trx, "create table if not exists after_all (id int)"));
      await database.sharedConnection("lane").read("select 1");
      await database.queryPlanned("select 1");
      return true;
    };
    await works();
    await primary.end("SIGKILL");
    // A connection that is being opened asks the standby again while the other host is silent.
    const asked = jest.fn();
    silent.on("connection", asked);
    const hanging = { ...primary, port: (silent.address() as AddressInfo).port };
    const patient = portOf(pair.url([standby, hanging]));
    await until("the silent host is asked, behind the standby", () => asked.mock.calls.length > 0);
    await standby.run("select pg_promote()");
    expect(await patient).toBe(standby.port);
    await until("everything works again", works);
    const [row] = await database.read<{ port: string }>("select current_setting('port') as port");
    expect(Number(row?.port)).toBe(standby.port);
  });
});
