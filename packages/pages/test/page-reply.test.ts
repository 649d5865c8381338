import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { assetReply, type Coding, pageReply, replyFor } from "../docs/page-reply.ts";

const text = `{"openapi":"3.1.0","info":"${"é".repeat(1000)}"}`;
const DECODE: Record<string, (body: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  undefined: (body) => body,
};

// docs/guides/conventions.md#the-openapi-document
describe("A page", () => {
  const made = pageReply(text, "application/json; charset=utf-8", ["default-src 'none'"]);
  const sent = (headers: Record<string, string>, coding?: Coding) => replyFor({ headers }, made, coding);
  const etag = String(made.headers.ETag);

  it.each([
    [undefined, undefined],
    ["identity", undefined],
    ["gzip", "gzip"],
    ["br", "br"],
  ] as const)("is sent in the coding that the client takes, and else as it is: %j", async (coding, told) => {
    const { status, body, headers } = await sent({}, coding);
    expect([status, headers["Content-Encoding"]]).toEqual([200, told]);
    expect(DECODE[String(told)]?.(body as Buffer).toString()).toBe(text);
    expect(headers).toMatchObject({ Vary: "Accept-Encoding", ETag: etag, "Cache-Control": "no-cache" });
  });

  it("is compressed once", async () => {
    const bodies = await Promise.all((["br", "br", "gzip", "gzip"] as const).map((coding) => sent({}, coding)));
    expect(bodies[0]?.body).toBe(bodies[1]?.body);
    expect(bodies[2]?.body).toBe(bodies[3]?.body);
  });

  it("is not sent again to who has it", async () => {
    const { status, body, headers } = await sent({ "if-none-match": `"other", ${etag}` }, "gzip");
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
  ] as const)("is compressed for who says nothing, and else as the client takes it: %j", async (coding, told) => {
    const { body, headers } = await replyFor({ headers: {} }, made, coding);
    expect([headers["Content-Encoding"], headers.Vary]).toEqual([told, "Accept-Encoding"]);
    expect(DECODE[String(told)]?.(body as Buffer).toString()).toBe(text);
  });
});
