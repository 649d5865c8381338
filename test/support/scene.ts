import { afterAll, beforeAll, describe } from "@jest/globals";
import { startWorld, type TestUser, type TestWorkspace, type World } from "../../lab/harness/world.ts";
import { type Client, client, patientClient } from "./client.ts";
import { describeBus } from "./nats.ts";
import { overNats, startServer, type TestServer } from "./server.ts";

/** What the tests of a file share: one server, and what makes workspaces on it. */
export interface Scene {
  readonly server: TestServer;
  workspace(): Promise<TestWorkspace>;
  /** Requests as a user, with a key, or without one. */
  api(as?: TestUser | string): Client;
  /** The same, repeated while they are 503: for tests that send many at once and are about something else. */
  patientApi(as: TestUser): Client;
}

/** A group of tests with a server that others use too, where the project shares one. */
export function describeServer(title: string, tests: (scene: Scene) => void): void {
  describeAt(title, undefined, tests);
}

/**
 * A group of tests with a server of its own.
 * @param env variables besides those of all tests, or what gives them when the server is about to start
 */
export function describeOwnServer(title: string, env: Variables, tests: (scene: Scene) => void): void {
  describeAt(title, env, tests);
}

type Variables = Record<string, string> | (() => Promise<Record<string, string>>);

/**
 * A group of tests in the topology of the project; skipped, with the reason, where that needs a nats-server and there
 * is none.
 */
function describeAt(title: string, env: Variables | undefined, tests: (scene: Scene) => void): void {
  const describeHere = overNats ? describeBus : describe;
  describeHere(title, () => {
    let server: TestServer | undefined;
    let world: World | undefined;

    beforeAll(async () => {
      server = await startServer(typeof env === "function" ? await env() : env);
      world = await startWorld(server.database);
    });

    afterAll(async () => {
      await world?.stop();
      await server?.stop();
    });

    tests(scene(() => server && world && { server, world }));
  });
}

function scene(started: () => { server: TestServer; world: World } | undefined): Scene {
  const at = () => {
    const parts = started();
    if (!parts) throw new Error("The server starts in beforeAll: use it in tests and hooks only.");
    return parts;
  };
  return {
    get server() {
      return at().server;
    },
    workspace: () => at().world.workspace(),
    api: (as) => client(at().server, typeof as === "object" ? as.key : as),
    patientApi: (as) => patientClient(at().server, as.key),
  };
}
