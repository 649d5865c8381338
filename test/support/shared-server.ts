import { startCluster } from "./cluster.ts";
import { environment, type Topology } from "./test-run.ts";

/** Starts the server that all files of a project share. Each file makes workspaces of its own there. */
export async function shareServer(
  project: Topology,
  options: { databaseUrl: string; natsUrl?: string },
): Promise<void> {
  const { base, publicUrl, stop } = await startCluster(options);
  environment.atEnd(stop);
  environment.share(project, { base, publicUrl, databaseUrl: options.databaseUrl });
}
