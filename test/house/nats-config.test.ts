import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { connect, type NatsConnection } from "nats";
import { natsOptions } from "../../bus/connection.ts";
import { readEnv } from "../../config/env.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { natsProgram } from "../../lab/harness/nats-server.ts";
import { until } from "../../lab/harness/until.ts";
import { testFolder } from "../support/folder.ts";
import { describeBus } from "../support/nats.ts";

const ROOT = join(__dirname, "..", "..");
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
const GUIDE = textOf("docs/guides/kubernetes.md");

interface Server {
  child: ChildProcess;
  ended: Promise<number | null>;
  clients: number;
  monitor: number;
  pidFile: string;
  log: string;
}

describeBus("The three NATS of k8s/nats-cluster (docs/guides/kubernetes.md#secrets)", () => {
  const folder = testFolder();
  const servers: Server[] = [];
  const connections: NatsConnection[] = [];

  /** The authority and the certificate, as the guide makes them, which here are for 127.0.0.1 too. */
  function makeCertificates(): void {
    const [, commands = ""] = /```sh\n(openssl req[^`]+)```/.exec(GUIDE) ?? [];
    execFileSync("sh", ["-ec", commands.replace("DNS:*.nats-headless", "DNS:*.nats-headless,IP:127.0.0.1")], {
      cwd: folder.path,
      stdio: "ignore",
    });
    mkdirSync(join(folder.path, "nats-tls"));
    for (const [name, file] of Object.entries({
      "tls.crt": "nats.crt",
      "tls.key": "nats.key",
      "ca.crt": "nats-ca.crt",
    }))
      writeFileSync(join(folder.path, "nats-tls", name), readFileSync(join(folder.path, file)));
  }

  /** Starts a server with the files of k8s, at ports of this machine. */
  async function start(i: number, routes: number[]): Promise<Server> {
    const nats = natsProgram();
    if (!("path" in nats)) throw new Error(nats.missing);
    const [clients, monitor] = [await freePort(), await freePort()];
    const home = join(folder.path, String(i));
    for (const part of ["nats", "nats-auth"]) mkdirSync(join(home, part), { recursive: true });
    const pidFile = join(home, "nats.pid");
    const here = (text: string) =>
      text
        .replace("0.0.0.0:4222", `127.0.0.1:${clients}`)
        .replace("0.0.0.0:8222", `127.0.0.1:${monitor}`)
        .replace("0.0.0.0:6222", `127.0.0.1:${routes[i]}`)
        .replace("/tmp/nats.pid", pidFile)
        .replaceAll("/etc/nats-tls", join(folder.path, "nats-tls"))
        .replace(/nats-(\d)\.nats-headless:6222/g, (_, to) => `127.0.0.1:${routes[Number(to)]}`);
    for (const [name, file] of Object.entries({ "common.conf": "nats", "nats.conf": "nats-cluster" }))
      writeFileSync(join(home, "nats", name), here(textOf(`k8s/${file}/${name}`)));
    const auth = /auth\.conf="(.*)"$/m.exec(GUIDE)?.[1]?.replaceAll("\\", "").replace("$NATS_PASSWORD", "secret");
    writeFileSync(join(home, "nats-auth", "auth.conf"), auth ?? "");
    const log = join(home, "log");
    const child = spawn(nats.path, ["--config", join(home, "nats", "nats.conf"), "--log", log], {
      env: { ...process.env, SERVER_NAME: `nats-${i}` },
      stdio: "ignore",
    });
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    return { child, ended, clients, monitor, pidFile, log };
  }

  const monitored = async <T>({ monitor }: Server, path: string) =>
    (await (await fetch(`http://127.0.0.1:${monitor}/${path}`)).json()) as T;

  async function client(user: string, at: readonly Server[]): Promise<NatsConnection> {
    const url = at.map(({ clients }, i) => `tls://${i === 0 ? user : ""}127.0.0.1:${clients}`).join(",");
    const env = readEnv({ NATS_URL: url, NATS_CA: join(folder.path, "nats-ca.crt") });
    const connection = await connect({ ...natsOptions(env, "test"), noRandomize: true });
    connections.push(connection);
    return connection;
  }

  beforeAll(async () => {
    makeCertificates();
    const routes = [await freePort(), await freePort(), await freePort()];
    for (const i of routes.keys()) servers.push(await start(i, routes));
    for (const server of servers)
      await until("each knows the two others", async () => {
        const { routes } = await monitored<{ routes: { remote_id: string }[] }>(server, "routez");
        return new Set(routes.map(({ remote_id }) => remote_id)).size === 2;
      });
  });

  afterAll(async () => {
    for (const connection of connections) await connection.close();
    for (const { child, ended } of servers) {
      child.kill("SIGKILL");
      await ended;
    }
    folder.remove();
  });

  it("let in a client that knows the password, over TLS, and nobody else", async () => {
    const [server] = servers as [Server];
    await client("contact-workspace:secret@", [server]);
    await expect(client("contact-workspace:wrong@", [server])).rejects.toThrow("Authorization Violation");
    await expect(client("", [server])).rejects.toThrow("Authorization Violation");
  });

  it("pass messages on to each other, as large as the server sends them", async () => {
    const [first, second] = servers as [Server, Server];
    const [receiver, sender] = [
      await client("contact-workspace:secret@", [first]),
      await client("contact-workspace:secret@", [second]),
    ];
    const large = new Uint8Array(20 * 1024 * 1024);
    receiver.subscribe("here", { callback: (_error, message) => message.respond(String(message.data.length)) });
    await receiver.flush();
    // The other one knows of the receiver a moment later, and says until then that there is none.
    const ask = async () =>
      (await sender.request("here", large, { timeout: 20_000 })).string() === String(large.length);
    await until("the answer comes", ask, 60_000);
  });

  it("send their clients to the others before they stop, whatever SIGTERM says", async () => {
    const [, , third] = servers as [Server, Server, Server];
    const connection = await client("contact-workspace:secret@", [third, ...servers.slice(0, 2)]);
    const statuses: string[] = [];
    const watch = async () => {
      for await (const { type } of connection.status()) statuses.push(type);
    };
    void watch();
    const [, signal = ""] = /"sh", "-c", "(nats-server [^&]*)&&/.exec(textOf("k8s/nats/stateful-set.yaml")) ?? [];
    const nats = natsProgram();
    if (!("path" in nats)) throw new Error(nats.missing);
    const command = signal.replace("nats-server", nats.path).replace("/tmp/nats.pid", third.pidFile);
    execFileSync("sh", ["-c", command], { stdio: "ignore" });
    await until("the client knows of the end", () => statuses.includes("ldm"));
    third.child.kill("SIGTERM");
    await until("the client is with another one", () => statuses.includes("reconnect"), 40_000);
    expect(await third.ended).toBe(0);
    // A server that obeys SIGTERM closes no client before it ends.
    expect(readFileSync(third.log, "utf8")).toContain("Closing existing clients");
    await connection.flush();
  });
});

it("NATS has longer to stop than its lame duck mode takes", () => {
  const seconds = (name: string, text: string) => Number(new RegExp(`${name}: (\\d+)`).exec(text)?.[1]);
  const config = textOf("k8s/nats/common.conf");
  const [grace, duration] = ["lame_duck_grace_period", "lame_duck_duration"].map((name) => seconds(name, config));
  expect(seconds("terminationGracePeriodSeconds", textOf("k8s/nats/stateful-set.yaml"))).toBeGreaterThan(
    (grace ?? 0) + (duration ?? 0),
  );
});
