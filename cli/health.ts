import { createServer, type Server, type ServerResponse } from "node:http";
import { RETRY_AFTER_S } from "../config/limits.ts";

interface Probes {
  /** The thing that keeps the process from its work, in a few words; null when nothing does. */
  obstacle(): Promise<string | null>;
  /** The text of `/metrics`; without it that path is 503. */
  metrics?(): string;
}

/**
 * Makes the server of METRICS_PORT, where processes without a gateway are probed too. It answers `/livez` with 200,
 * `/readyz` with 200 or the obstacle, and everything else with 503. docs/guides/monitoring.md#health
 */
export function serverOfProbes(probes: Probes): Server {
  return createServer((request, response) => void answer(request.url, response, probes));
}

/** Listens, or throws the error of the system when the port cannot be had. */
export async function listen(server: Server, host: string, port: number): Promise<Server> {
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return server;
}

/** Closes the server with its connections, so that the port is free at once. */
export async function closeNow(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function answer(url: string | undefined, response: ServerResponse, probes: Probes): Promise<void> {
  const { status, text } = await page(url, probes);
  response.writeHead(status, {
    "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    "Cache-Control": "no-store",
    Connection: "close",
    ...(status === 503 && { "Retry-After": RETRY_AFTER_S }),
  });
  response.end(text);
}

async function page(url: string | undefined, probes: Probes): Promise<{ status: number; text: string }> {
  if (url === "/livez") return { status: 200, text: "ok\n" };
  if (url === "/metrics" && probes.metrics) return { status: 200, text: probes.metrics() };
  if (url !== "/readyz") return { status: 503, text: "unavailable\n" };
  const obstacle = await probes.obstacle();
  return obstacle === null ? { status: 200, text: "ok\n" } : { status: 503, text: `${obstacle}\n` };
}
