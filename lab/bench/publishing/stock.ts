import { newUuid, toId, type Uuid } from "../../../base/values/ids.ts";
import type { Database } from "../../../database/database.ts";
import type { LogEntry } from "../../../model/log.ts";
import type { SubscribedEvent } from "../../../model/resources/subscribed-events.ts";

/** A workspace of the bench with a public group, in which the people of its events are. */
export interface Stock {
  workspaceId: Uuid;
  groupId: Uuid;
}

/** Number of webhooks of a workspace that want what `changedPerson` tells, and the same of other groups and values. */
interface Webhooks {
  others: number;
  wanting: number;
}

/** Makes so many workspaces, each with one user, who owns webhooks. */
export async function addWorkspaces(database: Database, count: number, webhooks: Webhooks): Promise<Stock[]> {
  const added: Stock[] = [];
  for (let i = 0; i < count; i += 1) added.push(await addWorkspace(database, webhooks));
  return added;
}

async function addWorkspace(database: Database, { others, wanting }: Webhooks): Promise<Stock> {
  const [workspaceId, groupId, userId] = [newUuid(), newUuid(), newUuid()];
  await database.read(
    "insert into workspaces (id, slug, name, created_at, webhooks_version) values ($1, $2, 'Bench', now(), 1)",
    [workspaceId, workspaceId],
  );
  await database.read("insert into workspace_slugs (workspace_id, slug) values ($1, $2)", [workspaceId, workspaceId]);
  await database.read(
    "insert into webhook_progress (workspace_id, through) select $1, last_value from change_log_seq",
    [workspaceId],
  );
  await database.read(
    "insert into users (workspace_id, id, email, email_key, full_name, role, created_at) values ($1, $2, 'a@x.test', 'a@x.test', 'Ada', 'admin', now())",
    [workspaceId, userId],
  );
  await database.read(
    "insert into groups (workspace_id, id, name, visibility, created_at) values ($1, $2, 'Sales', 'public', now())",
    [workspaceId, groupId],
  );
  const subscribed = [
    ...Array.from({ length: others }, (_, i) => unwanted(i)),
    ...Array.from({ length: wanting }, () => [
      { eventType: "person.updated", filter: { groupId: toId("group", groupId) } },
    ]),
  ];
  await database.queryPlanned(
    `with made as (
       insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret, redacted_secret, since_seq)
       select $1, id, now(), $2, 'Hook', 'http://127.0.0.2/', subscribed::json, 'active', '', '', 0 from unnest($3::uuid[], $4::text[]) w (id, subscribed)
       returning id
     )
     insert into webhook_queues (workspace_id, webhook_id) select $1, id from made`,
    [workspaceId, userId, subscribed.map(() => newUuid()), subscribed.map((entries) => JSON.stringify(entries))],
  );
  return { workspaceId, groupId };
}

function unwanted(i: number): SubscribedEvent[] {
  const filters = [
    { groupId: toId("group", newUuid()) },
    { path: ["customFieldValues", toId("group", newUuid()), `Field ${i}`] },
    { path: ["jobTitle"], value: `Title ${i}` },
  ];
  return [{ eventType: "person.updated", filter: filters[i % filters.length] ?? {} }];
}

/** Entry of the log for an update of a person. */
export function changedPerson({ groupId }: Stock): LogEntry {
  return {
    type: "person.updated",
    recordId: newUuid(),
    body: {
      groups: [groupId],
      changes: [
        { path: ["jobTitle"], before: null, after: "Analyst" },
        { path: ["emails"], before: [], after: ["ada@acme.test"] },
      ],
    },
  };
}
