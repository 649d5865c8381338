import { startNats } from "../../lab/harness/nats-server.ts";
import { startCluster } from "./cluster.ts";
import { testDatabase } from "./database.ts";
import globalSetup from "./global-setup.ts";
import { environment } from "./test-run.ts";

/** Runs once before the test files that speak to a cluster: all of them share one, and each makes workspaces of its own. */
export default async function globalSetupCluster(): Promise<void> {
  await globalSetup();
  // describeServer skips the tests and says why.
  if (!("path" in environment.nats())) return;
  const [nats, { url, database }] = await Promise.all([startNats(), testDatabase()]);
  await database.close();
  const cluster = await startCluster({ natsUrl: nats.url, databaseUrl: url });
  environment.setCluster({ base: cluster.base, publicUrl: cluster.publicUrl, databaseUrl: url }, async () => {
    await cluster.stop();
    await nats.stop();
  });
}
