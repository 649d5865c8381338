import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { askJson } from "../../harness/api.ts";
import { ROOT } from "../../harness/server-process.ts";
import { RECEIVER_HOST } from "../../harness/webhook-receiver.ts";
import { openSide } from "../against/side.ts";
import type { Stage, Workspace } from "./measure.ts";

/** What the receiver tells: its port first, then each event that came. */
type Said = { port: number } | { number: number | null; at: number };

const SLUGS = ["plain", "crowded"] as const;
const PEOPLE = 20;
const CHANGED = { eventType: "person.updated", filter: { path: ["jobTitle"] } };

/** Starts everything, with two workspaces. */
export async function openStage(folder: string): Promise<Stage> {
  const receivedAt = new Map<number, number>();
  const receiver = fork(join(import.meta.dirname, "receiver.ts"), { stdio: "inherit" });
  const receiverPort = await new Promise<number>((resolve) =>
    receiver.on("message", (said: Said) => {
      if ("port" in said) resolve(said.port);
      else if (said.number !== null) receivedAt.set(said.number, said.at);
    }),
  );
  const side = await openSide("this", ROOT, folder);
  const server = await side.serve();
  const client = new pg.Client(side.url);
  await client.connect();

  const ask = (key: string, method: string, path: string, body?: object) =>
    askJson<{ id: string }>({ port: server.port, key }, method, path, body);
  const subscribe = ({ key }: Workspace, path: string, subscribedEvents: object[]) =>
    ask(key, "POST", "/v1/webhooks", {
      name: path,
      targetUrl: `http://${RECEIVER_HOST}:${receiverPort}${path}`,
      subscribedEvents,
    });

  async function open(slug: string): Promise<Workspace> {
    const file = join(folder, `${slug}.yaml`);
    writeFileSync(
      file,
      `workspace: ${slug}\nname: ${slug}\nusers: [{ email: ada@bench.test, fullName: Ada, role: admin }]\n`,
    );
    const { workspaces } = JSON.parse(await side.command(["apply", file, "--json"])) as {
      workspaces: [{ id: string }];
    };
    const options = ["--workspace", slug, "--user", "ada@bench.test", "--json"];
    const { key } = JSON.parse(await side.command(["keys", "create", ...options])) as { key: string };
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => ask(key, "POST", "/v1/people", {})));
    const workspace = { id: workspaces[0].id, key, people: people.map(({ id }) => id) };
    await subscribe(workspace, "/hook", [CHANGED]);
    await subscribe(workspace, "/other", [CHANGED]);
    return workspace;
  }

  const dropper = (workspace: Workspace, id: string) => async () => {
    await ask(workspace.key, "DELETE", `/v1/webhooks/${id}`);
  };

  const [plain, crowded] = [await open(SLUGS[0]), await open(SLUGS[1])];
  return {
    port: server.port,
    pid: server.pid,
    postmaster: side.postmaster,
    workspaces: { plain, crowded },
    receivedAt,
    async hang(workspace) {
      const { id } = await subscribe(workspace, "/hang", [CHANGED]);
      return dropper(workspace, id);
    },
    async pile(workspace, count) {
      const { id } = await subscribe(workspace, "/backlog", [{ eventType: "company.deleted" }]);
      await client.query(PILE, [id.slice(4), count]);
      // What so many rows at once leave for PostgreSQL to write is no matter of the measurement.
      await client.query("checkpoint");
      return dropper(workspace, id);
    },
    async crowd(workspace, count) {
      await client.query(CROWD, [workspace.id.slice(4), count]);
    },
    async stop() {
      await client.end();
      await side.stop();
      receiver.disconnect();
    },
  };
}

/** Deliveries of the last event of the workspace, all of them due. */
const PILE = `
with hook as (select workspace_id, id from webhooks where id = $1),
  event as (select e.* from change_log e join hook using (workspace_id) order by seq desc limit 1),
  made as (
    insert into deliveries (workspace_id, id, webhook_id, event_seq, event_id, event_type, record_id, status, next_attempt_at, created_at)
    select hook.workspace_id, gen_random_uuid(), hook.id, event.seq, event.id, event.type, gen_random_uuid(), 'pending', now(), now()
    from hook, event, generate_series(1, $2))
update webhook_queues q set due_at = now() from hook where q.workspace_id = hook.workspace_id and q.webhook_id = hook.id`;

/** Copies of a webhook, each of which wants another value than there is. */
const CROWD = `
with hook as (select * from webhooks where workspace_id = $1 order by id limit 1),
  missing as (select $2 - count(*) + 2 as count from webhooks where workspace_id = $1),
  made as (
    insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret, redacted_secret, since_seq)
    select workspace_id, gen_random_uuid(), created_at, created_by, name, target_url,
      json_build_array(json_build_object('eventType', 'person.updated', 'filter', json_build_object('path', json_build_array('jobTitle'), 'value', 'other ' || n))),
      status, secret, redacted_secret, since_seq
    from hook, missing, generate_series(1, missing.count) n returning workspace_id, id),
  queues as (insert into webhook_queues (workspace_id, webhook_id) select workspace_id, id from made)
update workspaces set webhooks_version = webhooks_version + 1 where id = $1`;
