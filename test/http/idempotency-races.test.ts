import { randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";
import { expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import type { Answer } from "../support/client.ts";
import { whileLocked } from "../support/locked-row.ts";
import { describeServer, type Scene } from "../support/scene.ts";

const isReplay = ({ headers }: Answer) => headers["idempotent-replayed"] === "true";

// Requests that come at the same moment, and clients that go away. docs/guides/idempotency.md#while-it-runs
describeServer("A write with an Idempotency-Key", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const headers = { "Idempotency-Key": randomUUID() };
    const make = (body: object = { firstName: "Ada" }) => api.post("/v1/people", body, headers);
    const count = async () => (await api.all("/v1/people")).length;
    return { ...workspace, api, headers, make, count };
  }

  it("that comes 50 times at once runs once; the others are told to wait, or what it answered", async () => {
    const { make, count } = await setUp();
    const answers = await Promise.all(Array.from({ length: 50 }, () => make()));
    const ran = answers.filter((answer) => answer.status === 200 && !isReplay(answer));
    expect(ran).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.text).toBe(ran[0]?.text);
      else
        expect([answer.status, answer.error.code, answer.headers["retry-after"]]).toEqual([
          409,
          "IDEMPOTENCY_REQUEST_IN_PROGRESS",
          "1",
        ]);
    }
    const retries = await Promise.all(Array.from({ length: 10 }, () => make()));
    expect(retries.map((answer) => [answer.text, isReplay(answer)])).toEqual(retries.map(() => [ran[0]?.text, true]));
    expect(await count()).toBe(1);
  });

  it("that comes with 20 different bodies at once runs one of them; later the others are refused", async () => {
    const { make, count } = await setUp();
    const bodies = Array.from({ length: 20 }, (_, i) => ({ firstName: `P${i}` }));
    const answers = await Promise.all(bodies.map((body) => make(body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 409, 422]).toContain(status);
    const later = await Promise.all(bodies.map((body) => make(body)));
    expect(later.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(422)]);
    expect(await count()).toBe(1);
  });

  it("that is still running is 409 at once, and nobody else waits for it", async () => {
    const { ada, api, headers, make } = await setUp();
    const { id } = (await api.post("/v1/people", {})).data;
    const { held } = await whileLocked(scene.server.database, id, async (isAwaited) => {
      const patch = api.patch(`/v1/people/${id}`, { firstName: "Ada" }, headers);
      await isAwaited();
      const others = await Promise.all([make(), scene.api(ada).post("/v1/people", {}, { "Idempotency-Key": "other" })]);
      expect(others.map(({ status }) => status)).toEqual([409, 200]);
      return { held: patch };
    });
    expect((await held).status).toBe(200);
    expect((await make({})).error.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("runs once when its client is gone right after sending it", async () => {
    const { ada, headers, make, count } = await setUp();
    await Promise.all(
      Array.from({ length: 5 }, () => sendAndLeave(scene, request(ada.key, headers, '{"firstName":"Ada"}'))),
    );
    const answer = await until("the key is free", async () => {
      const one = await make();
      return one.status === 200 && one;
    });
    expect((await make()).text).toBe(answer.text);
    expect(await count()).toBe(1);
  });

  it("does not run, and holds no key, before its body is complete", async () => {
    const { ada, headers, make, count } = await setUp();
    const whole = request(ada.key, headers, '{"firstName":"Ada"}');
    const slow = open(scene);
    slow.socket.write(whole.slice(0, -1));
    const fast = await make();
    expect([fast.status, isReplay(fast)]).toEqual([200, false]);
    slow.socket.write(whole.slice(-1));
    const answer = await slow.received;
    expect(answer).toContain("Idempotent-Replayed: true");
    expect(answer.endsWith(fast.text)).toBe(true);
    const broken = open(scene);
    broken.socket.end(request(ada.key, { "Idempotency-Key": "broken" }, '{"firstName":"Bob"}').slice(0, -1));
    await broken.received;
    expect(await count()).toBe(1);
  });
});

/** The bytes of a create. */
function request(bearer: string, headers: object, body: string): string {
  const lines = Object.entries({
    Host: "x",
    Authorization: `Bearer ${bearer}`,
    Connection: "close",
    "Content-Length": body.length,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return `POST /v1/people HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** A connection, and what comes back on it until it closes. */
function open(scene: Scene): { socket: Socket; received: Promise<string> } {
  const { hostname, port } = new URL(scene.server.base);
  const socket = connect(Number(port), hostname);
  const received = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (data) => {
      text += data.toString();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
  });
  return { socket, received };
}

async function sendAndLeave(scene: Scene, bytes: string): Promise<void> {
  const { socket, received } = open(scene);
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  socket.destroy();
  await received;
}
