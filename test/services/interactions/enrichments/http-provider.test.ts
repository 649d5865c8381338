import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid, toId } from "../../../../base/values/ids.ts";
import { ENRICHMENT_ANSWER_BYTES_MAX } from "../../../../config/limits.ts";
import { until } from "../../../../lab/harness/until.ts";
import {
  httpProvider,
  RETRY_AFTER_MS_MAX,
  retryAfterMs,
} from "../../../../services/interactions/enrichments/providers/http.ts";
import type { Outcome } from "../../../../services/interactions/enrichments/providers/provider.ts";
import {
  type Answerer,
  answerJson,
  flood,
  hang,
  type ProviderServer,
  reset,
  resetInside,
  startProvider,
  trickle,
} from "../../../support/provider-server.ts";

describe("The HTTP provider (docs/guides/enrichment.md#the-http-provider)", () => {
  let server: ProviderServer;
  const id = toId("enrichment", newUuid());
  const person = JSON.stringify({ id: "per_1", fullName: "Grace Hopper" });

  beforeEach(async () => {
    server = await startProvider();
  });
  afterEach(() => server.stop());

  /** Asks a provider that has ten seconds, or as many milliseconds as are given. */
  function ask(
    answerer: Answerer,
    options: { token?: string; withinMs?: number } = {},
    signal = new AbortController().signal,
  ) {
    server.answer(answerer);
    return httpProvider({ url: server.url, withinMs: 10_000, ...options })({ id, person, signal });
  }

  /** The kind of an outcome, and its code. */
  function told(outcome: Outcome): [string, string?] {
    if ("failed" in outcome) return ["failed", outcome.failed.code];
    return "again" in outcome ? ["again", outcome.again.code] : ["found"];
  }

  it("posts the person as JSON, with the id of the enrichment as Idempotency-Key", async () => {
    await ask(answerJson({}));
    const [{ method, path, headers, person: sent } = {} as never] = server.asked;
    expect([method, path, sent]).toEqual(["POST", "/people?source=test", JSON.parse(person)]);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      accept: "application/json",
      "idempotency-key": id,
    });
    expect(headers.authorization).toBeUndefined();
  });

  it("sends the token as a bearer token", async () => {
    await ask(answerJson({}), { token: "s3cret" });
    expect(server.asked[0]?.headers.authorization).toBe("Bearer s3cret");
  });

  it("gives what was answered, and nothing for an empty answer", async () => {
    expect(await ask(answerJson({ jobTitle: "Admiral", more: [1] }))).toEqual({
      found: { jobTitle: "Admiral", more: [1] },
    });
    expect(await ask(answerJson({ jobTitle: "Admiral" }, 201))).toEqual({ found: { jobTitle: "Admiral" } });
    expect(await ask(answerJson("", 204))).toEqual({ found: {} });
    expect(await ask(answerJson(""))).toEqual({ found: {} });
  });

  it.each([
    ["a status of 500", answerJson({}, 500), "PROVIDER_FAILED"],
    ["a status of 503", answerJson("<html>", 503), "PROVIDER_FAILED"],
    ["a status of 429", answerJson({}, 429), "PROVIDER_BUSY"],
    ["a connection that breaks", reset, "PROVIDER_UNREACHABLE"],
    ["a connection that breaks within the answer", resetInside, "PROVIDER_UNREACHABLE"],
  ])("may be asked again after %s (docs/guides/enrichment.md#attempts)", async (_, answerer, code) => {
    expect(told(await ask(answerer))).toEqual(["again", code]);
  });

  it.each([
    ["no answer", hang],
    ["an answer that does not end", trickle],
  ])("may be asked again after %s in time", async (_, answerer) => {
    const outcome = await ask(answerer, { withinMs: 100 });
    expect(outcome).toEqual({
      again: { code: "PROVIDER_TIMEOUT", message: "The enrichment provider did not answer within 0.1 seconds." },
    });
  });

  it("may be asked again when nobody listens there, and does not tell where that is", async () => {
    await server.stop();
    const outcome = await ask(answerJson({}));
    expect(outcome).toEqual({
      again: {
        code: "PROVIDER_UNREACHABLE",
        message: "The connection to the enrichment provider failed (ECONNREFUSED).",
      },
    });
    server = await startProvider();
  });

  it.each([
    ["404", answerJson({ jobTitle: "Nobody" }, 404), "PROVIDER_REFUSED"],
    ["401", answerJson({}, 401), "PROVIDER_REFUSED"],
    ["JSON that is none", answerJson("<html>"), "PROVIDER_ANSWER_INVALID"],
    ["JSON that is cut off", answerJson('{"jobTitle":'), "PROVIDER_ANSWER_INVALID"],
    ["JSON that is nested too deep", answerJson("[".repeat(70) + "]".repeat(70)), "PROVIDER_ANSWER_INVALID"],
    [
      "bytes that are no UTF-8",
      ((response) => response.end(Buffer.from([0x22, 0xff, 0x22]))) as Answerer,
      "PROVIDER_ANSWER_INVALID",
    ],
  ])("is not asked again after %s", async (_, answerer, code) => {
    expect(told(await ask(answerer))).toEqual(["failed", code]);
  });

  it.each([301, 302, 303, 307, 308])("follows no redirect: %i", async (status) => {
    const answerer = answerJson({ jobTitle: "x" }, status, { Location: `${server.url}&elsewhere` });
    expect(told(await ask(answerer))).toEqual(["failed", "PROVIDER_REDIRECTED"]);
    expect(server.asked).toHaveLength(1);
  });

  it("reads no more of an answer than it may have (docs/guides/enrichment.md#answers)", async () => {
    let isClosed = false;
    const outcome = await ask((response, asked) => {
      response.on("close", () => {
        isClosed = true;
      });
      flood(response, asked);
    });
    expect(told(outcome)).toEqual(["failed", "PROVIDER_ANSWER_TOO_LARGE"]);
    await until("the connection is closed", () => isClosed);
    const largest = JSON.stringify({ x: "y".repeat(ENRICHMENT_ANSWER_BYTES_MAX - '{"x":""}'.length) });
    expect(told(await ask(answerJson(largest)))).toEqual(["found"]);
    expect(told(await ask(answerJson(`${largest} `)))).toEqual(["failed", "PROVIDER_ANSWER_TOO_LARGE"]);
  });

  it("counts the bytes of an answer as they are unpacked", async () => {
    const { gzipSync } = await import("node:zlib");
    const packed = gzipSync(Buffer.alloc(2 * ENRICHMENT_ANSWER_BYTES_MAX, " "));
    const answerer: Answerer = (response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" });
      response.end(packed);
    };
    expect(told(await ask(answerer))).toEqual(["failed", "PROVIDER_ANSWER_TOO_LARGE"]);
  });

  it("is broken off when the process stops, which is no answer", async () => {
    const stopping = new AbortController();
    const asked = ask(hang, {}, stopping.signal);
    await until("it is asked", () => server.asked.length === 1);
    stopping.abort();
    await expect(asked).rejects.toThrow("aborted");
  });

  it("tells how long to wait when it is asked to", async () => {
    expect(await ask(answerJson({}, 429, { "Retry-After": "7" }))).toMatchObject({ afterMs: 7_000 });
    expect(await ask(answerJson({}, 503, { "Retry-After": "86400" }))).toMatchObject({ afterMs: RETRY_AFTER_MS_MAX });
    expect(await ask(answerJson({}, 503))).not.toHaveProperty("afterMs");
  });

  it.each([
    ["0", 0],
    [" 30 ", 30_000],
    ["600", RETRY_AFTER_MS_MAX],
    ["601", RETRY_AFTER_MS_MAX],
    ["9".repeat(400), RETRY_AFTER_MS_MAX],
    ["Thu, 01 Jan 1970 00:01:05 GMT", 5_000],
    ["Thu, 01 Jan 1970 00:00:30 GMT", 0],
    ["Fri, 02 Jan 1970 00:00:00 GMT", RETRY_AFTER_MS_MAX],
    ["soon", undefined],
    ["", undefined],
  ])("reads Retry-After %j, a minute after the beginning of time, as %s ms", (header, afterMs) => {
    expect(retryAfterMs(header, 60_000)).toEqual(afterMs === undefined ? {} : { afterMs });
  });
});
