import { randomUUID } from "node:crypto";
import { type IncomingHttpHeaders, request as send } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it } from "@jest/globals";
import type { TestUser } from "../../lab/harness/world.ts";
import { readEvents } from "../support/event-reader.ts";
import { describeServer } from "../support/scene.ts";

interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const DECODE: Record<string, (body: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (body) => body,
};

describeServer("Compression (docs/guides/conventions.md#compression)", (scene) => {
  /** Asks as a client does that says what it takes, and leaves the bytes as they come. */
  function ask(
    user: TestUser | undefined,
    path: string,
    headers: Record<string, string> = {},
    { method = "GET", body = "" } = {},
  ): Promise<Received> {
    const { promise, resolve, reject } = Promise.withResolvers<Received>();
    const all = {
      ...(user && { Authorization: `Bearer ${user.key}` }),
      ...(body && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
      ...headers,
    };
    const outgoing = send(`${scene.server.base}${path}`, { method, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.on("error", reject).end(body);
    return promise;
  }

  /** A workspace whose page of a hundred people is large. */
  async function withPeople() {
    const { ada } = await scene.workspace();
    const records = Array.from({ length: 100 }, (_, i) => ({
      firstName: `Ada ${i} é`,
      description: "word ".repeat(80),
    }));
    const body = JSON.stringify({ records });
    const key = randomUUID();
    const headers = { "Idempotency-Key": key };
    const made = await ask(ada, "/v1/people/batch/create", headers, { method: "POST", body });
    expect(made.status).toBe(200);
    return { ada, body, headers, made };
  }

  it.each([
    [undefined, "identity"],
    ["", "identity"],
    ["identity", "identity"],
    ["deflate", "identity"],
    ["gzip;q=0, br;q=0", "identity"],
    ["identity, gzip;q=0.5", "identity"],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["gzip, deflate, br", "br"],
    ["br;q=0.3, gzip;q=0.7", "gzip"],
    ["*", "br"],
    ["identity;q=0, *;q=0.1", "br"],
  ])("sends a large page as its client takes it, the same bytes after all: %j as %s", async (accepted, coding) => {
    const { ada } = await withPeople();
    const plain = await ask(ada, "/v1/people?limit=100");
    const { status, headers, body } = await ask(
      ada,
      "/v1/people?limit=100",
      accepted === undefined ? {} : { "Accept-Encoding": accepted },
    );
    expect([status, headers["content-encoding"] ?? "identity"]).toEqual([200, coding]);
    expect(headers).toMatchObject({ vary: "Accept-Encoding", "content-length": String(body.length) });
    expect(DECODE[coding]?.(body).equals(plain.body)).toBe(true);
    expect(body.length < plain.body.length / 4).toBe(coding !== "identity");
  });

  it("leaves small answers as they are, unless their client refuses that", async () => {
    const { ada } = await scene.workspace();
    const small = await ask(ada, "/v1/users/me", { "Accept-Encoding": "br, gzip" });
    expect([small.headers["content-encoding"], small.headers.vary]).toEqual([undefined, undefined]);
    const refused = await ask(ada, "/v1/users/me", { "Accept-Encoding": "gzip, identity;q=0" });
    expect([refused.headers["content-encoding"], refused.headers.vary]).toEqual(["gzip", "Accept-Encoding"]);
    expect(gunzipSync(refused.body).equals(small.body)).toBe(true);
    const impossible = await ask(ada, "/v1/users/me", { "Accept-Encoding": "zstd, identity;q=0" });
    expect(impossible.body.equals(small.body)).toBe(true);
  });

  it("sends what is saved under an Idempotency-Key in the coding of each request, the same text", async () => {
    const { ada, body, headers, made } = await withPeople();
    const again = (accepted: string) =>
      ask(ada, "/v1/people/batch/create", { ...headers, "Accept-Encoding": accepted }, { method: "POST", body });
    for (const coding of ["br", "gzip", "identity"]) {
      const replay = await again(coding);
      expect(replay.headers["idempotent-replayed"]).toBe("true");
      expect(replay.headers["content-encoding"] ?? "identity").toBe(coding);
      expect(DECODE[coding]?.(replay.body).equals(made.body)).toBe(true);
    }
  });

  it("gives HEAD the headers of GET and no body", async () => {
    const { ada } = await withPeople();
    const accepted = { "Accept-Encoding": "gzip" };
    const [get, head] = [
      await ask(ada, "/v1/people?limit=100", accepted),
      await ask(ada, "/v1/people?limit=100", accepted, { method: "HEAD" }),
    ];
    expect(head.body).toHaveLength(0);
    for (const name of ["content-encoding", "vary", "content-length", "content-type"])
      expect(head.headers[name]).toBe(get.headers[name]);
  });

  it("compresses errors that tell many issues, and no stream of events", async () => {
    const { ada } = await scene.workspace();
    const records = Array.from({ length: 100 }, () => ({ [`unknown${"x".repeat(400)}`]: 1 }));
    const refused = await ask(
      ada,
      "/v1/people/batch/create",
      { "Accept-Encoding": "br" },
      { method: "POST", body: JSON.stringify({ records }) },
    );
    expect([refused.status, refused.headers["content-encoding"]]).toEqual([422, "br"]);
    expect(JSON.parse(brotliDecompressSync(refused.body).toString())).toMatchObject({
      error: { code: "UNPROCESSABLE_ENTITY" },
    });
    const stream = await readEvents(scene.server, ada.key, "", { "Accept-Encoding": "br, gzip" });
    expect([stream.headers["content-encoding"], stream.headers.vary]).toEqual([undefined, undefined]);
    stream.close();
  });

  it("answers all of many who ask at the same time, compressed or as it is, with the same text", async () => {
    const { ada } = await withPeople();
    const plain = await ask(ada, "/v1/people?limit=100");
    const all = await Promise.all(
      Array.from({ length: 60 }, () => ask(ada, "/v1/people?limit=100", { "Accept-Encoding": "br" })),
    );
    for (const { status, headers, body } of all.filter((one) => one.status !== 503)) {
      expect(status).toBe(200);
      expect(DECODE[headers["content-encoding"] ?? "identity"]?.(body).equals(plain.body)).toBe(true);
    }
    expect(all.some(({ headers }) => headers["content-encoding"] === "br")).toBe(true);
  });

  it("sends the description of the API and the parts of pages in every coding, the same text", async () => {
    for (const path of ["/v1/openapi.json", "/docs", "/docs/guides/filters", "/docs/assets/page.css", "/console"]) {
      const identity = await ask(undefined, path, { "Accept-Encoding": "identity" });
      expect([identity.status, identity.headers["content-encoding"]]).toEqual([200, undefined]);
      for (const coding of ["br", "gzip"]) {
        const { headers, body } = await ask(undefined, path, { "Accept-Encoding": coding });
        expect(headers).toMatchObject({
          "content-encoding": coding,
          vary: "Accept-Encoding",
          "content-length": String(body.length),
        });
        expect(headers.etag).toBe(identity.headers.etag);
        expect(DECODE[coding]?.(body).equals(identity.body)).toBe(true);
      }
    }
  });
});
