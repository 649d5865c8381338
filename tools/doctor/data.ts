import { firstTrigger, type StoredSchedule } from "../../base/schedules/stored-schedule.ts";
import { zoneSpelling } from "../../base/schedules/zones.ts";
import { toId, type Uuid } from "../../base/values/ids.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query } from "../../database/query.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { counted } from "../terminal/output.ts";

const TYPES = Object.values(customFieldTypes);

interface Rule {
  /** Fault of each row that the statement gives. */
  fault: string;
  remedy: string;
  /** Returns the slug of a workspace as `workspace`, and the name of the faulty part as `what`. */
  sql: string;
  values: unknown[];
}

/** Rules about definitions that no constraint of the database enforces. docs/guides/database.md#doctor */
const RULES: Rule[] = [
  {
    fault: "private group without an admin",
    remedy: "apply a workspace file that names a member of it with the role admin",
    sql: `select w.slug as workspace, g.name as what from groups g join workspaces w on w.id = g.workspace_id
      where g.visibility = 'private' and not exists (
        select 1 from group_members m where m.workspace_id = g.workspace_id and m.group_id = g.id and m.role = 'admin')`,
    values: [],
  },
  {
    fault: "removed user who is still a member",
    remedy: "export the workspace, and apply that file with --prune",
    sql: `select w.slug as workspace, u.email as what from users u join workspaces w on w.id = u.workspace_id
      where u.removed_at is not null and exists (select 1 from group_members m where m.workspace_id = u.workspace_id and m.user_id = u.id)`,
    values: [],
  },
  {
    fault: "field of an unknown type",
    remedy: "update this server to the release that made the field",
    sql: `select w.slug as workspace, f.name as what from custom_fields f join workspaces w on w.id = f.workspace_id where f.type <> all($1)`,
    values: [TYPES.map(({ name }) => name)],
  },
  {
    fault: "field that has options, but is of a type without any",
    remedy: "delete its rows from custom_field_options",
    sql: `select distinct w.slug as workspace, f.name as what from custom_field_options o
      join custom_fields f on f.workspace_id = o.workspace_id and f.id = o.field_id join workspaces w on w.id = f.workspace_id
      where f.type <> all($1)`,
    values: [TYPES.filter(({ hasOptions }) => hasOptions).map(({ name }) => name)],
  },
];

/** Whether users, groups, members and fields fit each other. */
export async function examineDefinitions(query: Query) {
  for (const { fault, remedy, sql, values } of RULES) {
    const [first, ...more] = await query<{ workspace: string; what: string }>(sql, values);
    if (first)
      return {
        ok: false,
        message: `${fault}: "${first.what}" in ${first.workspace}${more.length > 0 ? ` and ${more.length} more` : ""}: ${remedy}`,
      };
  }
  const [row] = await query<{ workspaces: number }>("select count(*)::int as workspaces from workspaces", []);
  return {
    ok: true,
    message: `users, groups and fields of ${counted(row?.workspaces ?? 0, "workspace")} fit each other`,
  };
}

/**
 * Differences between the directories and the tables whose rows they list. Each statement returns the slug of a
 * workspace as `workspace`, or the uuid of one that is not there.
 */
const DIRECTORY_FAULTS: { sql: string; remedy: string }[] = [
  {
    sql: `select w.slug as workspace, 'is not found by its slug' as wrong
      from workspaces w left join workspace_slugs s on s.workspace_id = w.id
      where s.slug is distinct from w.slug order by 1`,
    remedy: "delete its row from workspace_slugs if there is one, and insert its id and its slug there",
  },
  {
    sql: `select s.slug as workspace, 'is a slug without a workspace' as wrong
      from workspace_slugs s where s.workspace_id not in (select id from workspaces) order by 1`,
    remedy: "delete its row from workspace_slugs",
  },
  {
    sql: `select w.slug as workspace, format('has a key that is not found by its hash, %s', k.id) as wrong
      from api_keys k join workspaces w on w.id = k.workspace_id
      left join key_hashes h on h.workspace_id = k.workspace_id and h.key_id = k.id
      where h.hash is distinct from k.hash order by 1, 2`,
    remedy: "delete its row from key_hashes if there is one, and insert its workspace, its id and its hash there",
  },
  {
    sql: `select coalesce(s.slug, h.workspace_id::text) as workspace, format('has the hash of a key that is not there, %s', h.key_id) as wrong
      from key_hashes h left join workspace_slugs s on s.workspace_id = h.workspace_id
      where (h.workspace_id, h.key_id) not in (select workspace_id, id from api_keys) order by 1, 2`,
    remedy: "delete the row of this key from key_hashes",
  },
];

/** Checks that every workspace is found by its slug, and every key by its hash. docs/guides/database.md#doctor */
export async function examineDirectories(query: Query) {
  for (const { sql, remedy } of DIRECTORY_FAULTS) {
    const fault = faultInWords(await query<Fault>(sql, []), remedy);
    if (fault !== null) return { ok: false, message: fault };
  }
  const [row] = await query<{ slugs: number; keys: number }>(
    `select (select count(*)::int from workspace_slugs) as slugs, (select count(*)::int from key_hashes) as keys`,
    [],
  );
  return { ok: true, message: `${counted(row?.slugs ?? 0, "slug")} and ${counted(row?.keys ?? 0, "key")} are found` };
}

