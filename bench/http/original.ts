import { AsyncLocalStorage } from "node:async_hooks";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ServiceBroker } from "moleculer";
import pg from "pg";
import { createServices } from "../../cli/services.ts";
import { readEnv } from "../../config/env.ts";
import { serviceFolders } from "../../config/service-folders.ts";
import { type Database, openDatabase } from "../../database/database.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import type { Answer, Case, Request, Step } from "./case.ts";

/** The real server in this process, which tells what it does to answer a request. */
export interface Original {
  database: Database;
  broker: ServiceBroker;
  /** Answers a request and tells all statements that it took, the look-up of the key apart, which is kept for half a second. */
  record(request: Request, key: string): Promise<Case>;
  stop(): Promise<void>;
}

const APPLICATION = "bench original";
/** After a shorter pause the server still trusts the key. */
const WARM_MS = 200;
/** What is not done for every request: keys are looked up twice a second, Knex asks each new connection for its version. */
const SELDOM = /\bapi_keys\b|^select version\(\)/;
/** Node adds these itself, to the answers of both servers. */
const HEADERS_OF_NODE = ["date", "connection", "keep-alive"];
const RECORD_ID = /"id":"(?:per|lit)_([0-9a-f-]{36})"/g;

/** What the connections are called (database/database.ts); each reader has another name. */
const CONNECTIONS: Record<string, Step["on"]> = { [APPLICATION]: "pool", [`${APPLICATION} filters`]: "alone" };

/** The statements of the request that is being answered: services also run some of their own accord. */
const ofRequest = new AsyncLocalStorage<Step[]>();

/** Starts all services and the gateway in this process, on any port. */
export async function startOriginal(url: string, variables: Record<string, string>): Promise<Original> {
  listenToClients();
  const database = await openDatabase(url, { applicationName: APPLICATION });
  const env = { ...readEnv(variables), port: 0 };
  const broker = new ServiceBroker(brokerOptions(env));
  await createServices(broker, serviceFolders(), { env, database });
  await broker.start();
  const gateway = broker.getLocalService("gateway") as unknown as { server: Server };
  let steps: Step[] = [];
  const emit = gateway.server.emit.bind(gateway.server);
  gateway.server.emit = (...event: unknown[]) => ofRequest.run(steps, () => emit(...(event as [string])));
  const base = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;

  let answeredAt = Number.NEGATIVE_INFINITY;

  async function record(request: Request, key: string): Promise<Case> {
    // Catalogs, key and connections are known before it counts.
    if (performance.now() - answeredAt > WARM_MS) await send(base, { method: "GET", path: "/v1/people?limit=1" }, key);
    const recorded: Step[] = [];
    steps = recorded;
    const answer = await send(base, request, key);
    answeredAt = performance.now();
    if (answer.status !== 200)
      throw new Error(`${request.method} ${request.path} answered ${answer.status}: ${answer.body}`);
    const made = /POST .*(people|create|interactions)$/.test(`${request.method} ${request.path}`);
    const fresh = made ? [...new Set([...answer.body.matchAll(RECORD_ID)].flatMap(([, uuid]) => uuid ?? []))] : [];
    return { request, steps: recorded, answer, fresh: fresh.filter((uuid) => !JSON.stringify(request).includes(uuid)) };
  }

  const stop = async () => {
    await broker.stop();
    await database.close();
  };
  return { database, broker, record, stop };
}

// Below database/database.ts and Knex, so that nothing they do is missing: BEGIN and COMMIT, names of statements, the order.
function listenToClients(): void {
  type Config = { text?: string; values?: unknown[]; name?: string } | string;
  type Client = { connectionParameters: { application_name?: string } };
  const prototype = pg.Client.prototype as unknown as {
    query(this: Client, config: Config, ...rest: unknown[]): unknown;
  };
  const { query } = prototype;
  prototype.query = function (config, ...rest) {
    const { application_name: application = "" } = this.connectionParameters;
    const { text = "", values = [], name } = typeof config === "string" ? { text: config } : config;
    if (application.startsWith(APPLICATION) && !SELDOM.test(text)) {
      ofRequest.getStore()?.push({
        on: CONNECTIONS[application] ?? "reader",
        text,
        values: [...values],
        named: name !== undefined,
      });
    }
    return query.call(this, config, ...rest);
  };
}

async function send(base: string, { method, path, body }: Request, key: string): Promise<Answer> {
  const response = await fetch(base + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body }),
  });
  const headers = [...response.headers].filter(([name]) => !HEADERS_OF_NODE.includes(name));
  return { status: response.status, headers, body: await response.text() };
}
