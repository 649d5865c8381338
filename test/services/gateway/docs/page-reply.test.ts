import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { pageReply, replyFor } from "../../../../services/gateway/docs/page-reply.ts";

// docs/guides/conventions.md#the-openapi-document
describe("A page", () => {
  const text = `{"openapi":"3.1.0","info":"${"é".repeat(1000)}"}`;
  const made = pageReply(text, "application/json; charset=utf-8", ["default-src 'none'"]);
  const sent = (headers: Record<string, string>) => replyFor({ headers }, made);
  const etag = String(made.headers.ETag);

  it.each([undefined, "", "br", "identity", "gzip;q=0", "gzip;q=0.000", "xgzip", "gzipped, br"])(
    "is sent as it is to who takes %j",
    (accepted) => {
      const { status, body, headers } = sent(accepted === undefined ? {} : { "accept-encoding": accepted });
      expect([status, body.toString(), headers["Content-Encoding"]]).toEqual([200, text, undefined]);
      expect(headers).toMatchObject({ Vary: "Accept-Encoding", ETag: etag, "Cache-Control": "no-cache" });
    },
  );

  it.each(["gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8, *;q=0.1", "deflate,GZIP;q=1"])(
    "is sent packed to who takes %j",
    (accepted) => {
      const { status, body, headers } = sent({ "accept-encoding": accepted });
      expect([status, headers["Content-Encoding"]]).toEqual([200, "gzip"]);
      expect(gunzipSync(body as Buffer).toString()).toBe(text);
      expect(headers).toMatchObject({ Vary: "Accept-Encoding", ETag: etag });
    },
  );

  it("is not sent again to who has it", () => {
    const { status, body, headers } = sent({ "if-none-match": `"other", ${etag}`, "accept-encoding": "gzip" });
    expect([status, body, headers.ETag]).toEqual([304, "", etag]);
    expect(sent({ "if-none-match": '"other"' }).status).toBe(200);
  });
});
