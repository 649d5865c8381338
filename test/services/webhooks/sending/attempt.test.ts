import { createServer, type Server } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../../../../lab/harness/until.ts";
import { type Attempt, createAttempt, type Outcome } from "../../../../services/webhooks/sending/attempt.ts";
import { type Connections, openConnections } from "../../../../services/webhooks/sending/connections.ts";
import { createResolve, type Resolve } from "../../../../services/webhooks/sending/lookup.ts";
import { createAddressRules } from "../../../../services/webhooks/subscriptions/addresses.ts";
import { answerStatus, listen, portOf, RECEIVER_HOST, type Receiver, startRaw, startReceiver } from "./receiver.ts";
import { refusedTargets } from "./spellings.ts";

const rules = createAddressRules([`${RECEIVER_HOST}/32`]);
const unused = new AbortController().signal;
const SENT = { headers: { "content-type": "application/json" }, body: Buffer.from('{"id": "evt_1"}') };

const given =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

const NO_ADDRESS = "the name was not found, or leads to an address that is not allowed";

describe("An attempt", () => {
  let receiver: Receiver;
  let connections: Connections;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    receiver = await startReceiver();
    connections = openConnections(8);
  });

  afterAll(async () => {
    connections.close();
    for (const stop of [receiver.stop, ...stops]) await stop();
  });

  const patient = createAttempt({ rules, resolve: createResolve() });
  const to = (targetUrl: string, attempt: Attempt = patient): Promise<Outcome> =>
    attempt({ ...SENT, targetUrl, connections }, unused);
  const raw = async (...[serve]: Parameters<typeof startRaw>): Promise<string> => {
    const { port, stop } = await startRaw(serve);
    stops.push(stop);
    return `http://${RECEIVER_HOST}:${port}/`;
  };

  it("sends the bytes of the body with a host, and tells the answer", async () => {
    receiver.answer("/told?a=1", answerStatus(418, { "retry-after": "7" }, "I am a teapot"));
    const outcome = await to(`${receiver.url}/told?a=1`);
    expect(outcome).toEqual({
      responseStatus: 418,
      error: null,
      durationMs: expect.any(Number),
      responseBody: "I am a teapot",
      retryAfter: "7",
    });
    const [got] = receiver.at("/told?a=1");
    expect(got?.body.equals(SENT.body)).toBe(true);
    expect(got?.headers).toEqual({
      "content-type": "application/json",
      "content-length": String(SENT.body.length),
      host: new URL(receiver.url).host,
      connection: "keep-alive",
    });
  });

  it("keeps the first KiB of a body as a text, without half of a character", async () => {
    receiver.answer("/long", answerStatus(200, {}, `\0${"x".repeat(1022)}ü${"y".repeat(5000)}`));
    expect((await to(`${receiver.url}/long`)).responseBody).toBe(`\ufffd${"x".repeat(1022)}`);
  });

  describe("whose target is refused (docs/guides/webhook-deliveries.md#targets)", () => {
    const canaries: Server[] = [];
    const hits: string[] = [];
    let port = 0;

    beforeAll(async () => {
      for (const host of ["127.0.0.1", "::1"]) {
        const canary = createServer((socket) => {
          hits.push(host);
          socket.destroy();
        });
        await listen(canary, host, port);
        port = portOf(canary);
        canaries.push(canary);
      }
    });

    afterAll(async () => {
      for (const canary of canaries) await new Promise((resolve) => canary.close(resolve));
    });

    it("connects to nobody, however the address is spelled", async () => {
      const targets = Object.values(refusedTargets(port)).flat();
      expect(targets.length).toBeGreaterThan(120);
      const outcomes = await Promise.all(targets.map(async (target) => ({ target, ...(await to(target)) })));
      const told = /not allowed|name was not found|could not be looked up|no address of http|not a URL|has no address/;
      expect(
        outcomes.filter(({ error, responseStatus }) => responseStatus !== null || !told.test(error ?? "")),
      ).toEqual([]);
      expect(hits).toEqual([]);
      // A backslash ends the host, so this one leads to the receiver's address.
      expect((await to(`http://${RECEIVER_HOST}:${port}\\@127.0.0.1:${port}/`)).error).toBe("connection refused");
      expect(hits).toEqual([]);
      // The canaries do notice a connection.
      await to(
        `http://127.0.0.1:${port}/`,
        createAttempt({ rules: createAddressRules(["127.0.0.1/32"]), resolve: given() }),
      );
      expect(hits).toEqual(["127.0.0.1"]);
      hits.length = 0;
    });

    it("judges every address of a name, and connects to the one that was judged", async () => {
      const named = `http://receiver.test:${new URL(receiver.url).port}/named`;
      for (const addresses of [
        ["127.0.0.1"],
        [RECEIVER_HOST, "127.0.0.1"],
        [RECEIVER_HOST, "::1"],
        ["::ffff:127.0.0.1"],
      ]) {
        const told: string[] = [];
        const onRefused = (message: string) => told.push(message);
        const outcome = await to(named, createAttempt({ rules, resolve: given(...addresses), onRefused }));
        expect([outcome.error, outcome.durationMs]).toEqual([NO_ADDRESS, 0]);
        expect(told).toEqual([expect.stringMatching(/^receiver\.test leads to \S+, which is not allowed: /)]);
      }
      // A name that there is not is told in the same words.
      for (const code of ["ENOTFOUND", "ENODATA"]) {
        const unknown: Resolve = () => Promise.reject(Object.assign(new Error("unknown"), { code }));
        const outcome = await to(named, createAttempt({ rules, resolve: unknown }));
        expect([outcome.error, outcome.durationMs]).toEqual([NO_ADDRESS, 0]);
      }
      expect(receiver.at("/named")).toEqual([]);
      const asked: string[] = [];
      const rebound: Resolve = async (name, signal) => {
        asked.push(name);
        return given(asked.length === 1 ? RECEIVER_HOST : "127.0.0.1")(name, signal);
      };
      const attempt = createAttempt({ rules, resolve: rebound });
      const fresh = openConnections(1);
      const target = { ...SENT, targetUrl: named, connections: fresh };
      expect((await attempt(target, unused)).responseStatus).toBe(200);
      // The connection is used again, without another lookup.
      expect((await attempt(target, unused)).responseStatus).toBe(200);
      expect(asked).toEqual(["receiver.test"]);
      fresh.close();
      expect((await to(named, attempt)).error).toBe(NO_ADDRESS);
      expect(receiver.at("/named").map(({ headers }) => headers.host)).toEqual([
        new URL(named).host,
        new URL(named).host,
      ]);
      expect(hits).toEqual([]);
    });

    it("follows no redirect and no variable of a proxy", async () => {
      for (const name of ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
        process.env[name] = `http://127.0.0.1:${port}`;
      for (const status of [301, 302, 303, 307, 308]) {
        receiver.answer(`/to/${status}`, answerStatus(status, { location: `http://127.0.0.1:${port}/redirected` }));
        const { responseStatus, error } = await to(`${receiver.url}/to/${status}`);
        expect([responseStatus, error]).toEqual([status, "redirects are not followed"]);
      }
      for (const name of Object.keys(process.env).filter((each) => /_proxy$/i.test(each))) delete process.env[name];
      expect(hits).toEqual([]);
    });

    it("tells a TLS server the name of the target", async () => {
      let hello = "";
      const url = new URL(
        await raw((socket) =>
          socket.once("data", (data) => {
            hello = data.toString("latin1");
            socket.end(hello);
          }),
        ),
      );
      const attempt = createAttempt({ rules, resolve: given(RECEIVER_HOST) });
      const { error } = await to(`https://named.example.test:${url.port}/`, attempt);
      expect(hello).toContain("named.example.test");
      expect(error).toBe("TLS failed");
    });
  });

  describe("that a receiver holds up", () => {
    const hasty = createAttempt({ rules, resolve: createResolve(), withinMs: 300 });
    const LATE = "no answer within 0.3 s";
    const head = "HTTP/1.1 200 OK\r\n";
    /** Writes a piece again and again, as fast as the other side takes it, or slowly. */
    const endlessly = (piece: string | Buffer, everyMs: number, start = "") => {
      return raw((socket) => {
        socket.once("data", () => {
          if (start) socket.write(start);
          const timer = setInterval(() => socket.write(piece), everyMs);
          socket.once("close", () => clearInterval(timer));
        });
      });
    };

    it("ends when there is no answer, no end of the headers, or only answers before the answer", async () => {
      expect((await to(await raw(() => undefined), hasty)).error).toBe(LATE);
      expect((await to(await endlessly("x", 10, head), hasty)).error).toBe(LATE);
      expect((await to(await endlessly("HTTP/1.1 103 Early Hints\r\n\r\n", 10), hasty)).error).toBe(LATE);
    });

    it("ends when the headers are too large, or are none", async () => {
      const large = await endlessly(`x-large: ${"y".repeat(1000)}\r\n`, 1, head);
      expect((await to(large, hasty)).error).toBe("the headers of the answer are too large");
      expect((await to(await raw((socket) => void socket.end("Hello\r\n\r\n")), hasty)).error).toBe(
        "the answer is not HTTP",
      );
    });

    it("has succeeded once the headers of a 2xx have come, whatever the body does", async () => {
      const slow = await to(await endlessly("z", 10, `${head}content-length: 100000\r\n\r\n`), hasty);
      expect([slow.responseStatus, slow.error, slow.responseBody.slice(0, 2)]).toEqual([200, null, "zz"]);
      const broken = await to(
        await raw((socket) => socket.once("data", () => socket.end(`${head}content-length: 9\r\n\r\nabc`))),
      );
      expect([broken.responseStatus, broken.error, broken.responseBody]).toEqual([200, null, "abc"]);
    });

    it("reads no more than 16 KiB of a body, and decompresses nothing", async () => {
      let written = 0;
      let isClosed = false;
      function* pieces(piece: Buffer) {
        for (; !isClosed; written += piece.length) yield piece;
      }
      const url = await raw((socket) => {
        socket.once("close", () => {
          isClosed = true;
        });
        socket.once("data", () => {
          socket.write(`${head}content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n`);
          const piece = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, "g"), Buffer.from("\r\n")]);
          Readable.from(pieces(piece)).pipe(socket);
        });
      });
      const { responseStatus, responseBody } = await to(url);
      expect([responseStatus, responseBody]).toEqual([200, "g".repeat(1024)]);
      await until("the connection is closed", () => isClosed);
      // What the buffers of both sockets take is written and not read.
      expect(written).toBeLessThan(32 * 1024 * 1024);
    });
  });

  it("tells in words what has failed", async () => {
    const closed = await raw((socket) => socket.destroy());
    expect((await to(closed)).error).toBe("the connection was closed before an answer");
    const { port, stop } = await startRaw(() => undefined);
    await stop();
    expect((await to(`http://${RECEIVER_HOST}:${port}/`)).error).toBe("connection refused");
    expect((await to("http://nobody.invalid/")).error).toMatch(
      /^the name (was not found, or leads to .*|could not be looked up)$/,
    );
  });

  it("is made again at once when a kept connection is closed as it is used, and else is not", async () => {
    const ok = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
    const counts: number[] = [];
    const url = await raw((socket, count) => {
      let requests = 0;
      socket.on("data", () => {
        requests += 1;
        counts.push(count);
        if (requests === 1 && count < 4) socket.write(ok);
        else socket.resetAndDestroy();
      });
    });
    expect((await to(url)).responseStatus).toBe(200);
    // The second request on the first connection is reset, and is sent again on a second one.
    expect((await to(url)).responseStatus).toBe(200);
    expect(counts).toEqual([1, 1, 2]);
    expect((await to(url)).responseStatus).toBe(200);
    expect((await to(url)).error).toBe("the connection was closed before an answer");
    expect(counts).toEqual([1, 1, 2, 3, 3, 4]);
  });

  it("puts no line break into a header, whatever the target holds", async () => {
    const { port } = new URL(receiver.url);
    await to(`http://${RECEIVER_HOST}:${port}/a\r\nX-Evil: 1\r\n/b?c=d\r\nX-Evil: 2`);
    const { headers, path } = receiver.received.at(-1) ?? {};
    expect(path).toBe("/aX-Evil:%201/b?c=dX-Evil:%202");
    expect(headers).not.toHaveProperty("x-evil");
  });

  it("ends when the server is stopped", async () => {
    const stopping = new AbortController();
    const url = await raw((socket) => socket.once("data", () => stopping.abort()));
    const outcome = await patient({ ...SENT, targetUrl: url, connections }, stopping.signal);
    expect(outcome.error).toBe("the server was stopped");
  });
});
