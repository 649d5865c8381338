import type { Uuid } from "../../base/values/ids.ts";
import { insertRecords } from "../../engine/records/apply.ts";
import type { Writing } from "../../engine/records/draft.ts";
import type { Membership, RecordRow } from "../../engine/records/select.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Catalog } from "../../model/definitions/catalog.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { mapTexts, type NewUuid } from "./map-ids.ts";
import { archivedMembers } from "./parts.ts";
import { ArchiveFault } from "./read.ts";

/**
 * Writes records of an archive, with all their indexes. A field that is younger than the archive is unset.
 * @throws ArchiveFault for a field that this release does not have
 */
export async function restoreRecords(
  writing: Writing,
  resource: RecordType,
  things: Record<string, unknown>[],
  newUuid: NewUuid,
): Promise<void> {
  const rows = things.map(readerOfThings(writing, resource, newUuid));
  await insertRecords(writing, resource, rows);
}

function readerOfThings(
  { catalog }: Writing,
  resource: RecordType,
  newUuid: NewUuid,
): (thing: Record<string, unknown>) => RecordRow {
  const unset = Object.fromEntries([
    ...resource.columns.map(({ name, storage }) => [name, storage.unset]),
    ...resource.links.map(({ name }) => [name, []]),
  ]);
  const members = new Set(archivedMembers(resource));
  const links = resource.links.map(({ name }) => name);
  const ids = new Set(["uuid", "createdBy", ...Object.keys(resource.rowColumns ?? {}), ...links]);
  const isPlain = plainFields(catalog);
  const read = (name: string, value: unknown): unknown => {
    if (name === "memberships") return (value as Membership[]).map((one) => mapMembership(one, isPlain, newUuid));
    return ids.has(name) ? mapTexts(value, newUuid) : value;
  };
  return (thing) => {
    const unknown = Object.keys(thing).find((name) => !members.has(name));
    if (unknown !== undefined) throw new ArchiveFault(`A record of the archive has "${unknown}", ${LATER}`);
    const known = Object.entries(thing).map(([name, value]) => [name, read(name, value)]);
    return { ...unset, ...Object.fromEntries(known) } as RecordRow;
  };
}

/** The end of the message about what an archive has and this release does not. */
export const LATER = "which this release does not know: the archive is of a later one.";

/** Tells of a field whether its values name nothing: a text that looks like an id is a text all the same. */
function plainFields({ groups }: Catalog): (field: Uuid) => boolean {
  const plain = new Set<Uuid>();
  for (const { fieldsByUuid } of groups.values())
    for (const { uuid, type } of fieldsByUuid.values()) {
      const { namedBy, hasOptions } = customFieldTypes[type];
      if (namedBy === "value" && !hasOptions) plain.add(uuid);
    }
  return (uuid) => plain.has(uuid);
}

function mapMembership(
  { groupId, values }: Membership,
  isPlain: (field: Uuid) => boolean,
  newUuid: NewUuid,
): Membership {
  const mapped = Object.entries(values).map(([id, stored]) => {
    const field = newUuid(id as Uuid);
    return [field, isPlain(field) ? stored : mapTexts(stored, newUuid)];
  });
  return { groupId: newUuid(groupId), values: Object.fromEntries(mapped) as Membership["values"] };
}
