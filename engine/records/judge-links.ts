import { custom } from "../../base/contract/issues.ts";
import type { Uuid } from "../../base/values/ids.ts";
import type { Group } from "../../model/definitions/catalog.ts";
import type { LinksStorage } from "../../model/fields/field.ts";
import { nameKey } from "../../model/fields/name.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type Draft, type PlannedLink, type PlannedLinks, placeOf } from "./draft.ts";
import type { Faults } from "./faults.ts";
import type { Found } from "./found.ts";
/** Judges the links of a draft. Gives, by field, the lists that it changes. */
export function judgeLinks(
  resource: RecordType,
  draft: Draft,
  found: Found,
  faults: Faults,
): Map<string, PlannedLinks> {
  const changed = new Map<string, PlannedLinks>();
  for (const { name, storage } of resource.links) {
    const sent = draft.sent[name] as { id?: string; name?: string }[] | undefined;
    if (sent === undefined) continue;
    const links = sent.flatMap((reference, i) => {
      const link = linkTo(storage, reference, found, draft.scope.home);
      const where = draft.scope.home ? ` in the group "${draft.scope.home.name}"` : "";
      if (!link)
        faults.issues.push(
          custom(
            [...placeOf(draft, name), i, "id"],
            `There is no ${storage.target} with the id ${reference.id}${where}`,
          ),
        );
      return link ?? [];
    });
    const after = [
      ...new Map(links.map((link) => ["uuid" in link ? link.uuid : nameKey(link.newCompany), link])).values(),
    ];
    const before = (draft.current?.[name] as Uuid[] | undefined) ?? [];
    const same = before.length === after.length && after.every((link, i) => "uuid" in link && link.uuid === before[i]);
    if (!same) changed.set(name, { before, after });
  }
  return changed;
}

/**
 * The link that a reference asks for; undefined when the record is not there, or is not in the group of the object.
 * docs/guides/objects.md#links
 */
function linkTo(
  storage: LinksStorage,
  { id, name }: { id?: string; name?: string },
  found: Found,
  home: Group | null,
): PlannedLink | undefined {
  if (id !== undefined) return home && !found.isIn(id, home.uuid) ? undefined : found.record(storage.target, id);
  const trimmed = String(name).trim();
  return found.companyNamed(trimmed) ?? { newCompany: trimmed };
}
