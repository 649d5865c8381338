import type { Query } from "../../database/query.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { counted } from "../terminal/output.ts";

const TYPES = Object.values(customFieldTypes);

interface Rule {
  /** Fault of each row that the statement gives. */
  fault: string;
  remedy: string;
  /** Gives the slug of a workspace as `workspace`, and the name of what is wrong in it as `what`. */
  sql: string;
  values: unknown[];
}

/** Rules about definitions that no constraint of the database enforces. docs/guides/running.md#doctor */
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

/** Whether the keys that keep names of companies unique are those of the names. */
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
