import { createServer, type Server, type ServerResponse } from "node:http";
import { RETRY_AFTER_S } from "../config/limits.ts";

interface Probes {
  isReady(): Promise<boolean>;
  /** The text of `/metrics`; without it that path is 503. */
  metrics?(): string;
}

/**
 * Starts a server that answers `/livez` with 200, `/readyz` with what `isReady` says, and everything else with 503. It stands
 * in for the gateway while the process waits for its database or bus. It also serves METRICS_PORT, where processes without a
 * gateway are probed. docs/guides/running.md#health
 */
export async function listenForProbes(host: string, port: number, probes: Probes): Promise<Server> {
  const server = createServer((request, response) => void answer(request.url, response, probes));
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return server;
}

/** Closes the server with its connections, so that the port is free at once. */
export async function closeProbes(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function answer(url: string | undefined, response: ServerResponse, probes: Probes): Promise<void> {
  const text = await page(url, probes);
  response.writeHead(text === undefined ? 503 : 200, {
    "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    "Cache-Control": "no-store",
    Connection: "close",
    ...(text === undefined && { "Retry-After": RETRY_AFTER_S }),
  });
  response.end(text ?? "unavailable\n");
}

async function page(url: string | undefined, probes: Probes): Promise<string | undefined> {
  if (url === "/livez") return "ok\n";
  if (url === "/metrics") return probes.metrics?.();
  if (url !== "/readyz") return undefined;
  const ready = await probes.isReady().catch(() => false);
  return ready ? "ok\n" : undefined;
}
