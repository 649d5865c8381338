import { serviceFolders } from "../../../config/service-folders.ts";
import type { Database } from "../../../database/database.ts";
import { startWorld } from "../../../lab/harness/world.ts";
import { client } from "../../support/client.ts";
import { startProcess, type TestServer } from "../../support/server.ts";

/** A server in a special state, and the key of a user of it. */
export interface SpecialServer {
  server: TestServer;
  key: string;
  stop(): Promise<void>;
}

/** The limits of a server that was told of none. docs/guides/limits.md#rate-limits */
const DEFAULT_LIMITS = "default=600/60,burst=20/2";
const BURST = 20;
/** Within this time after a burst its window, of two seconds, is full for sure. */
const FULL_MS = 1000;

type Options = Parameters<typeof startProcess>[0];

async function start(options: Options): Promise<SpecialServer & { newKey(): Promise<string> }> {
  const server = await startProcess(options);
  const world = await startWorld(server.database);
  const workspace = await world.workspace();
  const stop = async () => {
    await world.stop();
    await server.stop();
  };
  return { server, key: workspace.ada.key, stop, newKey: async () => (await workspace.user("Bob Stone")).key };
}

/** A server with the default limits, and a user who has just used up the shorter window. */
export async function limitedServer(): Promise<SpecialServer & { exhausted(): Promise<string> }> {
  const { newKey, ...started } = await start({ env: { RATE_LIMITS: DEFAULT_LIMITS } });
  let [key, begun] = ["", Number.NEGATIVE_INFINITY];
  return {
    ...started,
    async exhausted() {
      if (performance.now() - begun < FULL_MS) return key;
      key = await newKey();
      begun = performance.now();
      const api = client(started.server, key);
      await Promise.all(Array.from({ length: BURST }, () => api.get("/v1/users/me")));
      return key;
    },
  };
}

/** A server whose services in these folders are away. */
export function serverWithout(isAway: (folder: string) => boolean): Promise<SpecialServer> {
  return start({ folders: serviceFolders().filter((folder) => !isAway(folder)) });
}

/** A server that fails in a way that nobody has foreseen, whatever it is asked. */
export async function brokenServer(): Promise<SpecialServer> {
  let isBroken = false;
  const started = await start({ wrap: (database) => breakable(database, () => isBroken) });
  isBroken = true;
  const stop = async () => {
    isBroken = false;
    await started.stop();
  };
  return { ...started, stop };
}

function breakable(database: Database, isBroken: () => boolean): Database {
  const whenWhole =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      isBroken() ? Promise.reject(new Error("The moon is full.")) : work(...args);
  const read = whenWhole(database.read.bind(database)) as Database["read"];
  return {
    ...database,
    read,
    sharedConnection: (name) => ({
      read: whenWhole(database.sharedConnection(name).read.bind(database)) as Database["read"],
    }),
    queryPlanned: whenWhole(database.queryPlanned.bind(database)) as Database["queryPlanned"],
    transaction: whenWhole(database.transaction.bind(database)) as Database["transaction"],
  };
}
