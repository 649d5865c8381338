import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { gaugesText } from "../../base/budgets/gauges.ts";
import { type Database, openDatabase } from "../../database/database.ts";
import { migrate } from "../../database/migrate/migrate.ts";
import { runSql } from "../../lab/harness/run-sql.ts";
import { until } from "../../lab/harness/until.ts";
import { PATIENT } from "../../lab/harness/waits.ts";
import { startQueueGauges } from "../../services/webhooks/publishing/queue-gauges.ts";
import { adminOf } from "../support/admin.ts";
import { describeCitus } from "../support/citus.ts";
import { testFolder } from "../support/folder.ts";
import { atRest, type RichWorkspace, richWorkspace } from "../support/rich-workspace.ts";
import { startProcess } from "../support/server.ts";
import { startWebhookReceiver, WEBHOOK_ENV, type WebhookReceiver } from "../support/webhook-receiver.ts";

const MINUTES = 60_000;

interface Line {
  [part: string]: Record<string, unknown>;
}

/** The lines of an archive without the first and the last, which name the installation and the time. */
function linesOf(file: string): Line[] {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
  return lines.slice(1, -1).map((line) => JSON.parse(line));
}

// docs/guides/citus.md
describeCitus("The admin commands on Citus", (citus) => {
  const files = testFolder();
  let url: string;
  let database: Database;
  let server: Awaited<ReturnType<typeof startProcess>>;
  let receiver: WebhookReceiver;
  let rich: RichWorkspace;

  beforeAll(async () => {
    url = await citus.database();
    await migrate(url);
    database = await openDatabase(url, { waits: PATIENT });
    server = await startProcess({ on: { url, database, drop: () => database.close() }, env: WEBHOOK_ENV });
    receiver = await startWebhookReceiver();
    rich = await richWorkspace(server, files, { slug: "rich", receiver });
    await atRest(database);
  }, 10 * MINUTES);

  afterAll(async () => {
    await rich?.close();
    await receiver?.close();
    await server?.stop();
    files.remove();
  });

  const done = async (words: string, ...more: string[]) => {
    const ran = await rich.admin.run(words, ...more);
    expect({ code: ran.code, err: ran.code && ran.err }).toEqual({ code: 0, err: 0 });
    return ran;
  };

  /** Rows of a workspace by table, of all tables that have some. */
  async function rowsOf(slug: string): Promise<Record<string, number>> {
    const [found] = await runSql(url, `select workspace_id from workspace_slugs where slug = '${slug}'`);
    const tables = await runSql(
      url,
      "select table_name as name from information_schema.columns where column_name = 'workspace_id' and table_schema = current_schema() and table_name in (select relname from pg_class where relkind in ('r', 'p') and not relispartition)",
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await runSql(
        url,
        `select count(*)::int as count from "${name}" where workspace_id = '${found?.workspace_id}'`,
      );
      if (Number(row?.count) > 0) counts[String(name)] = Number(row?.count);
    }
    return counts;
  }

  it("take a workspace out whole, put it in again, and remove it with all that it has", async () => {
    const archive = join(files.path, "rich.ndjson.gz");
    await done("export --workspace rich --all --output", archive);
    await done("import workspace", archive, "--workspace", "copy");
    const again = join(files.path, "copy.ndjson.gz");
    await done("export --workspace copy --all --output", again);
    expect(linesOf(again)).toHaveLength(linesOf(archive).length);
    const { json } = await done("workspaces list --json");
    expect(json<{ workspaces: { slug: string }[] }>().workspaces.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(["copy", "rich"]),
    );
    const before = await rowsOf("copy");
    expect(Object.keys(before).length).toBeGreaterThan(15);
    const [copy] = await runSql(url, "select workspace_id as id from workspace_slugs where slug = 'copy'");
    await done("workspaces remove --yes --workspace copy");
    for (const table of Object.keys(before))
      expect([table, await runSql(url, `select 1 from "${table}" where workspace_id = '${copy?.id}'`)]).toEqual([
        table,
        [],
      ]);
  });

  it("make a backup that a new database of Citus takes, and that has everything", async () => {
    const file = join(files.path, "backup");
    await done("backup --output", file);
    const target = await citus.database();
    const other = adminOf(target);
    const restored = await other.run("restore", file);
    expect(restored).toMatchObject({ code: 0 });
    const archives = [join(files.path, "1.ndjson.gz"), join(files.path, "2.ndjson.gz")] as const;
    await done("export --workspace rich --all --output", archives[0]);
    expect(await other.run("export --workspace rich --all --output", archives[1])).toMatchObject({ code: 0 });
    expect(linesOf(archives[1])).toEqual(linesOf(archives[0]));
    const { json } = await other.run("doctor --json");
    const failed = json<{ checks: { ok: boolean; name: string }[] }>().checks.filter(({ ok }) => !ok);
    expect(failed.map(({ name }) => name)).toEqual(["durability"]);
    await other.close();
  });

  it("tell what is stored of a person, and erase it everywhere", async () => {
    const { json: told } = await done(`people export ${rich.person.id} --workspace rich`);
    expect(JSON.stringify(told())).toContain(rich.marks[0]);
    await done(`people erase ${rich.person.id} --workspace rich --yes --json`);
    const again = await rich.admin.run(`people export ${rich.person.id} --workspace rich`);
    expect(again.code).not.toBe(0);
    expect((await rich.api.get(`/v1/people/${rich.person.id}`)).status).toBe(404);
  });

  it("show the queues of all shards in the metrics", async () => {
    const failures: Error[] = [];
    const gauges = startQueueGauges(database.queryPlanned, (error) => failures.push(error));
    await until("they are read", () => failures.length > 0 || gaugesText().includes("contact_workspace_queue_length{"));
    await gauges.stop();
    expect(failures).toEqual([]);
  });
});
