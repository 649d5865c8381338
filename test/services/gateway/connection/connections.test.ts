import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, it } from "@jest/globals";
import { gaugesText } from "../../../../base/budgets/gauges.ts";
import { until } from "../../../../lab/harness/until.ts";
import { createConnections } from "../../../../services/gateway/connection/connections.ts";
import { peerReader } from "../../../../services/gateway/identity/address.ts";

const REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

let server: Server;
const clients: Socket[] = [];
const waiting: ServerResponse[] = [];

afterEach(async () => {
  for (const socket of clients.splice(0)) socket.destroy();
  waiting.length = 0;
  await new Promise((resolve) => server.close(resolve));
});

/** A server with places for a few connections, that answers when it is told to. */
async function listen(bounds: { perAddressMax: number; max: number; proxies?: string[] }): Promise<void> {
  const connections = createConnections({ ...bounds, addressOf: peerReader(bounds.proxies) });
  server = createServer({ ServerResponse: connections.ServerResponse }, (_request, response) => waiting.push(response));
  connections.watch(server);
  await new Promise<void>((resolve) => server.listen(0, resolve));
}

const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded;
const held = () => Number(/^contact_workspace_connections (\d+)$/m.exec(gaugesText())?.[1]);

/** A client that has connected from an address; all of 127.0.0.0/8 is this machine. */
async function client(localAddress = "127.0.0.1"): Promise<Socket> {
  let accepted = false;
  server.once("connection", () => (accepted = true));
  const socket = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", localAddress });
  clients.push(socket.resume().on("error", () => undefined));
  await until("the server has seen it", () => accepted);
  return socket;
}

async function begin(socket: Socket): Promise<ServerResponse> {
  const before = waiting.length;
  socket.write(REQUEST);
  return until("the request has come", () => waiting[before]);
}

async function answered(socket: Socket): Promise<void> {
  const response = await begin(socket);
  const before = socket.bytesRead;
  response.end("done");
  await until("the answer has come", () => socket.bytesRead > before);
}

const openOf = async (sockets: Socket[], expected: number) => {
  await until("as many are open", () => sockets.filter(isOpen).length === expected);
  return sockets.map(isOpen);
};

it("the connection of an address that is idle for the longest makes room for its newest (docs/guides/under-load.md)", async () => {
  await listen({ perAddressMax: 3, max: 100 });
  const other = await client("127.0.0.2");
  const sockets = [await client(), await client(), await client()];
  // The first one has been idle for the shortest time now.
  await answered(sockets[0] as Socket);
  sockets.push(await client());
  expect(await openOf(sockets, 3)).toEqual([true, false, true, true]);
  expect(isOpen(other)).toBe(true);
  await until("the closed one is no longer counted", () => held() === 4);
});

it("a connection with a request under way is not closed for another; when all have one, the newest is", async () => {
  await listen({ perAddressMax: 2, max: 100 });
  const sockets = [await client(), await client()];
  const first = await begin(sockets[0] as Socket);
  sockets.push(await client());
  expect(await openOf(sockets, 2)).toEqual([true, false, true]);
  await begin(sockets[2] as Socket);
  sockets.push(await client());
  expect(await openOf(sockets, 2)).toEqual([true, false, true, false]);
  // When it has its answer it is idle as others are.
  first.end();
  await until("it has its answer", () => (sockets[0] as Socket).bytesRead > 0);
  sockets.push(await client());
  expect(await openOf(sockets, 2)).toEqual([false, false, true, false, true]);
});

it("when all places are taken, the address that has the most makes room", async () => {
  await listen({ perAddressMax: 3, max: 4 });
  const victim = await client("127.0.0.2");
  const many = [await client(), await client(), await client()];
  const newest = await client("127.0.0.3");
  expect(await openOf(many, 2)).toEqual([false, true, true]);
  expect([victim, newest].map(isOpen)).toEqual([true, true]);
});

it("a trusted proxy, behind which there are many clients, may have all places until others need them", async () => {
  await listen({ perAddressMax: 2, max: 4, proxies: ["127.0.0.9/32"] });
  const proxy = [];
  for (let i = 0; i < 4; i += 1) proxy.push(await client("127.0.0.9"));
  expect(proxy.every(isOpen)).toBe(true);
  const others = [await client("127.0.0.2"), await client("127.0.0.2")];
  expect(await openOf(proxy, 2)).toEqual([false, false, true, true]);
  expect(others.every(isOpen)).toBe(true);
});
