import type { Answered } from "../../base/contract/answer.ts";
import { tagOf } from "../../base/contract/etag.ts";
import type { Draft, WriteContext } from "../../engine/records/draft.ts";
import { removeRows } from "../../engine/records/remove.ts";
import type { RecordRow } from "../../engine/records/select.ts";
import { presentRows } from "../../engine/records/shown-texts.ts";
import { lockRows, rowOf, writeDrafts } from "../../engine/records/write.ts";
import { needRole } from "../../model/definitions/roles.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { PathParams } from "../path.ts";
import { type ScopedType, scopeIn } from "../records.ts";
import type { Changeable } from "./things.ts";

/** The records of a type, as `worksOf` takes them. */
export function changeableRecords(records: ScopedType): Changeable<RecordRow> {
  const { resource, scoping } = records;
  const scopeOf = ({ definitions, caller }: WriteContext, params: PathParams) =>
    scopeIn(records, definitions, caller, params);
  return {
    resource,
    path: scoping?.path,
    descriptions: {
      create: "Missing fields are not set. Writing into a group needs the role contributor there.",
      update:
        "Missing fields keep their values, lists are replaced, and custom field values are merged field by field.",
      remove: "Deletes its values in groups and every link to it too.",
    },
    lock: async (writing, params, uuid, isDeleted) =>
      (await lockRows(writing, resource, scopeOf(writing, params), [uuid], { isDeleted })).get(uuid),
    write: (writing, params, current, sent) =>
      writeOne(resource, writing, { at: [], sent, current, scope: scopeOf(writing, params), groups: "replace" }),
    async remove(writing, params, current) {
      // A 404 comes before a 403 (docs/guides/conventions.md#order-of-checks), so the role is checked behind the lock.
      const { homeGroup } = scopeOf(writing, params);
      if (homeGroup) needRole(homeGroup, writing.caller, "contributor");
      await removeRows(writing, resource, [current]);
    },
  };
}

/**
 * Writes one draft and gives the record as it is afterwards. The caller's transaction commits.
 * @throws ApiError that says why the draft cannot be written
 */
export async function writeOne(resource: RecordType, writing: WriteContext, draft: Draft): Promise<Answered> {
  const [written] = await writeDrafts(writing, resource, [draft]);
  return answeredRecord(writing, resource, rowOf(written));
}

/** A record that was written, as an action answers it. */
export async function answeredRecord(writing: WriteContext, resource: RecordType, row: RecordRow): Promise<Answered> {
  const [text] = await presentRows(writing, resource, [row]);
  return { data: text ?? "null", etag: tagOf(row) };
}
