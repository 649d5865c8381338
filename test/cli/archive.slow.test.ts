import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newUuid } from "../../base/values/ids.ts";
import { run } from "../../database/database.ts";
import { until } from "../../lab/harness/until.ts";
import { adminOf } from "../support/admin.ts";
import { client } from "../support/client.ts";
import { testFolder } from "../support/folder.ts";
import { whileHeld } from "../support/locked-row.ts";
import { OWN_LOCKS } from "../support/own-locks.ts";
import { type RichWorkspace, richWorkspace } from "../support/rich-workspace.ts";
import { startProcess } from "../support/server.ts";
import { startWebhookReceiver, WEBHOOK_ENV, type WebhookReceiver } from "../support/webhook-receiver.ts";

let server: Awaited<ReturnType<typeof startProcess>>;
let receiver: WebhookReceiver;
let rich: RichWorkspace;
let archive = "";
const files = testFolder();

beforeAll(async () => {
  server = await startProcess({ env: WEBHOOK_ENV });
  receiver = await startWebhookReceiver();
  rich = await richWorkspace(server, files, { slug: "rich", receiver });
  archive = join(files.path, "rich.ndjson.gz");
  const { code, err } = await rich.admin.run("export --workspace rich --all --output", archive);
  expect({ code, err }).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await rich.close();
  await receiver.close();
  await server.stop();
  files.remove();
});

interface Line {
  [part: string]: Record<string, unknown>;
}

const linesOf = (file: string): Line[] =>
  gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * The lines with a number in the place of each id, by the order in which ids turn up; without head and end, which name
 * other things.
 */
function withoutIds(lines: Line[]): string[] {
  const numbers = new Map<string, number>();
  return lines.slice(1, -1).map((line) =>
    JSON.stringify(line).replaceAll(UUID, (uuid) => {
      const number = numbers.get(uuid) ?? numbers.size;
      numbers.set(uuid, number);
      return `#${number}`;
    }),
  );
}

/** The one thing that an import changes. */
const inactive = (line: string) => line.replace('"status":"active"', '"status":"inactive"');

