import type { Query } from "../database/query.ts";
import { type IdKind, toId, type Uuid } from "../values/ids.ts";
import { markPatterns } from "./marks.ts";
import type { Subject } from "./subject.ts";

/** Tables whose rows have texts that people write, and the kind of their ids. */
const TEXTS: Record<string, IdKind> = {
  people: "person",
  companies: "company",
  objects: "object",
  notes: "note",
  tasks: "task",
  interactions: "interaction",
  webhooks: "webhook",
  users: "user",
};

/**
 * The ids of things of others that name a person by an address, a telephone number or the full name in their texts. Whether they mean
 * the person nobody but a reader can tell, so they are told and not changed.
 */
export async function namedElsewhere(
  query: Query,
  workspaceId: Uuid,
  subject: Subject,
  own: ReadonlySet<Uuid>,
): Promise<string[]> {
  const found: string[] = [];
  for (const [table, kind] of Object.entries(TEXTS)) {
    const rows = await query<{ id: Uuid }>(
      `select t.id from ${table} t where t.workspace_id = $1 and lower(row_to_json(t)::text) like any($2::text[]) order by t.id`,
      [workspaceId, markPatterns({ ...subject, formerIds: [] })],
    );
    found.push(...rows.filter(({ id }) => !own.has(id)).map(({ id }) => toId(kind, id)));
  }
  return found;
}