/** Checks that the keys which keep company names unique match the names. */
export async function examineNames(query: Query) {
  const [row] = await query<{ companies: number; wrong: number; example: string | null }>(
    `select count(*)::int as companies, count(*) filter (where wrong)::int as wrong, min(name) filter (where wrong) as example
     from (select name, name_key <> sha256(convert_to(normalize(name, NFC), 'UTF8')) as wrong from companies) c`,
    [],
  );
  if (row && row.wrong > 0)
    return {
      ok: false,
      message: `${row.wrong} companies have the key of another name, "${row.example}" for example: give each another name, and then its own again`,
    };
  return { ok: true, message: `${row?.companies ?? 0} keys are right` };
}

interface Fault {
  workspace: string;
  wrong: string;
}

/** The first of some faults and the number of the others; null without any. */
function faultInWords([first, ...more]: Fault[], remedy: string): string | null {
  if (!first) return null;
  const others = more.length > 0 ? ` (and ${more.length} more)` : "";
  return `${first.workspace} ${first.wrong}${others}: ${remedy}`;
}

/**
 * Workspaces that have used another number of credits than their enrichments cost, completed ones and those that have
 * not finished. One statement, since enrichments end while it runs.
 */
const MISCOUNTED = `
select w.slug as workspace, format('has used %s credits, but its enrichments cost %s', coalesce(c.used, 0), coalesce(e.cost, 0)) as wrong
from workspaces w
left join credits c on c.workspace_id = w.id
left join (
  select workspace_id, count(*) as cost from enrichments where status in ('pending', 'in_progress', 'completed') group by 1
) e on e.workspace_id = w.id
where coalesce(c.used, 0) <> coalesce(e.cost, 0) order by 1`;

/** Enrichments of people who are gone, which the deletions should have named and ended. */
const ORPHANED = `
select w.slug as workspace, format('has an enrichment of a person who is not there, %s', e.id) as wrong
from enrichments e join workspaces w on w.id = e.workspace_id
where (e.entity_name is null or e.due_at is not null)
  and not exists (select from people p where p.workspace_id = e.workspace_id and p.id = e.entity_id) order by e.id`;

const REMEDIES = [
  [MISCOUNTED, "correct the column used of its row in credits"],
  [ORPHANED, "delete this row from enrichments, and correct what the workspace has used"],
] as const;

/** Whether enrichments and credits fit each other, and the people. docs/guides/database.md#doctor */
export async function examineEnrichments(query: Query) {
  for (const [sql, remedy] of REMEDIES) {
    const fault = faultInWords(await query<Fault>(sql, []), remedy);
    if (fault !== null) return { ok: false, message: fault };
  }
  const [row] = await query<{ count: number }>("select count(*)::int as count from enrichments", []);
  return { ok: true, message: `${row?.count ?? 0} enrichments cost what was used` };
}

interface Reminder extends StoredSchedule {
  workspaceId: Uuid;
  uuid: Uuid;
  nextTriggerAt: Date | null;
}

/**
 * Whether every reminder is planned for a time of its rule, and nothing else is planned. A time that has come and has
 * not fired is sound: the server may have been down. docs/guides/reminders.md#firing
 */
export async function examineReminders(query: Query) {
  const [silent] = await query<{ uuid: Uuid }>(SILENT, []);
  if (silent)
    return {
      ok: false,
      message: `The record ${toId("task", silent.uuid)} is completed, or was made as a task, and is planned to fire: set its next_trigger_at to null`,
    };
  const now = new Date();
  let count = 0;
  for await (const reminders of pagesOf<Reminder>(query, REMINDERS, [])) {
    for (const reminder of reminders) {
      const fault = faultOf(reminder, now);
      if (fault !== null) return { ok: false, message: `The reminder ${toId("reminder", reminder.uuid)} ${fault}` };
    }
    count += reminders.length;
  }
  return { ok: true, message: `${count} reminders fire by their rules` };
}

const SILENT = `
select id as uuid from tasks where next_trigger_at is not null and (made_as = 'task' or completed_at is not null) limit 1`;

function faultOf(reminder: Reminder, now: Date): string | null {
  const { timeZone, nextTriggerAt } = reminder;
  if (zoneSpelling(timeZone) === null)
    return `does not fire: this runtime knows no time zone "${timeZone}". Run one with newer data, or give it a rule with another zone`;
  const after = nextTriggerAt === null ? now : new Date(nextTriggerAt.getTime() - 1);
  const wanted = firstTrigger(reminder, after);
  if (wanted?.getTime() === nextTriggerAt?.getTime()) return null;
  return `is planned for ${shown(nextTriggerAt)}, and fires by its rule on ${shown(wanted)}: change its rule, and change it back`;
}

function shown(instant: Date | null): string {
  return instant === null ? "no time" : instant.toISOString();
}

/** All reminders that may fire. */
const REMINDERS = `
select workspace_id as "workspaceId", id as uuid, due_at::text as "dueAt", due_time::text as "dueTime",
  first_due_at::text as "firstDueAt", time_zone as "timeZone", recurrence_frequency as "recurrenceFrequency",
  next_trigger_at as "nextTriggerAt"
from tasks where made_as = 'reminder' and completed_at is null`;
