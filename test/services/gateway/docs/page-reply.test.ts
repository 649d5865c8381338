import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { assetReply, pageReply, replyFor } from "../../../../packages/pages/docs/page-reply.ts";

const text = `{"openapi":"3.1.0","info":"${"é".repeat(1000)}"}`;
const DECODE: Record<string, (body: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  undefined: (body) => body,
};

// docs/guides/conventions.md#the-openapi-document
describe("A page", () => {
  const made = pageReply(text, "application/json; charset=utf-8", ["default-src 'none'"]);
  const sent = (headers: Record<string, string>) => replyFor({ headers }, made);
  const etag = String(made.headers.ETag);

  it.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["gzip;q=0", undefined],
    ["gzip;q=0.000", undefined],
    ["xgzip", undefined],
    ["gzip;q=two", undefined],
    ["gzipped, br", "br"],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["gzip, deflate, br", "br"],
    ["br;q=0.5, gzip;q=0.8, *;q=0.1", "gzip"],
    ["deflate,GZIP;q=1", "gzip"],
    ["*", "br"],
    ["*, br;q=0", "gzip"],
    ["identity;q=0, *", "br"],
    ["identity, gzip;q=0.5", undefined],
  ])("is sent in the coding that the client takes: %j, %j", async (accepted, coding) => {
    const { status, body, headers } = await sent(accepted === undefined ? {} : { "accept-encoding": accepted });
    expect([status, headers["Content-Encoding"]]).toEqual([200, coding]);
    expect(DECODE[String(coding)]?.(body as Buffer).toString()).toBe(text);
    expect(headers).toMatchObject({ Vary: "Accept-Encoding", ETag: etag, "Cache-Control": "no-cache" });
  });

  it("is compressed once", async () => {
    const bodies = await Promise.all(
      ["br", "br", "gzip", "gzip"].map((accepted) => sent({ "accept-encoding": accepted })),
    );
    expect(bodies[0]?.body).toBe(bodies[1]?.body);
    expect(bodies[2]?.body).toBe(bodies[3]?.body);
  });

  it("is not sent again to who has it", async () => {
    const { status, body, headers } = await sent({ "if-none-match": `"other", ${etag}`, "accept-encoding": "gzip" });
    expect([status, body, headers.ETag]).toEqual([304, "", etag]);
    expect((await sent({ "if-none-match": '"other"' })).status).toBe(200);
  });
});

describe("A part of a page", () => {
  const made = assetReply({ type: "text/css; charset=utf-8", packed: gzipSync(text) });

  it.each([
    [undefined, "gzip"],
    ["gzip", "gzip"],
    ["br", "br"],
    ["identity", undefined],
    ["deflate", undefined],
  ])("is compressed for who says nothing, and else as the client takes it: %j, %j", async (accepted, coding) => {
    const { body, headers } = await replyFor(
      { headers: accepted === undefined ? {} : { "accept-encoding": accepted } },
      made,
    );
    expect([headers["Content-Encoding"], headers.Vary]).toEqual([coding, "Accept-Encoding"]);
    expect(DECODE[String(coding)]?.(body as Buffer).toString()).toBe(text);
  });
});
