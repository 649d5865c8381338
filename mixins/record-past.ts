import type { Answered } from "../base/contract/answer.ts";
import { unprocessable } from "../base/contract/errors.ts";
import { tagOf } from "../base/contract/etag.ts";
import { custom } from "../base/contract/issues.ts";
import { closed, Type } from "../base/contract/schema.ts";
import { locateRecord } from "../engine/changes/located.ts";
import type { Deletion } from "../engine/changes/log-reads.ts";
import { restoreRecords } from "../engine/changes/restore-records.ts";
import { takenNames } from "../engine/changes/taken-names.ts";
import { seesDeletion } from "../engine/changes/trash.ts";
import type { WriteContext } from "../engine/records/draft.ts";
import { presentRows } from "../engine/records/shown-texts.ts";
import { lockRows } from "../engine/records/write.ts";
import { needRole } from "../model/definitions/roles.ts";
import type { RequestBody } from "../model/fields/field.ts";
import type { Past } from "./past-actions.ts";
import type { PathParams } from "./path.ts";
import { type Records, scopeIn } from "./records.ts";

/** History and return of the records of a type. docs/guides/history-and-undo.md */
export function recordPast(records: Records): Past {
  const { resource, kept } = records;
  const unique = resource.columns.find(({ storage }) => storage.unique);
  const write = unique && resource.fields[unique.name]?.write;
  return {
    kind: resource.kind,
    kept,
    ...(unique &&
      write && { restoreBody: closed({ [unique.name]: Type.Optional(write) }, { title: `${resource.title}Restore` }) }),
    async locate(query, viewing, params, uuid) {
      const scope = scopeIn(records, viewing.definitions, viewing.caller, params);
      return uuid && locateRecord(query, viewing.caller.workspaceId, resource, scope, uuid);
    },
    sees(viewing, params, { body, more }) {
      const { homeGroup, entity } = scopeIn(records, viewing.definitions, viewing.caller, params);
      const isHere = !homeGroup || (body.home === homeGroup.uuid && more.gone.row?.objectTypeId === entity);
      return isHere && seesDeletion(viewing, body);
    },
    versionOf: async (_, { more }) => Number(more.gone.row?.version),
    restore: (writing, params, deletion, sent) => restoreOne(records, writing, params, deletion, sent),
  };
}

async function restoreOne(
  records: Records,
  writing: WriteContext,
  params: PathParams,
  deletion: Deletion,
  sent: RequestBody,
): Promise<Answered> {
  const { resource, kept } = records;
  const scope = scopeIn(records, writing.definitions, writing.caller, params);
  if (scope.homeGroup) needRole(scope.homeGroup, writing.caller, "contributor");
  const stored = resource.columns.flatMap(({ name, storage }) =>
    Object.hasOwn(sent, name) ? [[name, storage.store(sent[name])]] : [],
  );
  const changed = Object.fromEntries(stored);
  const [taken] = await takenNames(writing, resource, [{ ...deletion.more.gone.row, ...changed }]);
  if (taken)
    throw unprocessable([
      custom([taken.field], `There is another ${resource.kind} with the name "${taken.name.slice(0, 100)}"`),
    ]);
  await restoreRecords(writing, resource, [deletion], kept, changed);
  const { recordId } = deletion;
  // Its interactions are counted by now.
  const row = (await lockRows(writing, resource, scope, [recordId])).get(recordId);
  if (!row) throw new Error("A record that was restored is not there");
  const [text] = await presentRows(writing, resource, [row]);
  return { data: text ?? "null", etag: tagOf(row) };
}
