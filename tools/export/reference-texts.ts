import { RECORD_KINDS, type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { textKey } from "../../engine/filters/search-columns.ts";
import { nameRecords, type RecordNames } from "../../engine/records/names.ts";
import { rowsWithKeys } from "../../engine/records/rows-with-keys.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { RECORD_TYPES } from "../../model/resources/record-types.ts";

/** A text by which a record may be found, and the fields that have to hold it in no other record. */
interface Candidate {
  text: string;
  unlike: { kind: RecordKind; field: string }[];
}

/**
 * The records of these ids, each with the text in the place of its name by which a cell of a file names it: a person by the first
 * e-mail address that is theirs alone, every record by its name where no other has it, and else by its id. Uuids stand by their
 * ids, and what is gone is missing. docs/guides/export.md#links
 */
export async function referenceTexts(query: Query, workspaceId: Uuid, wanted: Map<string, Uuid>): Promise<RecordNames> {
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

/** Tells of which candidates one record alone has the text. */
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
