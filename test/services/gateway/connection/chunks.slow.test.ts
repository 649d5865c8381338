import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { until } from "../../../../lab/harness/until.ts";
import { requestsOfGatheredChunks } from "../../../../services/gateway/connection/chunks.ts";

/** What Node reads of a socket at once. */
const READ_BYTES = 65_536;

const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("Requests in small chunks (docs/guides/under-load.md)", () => {
  const opened: { server: Server; sockets: Socket[] }[] = [];

  afterEach(() => {
    for (const { server, sockets } of opened.splice(0)) {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });

  /** A server that hands its requests to the test, and a client who sends to it. */
  async function open(take: (request: IncomingMessage) => unknown) {
    const server = createServer({ IncomingMessage: requestsOfGatheredChunks() }, (request) => void take(request));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const sockets: Socket[] = [];
    opened.push({ server, sockets });
    const send = (bytes: string): Socket => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      sockets.push(socket.on("error", () => undefined));
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${bytes}`);
      return socket;
    };
    return { send };
  }

  it("give the bytes that were sent, in their order, however they are cut", async () => {
    const small = fc.integer({ min: 1, max: 9 });
    const any = fc.oneof({ weight: 9, arbitrary: small }, fc.integer({ min: 1, max: 5000 }));
    const cuts = fc.oneof(fc.array(small, { maxLength: 200 }), fc.array(any, { maxLength: 200 }));
    const packets = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 20 });
    let pauseFirst = 0;
    let received = "";
    const { send } = await open(async (request) => {
      for (let i = 0; i < pauseFirst; i += 1) await turn();
      received = "";
      request.on("data", (data: Buffer) => {
        received += data.toString();
      });
      request.on("end", () => request.socket.end("HTTP/1.1 204 \r\n\r\n"));
    });
    await fc.assert(
      fc.asyncProperty(cuts, packets, fc.nat({ max: 30 }), async (lengths, sizes, turns) => {
        pauseFirst = turns;
        const texts = lengths.map((length, i) => String.fromCharCode(97 + (i % 26)).repeat(length));
        const bytes = `${texts.map(chunkOf).join("")}0\r\n\r\n`;
        const socket = send("");
        let sent = 0;
        for (const size of sizes) {
          socket.write(bytes.slice(sent, sent + size));
          sent += size;
          for (let i = 0; i < 5; i += 1) await turn();
        }
        socket.write(bytes.slice(sent));
        await new Promise((resolve) => socket.resume().on("close", resolve));
        expect(received).toBe(texts.join(""));
      }),
      { numRuns: 60 },
    );
  });

  it("hold a few buffers, not one for each chunk, while nobody asks for the body", async () => {
    let request: IncomingMessage | undefined;
    const { send } = await open((one) => {
      request = one;
    });
    send(chunkOf("x".repeat(8)).repeat(40_000));
    const waiting = await until("the request is there", () => request);
    await until("as much is buffered as ever will be", async () => {
      const { bytesRead } = waiting.socket;
      for (let i = 0; i < 20; i += 1) await turn();
      return bytesRead === waiting.socket.bytesRead;
    });
    const held = waiting.readableLength;
    const sizes: number[] = [];
    waiting.on("data", (buffer: Buffer) => sizes.push(buffer.length));
    const total = () => sizes.reduce((sum, size) => sum + size, 0);
    await until("what was held is given", () => total() >= held);
    expect(held).toBeGreaterThan(1000);
    expect(sizes.slice(0, 50).reduce((sum, size) => sum + size, 0)).toBeGreaterThanOrEqual(held);
    await until("the rest follows", () => total() === 320_000);
  });

  it("leave the event loop to others: one socket is read on after another, with a pause between", async () => {
    const requests: IncomingMessage[] = [];
    const { send } = await open((request) => {
      requests.push(request.resume().on("end", () => request.socket.destroy()));
    });
    const chunks = `${chunkOf("x".repeat(8)).repeat(40_000)}0\r\n\r\n`;
    for (let i = 0; i < 6; i += 1) send(chunks);
    await until("all have begun", () => requests.length === 6);
    let most = 0;
    for (let before = 0; !requests.every(({ complete }) => complete); ) {
      const read = requests.reduce((sum, { socket }) => sum + socket.bytesRead, 0);
      if (before > 0) most = Math.max(most, read - before);
      before = read;
      await turn();
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2 * READ_BYTES);
  });

  it("are cut off that have nearly nothing in each of very many chunks", async () => {
    const { send } = await open((request) => request.resume());
    const socket = send(chunkOf("x").repeat(600_000));
    await new Promise((resolve) => socket.resume().on("close", resolve));
    expect(socket.destroyed).toBe(true);
  });

  it("give what has come, however long the next chunk takes", async () => {
    let received = 0;
    const { send } = await open((request) => {
      request.on("data", (data: Buffer) => {
        received += data.length;
      });
    });
    const socket = send("");
    for (let sent = 20; sent <= 100; sent += 20) {
      socket.write(chunkOf("x").repeat(20));
      await until("what was sent has come", () => received === sent);
    }
  });
});
