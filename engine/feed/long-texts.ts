import type { Uuid } from "../../base/values/ids.ts";
import { byWorkspace } from "../../database/by-workspace.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { type Changed, isLongText, type LongText } from "../../model/log.ts";
import type { StoredEntry } from "./published.ts";

/** An entry, as far as it refers to long texts. */
type Referring = Pick<StoredEntry, "workspaceId" | "recordId" | "body">;

/** A text may stand in several periods. */
const TEXTS = `
select t.id, t.text from unnest($2::uuid[], $3::uuid[]) r (record_id, id)
cross join lateral (
  select id, text from log_texts t where t.workspace_id = $1 and t.record_id = r.record_id and t.id = r.id limit 1) t`;

/**
 * Entries with long texts in the place of references. One statement for each workspace with such references. The
 * reference to a text stays when that was erased meanwhile.
 * docs/decisions/0013-events.md#long-texts
 * @param which those that events tell, or all of them
 */
export async function withTexts<Entry extends Referring>(
  query: Query,
  entries: readonly Entry[],
  which: "told" | "all" = "told",
): Promise<Entry[]> {
  const wanted = entries.flatMap(({ workspaceId, recordId, body: { changes = [] } }) =>
    changes.flatMap((change) =>
      "before" in change ? referencesOf(change, which).map(({ textId }) => ({ workspaceId, recordId, textId })) : [],
    ),
  );
  if (wanted.length === 0) return [...entries];
  const rows = await byWorkspace(wanted, (workspaceId, texts) =>
    query<{ id: Uuid; text: string }>(TEXTS, [
      workspaceId,
      printUuids(texts.map(({ recordId }) => recordId)),
      printUuids(texts.map(({ textId }) => textId)),
    ]),
  );
  const texts = new Map(rows.map(({ id, text }) => [id, text]));
  const put = (value: unknown) => (isLongText(value) ? (texts.get(value.textId) ?? value) : value);
  return entries.map((entry) => {
    const changes = entry.body.changes?.map((change) =>
      "before" in change ? { ...change, before: put(change.before), after: put(change.after) } : change,
    );
    return changes ? { ...entry, body: { ...entry.body, changes } } : entry;
  });
}

function referencesOf({ before, after, untold }: Changed, which: "told" | "all"): LongText[] {
  const values = which === "all" ? [before, after] : untold ? [] : [after];
  return values.filter(isLongText);
}
