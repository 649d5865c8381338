import type { Program } from "../../lab/harness/apt.ts";

/** What the setup prepares for a run of all test files. */
export interface TestRun {
  /** URL of a database on the server, as a user who may create databases. */
  serverUrl: string;
  /** Name of the migrated database that test databases are copied from. */
  template: string;
  stop(): Promise<void>;
}

/** How the servers of a project run; the files of a project share one of them. jest.config.json */
export type Topology = "one process" | "over NATS";

/** Where the shared server of a project is. */
export interface SharedServer {
  base: string;
  publicUrl: string;
  databaseUrl: string;
}

const SERVER_URL = "CONTACT_WORKSPACE_TEST_SERVER";
const TEMPLATE = "CONTACT_WORKSPACE_TEST_TEMPLATE";
const OLDEST = "CONTACT_WORKSPACE_TEST_POSTGRES_15";
const SHARED = "CONTACT_WORKSPACE_TEST_SHARED";
const CITUS = "CONTACT_WORKSPACE_TEST_CITUS";

/** The topology of the project that this file runs in, undefined where the files share no server. */
export const topology: Topology | undefined = Reflect.get(globalThis, "TOPOLOGY");

let current: TestRun | undefined;
const cleanups: (() => Promise<void>)[] = [];

/**
 * Jest runs setup and teardown in its main process and the test files in workers, which inherit environment variables
 * only.
 */
export const environment = {
  set(run: TestRun): void {
    current = run;
    process.env[SERVER_URL] = run.serverUrl;
    process.env[TEMPLATE] = run.template;
  },
  /**
   * Sets the address of the PostgreSQL 15 that the test files over NATS use. Its template database has the same name.
   */
  setOldest(serverUrl: string): void {
    process.env[OLDEST] = serverUrl;
  },
  /** Keeps the folder of a PostgreSQL with Citus, or the reason why there is none. */
  setCitus(found: Program): void {
    process.env[CITUS] = JSON.stringify(found);
  },
  citus: (): Program => JSON.parse(required(CITUS)),
  /** Says where the server is that the files of a project share. */
  share(project: Topology, server: SharedServer): void {
    process.env[`${SHARED} ${project}`] = JSON.stringify(server);
  },
  /** Keeps what ends something that a setup has begun. The last one begun is ended first. */
  atEnd(stop: () => Promise<void>): void {
    cleanups.unshift(stop);
  },
  /** The server that the files of this project share, undefined where they share none. */
  shared: (): SharedServer | undefined => topology && JSON.parse(required(`${SHARED} ${topology}`)),
  run: (): TestRun | undefined => current,
  /** Ends what further setups have begun, and forgets the run: its teardown is then somebody's own. */
  async takeRun(): Promise<TestRun | undefined> {
    const run = current;
    current = undefined;
    for (const stop of cleanups.splice(0)) await stop();
    return run;
  },
  serverUrl: (of = topology): string => required(of === "over NATS" && process.env[OLDEST] ? OLDEST : SERVER_URL),
  template: (): string => required(TEMPLATE),
};

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests through jest, whose global setup sets it.`);
  return value;
}