test("an archive begins with what it is, holds a line for each thing, and ends with counts and checksum", async () => {
  const lines = linesOf(archive);
  expect(lines[0]).toMatchObject({
    format: 1,
    kind: "contact-workspace archive",
    workspace: { slug: "rich", name: "Rich" },
    file: { workspace: "rich", groups: [{ name: "Sales" }, { name: "Board" }] },
  });
  const counts = {
    users: 2,
    groups: 2,
    members: 2,
    objectTypes: 1,
    fields: 13,
    options: 6,
    companies: 2,
    people: 2,
    objects: 1,
    companyAliases: 0,
    personAliases: 1,
    objectAliases: 0,
    notes: 3,
    tasks: 2,
    interactions: 3,
    enrichments: 1,
    webhooks: 1,
  };
  expect(lines.at(-1)).toMatchObject({ end: { counts, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  const text = JSON.stringify(lines);
  expect(text).not.toContain("whsec_");
  expect(text).not.toContain("secret");
  const keys = await server.database.read<{ id: string }>("select id from api_keys");
  expect(keys.filter(({ id }) => text.includes(id))).toEqual([]);
});

test("beside the original everything gets new ids, and an export of the copy is equal but for them", async () => {
  const { code, json, err } = await rich.admin.run("import workspace", archive, "--workspace", "copy", "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(json()).toMatchObject({
    workspace: { slug: "copy", name: "Rich" },
    idsKept: false,
    counts: { people: 2, notes: 3 },
  });
  const again = join(files.path, "copy.ndjson.gz");
  await rich.admin.run("export --workspace copy --all --output", again);
  const [original, copy] = [linesOf(archive), linesOf(again)];
  expect(withoutIds(copy)).toEqual(withoutIds(original).map(inactive));
  const idsOf = (lines: Line[]) =>
    new Set(lines.slice(1, -1).flatMap((line) => JSON.stringify(line).match(UUID) ?? []));
  // The nil uuid is no id: it stands for anybody, in what is counted a moment after a write.
  const common = [...idsOf(original)].filter((id) => idsOf(copy).has(id));
  expect(common.filter((id) => id !== "00000000-0000-0000-0000-000000000000")).toEqual([]);
});

test("an archive of a release that kept merges is read without them (docs/guides/export.md#the-archive)", async () => {
  const merge = { id: "019f8a3b-1a00-7d42-8f10-6b5c4d3e2f1a", kind: "person", survivor_before: {}, merged_before: {} };
  const older = rewritten("older.ndjson.gz", (lines) => [...lines, JSON.stringify({ merges: merge })]);
  const { code, json, err } = await rich.admin.run("import workspace", older, "--workspace", "older", "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(json<{ counts: object }>().counts).not.toHaveProperty("merges");
  expect(json()).toMatchObject({ counts: { people: 2, personAliases: 1, webhooks: 1 } });
});

test("the copy answers like the original: records, filters, links, notes, names of merged people", async () => {
  await rich.admin.run("import workspace", archive, "--workspace", "answers");
  const { json } = await rich.admin.run("keys create --workspace answers --user ada@acme.test --json");
  const api = client(server, json<{ key: string }>().key);
  const plain = (text: string) => text.replaceAll(UUID, "#");
  const lists = ["/v1/people", "/v1/companies", "/v1/groups", "/v1/tasks", "/v1/notes", "/v1/interactions?entity.id="];
  for (const path of lists.slice(0, 4))
    expect(plain((await api.get(path)).text)).toBe(plain((await rich.api.get(path)).text));
  const filters = [
    "/v1/people?filter[emails][eq]=grace.hopper@navy.example",
    "/v1/people?filter[fullName][like]=brewster",
    "/v1/people?filter[birthday][eq]=1906-12-09",
    "/v1/companies?filter[name][eq]=US Navy; Reserve",
  ];
  for (const path of filters) {
    const { items } = await api.get(encodeURI(path));
    expect([path, items.length]).toEqual([path, 1]);
  }
  const [person] = (await api.get("/v1/people?filter[emails][eq]=grace.hopper@navy.example")).items;
  const notes = await api.get(`/v1/notes?entity.id=${person?.id}`);
  expect(plain(notes.text)).toBe(plain((await rich.api.get(`/v1/notes?entity.id=${rich.person.id}`)).text));
  // A webhook of the copy is silent until somebody switches it on.
  const [webhook] = (await api.get("/v1/webhooks")).items;
  expect(webhook).toMatchObject({ status: "inactive" });
  await api.patch(`/v1/webhooks/${webhook?.id}`, { status: "active" });
  const { data: made } = await api.post("/v1/people", { fullName: "After" });
  const sent = await until("it is sent what happens from then on", async () => {
    const { items } = await api.get(`/v1/webhooks/${webhook?.id}/deliveries`);
    return items.length > 0 && items;
  });
  expect(sent).toMatchObject([{ eventType: "person.created", recordId: made.id }]);
  const { out } = await rich.admin.run("doctor --json");
  expect(
    JSON.parse(out).checks.filter(({ ok, name }: { ok: boolean; name: string }) => !ok && name !== "durability"),
  ).toEqual([]);
});

/** The archive with other ids in it, as somebody could make it by hand. */
function forged(name: string, change: (uuid: string) => string): string {
  return rewritten(name, (lines) => lines.map((line) => line.replaceAll(UUID, change)));
}

/** The archive with other lines between its head and its end. */
function rewritten(name: string, change: (lines: string[]) => string[]): string {
  const lines = gunzipSync(readFileSync(archive)).toString().trimEnd().split("\n");
  const end = JSON.parse(lines.at(-1) ?? "").end;
  const changed = change(lines.slice(0, -1));
  const sha256 = createHash("sha256")
    .update(`${changed.join("\n")}\n`)
    .digest("hex");
  const text = [...changed, JSON.stringify({ end: { ...end, sha256 } })].join("\n");
  writeFileSync(join(files.path, name), gzipSync(text));
  return join(files.path, name);
}

/** Another id for each; with other digits there are others. */
const renewed = (digits: string) => (uuid: string) => {
  const [head, tail] = [uuid.slice(0, -12), uuid.slice(-12)];
  return head + (BigInt(`0x${tail}`) ^ BigInt(`0x${digits}`)).toString(16).padStart(12, "0");
};

const keptIds = (file: string, slug: string) =>
  inProcess(async (command) => {
    const imported = await command("import workspace", file, "--workspace", slug, "--json");
    expect(imported).toMatchObject({ code: 0, err: "" });
    return imported.json<{ idsKept: boolean }>().idsKept;
  });

/** Runs commands beside others. */
async function inProcess<Result>(work: (command: RichWorkspace["admin"]["run"]) => Promise<Result>): Promise<Result> {
  const admin = adminOf(server.databaseUrl);
  try {
    return await work(admin.run);
  } finally {
    await admin.close();
  }
}

const idsOfSeveral = () => server.database.read("select id from webhooks group by id having count(*) > 1");

test("an archive that somebody has made with the id of another workspace's webhook gets new ids", async () => {
  const webhook = linesOf(archive).find(({ webhooks }) => webhooks)?.webhooks?.id;
  const renew = renewed("a00000000001");
  const file = forged("forged.ndjson.gz", (uuid) => (uuid === webhook ? uuid : renew(uuid)));
  expect(await keptIds(file, "forged")).toBe(false);
  expect(await idsOfSeveral()).toEqual([]);
});

test("an archive that is imported twice at the same time keeps its ids once", async () => {
  const file = forged("twice.ndjson.gz", renewed("a00000000002"));
  const kept = await Promise.all(["once", "twice"].map((slug) => keptIds(file, slug)));
  expect(kept.sort()).toEqual([false, true]);
  expect(await idsOfSeveral()).toEqual([]);
});

test("an import of an archive looks for ids of others when the imports before it have ended", async () => {
  const webhook = linesOf(archive).find(({ webhooks }) => webhooks)?.webhooks?.id as string;
  const [first, second] = [renewed("a00000000003"), renewed("a00000000004")];
  const other = forged("first.ndjson.gz", first);
  const file = forged("second.ndjson.gz", (uuid) => (uuid === webhook ? first(uuid) : second(uuid)));
  const waiting = () =>
    server.database.read(`select from ${OWN_LOCKS} where locktype = 'advisory' and classid = 1 and not granted`);
  let imported: Promise<boolean> | undefined;
  await server.database.transaction(async (trx) => {
    // An import that has not ended yet, however long the other one takes to come here.
    await trx.raw("set local idle_in_transaction_session_timeout = 0");
    await run(trx, "select pg_advisory_xact_lock(4931700815)");
    imported = keptIds(file, "second");
    await until("it waits for the other import", async () => (await waiting()).length > 0);
    await run(
      trx,
      `insert into webhooks select (jsonb_populate_record(w, jsonb_build_object('id', $1::text))).*
       from webhooks w where w.workspace_id = $2`,
      [first(webhook), rich.uuid],
    );
  });
  expect(await imported).toBe(false);
  await server.database.read("delete from webhooks where id = $1 and workspace_id = $2", [first(webhook), rich.uuid]);
  expect(await keptIds(other, "first")).toBe(true);
});

test("an import of an archive tells of a slug that another process has taken meanwhile", async () => {
  const file = forged("raced.ndjson.gz", renewed("a00000000005"));
  let imported: ReturnType<typeof rich.admin.run> | undefined;
  await whileHeld(
    server.database,
    `insert into workspaces (id, slug, name, created_at) values ('${newUuid()}', 'raced', 'Other', now());
     insert into workspace_slugs (workspace_id, slug) select id, slug from workspaces where slug = 'raced'`,
    async (isAwaited) => {
      imported = rich.admin.run("import workspace", file, "--workspace", "raced");
      await isAwaited();
    },
  );
  expect(await imported).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^There is a workspace "raced" already/),
  });
  expect(await server.database.read("select from workspaces where slug = 'raced'")).toHaveLength(1);
});

