import type { ServiceSchema } from "moleculer";
import { ERRORS } from "../../../base/contract/errors.ts";
import type { Page } from "../../../base/contract/page.ts";
import { closed, idSchema, nullable, oneOf, Type, timestampSchema } from "../../../base/contract/schema.ts";
import { startPolling } from "../../../base/jobs/polling.ts";
import { firstUuidOf, isUuid, madeAt, toId } from "../../../base/values/ids.ts";
import { instantOfTimeOrDate } from "../../../base/values/times.ts";
import { PAGE_LIMIT_DEFAULT, REQUEST_LOG_EVERY_MS, REQUESTS_LOGGED } from "../../../config/limits.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { type PageParams, pageParams } from "../../../mixins/page.ts";
import { pollingMixin } from "../../../mixins/polling.mixin.ts";
import { requestLogOf } from "./request-log.ts";
import { type LoggedRow, readRequests } from "./request-logs.queries.ts";

type ListParams = PageParams & { requestId?: string; onlyErrors?: "true" | "false"; since?: string };

const listParams = closed({
  requestId: Type.Optional(Type.String({ minLength: 36, maxLength: 36, description: "Only the request with this id" })),
  onlyErrors: Type.Optional(
    oneOf(["true", "false"], {
      default: "false",
      description: "Whether only requests are listed that were refused or failed",
    }),
  ),
  since: Type.Optional(
    Type.String({ format: "timestamp-or-date", description: "Only requests that came at this time or later" }),
  ),
  ...pageParams,
});

const requestLogSchema = closed(
  {
    requestId: Type.String({
      format: "uuid",
      example: "0199e7a1-5f6e-7c3b-8a57-2f6f3c1d9b10",
      description: "The X-Request-Id of its answer",
    }),
    createdAt: timestampSchema,
    userId: idSchema("user"),
    method: Type.String({ example: "PATCH" }),
    route: nullable(
      Type.String({ example: "/v1/people/{personId}", description: "Null for a path that leads nowhere" }),
    ),
    tool: nullable(Type.String({ example: "update_person", description: "The tool that an assistant has called" })),
    status: Type.Integer({ example: 422 }),
    errorCode: nullable(
      oneOf(Object.keys(ERRORS), { description: "Also set for a refused tool call, although its status is 200" }),
    ),
    durationMs: Type.Number({ example: 3.4, description: "From the arrival of the request to its answer" }),
    idempotencyKeyHash: nullable(
      Type.String({
        example: "6c4e21d0c1a03f3ec83cf83ec4c9569959327f93c467b2a754a9c1216d43d974",
        description: "SHA-256 of its Idempotency-Key, in hexadecimal digits",
      }),
    ),
    rateLimitRemaining: nullable(
      Type.Integer({
        example: 598,
        description: "Rest of the quota of the user (X-RateLimit-Limit)",
      }),
    ),
    dryRun: Type.Boolean({ description: "Whether it was a preview, of which nothing was kept" }),
  },
  { title: "RequestLog" },
);

/** The last requests of a workspace. docs/guides/request-log.md */
export default function requestLogsService({ database }: ServiceContext): ServiceSchema {
  const { definitionsCache } = storeOf(database);
  const log = requestLogOf(database);
  return {
    name: "request-logs",
    mixins: [
      pollingMixin({
        start: (logger) =>
          startPolling({
            everyMs: REQUEST_LOG_EVERY_MS,
            work: async () => {
              await log.flush();
              return false;
            },
            onFailure: (error) => logger.warn("Requests could not be written into their log:", error.message),
          }),
      }),
    ],
    stopped: () => log.flush().catch(() => undefined),
    actions: {
      list: {
        summary: "List the last requests",
        description: `The newest first: those of the caller, and for an admin of the workspace those of all its users. The last ${REQUESTS_LOGGED} of a workspace are kept, and a request is in the list a second after its answer.`,
        params: listParams,
        returns: { list: requestLogSchema },
        async handler(ctx: ActionContext<ListParams>): Promise<Page> {
          const { workspaceId, userId } = callerOf(ctx);
          const { limit = PAGE_LIMIT_DEFAULT, after, requestId, onlyErrors, since } = ctx.params;
          if (requestId !== undefined && !isUuid(requestId)) return { items: "[]", next: null };
          const { users } = await definitionsCache.current(workspaceId);
          // The requests that this gateway has just answered are written, so that a caller finds their last request.
          await log.flush();
          const rows = await readRequests(log.query, {
            workspaceId,
            userId: users.get(userId)?.role === "admin" ? undefined : userId,
            requestId,
            onlyErrors: onlyErrors === "true",
            since: since === undefined ? undefined : firstUuidOf(instantOfTimeOrDate(since) ?? Number.NaN),
            after,
            limit: limit + 1,
          });
          const shown = rows.slice(0, limit);
          const next = rows.length > limit ? (shown.at(-1)?.id ?? null) : null;
          return { items: JSON.stringify(shown.map(present)), next };
        },
      },
    },
  };
}

function present({ id, userId, durationMs, ...row }: LoggedRow) {
  const { method, route, tool, status, errorCode, idempotencyKeyHash, rateLimitRemaining, isPreview } = row;
  return {
    requestId: id,
    createdAt: madeAt(id).toISOString(),
    userId: toId("user", userId),
    method,
    route,
    tool,
    status,
    errorCode,
    durationMs: Math.round(durationMs * 10) / 10,
    idempotencyKeyHash,
    rateLimitRemaining,
    dryRun: isPreview,
  };
}
