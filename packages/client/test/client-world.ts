import { startWorld, type TestUser, type TestWorkspace } from "../../../lab/harness/world.ts";
import { startProcess } from "../../../test/support/server.ts";
import type { Clock } from "../src/clock.ts";
import { type ClientOptions, type ContactWorkspaceClient, createClient } from "../src/index.ts";
import { type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";

/** A server behind a proxy that may lose things. Its links begin with the address of the proxy. */
export interface ClientWorld {
  proxy: FaultyProxy;
  /** Where the server itself listens. */
  serverUrl: string;
  workspace(): Promise<TestWorkspace>;
  /** A client of the proxy with the key of a user. */
  clientOf(user: TestUser, options?: Partial<ClientOptions>): ContactWorkspaceClient;
  stop(): Promise<void>;
}

export async function startClientWorld(env: Record<string, string> = {}): Promise<ClientWorld> {
  const proxy = await startFaultyProxy();
  const server = await startProcess({ env: { PUBLIC_URL: proxy.url, ...env } });
  proxy.forwardTo(server.base, server.publicUrl);
  const world = await startWorld(server.database);
  return {
    proxy,
    serverUrl: server.base,
    workspace: () => world.workspace(),
    clientOf: ({ key }, options) => createClient({ baseUrl: proxy.url, apiKey: key, ...options }),
    async stop() {
      await world.stop();
      await server.stop();
      await proxy.stop();
    },
  };
}

/** A clock that waits for nothing, and notes how long it should have waited. */
export function impatientClock(chance = 0): Clock & { waitsMs: number[] } {
  const waitsMs: number[] = [];
  return {
    waitsMs,
    now: () => Date.now(),
    random: () => chance,
    async sleep(ms) {
      waitsMs.push(ms);
    },
  };
}
