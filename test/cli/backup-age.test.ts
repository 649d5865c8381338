import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { gaugesText } from "../../base/budgets/gauges.ts";
import { readEnv } from "../../config/env.ts";
import { noteBackup } from "../../database/last-backup.ts";
import { command } from "../../lab/harness/command.ts";
import { until } from "../../lab/harness/until.ts";
import { startQueueGauges } from "../../services/webhooks/publishing/queue-gauges.ts";
import { examineBackup } from "../../tools/doctor/server.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { testFolder } from "../support/folder.ts";

const files = testFolder();
let home: TestDatabase;

beforeAll(async () => {
  home = await testDatabase();
});
afterAll(async () => {
  await home?.drop();
  files.remove();
});

/** Two backups in one second have the same name, so the second one may take the place of the first. */
const backUp = (...more: string[]) =>
  command(["backup", "--force", "--output", files.path, ...more], { DATABASE_URL: home.url });
const doctor = (ageMaxS: number) => examineBackup(home.database.read, readEnv({ BACKUP_AGE_MAX_S: String(ageMaxS) }));

/** Time of the last backup in the metrics, in seconds; undefined when it is not there. */
async function shown(): Promise<number | undefined> {
  const gauges = startQueueGauges(home.database.queryPlanned, (error) => {
    throw error;
  });
  // The backup is read after the queues, and its number is there before the next look at them.
  await until("the queues are read", () => gaugesText().includes("contact_workspace_queue_length"));
  await home.database.queryPlanned("select 1");
  const [, text] = /^contact_workspace_backup_timestamp_seconds (.+)$/m.exec(gaugesText()) ?? [];
  await gauges.stop();
  return text === undefined ? undefined : Number(text);
}

describe("The last backup (docs/guides/backups.md#the-age-of-the-last-backup)", () => {
  it("is not known before the command has made one", async () => {
    expect(await shown()).toBeUndefined();
    expect(await doctor(1)).toEqual({ ok: true, message: expect.stringContaining("has made none") });
  });

  it("is told by the metrics and by doctor when the command has made one", async () => {
    const { code, out, err } = await backUp("--json");
    expect({ code, err }).not.toMatchObject({ err: expect.stringContaining("does not learn") });
    expect(code).toBe(0);
    const { createdAt } = JSON.parse(out);
    expect(await until("it is read", shown)).toBeCloseTo(Date.parse(createdAt) / 1000, 2);
    expect(await doctor(3600)).toEqual({ ok: true, message: `the last one is as of ${createdAt}` });
  });

  it("is not replaced by an older one, which took longer", async () => {
    await noteBackup(home.database.read, "2020-01-01T00:00:00.000Z");
    expect(await doctor(3600)).toMatchObject({ ok: true });
  });

  it("is too old from BACKUP_AGE_MAX_S on", async () => {
    await home.database.read("delete from settings where name = 'last_backup'");
    await noteBackup(home.database.read, new Date(Date.now() - 2 * 3_600_000).toISOString());
    expect(await doctor(3 * 3600)).toMatchObject({ ok: true });
    expect(await doctor(3600)).toEqual({
      ok: false,
      message: expect.stringMatching(/, 2 hours ago: run backup, find out why/),
    });
  });

  it("is a good one, too, where the command may only read, and the command says what is missing", async () => {
    const before = await until("it is read", shown);
    const name = new URL(home.url).pathname.slice(1);
    await home.database.read(`alter database ${name} set default_transaction_read_only = on`);
    const { code, err } = await backUp("--json");
    expect(code).toBe(0);
    expect(err).toContain("The server does not learn of this backup");
    expect(await until("it is read", shown)).toBe(before);
  });
});
