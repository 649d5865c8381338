import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request as send } from "node:http";
import { connect, type Socket } from "node:net";
import { beforeAll, expect, it } from "@jest/globals";
import { BODY_BYTES_MAX } from "../../config/limits.ts";
import { TURNS } from "../../config/shares.ts";
import { until } from "../../lab/harness/until.ts";
import type { TestUser } from "../../lab/harness/world.ts";
import { checkAnswer } from "../support/answers.ts";
import type { Client } from "../support/client.ts";
import { whileHeld } from "../support/locked-row.ts";
import { OWN_LOCKS } from "../support/own-locks.ts";
import { checkRawAnswer } from "../support/raw-answer.ts";
import { describeOwnServer } from "../support/scene.ts";

const WITHOUT_TURN = "Too many requests of this kind are being processed. Try again.";

// A server of its own, since whoever shared it would find its tables locked.
describeOwnServer("Too much at once (docs/guides/under-load.md)", {}, (scene) => {
  let ada: TestUser;
  let api: Client;

  beforeAll(async () => {
    ({ ada } = await scene.workspace());
    api = scene.api(ada);
  });

  it("uploads whose bodies never come keep out no request that could run", async () => {
    const bystander = scene.api((await scene.workspace()).ada);
    const { hostname, port } = new URL(scene.server.base);
    const head = `Host: x\r\nAuthorization: Bearer ${ada.key}\r\nContent-Type: application/json\r\nContent-Length: ${BODY_BYTES_MAX}\r\n`;
    const sockets: Socket[] = [];
    /** Returns when the server has asked for the body, or has refused it. */
    const begin = async (path: string) => {
      const socket = connect(Number(port), hostname);
      sockets.push(socket.on("error", () => undefined));
      socket.write(`POST ${path} HTTP/1.1\r\n${head}Expect: 100-continue\r\n\r\n`);
      return String((await once(socket, "data"))[0]).slice(9, 12);
    };
    const told: string[] = [];
    try {
      for (let i = 0; i < 21; i++)
        told.push(...(await Promise.all(Array.from({ length: 100 }, () => begin(i % 2 ? "/v1/people" : "/mcp")))));
      expect(new Set(told)).toEqual(new Set(["100", "503"]));
      // Some send a little of it, and stop.
      for (const socket of sockets) socket.write('{"description":"');
      for (const one of [bystander, api]) {
        expect((await one.get("/v1/people")).status).toBe(200);
        expect((await one.get("/v1/users/me")).status).toBe(200);
        const made = await one.post("/v1/people", { firstName: "Bystander" });
        expect([one === api, made.status, made.text]).toEqual([one === api, 200, made.text]);
      }
      const large = { firstName: "Large", description: "x".repeat(90_000) };
      expect([413, 422, 200]).toContain((await bystander.post("/v1/people", large)).status);
      // A check fails after half a second, and the uploads still keep the server busy.
      const isReady = async () => (await fetch(`${scene.server.base}/readyz`)).status === 200;
      await until("the process is ready", isReady, 10_000);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  it("writes that nobody can serve are 503 after a second at most, reads go on, and all is well when it is over", async () => {
    const { database } = scene.server;
    const stuck = await whileHeld(database, "lock table companies in share mode", async () => {
      // Some of thirty find no turn, even when the first ones have given up while the machine stood still.
      const waiting = Array.from({ length: 30 }, (_, i) =>
        api.post("/v1/companies", { name: `Stuck ${i} ${randomUUID()}` }),
      );
      await until("some hold all the turns, and wait for the lock", async () => {
        const [row] = await database.read<{ n: number }>(
          `select count(*)::int as n from ${OWN_LOCKS} where relation = 'companies'::regclass and not granted`,
        );
        return (row?.n ?? 0) > 1;
      });
      const refused = await Promise.race(waiting);
      expect(refused.status).toBe(503);
      expect(refused.headers["retry-after"]).toBe("1");
      expect((await api.post("/v1/companies", { name: `More ${randomUUID()}` })).status).toBe(503);
      for (const path of ["/v1/users/me", "/v1/groups", "/v1/people", "/v1/companies"])
        expect((await api.get(path)).status).toBe(200);
      return waiting;
    });
    const answers = await Promise.all(stuck);
    // Those without a turn were refused, since nothing was done for them.
    expect(TURNS.writes.waitMs).toBe(1000);
    const messages = answers.flatMap((answer) => (answer.status === 503 ? answer.error.message : []));
    expect(messages).toContain(WITHOUT_TURN);
    // Those that had a turn wait for the lock too, some seconds, which a busy machine may take for what comes before.
    for (const { status } of answers) expect([200, 503]).toContain(status);
    const made = answers.filter(({ status }) => status === 200).map(({ data }) => data.id);
    expect((await api.all("/v1/companies")).map(({ id }) => id).sort()).toEqual(made.sort());
    expect((await api.post("/v1/companies", { name: randomUUID() })).status).toBe(200);
  });

  it("a kind of record that cannot be read is 503, and keys, groups and other kinds are served meanwhile", async () => {
    const { database } = scene.server;
    await whileHeld(database, "lock table people in access exclusive mode", async () => {
      const stuck = api.get("/v1/people");
      for (const path of ["/v1/users/me", "/v1/groups", "/v1/companies"])
        expect((await api.get(path)).status).toBe(200);
      expect((await stuck).status).toBe(503);
    });
    expect((await api.get("/v1/people")).status).toBe(200);
  });

  it("a refusal leaves the connection open, also when nobody has read the body", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { hostname, port } = new URL(scene.server.base);
    const ports = new Set<number | undefined>();
    const post = (key: string, body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { Authorization: `Bearer ${key}`, "Content-Length": Buffer.byteLength(body) };
        const outgoing = send({ agent, hostname, port, method: "POST", path: "/v1/people", headers }, (response) => {
          ports.add(outgoing.socket?.localPort);
          let text = "";
          response.on("data", (data: Buffer) => {
            text += data.toString();
          });
          response.on("end", () => {
            const { statusCode: status = 0, headers: received } = response;
            checkAnswer(scene.server, { method: "POST", path: "/v1/people", status, headers: received, text });
            resolve(status);
          });
        });
        outgoing.on("error", reject).end(body);
      });
    const body = JSON.stringify({ firstName: "x".repeat(400) });
    const statuses = [
      await post("none", body),
      await post(ada.key, body),
      await post("none", body),
      await post(ada.key, body),
    ];
    expect(statuses).toEqual([401, 200, 401, 200]);
    expect(ports.size).toBe(1);
    agent.destroy();
  });
  /** A POST on a socket of its own: what it sends, and what it is answered with. */
  function upload(headers: string) {
    const { hostname, port } = new URL(scene.server.base);
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.on("data", (data) => {
      received += data.toString();
    });
    socket.on("error", () => undefined);
    const head = `POST /v1/companies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`;
    socket.write(head);
    const status = () => {
      checkRawAnswer(scene.server, head, received);
      return received.split(" ")[1] ?? "";
    };
    return { socket, status };
  }

  it("requests in a row on one connection are refused while 128 are not answered (docs/guides/under-load.md)", async () => {
    const { hostname, port } = new URL(scene.server.base);
    const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}\r\n`;
    const socket = connect(Number(port), hostname);
    let received = "";
    const ended = new Promise((resolve) => socket.on("close", resolve));
    socket.on("data", (data) => {
      received += data.toString("latin1");
    });
    await scene.server.database.transaction(async (trx) => {
      await trx.raw("lock table people in access exclusive mode");
      // The lock delays the first answer, and HTTP sends answers in order, so all others wait behind it.
      const others = `${head("/v1/users/me")}\r\n`.repeat(199);
      socket.write(`${head("/v1/people")}\r\n${others}${head("/v1/users/me")}Connection: close\r\n\r\n`);
      await ended;
    });
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(["503", ...Array(127).fill("200"), ...Array(73).fill("503")]);
  });

  it("bytes that refused uploads go on sending take no room: when the others are gone, all of it is free", async () => {
    const announced = `Content-Length: ${BODY_BYTES_MAX}`;
    const most = Buffer.alloc(BODY_BYTES_MAX - 1, " ");
    const stalled = Array.from({ length: 12 }, () => upload(announced));
    for (const { socket } of stalled) await new Promise((sent) => socket.write(most, sent));
    const refused = await until("uploads find no room", async () => {
      const uploads = Array.from({ length: 14 }, () => upload(announced));
      for (const { socket } of uploads) socket.write(most.subarray(0, 100_000));
      await until("they are answered, or wait", () => uploads.some(({ status }) => status() !== ""), 1000);
      return uploads;
    });
    await until("all are refused", () => refused.every(({ status }) => status() === "503"));
    for (const { socket } of stalled) socket.destroy();
    await Promise.all(refused.map(({ socket }) => new Promise((sent) => socket.write(most.subarray(100_000), sent))));
    const whole = Buffer.alloc(BODY_BYTES_MAX, " ");
    whole.write(JSON.stringify({ name: "As large as a body may be" }));
    expect((await api.request("POST", "/v1/companies", whole)).status).toBe(200);
    for (const { socket } of refused) socket.destroy();
  });

  it("a body in chunks of one byte is answered like any other", async () => {
    const name = `Byte by byte ${randomUUID()}`;
    const text = JSON.stringify({ name }).padEnd(200_000);
    const { socket, status } = upload("Transfer-Encoding: chunked");
    socket.write(`${[...text].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`);
    await until("it is answered", () => status() !== "");
    expect(status()).toBe("200");
    socket.destroy();
    expect((await api.all(`/v1/companies?filter[name][eq]=${encodeURIComponent(name)}`)).length).toBe(1);
  });
});
