import type { Program } from "../../lab/harness/apt.ts";

/** What the setup prepares for a run of all test files. */
export interface TestRun {
  /** URL of a database on the server, as a user who may create databases. */
  serverUrl: string;
  /** Name of the migrated database that test databases are copied from. */
  template: string;
  stop(): Promise<void>;
}

const SERVER_URL = "CONTACT_WORKSPACE_TEST_SERVER";
const TEMPLATE = "CONTACT_WORKSPACE_TEST_TEMPLATE";
const NATS = "CONTACT_WORKSPACE_TEST_NATS";

const CLUSTER = "CONTACT_WORKSPACE_TEST_CLUSTER";
const POSTGRES_15 = "CONTACT_WORKSPACE_TEST_POSTGRES_15";

let current: TestRun | undefined;
const cleanups: (() => Promise<void>)[] = [];

/** Jest runs setup and teardown in its main process and the test files in workers, which inherit environment variables only. */
export const environment = {
  set(run: TestRun): void {
    current = run;
    process.env[SERVER_URL] = run.serverUrl;
    process.env[TEMPLATE] = run.template;
  },
  setNats(nats: Program): void {
    process.env[NATS] = JSON.stringify(nats);
  },
  /** Says where the processes of the shared cluster are, and what ends them. */
  setCluster(cluster: object, stop: () => Promise<void>): void {
    process.env[CLUSTER] = JSON.stringify(cluster);
    cleanups.push(stop);
  },
  /** Says where PostgreSQL 15 is, which has a template of the same name, and what ends it. */
  setPostgres15(serverUrl: string, stop: () => Promise<void>): void {
    process.env[POSTGRES_15] = serverUrl;
    cleanups.push(stop);
  },
  cluster: <Where>(): Where => JSON.parse(required(CLUSTER)),
  run: (): TestRun | undefined => current,
  /** Ends what further setups have begun, and forgets the run: its teardown is then somebody's own. */
  async takeRun(): Promise<TestRun | undefined> {
    const run = current;
    current = undefined;
    for (const stop of cleanups.splice(0)) await stop();
    return run;
  },
  serverUrl: (): string => required("ON_POSTGRES_15" in globalThis ? POSTGRES_15 : SERVER_URL),
  template: (): string => required(TEMPLATE),
  nats: (): Program => JSON.parse(required(NATS)),
};

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests through jest, whose global setup sets it.`);
  return value;
}
