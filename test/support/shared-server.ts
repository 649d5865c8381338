import { startCluster } from "./cluster.ts";
import { runtimeRole } from "./runtime-role.ts";
import { environment, type Topology } from "./test-run.ts";

/**
 * Starts the server that all files of a project share. Each file makes workspaces of its own there. The role of the
 * server may make and drop no tables, so that every test of the API shows that a server needs no such right.
 */
export async function shareServer(
  project: Topology,
  { databaseUrl, ...options }: { databaseUrl: string; natsUrl?: string },
): Promise<void> {
  const role = await runtimeRole(databaseUrl);
  environment.atEnd(role.drop);
  const { base, publicUrl, stop } = await startCluster({
    ...options,
    databaseUrl: role.url,
    env: { MIGRATIONS: "wait" },
  });
  environment.atEnd(stop);
  environment.share(project, { base, publicUrl, databaseUrl });
}
