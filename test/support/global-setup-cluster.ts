import { natsProgram, startNats } from "../../lab/harness/nats-server.ts";
import { testDatabase } from "./database.ts";
import globalSetup from "./global-setup.ts";
import { shareServer } from "./shared-server.ts";
import { environment } from "./test-run.ts";

/** Runs once before the test files that share a process per service folder, over NATS. */
export default async function globalSetupCluster(): Promise<void> {
  await globalSetup();
  // describeServer skips the tests and says why.
  if (!("path" in natsProgram())) return;
  const [nats, { url: databaseUrl, database }] = await Promise.all([startNats(), testDatabase()]);
  environment.atEnd(nats.stop);
  await database.close();
  await shareServer("over NATS", { natsUrl: nats.url, databaseUrl });
}
