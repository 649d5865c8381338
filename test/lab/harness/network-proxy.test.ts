import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type NetworkProxy, proxyTo } from "../../../lab/harness/network-proxy.ts";
import { until } from "../../../lab/harness/until.ts";

/** A peer that answers each piece with "re: " and the piece, behind a proxy. */
let peer: ReturnType<typeof createServer>;
let heard = "";
let proxy: NetworkProxy;
const clients: Socket[] = [];

beforeEach(async () => {
  heard = "";
  peer = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      heard += data.toString();
      socket.write(`re: ${data.toString()}`);
    });
  });
  await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
  const { port } = peer.address() as AddressInfo;
  proxy = await proxyTo({ host: "127.0.0.1", port }, `tcp://127.0.0.1:${port}`);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await proxy.stop();
  peer.close();
});

/** A client, of the proxy unless another port is given, that keeps all that it gets. */
async function open(port = Number(new URL(proxy.url).port)): Promise<{ socket: Socket; got(): string }> {
  const socket = connect(port, "127.0.0.1");
  clients.push(socket);
  let text = "";
  socket.on("data", (data) => {
    text += data.toString();
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return { socket, got: () => text };
}

describe("A network proxy", () => {
  it("that stalls answers lets requests through, and loses nothing", async () => {
    const before = await open();
    before.socket.write("one ");
    await until("the first answer", () => before.got() === "re: one ");
    proxy.stall("answers");
    const during = await open();
    before.socket.write("two ");
    during.socket.write("three ");
    await until("both requests", () => heard.includes("two ") && heard.includes("three "));
    expect([before.got(), during.got()]).toEqual(["re: one ", ""]);
    await proxy.restore();
    await until("both answers", () => before.got() === "re: one re: two " && during.got() === "re: three ");
  });

  it.each(["requests", "both"] as const)("that stalls %s keeps what is sent until it is restored", async (which) => {
    const { socket, got } = await open();
    proxy.stall(which);
    socket.write("one ");
    // A client that does not use the proxy sends and gets ten answers: by then the request would have arrived too.
    const beside = await open((peer.address() as AddressInfo).port);
    for (let n = 1; n <= 10; n += 1) {
      beside.socket.write("x");
      await until("an answer beside the proxy", () => beside.got() === "re: x".repeat(n));
    }
    expect(heard).toBe("x".repeat(10));
    expect(got()).toBe("");
    await proxy.restore();
    await until("the answer", () => got() === "re: one ");
  });

  it("that loses pieces resets their connections, and those alone", async () => {
    const { socket, got } = await open();
    const draws = [0.9, 0.01];
    proxy.lose(0.05, () => draws.shift() ?? 0);
    socket.write("one ");
    await until("the first answer", () => got() === "re: one ");
    socket.write("two ");
    await until("the reset", () => socket.closed);
    expect(got()).toBe("re: one ");
    await proxy.restore();
    const after = await open();
    after.socket.write("three ");
    await until("the answer", () => after.got() === "re: three ");
  });
});