test("a command asks for the workspace of an id that stands in several", async () => {
  // As an archive has left it that was imported before ids were compared.
  await server.database.read(
    "insert into webhooks select (json_populate_record(null::webhooks, (row_to_json(w)::jsonb || jsonb_build_object('workspace_id', o.id))::json)).* from webhooks w, workspaces o where w.workspace_id = $1 and o.slug = 'copy'",
    [rich.uuid],
  );
  await server.database.read(
    "insert into webhook_queues (workspace_id, webhook_id) select o.id, w.id from webhooks w, workspaces o where w.workspace_id = $1 and o.slug = 'copy'",
    [rich.uuid],
  );
  const [webhook] = (await rich.admin.run("webhooks list --workspace rich --json")).json<{
    webhooks: { id: string }[];
  }>().webhooks;
  const secrets = () =>
    server.database.read("select encode(secret, 'hex') as secret from webhooks where workspace_id = $1", [rich.uuid]);
  const before = await secrets();
  for (const command of ["rotate", "test", "tail --once", "replay --since 2026-01-01"]) {
    const [name = "", ...options] = command.split(" ");
    const { code, err } = await rich.admin.run(`webhooks ${name} ${webhook?.id} ${options.join(" ")}`);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/copy.*rich|rich.*copy/) });
    expect(err).toContain("--workspace");
  }
  expect(await secrets()).toEqual(before);
  expect(await rich.admin.run(`webhooks rotate ${webhook?.id} --workspace rich`)).toMatchObject({ code: 0 });
  expect(await secrets()).not.toEqual(before);
});

