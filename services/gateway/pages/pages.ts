import type { ServiceBroker } from "moleculer";
import type { Env } from "../../../config/env.ts";
import type { Database } from "../../../lib/database/database.ts";
import { consolePages } from "../console/pages.ts";
import { docsPages } from "../docs/pages.ts";
import { methodNotAllowed } from "../operation/router.ts";
import { routes } from "../operation/routes.ts";
import type { Reply } from "../response/reply.ts";

interface Surroundings {
  env: Env;
  broker: ServiceBroker;
  database: Database;
}

type Page = () => Promise<Reply> | Reply;

/**
 * Gives a function that answers the paths which need no key: probes and documentation. It gives undefined for all others.
 * @throws ApiError 405, from that function, for another method than GET and HEAD
 */
export function pages({
  env,
  broker,
  database,
}: Surroundings): (method: string, path: string) => Promise<Reply> | Reply | undefined {
  const byPath = new Map<string, Page>([
    ["/", () => ({ status: 302, body: "", headers: { Location: "/docs" } })],
    ["/livez", () => text(200, "ok")],
    ["/readyz", () => readiness(broker, database)],
    ...docsPages(env.publicUrl),
    ...consolePages(),
  ]);
  return (method, path) => {
    const page = byPath.get(path);
    if (!page) return undefined;
    if (method !== "GET" && method !== "HEAD") throw methodNotAllowed(method, ["GET", "HEAD"]);
    return page();
  };
}

/**
 * 200 while the database, the bus and the services of every route answer; else 503, and also as soon as a stop begins.
 * docs/guides/running.md#health
 */
async function readiness(broker: ServiceBroker, database: Database): Promise<Reply> {
  if (broker.metadata.draining) return text(503, "draining");
  // While the bus is away the registry still names the services that were there before.
  if (broker.transit?.tx.connected === false) return text(503, "the bus does not answer");
  const missing = routes
    .filter(({ action }) => !broker.registry.actions.isAvailable(action))
    .map(({ action }) => action.slice(0, action.lastIndexOf(".")));
  if (missing.length > 0) return text(503, `away: ${[...new Set(missing)].join(", ")}`);
  try {
    await database.check();
    return text(200, "ok");
  } catch {
    return text(503, "the database does not answer");
  }
}

function text(status: number, line: string): Reply {
  return {
    status,
    body: `${line}\n`,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  };
}
