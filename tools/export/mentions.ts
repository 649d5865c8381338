import { RECORD_KINDS, type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { textKey } from "../../engine/filters/search-columns.ts";
import { nameRecords, type RecordNames } from "../../engine/records/names.ts";
import { rowsWithKeys } from "../../engine/records/rows-with-keys.ts";
import type { RecordRow } from "../../engine/records/select.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { RECORD_TYPES } from "../../model/resources/record-types.ts";

/** A text that may identify a record, and the fields that must not hold it in another record. */
interface Candidate {
  text: string;
  unlike: { kind: RecordKind; field: string }[];
}

/**
 * The records of these ids, each with the text in the place of its name by which a cell of a file names it: a person by
 * the first e-mail address that is theirs alone, every record by its name where no other has it, and else by its id.
 * Uuids stand by their ids, and what is gone is missing. docs/guides/export.md#links
 */
async function referenceTexts(query: Query, workspaceId: Uuid, wanted: Map<string, Uuid>): Promise<RecordNames> {
  const records = await nameRecords(query, workspaceId, wanted);
  const emails = await emailsOf(
    query,
    workspaceId,
    records.flatMap(({ id, entityType }) => (entityType === "person" ? [wanted.get(id) as Uuid] : [])),
  );
  const candidates = new Map(
    records.map(({ id, fullName, entityType }) => [id, candidatesOf(entityType, fullName, emails.get(id) ?? [])]),
  );
  const isUnique = await uniqueAmong(query, workspaceId, [...candidates.values()].flat());
  return new Map(
    records.map((record) => {
      const found = candidates.get(record.id)?.find(isUnique);
      return [record.id, { ...record, fullName: found?.text ?? record.id }];
    }),
  );
}

/** A contact may be a person or a company, so a name that both have names neither. */
const NAMES = {
  person: [
    { kind: "person", field: "fullName" },
    { kind: "company", field: "name" },
  ],
  company: [
    { kind: "company", field: "name" },
    { kind: "person", field: "fullName" },
  ],
  object: [{ kind: "object", field: "name" }],
} satisfies Record<RecordKind, Candidate["unlike"]>;

function candidatesOf(kind: RecordKind, name: string, emails: string[]): Candidate[] {
  const byEmail = emails.map((text): Candidate => ({ text, unlike: [{ kind: "person", field: "emails" }] }));
  return [...byEmail, { text: name, unlike: NAMES[kind] }].filter(({ text }) => text !== "");
}

async function emailsOf(query: Query, workspaceId: Uuid, uuids: Uuid[]): Promise<Map<string, string[]>> {
  if (uuids.length === 0) return new Map();
  const rows = await query<{ id: Uuid; emails: string[] }>(
    "select id, emails from people where workspace_id = $1 and id = any($2::uuid[])",
    [workspaceId, uuids],
  );
  return new Map(rows.map(({ id, emails }) => [toId("person", id), emails]));
}

/** Candidates whose text only one record has. */
async function uniqueAmong(
  query: Query,
  workspaceId: Uuid,
  candidates: Candidate[],
): Promise<(candidate: Candidate) => boolean> {
  const keyOf = (field: string, text: string) => textKey(workspaceId, field, text);
  const holders = new Map<RecordKind, Map<string, number>>();
  for (const kind of RECORD_KINDS) {
    const keys = candidates.flatMap(({ text, unlike }) =>
      unlike.filter((one) => one.kind === kind).map(({ field }) => keyOf(field, text)),
    );
    holders.set(kind, await countHolders(query, workspaceId, RECORD_TYPES[kind], new Set(keys)));
  }
  return ({ text, unlike }) => {
    const counts = unlike.map(({ kind, field }) => holders.get(kind)?.get(keyOf(field, text)) ?? 0);
    return counts.reduce((sum, count) => sum + count, 0) <= 1;
  };
}

/** Number of records that have each of these keys. */
async function countHolders(
  query: Query,
  workspaceId: Uuid,
  resource: RecordType,
  keys: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  if (keys.size === 0) return counts;
  // A record that has several of the keys may be given several times.
  const rows = await rowsWithKeys(query, workspaceId, resource, [...keys]);
  const byId = new Map(rows.map((row) => [row.id, row.keys]));
  for (const key of [...byId.values()].flat()) if (keys.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/**
 * Names of records in cells: texts that people read, and that find the record in another workspace too, or ids.
 */
export type LinksAs = "name" | "id";

/** Names of other records in cells, by their ids: in the links of a row, and in its custom values. */
export interface CellNames {
  linked: RecordNames;
  mentioned: RecordNames;
}

/**
 * Texts with which cells name the records that these rows link to or mention in custom values. Deleted records are
 * missing.
 */
export async function cellNames(
  query: Query,
  definitions: Definitions,
  resource: RecordType,
  rows: RecordRow[],
  linksAs: LinksAs,
): Promise<CellNames> {
  const { workspaceId } = definitions;
  const mentioned = new Map(rows.flatMap((row) => mentionsIn(definitions, row)));
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

function mentionsIn({ groups }: Definitions, { memberships }: RecordRow): [id: string, uuid: Uuid][] {
  return memberships.flatMap(({ groupId, values }) =>
    [...(groups.get(groupId)?.fieldsByUuid.values() ?? [])].flatMap(({ uuid, type }) => {
      const stored = values[uuid];
      if (!customFieldTypes[type].references || !Array.isArray(stored)) return [];
      return stored.map((id): [string, Uuid] => [id, id.slice(id.indexOf("_") + 1) as Uuid]);
    }),
  );
}
