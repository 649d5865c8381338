import type { Path } from "../../base/contract/issues.ts";
import { isPlainText } from "../../base/values/text.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import { nameKey } from "../../model/fields/name.ts";
import { companies } from "../../model/resources/companies.ts";
import type { Scope } from "../../model/resources/scope.ts";
import { type Outcome, recordAt, writeEntries } from "./batch.ts";
import type { Draft, WriteContext } from "./draft.ts";
import { companiesByKey } from "./found.ts";
import { lockRows } from "./write.ts";

const scope: Scope = { entity: companies.kind, homeGroup: null };

/**
 * Makes drafts of companies, each with the key of its name, in the order of the records. A record whose name a company
 * has updates that company, whose groups are only added to; any other makes one.
 * docs/guides/companies.md#creating-by-name
 */
export async function companyDraftsByName(
  writing: WriteContext,
  records: RequestBody[],
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
 * Makes or updates companies. Records that share a name end as one company: docs/guides/batches.md#create. A name that
 * is no valid Unicode has the same key as the name with U+FFFD in its place, so it gets a key of its own and fails
 * alone.
 */
export async function writeCompaniesByName(writing: WriteContext, records: RequestBody[]): Promise<Outcome[]> {
  const entries = await companyDraftsByName(writing, records, recordAt);
  return writeEntries(
    writing,
    companies,
    entries.map(({ key, draft }, i) => ({
      key: isPlainText(String(draft.sent.name)) ? key : `record ${i}`,
      draft: { ...draft, unseenGroups: "warn" },
    })),
  );
}
