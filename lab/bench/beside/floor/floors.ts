import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { findOrInstall } from "../../../harness/apt.ts";
import { freePort } from "../../../harness/free-port.ts";
import { spawnServer } from "../../../harness/server-process.ts";
import type { Served } from "../../against/side.ts";
import { POOL } from "../postgrest.ts";

/** Folder for the sources of Debian's packages for Go. */
const GO_PATH = "/usr/share/gocode";
const PGX = join(GO_PATH, "src/github.com/jackc/pgx/v4");

/** A database for a bare server, and the file that tells it how to answer each path. */
export interface Ground {
  name: string;
  url: string;
  postmaster: number;
  known: string;
}

/** The bare server in Node. */
export function bareNode(ground: Ground): Served {
  return bare(ground, process.execPath, [join(import.meta.dirname, "bare-server.ts")]);
}

/** The bare server in Go, a program that `buildGo` has built. */
export function bareGo(program: string, ground: Ground): Served {
  return bare(ground, program, []);
}

function bare({ name, url, postmaster, known }: Ground, program: string, args: string[]): Served {
  const serve = async (at = url) => {
    const port = await freePort();
    const { host, port: databasePort, user = "", database = "" } = new pg.Client(at);
    const place = { PGHOST: host, PGPORT: String(databasePort), PGUSER: user, PGDATABASE: database };
    const variables = { ...place, PORT: String(port), KNOWN: known, POOL: String(POOL) };
    const server = spawnServer(name, variables, { program, args });
    await server.ready;
    return { ...server, port };
  };
  return { name, url, postmaster, serve };
}

/**
 * Builds the bare server in Go with Debian's packages and gives the path of the program.
 * @throws Error that names the packages when they are missing and cannot be installed
 */
export function buildGo(folder: string): string {
  const go = findOrInstall("go", "golang-go");
  const pgx = findOrInstall(PGX, "golang-github-jackc-pgx-v4-dev");
  for (const found of [go, pgx]) if ("missing" in found) throw new Error(`--floor needs Go: ${found.missing}`);
  mkdirSync(folder, { recursive: true });
  const program = join(folder, "bare-server");
  copyFileSync(join(import.meta.dirname, "main.go"), join(folder, "main.go"));
  const env = { ...process.env, GO111MODULE: "off", GOPATH: GO_PATH, GOCACHE: join(folder, "cache") };
  const { status, stderr } = spawnSync("path" in go ? go.path : "go", ["build", "-o", program, "main.go"], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The bare server in Go cannot be built: ${stderr}`);
  return program;
}
