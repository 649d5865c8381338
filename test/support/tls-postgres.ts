import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBinaries, program } from "contact-workspace-postgres/binaries";
import { makeCluster, SUPERUSER } from "contact-workspace-postgres/cluster";
import { commandAs, handOver, serverUser } from "contact-workspace-postgres/server-user";
import pg from "pg";
import { freePort } from "../../lab/harness/free-port.ts";
import { until } from "../../lab/harness/until.ts";
import type { Certificates } from "./certificates.ts";

/** A PostgreSQL that lets in by TLS and password alone, as one of a provider does. */
export interface TlsPostgres {
  port: number;
  /** How many connections there are at the moment, and how many of them without TLS. */
  connections(): Promise<{ all: number; open: number }>;
  stop(): Promise<void>;
}

export const PASSWORD = "p@ss word";

/**
 * Starts it in a folder, with a certificate for 127.0.0.1. Its role is `contacts` with `PASSWORD`, and so is its
 * database.
 */
export async function startTlsPostgres(folder: string, { server }: Certificates): Promise<TlsPostgres> {
  // The folder of a test belongs to who runs it, and PostgreSQL runs as another user when that is root.
  const data = join(folder, "data");
  chmodSync(folder, 0o755);
  mkdirSync(data);
  const cluster = join(data, "postgres");
  const user = serverUser(cluster);
  handOver(data, user);
  const binaries = await findBinaries(user);
  await makeCluster(cluster, { binaries, user, durable: false });
  for (const [name, from] of Object.entries({ "server.crt": server.cert, "server.key": server.key })) {
    const file = join(cluster, name);
    copyFileSync(from, file);
    chmodSync(file, 0o600);
    handOver(file, user);
  }
  writeFileSync(
    join(cluster, "pg_hba.conf"),
    `local all ${SUPERUSER} trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n`,
  );
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: data,
    ssl: "on",
    ssl_cert_file: "server.crt",
    ssl_key_file: "server.key",
    fsync: "off",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = commandAs(user, program(binaries, "postgres"), ["-D", cluster, ...args], cluster);
  const child = spawn(command.file, command.arguments, { ...command.options, stdio: "ignore" });
  const admin = await until("PostgreSQL answers", () => connect(data, port));
  await admin.query(`create role contacts login password '${PASSWORD}'`);
  await admin.query("create database contacts owner contacts encoding 'UTF8' template template0");
  return {
    port,
    async connections() {
      const { rows } = await admin.query<{ all: number; open: number }>(
        `select count(*)::int as all, (count(*) filter (where not ssl))::int as open
         from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'contacts'`,
      );
      return rows[0] ?? { all: 0, open: 0 };
    },
    async stop() {
      await admin.end();
      await ended(child);
    },
  };
}

async function connect(folder: string, port: number): Promise<pg.Client> {
  const client = new pg.Client({ host: folder, port, user: SUPERUSER, database: "postgres" });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    // Of a PostgreSQL this is a fast stop.
    child.kill("SIGINT");
  });
}
