import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { readEnv } from "../../config/env.ts";
import { openDatabase } from "../../database/database.ts";
import { migrate } from "../../database/migrate/migrate.ts";
import { adminOf } from "../support/admin.ts";
import { type Certificates, makeCertificates } from "../support/certificates.ts";
import { testFolder } from "../support/folder.ts";
import { PASSWORD, startTlsPostgres, type TlsPostgres } from "../support/tls-postgres.ts";

// docs/guides/deploying.md#tls-to-the-database
describe("A PostgreSQL that asks for TLS", () => {
  const files = testFolder();
  let certificates: Certificates;
  let server: TlsPostgres;

  beforeAll(async () => {
    certificates = makeCertificates(files.path);
    server = await startTlsPostgres(files.path, certificates);
  });
  afterAll(async () => {
    await server?.stop();
    files.remove();
  });

  /** The address as it is set, and as the server reads it. */
  const address = (query: string, host = "127.0.0.1") => {
    const set = `postgresql://contacts:${encodeURIComponent(PASSWORD)}@${host}:${server.port}/contacts${query}`;
    return readEnv({ DATABASE_URL: set }).databaseUrl ?? "";
  };
  const authority = () => `sslrootcert=${certificates.ca}`;

  it("is migrated, read and written by connections that all have TLS", async () => {
    const url = address(`?sslmode=verify-full&${authority()}`);
    await migrate(url);
    const database = await openDatabase(url);
    try {
      await database.read("select 1");
      await database.sharedConnection("people").read("select 1");
      await database.queryPlanned("select 1");
      await database.transaction(async (trx) => trx.send({ text: "select 1" }));
      await database.check();
      const { all, open } = await server.connections();
      expect(all).toBeGreaterThan(4);
      expect(open).toBe(0);
    } finally {
      await database.close();
    }
  });

  it.each(["require", "prefer", "verify-ca", "verify-full"])(
    "is let in to with sslmode=%s and its authority, without a warning of the driver",
    async (mode) => {
      const warned = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
      try {
        await opens(address(`?sslmode=${mode}&${authority()}`));
        expect(warned).not.toHaveBeenCalled();
      } finally {
        warned.mockRestore();
      }
    },
  );

  it("is not trusted without its authority, under another name, or without TLS", async () => {
    await expect(opens(address("?sslmode=require"))).rejects.toThrow(/certificate/);
    await expect(opens(address("?sslmode=verify-full"))).rejects.toThrow(/certificate/);
    await expect(opens(address(`?sslmode=verify-full&${authority()}`, "localhost"))).rejects.toThrow(/altnames/);
    await expect(opens(address(""))).rejects.toThrow(/no pg_hba\.conf entry/);
  });

  it("is trusted under another name with verify-ca, and whoever it is with no-verify", async () => {
    await opens(address(`?sslmode=verify-ca&${authority()}`, "localhost"));
    await opens(address("?sslmode=no-verify"));
  });

  it("is checked by the name of the host that is connected to, of several", async () => {
    const hosts = (list: string) => address(`?sslmode=verify-full&${authority()}`, list);
    // The certificate is for 127.0.0.1 alone, and localhost is the same machine.
    await opens(hosts(`localhost:${server.port},127.0.0.1`));
    await expect(opens(hosts(`localhost:${server.port},localhost`))).rejects.toThrow(/altnames.*localhost.*altnames/);
  });

  it("serves the commands", async () => {
    const admin = adminOf(
      `postgresql://contacts:${encodeURIComponent(PASSWORD)}@127.0.0.1:${server.port}/contacts?sslmode=require&${authority()}`,
    );
    const { json } = await admin.run("doctor --json");
    await admin.close();
    const { checks } = json<{ checks: { name: string; ok: boolean }[] }>();
    expect(checks).toContainEqual(expect.objectContaining({ name: "migrations", ok: true }));
  });
});

async function opens(url: string): Promise<void> {
  const database = await openDatabase(url, { poolMax: 4 });
  await database.close();
}
