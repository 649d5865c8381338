import type { Answer } from "../../base/contract/answer.ts";
import {
  closed,
  DRY_RUN,
  IF_MATCH,
  idSchema,
  oneOf,
  reference,
  type TSchema,
  Type,
} from "../../base/contract/schema.ts";
import type { WriteContext } from "../../engine/records/draft.ts";
import { mergeRecords, type Truncation } from "../../engine/records/merge.ts";
import type { RecordRow } from "../../engine/records/select.ts";
import type { PathParams } from "../path.ts";
import { type ScopedType, scopeIn } from "../records.ts";
import { answeredRecord, changeableRecords } from "./records.ts";
import { changing } from "./things.ts";
import type { Work } from "./work.ts";

/** Most records that one request merges. docs/guides/limits.md#sizes */
const MERGED_MAX = 20;

type Params = PathParams & { body: { records: { id: string }[] } };

/** The work that merges records into the one that the path names. docs/guides/merging.md#merging */
export function mergeWork(records: ScopedType): Work<Params> {
  const { kind, table, schema: record } = records.resource;
  const merged = Type.Array(reference(kind), { minItems: 1, maxItems: MERGED_MAX });
  const body = closed({ records: merged }, { title: "Merge" });
  return {
    summary: `Merge ${table}`,
    description:
      "Empty fields are filled, lists, groups and values united. The merged ids stay valid as names of the survivor.",
    params: closed({ ...records.scoping?.path, [`${kind}Id`]: idSchema(kind), ...IF_MATCH, ...DRY_RUN, body }),
    returns: { data: mergedSchema(record), hasTag: true },
    ...changing(changeableRecords(records), (writing, survivor, params: Params) =>
      merge(records, writing, survivor, params),
    ),
  };
}

const truncation = closed(
  {
    code: oneOf(["LIST_TRUNCATED"]),
    message: Type.String({ description: "Which entries were left out" }),
    path: Type.Array(Type.Union([Type.String(), Type.Integer()]), { description: "The list" }),
  },
  { title: "Truncation" },
);

/** The schema of the survivor as a merge answers it. docs/guides/merging.md#left-out-entries */
function mergedSchema(record: TSchema): TSchema {
  const warnings = Type.Array(truncation, { description: "Absent when no entry was left out" });
  return Type.Unsafe({
    title: `Merged${record.title}`,
    allOf: [record, Type.Object({ warnings: Type.Optional(warnings) })],
  });
}

async function merge(records: ScopedType, writing: WriteContext, survivor: RecordRow, params: Params): Promise<Answer> {
  const { resource } = records;
  const scope = scopeIn(records, writing.definitions, writing.caller, params);
  const { row, truncations } = await mergeRecords(writing, resource, scope, survivor, params.body.records);
  const { data, etag } = await answeredRecord(writing, resource, row);
  return { data: withWarnings(data, truncations), ...(etag !== undefined && { etag }) };
}

/**
 * The JSON text of the survivor, with the warnings as its last member if there are any.
 * docs/guides/merging.md#left-out-entries
 */
function withWarnings(record: string, warnings: Truncation[]): string {
  return warnings.length === 0 ? record : `${record.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`;
}
