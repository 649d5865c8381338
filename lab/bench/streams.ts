// Measures the memory that an open stream of events takes in a gateway: `node --expose-gc lab/bench/streams.ts`. The
// server runs in this process, on an embedded PostgreSQL of its own, and the readers run in another process.
import { type ChildProcess, fork } from "node:child_process";
import { request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { ServiceBroker } from "moleculer";
import { createServices } from "../../cli/process.ts";
import { readEnv } from "../../config/env.ts";
import { serviceFolders } from "../../config/service-folders.ts";
import { openDatabase } from "../../database/database.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { startPostgres } from "../harness/postgres.ts";
import { makeUsers } from "../harness/users.ts";

const STREAMS = 1000;
const STREAMS_OF_USER = 5;
/** Garbage of the opening is gone after a while, timers of connections that were opened first among it. */
const SETTLES_MS = 3000;

interface Readers {
  port: number;
  keys: string[];
}

/** The other process: opens the streams, those of one user after those of the other, and says when all are open. */
async function openStreams({ port, keys }: Readers): Promise<void> {
  for (const key of keys) await Promise.all(Array.from({ length: STREAMS_OF_USER }, () => openStream(port, key)));
  process.send?.("opened");
}

function openStream(port: number, key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, Accept: "text/event-stream", "User-Agent": "bench" };
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent: false, port, path: "/v1/events", headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`A stream was answered with ${response.statusCode}`));
      response.on("data", () => resolve());
    });
    outgoing.on("error", reject).end();
  });
}

async function memory(): Promise<{ heap: number; outside: number; resident: number }> {
  for (let i = 0; i < 3; i += 1) {
    await pause(SETTLES_MS / 3);
    globalThis.gc?.();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed, outside: external, resident: rss };
}

async function measure(): Promise<void> {
  if (!globalThis.gc) throw new Error("Run it with --expose-gc: what is garbage must not be counted.");
  const postgres = await startPostgres({ durable: true });
  const env = { ...readEnv({ DATABASE_URL: postgres.url, RATE_LIMITS: "off", LOG_LEVEL: "error" }), port: 0 };
  const database = await openDatabase(postgres.url);
  const broker = new ServiceBroker(brokerOptions(env));
  await createServices(broker, serviceFolders(), { env, database });
  await broker.start();
  const { server } = broker.getLocalService("gateway") as unknown as { server: Server };
  const { port } = server.address() as AddressInfo;
  let readers: ChildProcess | undefined;
  try {
    const keys = (await makeUsers(postgres.url, Array(STREAMS / STREAMS_OF_USER).fill(1))).flat();
    await warmUp(port, keys[0] ?? "");
    const before = await memory();
    readers = fork(import.meta.filename, ["readers"]);
    readers.send({ port, keys } satisfies Readers);
    await new Promise((resolve) => readers?.once("message", resolve));
    const after = await memory();
    const each = (part: keyof typeof before) => ((after[part] - before[part]) / STREAMS / 1024).toFixed(1);
    console.log(
      `${STREAMS} streams, KB for each: heap ${each("heap")}, outside of it ${each("outside")}, resident ${each("resident")}`,
    );
  } finally {
    readers?.kill();
    await broker.stop();
    await database.close();
    await postgres.stop();
  }
}

/** The first requests load and compile what all others use. */
async function warmUp(port: number, key: string): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    const closing = new AbortController();
    const headers = { Authorization: `Bearer ${key}`, Accept: i % 2 ? "text/event-stream" : "application/json" };
    const response = await fetch(`http://127.0.0.1:${port}/v1/events`, { headers, signal: closing.signal });
    await response.body?.getReader().read();
    closing.abort();
    await pause(5);
  }
}

if (process.argv[2] === "readers") process.once("message", (sent) => void openStreams(sent as Readers));
else await measure();
