import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const HOST = "127.0.0.1";

/** Address that examples show instead of the address of the receiver. */
export const EXAMPLE_TARGET = "https://example.com/webhooks/contacts";

/** Programs outside of the server in the scenario: the receiver of webhooks, and the provider of data about people. */
export interface Outside {
  /** The environment of a server that may speak to it. */
  env: Record<string, string>;
  /** Address that receives webhooks. */
  target: string;
  stop(): Promise<void>;
}

/**
 * Starts a receiver that is content with all it gets, and a provider of enrichments that knows the same of everybody.
 */
export async function startOutside(): Promise<Outside> {
  const server = createServer((request, response) => {
    const isAsked = request.url === "/people";
    request.resume().on("end", () => {
      response.setHeader("Content-Type", isAsked ? "application/json" : "text/plain");
      response.end(isAsked ? JSON.stringify({ jobTitle: "Analyst", urls: ["https://example.com/ada"] }) : "ok");
    });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, HOST, resolve));
  const base = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    env: { WEBHOOK_ALLOW: `${HOST}/32`, ENRICHMENT_PROVIDER: "http", ENRICHMENT_URL: `${base}/people` },
    target: `${base}/webhooks`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
