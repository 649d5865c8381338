import { testDatabase } from "./database.ts";
import globalSetup from "./global-setup.ts";
import { shareServer } from "./shared-server.ts";

/** Runs once before the test files that share one process with all services. */
export default async function globalSetupServer(): Promise<void> {
  await globalSetup();
  const { url: databaseUrl, database } = await testDatabase();
  await database.close();
  await shareServer("one process", { databaseUrl });
}
