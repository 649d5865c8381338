import type { ServiceBroker } from "moleculer";
import type { Env } from "../../../config/env.ts";
import type { Database } from "../../../lib/database/database.ts";
import { consolePages } from "../console/pages.ts";
import { docsPages } from "../docs/pages.ts";
import { methodNotAllowed } from "../operation/router.ts";
import type { Reply } from "../response/reply.ts";
import { createReadiness } from "./readiness.ts";

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
  const findObstacle = createReadiness(broker, database);
  const byPath = new Map<string, Page>([
    ["/", () => ({ status: 302, body: "", headers: { Location: "/docs" } })],
    ["/livez", () => text(200, "ok")],
    ["/readyz", () => readiness(findObstacle)],
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
async function readiness(findObstacle: () => Promise<string | null>): Promise<Reply> {
  const obstacle = await findObstacle();
  return obstacle === null ? text(200, "ok") : text(503, obstacle);
}

function text(status: number, line: string): Reply {
  return {
    status,
    body: `${line}\n`,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  };
}
