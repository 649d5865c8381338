import { beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import type { Database } from "../../../database/database.ts";
import { createRequestLog, type RequestLog } from "../../../services/gateway/request-log/request-log.ts";
import type { AnsweredRequest } from "../../../services/gateway/request-log/request-logs.queries.ts";

// docs/guides/request-log.md#what-is-kept
describe("The requests that wait for the log", () => {
  let statements: { sql: string; values: readonly unknown[] }[];
  let fail: Error | undefined;
  let log: RequestLog;

  beforeEach(() => {
    statements = [];
    fail = undefined;
    const query = async (sql: string, values: readonly unknown[] = []) => {
      if (fail) throw fail;
      statements.push({ sql: /insert|delete/.exec(sql)?.[0] ?? "", values });
      return [];
    };
    log = createRequestLog(query as Database["read"]);
  });

  const request = (workspaceId: Uuid): AnsweredRequest => ({
    id: newUuid(),
    caller: { workspaceId, userId: newUuid() },
    method: "GET",
    route: null,
    tool: null,
    status: 200,
    errorCode: null,
    durationMs: 1,
    idempotencyKey: undefined,
    isPreview: false,
    rateLimitRemaining: null,
  });
  const add = (count: number, workspaceId: Uuid) => {
    const ids = Array.from({ length: count }, () => request(workspaceId));
    for (const one of ids) log.add(one);
    return ids.map(({ id }) => id);
  };
  /** The request ids that the last statement has written. */
  const written = () => statements.findLast(({ sql }) => sql === "insert")?.values[1];

  it("are written by one statement, whatever their number, and by none when there are none", async () => {
    const ids = [...add(30, newUuid()), ...add(30, newUuid())];
    await Promise.all([log.flush(), log.flush()]);
    await log.flush();
    expect(statements.map(({ sql }) => sql)).toEqual(["insert"]);
    expect(written()).toEqual(ids);
  });

  it("are tidied once a workspace got two hundred, and no workspace beside it", async () => {
    const [busy, calm] = [newUuid(), newUuid()];
    for (let round = 0; round < 5; round += 1) {
      add(50, busy);
      add(1, calm);
      await log.flush();
    }
    const tidied = statements.filter(({ sql }) => sql === "delete").map(({ values }) => values[0]);
    expect(tidied).toEqual([[busy]]);
  });

  it("are the last 250 of a workspace that floods, and all of one that does not", async () => {
    const flood = newUuid();
    const first = add(1, newUuid());
    const ids = add(1000, flood);
    await log.flush();
    expect(written()).toEqual([...first, ...ids.slice(-250)]);
  });

  it("wait on while the database is away, in their order, and no more than there is room for", async () => {
    fail = new Error("away");
    const workspaceId = newUuid();
    const ids = add(2, workspaceId);
    await expect(log.flush()).rejects.toThrow("away");
    ids.push(...add(2, workspaceId));
    fail = undefined;
    await log.flush();
    expect(written()).toEqual(ids);

    fail = new Error("away");
    for (let i = 0; i < 30_000; i += 1) log.add(request(newUuid()));
    await expect(log.flush()).rejects.toThrow("away");
    fail = undefined;
    await log.flush();
    expect(written()).toHaveLength(20_000);
  });
});
