import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOrInstall } from "./apt.ts";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

/** A load balancer in front of servers. */
export interface Haproxy {
  port: number;
  stop(): Promise<void>;
}

/** A server behind it. */
interface Backend {
  port: number;
  /** Port of its probes; its own port unless told otherwise. */
  checkPort?: number;
}

interface Settings {
  /** `tcp` carries bytes, `http` requests. */
  mode: "http" | "tcp";
  /** Path that a server which is well answers with 200. */
  check: string;
  checkEveryMs: number;
  /** Checks that fail one after the other before a server gets nothing any more. */
  fall: number;
}

/** Header of an answer that HAProxy has given itself: RFC 9209. */
export const PROXY_STATUS = "proxy-status";
const OWN_ANSWERS = [502, 503, 504];

/**
 * Starts the HAProxy of Debian, on a free port.
 * @throws Error that says how to get one when there is none
 */
export async function startHaproxy(backends: Backend[], settings: Settings): Promise<Haproxy> {
  const found = findOrInstall("haproxy", "haproxy");
  if (!("path" in found)) throw new Error(`The load balancer is missing: ${found.missing}.`);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "contact-workspace-haproxy-"));
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, configOf(port, backends, settings));
  const child = spawn(found.path, ["-db", "-f", file], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await until("HAProxy listens", () => listens(port));
  return {
    port,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configOf(port: number, backends: Backend[], { mode, check, checkEveryMs, fall }: Settings): string {
  const servers = backends.map(
    (backend, i) => `  server s${i} 127.0.0.1:${backend.port} check port ${backend.checkPort ?? backend.port}`,
  );
  // A request whose connection was refused goes to the other server. One that a server may have begun does not.
  const http = [
    "  option redispatch 1",
    "  retries 3",
    "  retry-on conn-failure",
    ...OWN_ANSWERS.map((status) => `  http-error status ${status} hdr Proxy-Status "haproxy" hdr Retry-After 1`),
  ];
  return [
    "global",
    "  maxconn 4000",
    "defaults",
    `  mode ${mode}`,
    "  timeout connect 2s",
    "  timeout client 1h",
    "  timeout server 1h",
    "  timeout check 4s",
    "listen front",
    `  bind 127.0.0.1:${port}`,
    "  balance roundrobin",
    `  option httpchk GET ${check}`,
    `  default-server inter ${checkEveryMs}ms fall ${fall} rise 1${mode === "tcp" ? " on-marked-down shutdown-sessions" : ""}`,
    ...(mode === "http" ? http : []),
    ...servers,
    "",
  ].join("\n");
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => finish(true)).once("error", () => finish(false));
  });
}
