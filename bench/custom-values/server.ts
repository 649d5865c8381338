import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PostgreSQL of its own in a temporary folder; `stop` removes it. */
export async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { startEmbedded } = await import("../../packages/postgres/embedded.ts");
  const folder = mkdtempSync(join(tmpdir(), "bench-custom-values-"));
  const server = await startEmbedded(join(folder, "data"), { durable: false });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      if (existsSync(folder)) rmSync(folder, { recursive: true });
    },
  };
}
