import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { gaugesText } from "../../../../base/budgets/gauges.ts";
import { until } from "../../../../lab/harness/until.ts";
import { startWorld, type TestWorkspace, type World } from "../../../../lab/harness/world.ts";
import { checkRawAnswer } from "../../../support/raw-answer.ts";
import { startProcess, type TestServer } from "../../../support/server.ts";

const JSON_TYPE = "Content-Type: application/json\r\n";
const STATUS_LINE = /HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/g;

// What no HTTP client sends. docs/guides/limits.md#sizes
describe("Bytes on a connection", () => {
  let server: TestServer;
  let world: World;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    server = await startProcess({ env: { LOG_LEVEL: "warn" } });
    world = await startWorld(server.database);
    workspace = await world.workspace();
  });
  afterAll(async () => {
    await world?.stop();
    await server?.stop();
  });

  const key = () => `Authorization: Bearer ${workspace.ada.key}\r\n`;
  const get = (more = "", version = " HTTP/1.1") => `GET /v1/users/me${version}\r\nHost: x\r\n${key()}${more}\r\n`;
  const post = (head: string, body: string) =>
    `POST /v1/people HTTP/1.1\r\nHost: x\r\n${key()}${JSON_TYPE}${head}\r\n${body}`;
  const old = (head: string, body: string) => post(head, body).replace("HTTP/1.1", "HTTP/1.0");
  const peopleNamed = async (lastName: string) =>
    (await server.database.read("select from people where last_name = $1", [lastName])).length;

  /** Sends bytes; what has come back when the server has closed, or as soon as `isEnough`. */
  function exchange(bytes: string, isEnough: (received: string) => boolean = () => false) {
    const socket = connect(Number(new URL(server.base).port), "127.0.0.1");
    let received = "";
    let closed = false;
    socket.on("data", (data) => (received += String(data)));
    socket.on("close", () => (closed = true)).on("error", () => undefined);
    socket.write(bytes, "latin1");
    const done = until("the answer is there", () => closed || isEnough(received)).then(() => {
      socket.destroy();
      checkRawAnswer(server, bytes, received);
      return {
        received,
        closed,
        statuses: [...received.matchAll(STATUS_LINE)].map(([, status]) => Number(status)),
      };
    });
    return { socket, done };
  }

  it.each([" ", "\0garbage\r\n\r\n"])(
    "behind a body are 400 after the answer to the request that was carried out (%j)",
    async (stray) => {
      const lastName = `stray ${stray.length}`;
      const body = JSON.stringify({ lastName });
      const { statuses, closed } = await exchange(post(`Content-Length: ${body.length}\r\n`, body + stray)).done;
      expect([statuses, closed]).toEqual([[200, 400], true]);
      expect(await peopleNamed(lastName)).toBe(1);
    },
  );

  it("that break off a body are 400, after the answers to the requests before", async () => {
    const broken = post("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\nxyz\r\n");
    expect((await exchange(broken).done).statuses).toEqual([400]);
    const { statuses, closed } = await exchange(get() + get() + broken).done;
    expect([statuses, closed]).toEqual([[200, 200, 400], true]);
  });

  it.each([
    ["two Host", () => get("Host: y\r\n")],
    ["two Content-Type", () => post("Content-Type: application/json\r\nContent-Length: 2\r\n", "{}")],
    ["HTTP/2.0", () => get("", " HTTP/2.0")],
    ["HTTP/0.9", () => get("", " HTTP/0.9")],
    ["no version", () => get("", "")],
    ["another transfer encoding", () => post("Transfer-Encoding: gzip, chunked\r\n", "2\r\n{}\r\n0\r\n\r\n")],
    ["no transfer encoding that ends", () => post("Transfer-Encoding: gzip\r\n", "{}")],
    ["the transfer encoding identity", () => post("Transfer-Encoding: identity\r\n", "{}")],
    ["HTTP/1.0 and chunks", () => old("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n")],
    ["HTTP/1.0 and chunks in other letters", () => old("transfer-encoding: Chunked\r\n", "2\r\n{}\r\n0\r\n\r\n")],
    ["HTTP/1.0, chunks and no body", () => get("Transfer-Encoding: chunked\r\n", " HTTP/1.0")],
    ["HTTP/1.0 and the transfer encoding identity", () => old("Transfer-Encoding: identity\r\n", "{}")],
  ])("with %s are 400 and the end of the connection", async (_what, bytes) => {
    const { received, statuses, closed } = await exchange(bytes()).done;
    expect([statuses, closed]).toEqual([[400], true]);
    expect(received).toContain('"code":"INVALID_REQUEST"');
    expect(received).toMatch(/\r\nConnection: close\r\n/);
  });

  it.each([
    ["two Content-Length", "Content-Length: 2\r\nContent-Length: 2\r\n", "{}"],
    ["Content-Length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"],
    ["a list as Content-Length", "Content-Length: 2, 2\r\n", "{}"],
    ["chunks twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"],
  ])("that say twice where a body ends are 400, and nothing behind is read: %s", async (_what, head, body) => {
    for (const bytes of [post(head, body), old(head, body)]) {
      const { statuses, closed } = await exchange(bytes + get()).done;
      expect([statuses, closed]).toEqual([[400], true]);
    }
  });

  it("of HTTP/1.0 are served with a Content-Length", async () => {
    const { statuses, closed } = await exchange(old("Content-Length: 2\r\n", "{}")).done;
    expect([statuses, closed]).toEqual([[200], true]);
  });

  it("that ask for a tunnel are 404", async () => {
    const { received, statuses, closed } = await exchange(`CONNECT example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n`).done;
    expect([statuses, closed]).toEqual([[404], true]);
    expect(received).toContain('"code":"RESOURCE_NOT_FOUND"');
  });

  it.each(["h2c", "websocket"])(
    "that ask for %s are served as if they had not, with their body and what comes behind",
    async (other) => {
      const lastName = `Upgrade ${other}`;
      const body = JSON.stringify({ lastName });
      const upgrade = `Connection: Upgrade\r\nUpgrade: ${other}\r\n`;
      const bytes = post(`${upgrade}Content-Length: ${body.length}\r\n`, body) + get(upgrade) + get();
      const threeAnswers = (received: string) => (received.match(/"data":/g) ?? []).length === 3;
      expect((await exchange(bytes, threeAnswers).done).statuses).toEqual([200, 200, 200]);
      expect(await peopleNamed(lastName)).toBe(1);
    },
  );

  it.each(["close", "reset"])("that end anywhere by a %s are no reason to log anything", async (how) => {
    const written = jest.spyOn(process.stdout, "write").mockReturnValue(true);
    const lastName = `Gone by ${how}`;
    const body = JSON.stringify({ lastName, description: "x".repeat(3000) });
    const whole = post(`Content-Length: ${body.length}\r\n`, body);
    const search = post("Transfer-Encoding: chunked\r\n", '7\r\n{"filte\r\n').replace("/people", "/people/search");
    const ends = [10, 60, whole.length - 3000, whole.length - 1, whole.length].map((end) => whole.slice(0, end));
    for (const bytes of [...ends, whole + whole + get(), search]) {
      const socket = connect(Number(new URL(server.base).port), "127.0.0.1");
      socket.on("error", () => undefined).write(bytes);
      await until("the bytes have left", () => socket.bytesWritten === bytes.length && !socket.connecting);
      if (how === "reset") socket.resetAndDestroy();
      else socket.destroy();
    }
    await until("the server knows that they have gone", () => /^contact_workspace_connections 0$/m.test(gaugesText()));
    await until("nothing is held for them", () => !/^contact_workspace_held.* [1-9]/m.test(gaugesText()));
    expect((await exchange(get(), (received) => received.includes('"data":')).done).statuses).toEqual([200]);
    const lines = written.mock.calls.map(([line]) => String(line)).filter((line) => /warn|error|fatal/i.test(line));
    written.mockRestore();
    expect(lines).toEqual([]);
  });

  it("are asked for by 100 Continue only when the head is accepted", async () => {
    const expecting = "Expect: 100-continue\r\n";
    const ended = (received: string) => received.includes("timestamp");
    const tooLarge = post(`${expecting}Content-Length: ${20 * 2 ** 20}\r\n`, "");
    expect((await exchange(tooLarge, ended).done).statuses).toEqual([413]);
    const withoutKey = post(`${expecting}Content-Length: 2\r\n`, "").replace(key(), "");
    const refused = await exchange(withoutKey, ended).done;
    expect(refused.statuses).toEqual([401]);
    expect(refused.received).toMatch(/\r\nConnection: close\r\n/);

    const accepted = exchange(post(`${expecting}Content-Length: 2\r\n`, ""), (received) =>
      received.includes('"data":'),
    );
    let heard = "";
    accepted.socket.on("data", (data) => (heard += String(data)));
    await until("the server asks for the body", () => heard === "HTTP/1.1 100 Continue\r\n\r\n");
    accepted.socket.write("{}");
    expect((await accepted.done).statuses).toEqual([100, 200]);
  });
});
