import type { Path } from "../../lib/contract/issues.ts";
import type { Sent } from "../../lib/fields/field.ts";
import { nameKey } from "../../lib/fields/name-key.ts";
import { type Outcome, recordAt, writeEntries } from "../../lib/records/batch.ts";
import type { Draft, Writing } from "../../lib/records/draft.ts";
import { companiesByKey } from "../../lib/records/found.ts";
import { lockRows } from "../../lib/records/write.ts";
import { companies } from "../../lib/resources/companies.ts";
import type { Scope } from "../../lib/resources/scope.ts";
import { isPlainText } from "../../lib/values/text.ts";

const scope: Scope = { entity: companies.kind, home: null };

/**
 * Drafts of companies by their names: a company that has the name is updated and its groups are only added to, else one
 * is made. API document, "Single-record endpoints", "Batch endpoints", rule 6; gaps 4, "Company".
 */
export async function draftByName(
  writing: Writing,
  records: Sent[],
  at: (index: number) => Path,
): Promise<{ key: string; draft: Draft }[]> {
  const keys = records.map(({ name }) => nameKey(String(name)));
  const existing = await companiesByKey(writing, [...new Set(keys)]);
  const rows = await lockRows(
    writing,
    companies,
    scope,
    [...existing.values()].map(({ uuid }) => uuid),
  );
  return records.map((sent, i) => {
    const key = keys[i] ?? "";
    const known = existing.get(key);
    const current = (known && rows.get(known.uuid)) ?? null;
    return { key, draft: { at: at(i), sent, current, scope, groups: "add" } };
  });
}

/**
 * Makes or updates companies; records that share a name end as one company. A name that is no Unicode shares none: its
 * key is that of the name with U+FFFD, and it fails alone (rule 10).
 */
export async function upsertMany(writing: Writing, records: Sent[]): Promise<Outcome[]> {
  const entries = await draftByName(writing, records, recordAt);
  return writeEntries(
    writing,
    companies,
    entries.map(({ key, draft }, i) => ({
      key: isPlainText(String(draft.sent.name)) ? key : `record ${i}`,
      draft: { ...draft, unseenGroups: "warn" },
    })),
  );
}