test("where the original is not, all ids are kept", async () => {
  const elsewhere = await startProcess();
  const admin = adminOf(elsewhere.databaseUrl);
  const { json } = await admin.run("import workspace", archive, "--json");
  expect(json()).toMatchObject({ workspace: { slug: "rich" }, idsKept: true });
  const again = join(files.path, "elsewhere.ndjson.gz");
  await admin.run("export --workspace rich --all --output", again);
  const rest = (file: string) =>
    linesOf(file)
      .slice(1, -1)
      .map((line) => inactive(JSON.stringify(line)));
  expect(rest(again)).toEqual(rest(archive));
  await admin.close();
  await elsewhere.stop();
});

test.each([
  ["that is cut short", (bytes: Buffer) => bytes.subarray(0, bytes.length - 20), /is cut short/],
  [
    "without its last line",
    (bytes: Buffer) => gzipSync(gunzipSync(bytes).toString().trimEnd().split("\n").slice(0, -1).join("\n")),
    /its end is missing/,
  ],
  [
    "with a line less",
    (bytes: Buffer) =>
      gzipSync(
        gunzipSync(bytes)
          .toString()
          .split("\n")
          .filter((line) => !line.includes("An unrelated note"))
          .join("\n"),
      ),
    /has 2 of "notes", and says that it has 3/,
  ],
  [
    "that was changed",
    (bytes: Buffer) => gzipSync(gunzipSync(bytes).toString().replace("Wants a demo", "Wants nothing")),
    /its checksum is another/,
  ],
  [
    "of a later format",
    (bytes: Buffer) => gzipSync(gunzipSync(bytes).toString().replace('"format":1', '"format":2')),
    /has the format 2; this release reads 1/,
  ],
  ["with a line that never ends", () => gzipSync(Buffer.alloc(64 * 1024 * 1024, "x")), /a line of more than 32 MiB/],
  ["of brackets", () => gzipSync(Buffer.alloc(30 * 1024 * 1024, "[")), /is not an archive of a workspace/],
  [
    "with millions of lists",
    (bytes: Buffer) =>
      gzipSync(`${gunzipSync(bytes).toString().split("\n")[0]}\n{"notes":[${"[],".repeat(5_000_000)}[]]}`),
    /Line 2 of the archive is damaged/,
  ],
  ["that is something else", () => Buffer.from("name,email\n"), /is not an archive/],
])("an archive %s makes nothing", async (_, change, message) => {
  const file = join(files.path, "broken.gz");
  writeFileSync(file, change(readFileSync(archive)));
  const { code, err } = await rich.admin.run("import workspace", file, "--workspace", "broken");
  expect(code).toBe(1);
  expect(err).toMatch(message);
  const { workspaces } = (await rich.admin.run("workspaces list --json")).json<{ workspaces: { slug: string }[] }>();
  expect(workspaces.map(({ slug }) => slug)).not.toContain("broken");
  const [row] = await server.database.read<{ count: number }>(
    "select count(*)::int as count from people p where not exists (select from workspaces w where w.id = p.workspace_id)",
  );
  expect(row).toEqual({ count: 0 });
});

test("an archive becomes a new workspace only, and is told where it is missing", async () => {
  const taken = await rich.admin.run("import workspace", archive, "--workspace", "rich");
  expect(taken.err).toMatch(/^There is a workspace "rich" already/);
  const missing = await rich.admin.run("import workspace nowhere.gz");
  expect(missing).toMatchObject({ code: 1, err: "nowhere.gz is not there." });
  expect(await rich.admin.run("export --workspace rich --all")).toMatchObject({ code: 2 });
});
