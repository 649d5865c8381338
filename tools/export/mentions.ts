import { toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { nameRecords, type RecordNames } from "../../engine/records/names.ts";
import type { RecordRow } from "../../engine/records/select.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Catalog } from "../../model/definitions/catalog.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { referenceTexts } from "./reference-texts.ts";

/**
 * Names of records in cells: texts that people read, and that find the record in another workspace too, or ids.
 */
export type LinksAs = "name" | "id";

/** Names by which cells call other records, by their ids: in the links of a row, and in its custom values. */
export interface CellNames {
  linked: RecordNames;
  mentioned: RecordNames;
}

/** The texts by which cells name the records that these rows link to, and mention in custom values. What is gone is missing. */
export async function cellNames(
  query: Query,
  catalog: Catalog,
  resource: RecordType,
  rows: RecordRow[],
  linksAs: LinksAs,
): Promise<CellNames> {
  const { workspaceId } = catalog;
  const mentioned = new Map(rows.flatMap((row) => mentionsIn(catalog, row)));
  const [companies, others] = [new Map<string, Uuid>(), new Map<string, Uuid>()];
  for (const row of rows)
    for (const { name, storage } of resource.links)
      for (const uuid of row[name] as Uuid[])
        (storage.target === "company" ? companies : others).set(toId(storage.target, uuid), uuid);
  // No two companies have one name, and a link to companies takes nothing else, so the name is enough.
  const byName = await nameRecords(query, workspaceId, companies);
  const wanted = new Map([...others, ...mentioned]);
  const texts =
    linksAs === "name"
      ? await referenceTexts(query, workspaceId, wanted)
      : new Map(
          (await nameRecords(query, workspaceId, wanted)).map((record) => [
            record.id,
            { ...record, fullName: record.id },
          ]),
        );
  return { linked: new Map([...texts, ...byName.map((record) => [record.id, record] as const)]), mentioned: texts };
}

function mentionsIn({ groups }: Catalog, { memberships }: RecordRow): [id: string, uuid: Uuid][] {
  return memberships.flatMap(({ groupId, values }) =>
    [...(groups.get(groupId)?.fieldsByUuid.values() ?? [])].flatMap(({ uuid, type }) => {
      const stored = values[uuid];
      if (!customFieldTypes[type].references || !Array.isArray(stored)) return [];
      return stored.map((id): [string, Uuid] => [id, id.slice(id.indexOf("_") + 1) as Uuid]);
    }),
  );
}
