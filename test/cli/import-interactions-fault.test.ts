import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import { adminOf, type TestAdmin } from "../support/admin.ts";
import { testFolder } from "../support/folder.ts";
import { startProcess, type TestServer } from "../support/server.ts";

const MAILS = 1500;
const files = testFolder();
let server: TestServer & { databaseUrl: string };
let admin: Omit<TestAdmin, "query">;

beforeAll(async () => {
  server = await startProcess();
  admin = adminOf(server.databaseUrl);
  const world = `workspace: acme
users:
  - { email: ada@acme.test, fullName: Ada Lovelace, role: admin }
`;
  await admin.run("apply", files.write("world.yaml", world));
});

afterAll(async () => {
  await admin.close();
  await server.stop();
  files.remove();
});

function archive(): string {
  const mails = Array.from({ length: MAILS }, (_, i) =>
    [
      "From - Sun Mar  1 09:30:00 2026",
      `Message-ID: <m${i}@x.test>`,
      `Date: ${new Date(Date.UTC(2026, 0, 1, 0, i)).toUTCString()}`,
      "From: Ada <ada@acme.test>",
      `To: p${i % 50}@x.test`,
      `Subject: Mail ${i}`,
      "",
      "Text",
      "",
    ].join("\n"),
  );
  return files.write("all.mbox", mails.join("\n"));
}

it("An import that is killed in the middle leaves no double and no gap when it runs again (docs/guides/import-interactions.md)", async () => {
  const file = archive();
  const options = ["import", "interactions", file, "--workspace", "acme", "--create", "--json"];
  const child = spawn(process.execPath, [join("cli", "main.mjs"), "workspace", ...options], {
    env: { ...process.env, DATABASE_URL: server.databaseUrl },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
  const count = async (table: string) =>
    (await server.database.read<{ count: number }>(`select count(*)::int as count from ${table}`))[0]?.count ?? 0;
  await until("some mails are stored", async () => (await count("interactions")) > 0 || undefined);
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  const before = await until("nothing is written any more", async () => {
    const sessions = await server.database.read(
      "select from pg_stat_activity where datname = current_database() and state like '%transaction%'",
    );
    return sessions.length === 0 ? count("interactions") : undefined;
  });
  expect(before).toBeLessThan(MAILS);

  const { json } = await admin.run("", ...options);
  expect(json()).toMatchObject({ read: MAILS, created: MAILS - before, unchanged: before, refused: [] });
  expect(await count("interactions")).toBe(MAILS);
  expect(await count("people")).toBe(50);
  await until("all are counted", async () => (await count("interaction_uncounted")) === 0 || undefined);
  const { json: examined } = await admin.run("doctor --json");
  const { checks } = examined<{ checks: { name: string; ok: boolean }[] }>();
  expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(["durability"]);
});
