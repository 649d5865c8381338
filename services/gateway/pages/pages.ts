import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { consolePages } from "contact-workspace-pages/console";
import { docsPages } from "contact-workspace-pages/docs";
import { notFoundPage, wantsHtml } from "contact-workspace-pages/not-found-page";
import { kept, type Page, replyFor } from "contact-workspace-pages/page-reply";
import type { ServiceBroker } from "moleculer";
import { createReadiness } from "../../../bus/readiness.ts";
import type { Env } from "../../../config/env.ts";
import { PER_TURN, WAITING_LARGE_PAGES_MAX } from "../../../config/shares.ts";
import type { Database } from "../../../database/database.ts";
import { FULL } from "../admission/admission.ts";
import { createTurnLimit } from "../admission/turn-limit.ts";
import { methodNotAllowed } from "../operation/router.ts";
import { codingFor } from "../response/accept-encoding.ts";
import { type Reply, textReply } from "../response/reply.ts";
import { vocabulary } from "./vocabulary.ts";

/** Folder of the guides and of the OpenAPI document. */
const DOCS = join(import.meta.dirname, "..", "..", "..", "docs");

/** Size from which on pages are sent in turns. docs/guides/under-load.md */
const LARGE_BYTES = 64 * 1024;

interface Surroundings {
  env: Env;
  broker: ServiceBroker;
  database: Database;
}

/** The paths that need no key: probes, the documentation, the console. */
export interface Pages {
  /**
   * The answer of a path; undefined for all others, except for the browser of a reader who looks for a page.
   * @throws ApiError 405 for another method than GET and HEAD
   */
  reply(request: IncomingMessage, path: string): Promise<Reply> | undefined;
  has(path: string): boolean;
  /**
   * Makes all pages, one in each step, so that no request has to wait for it, or holds the event loop for it;
   * compressed by gzip too.
   */
  make(): AsyncGenerator<void>;
}

export function pages({ env, broker, database }: Surroundings): Pages {
  const findObstacle = createReadiness(broker, database);
  const made = [...docsPages({ docs: DOCS, publicUrl: env.publicUrl }), ...consolePages(vocabulary())];
  const byPath = new Map<string, Page>([
    ["/", redirectTo("/docs")],
    // The former address of the chapter.
    ["/docs/guides/errors", redirectTo("/docs/errors")],
    ["/livez", () => textReply(200, "ok")],
    ["/readyz", () => readiness(findObstacle)],
    ...made,
  ]);
  const missing = kept(notFoundPage);
  const turns = createTurnLimit(PER_TURN.largePages);

  async function replyTo(request: IncomingMessage, page: Page): Promise<Reply> {
    const accepted = request.headers["accept-encoding"]?.toString();
    const coding = accepted === undefined ? undefined : codingFor(accepted);
    const reply = await replyFor(request, await page(), coding);
    if (reply.body.length < LARGE_BYTES) return reply;
    if (turns.waiting() >= WAITING_LARGE_PAGES_MAX) throw FULL;
    await new Promise<void>((begin) => turns.run(begin));
    return reply;
  }

  return {
    reply(request, path) {
      const { method = "GET" } = request;
      const page = byPath.get(path);
      if (!page) return method === "GET" && wantsHtml(request, path) ? replyTo(request, missing) : undefined;
      if (method !== "GET" && method !== "HEAD") throw methodNotAllowed(method, ["GET", "HEAD"]);
      return replyTo(request, page);
    },
    has: (path) => byPath.has(path),
    async *make() {
      for (const [, page] of made) {
        const { forms } = await page();
        await forms?.gzip();
        yield;
      }
    },
  };
}

function redirectTo(path: string): Page {
  return () => ({ status: 302, body: "", headers: { Location: path } });
}

/**
 * 200 while the database and the bus answer this process; else 503, and also as soon as a stop begins.
 * docs/guides/monitoring.md#health
 */
async function readiness(findObstacle: () => Promise<string | null>): Promise<Reply> {
  const obstacle = await findObstacle();
  return obstacle === null ? textReply(200, "ok") : textReply(503, obstacle);
}
