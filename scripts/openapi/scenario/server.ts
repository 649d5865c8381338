import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "contact-workspace-postgres";
import { ServiceBroker } from "moleculer";
import { createServices } from "../../../cli/process.ts";
import { readEnv } from "../../../config/env.ts";
import { serviceFolders } from "../../../config/service-folders.ts";
import { openDatabase } from "../../../database/database.ts";
import { migrate } from "../../../database/migrate/migrate.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import { startOutside } from "./outside.ts";
import type { ExampleServer } from "./workspace.ts";

const PUBLIC_URL = "http://examples.invalid";

/** Runs work on a whole server, with a database of its own that is gone afterwards. */
export async function withExampleServer<Result>(work: (server: ExampleServer) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "contact-workspace-examples-"));
  const [outside, postgres] = await Promise.all([startOutside(), startEmbedded(folder, { durable: false })]);
  try {
    await migrate(postgres.url);
    const variables = { DATABASE_URL: postgres.url, PUBLIC_URL, RATE_LIMITS: "off", LOG_LEVEL: "fatal" };
    const env = { ...readEnv({ ...variables, ...outside.env }), port: 0 };
    const database = await openDatabase(postgres.url, { applicationName: "examples" });
    const broker = new ServiceBroker(brokerOptions(env));
    await createServices(broker, serviceFolders(), { env, database });
    await broker.start();
    const { server } = broker.getLocalService("gateway") as unknown as { server: Server };
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const call: ExampleServer["call"] = (...args) => broker.call(...args);
      return await work({ base, publicUrl: PUBLIC_URL, databaseUrl: postgres.url, database, call, outside });
    } finally {
      await broker.stop();
      await database.close();
    }
  } finally {
    await postgres.stop();
    await outside.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
