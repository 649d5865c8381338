import type { IdKind } from "../../base/values/ids.ts";
import { companies } from "../../model/resources/companies.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import { byGroupAndType } from "../by-group-and-type.ts";
import type { ScopedType } from "../records.ts";
import { createCompanyByName } from "./companies.ts";
import { interactionWorks } from "./interactions.ts";
import { mergeWork } from "./merge.ts";
import { noteWorks } from "./notes.ts";
import { changeableRecords } from "./records.ts";
import { markTaskAsDone, markTaskAsTodo, taskWorks } from "./tasks.ts";
import { type BodyParams, worksOf } from "./things.ts";
import { upsertWork } from "./upsert.ts";
import type { Work } from "./work.ts";

/** An operation that a transaction may have. */
export interface Transactable {
  method: "POST" | "PATCH" | "DELETE";
  /** The path, with names of parameters in braces. */
  path: string;
  /** Kind of the thing in its result. */
  kind: IdKind;
  verb: "create" | "update" | "remove" | "upsert" | "merge" | "mark";
  work: Work;
  /** The type of its records; undefined for things that are no records. */
  records?: ScopedType;
}

type Row = readonly [
  method: Transactable["method"],
  path: string,
  kind: IdKind,
  verb: Transactable["verb"],
  // Each work takes the parameters that its own schema describes.
  work: Work<never>,
  records?: ScopedType,
];

function ofRecords(base: string, records: ScopedType, creating?: Work<BodyParams>): Row[] {
  const { kind } = records.resource;
  const { create, update, remove } = worksOf(changeableRecords(records));
  const one = `${base}/{${kind}Id}`;
  return [
    ["POST", base, kind, "create", creating ?? create, records],
    ["POST", `${base}/upsert`, kind, "upsert", upsertWork(records), records],
    ["POST", `${one}/merge`, kind, "merge", mergeWork(records), records],
    ["PATCH", one, kind, "update", update, records],
    ["DELETE", one, kind, "remove", remove, records],
  ];
}

const ROWS: readonly Row[] = [
  ...ofRecords("/v1/people", { resource: people }),
  ...ofRecords("/v1/companies", { resource: companies }, createCompanyByName),
  ...ofRecords("/v1/groups/{groupId}/{objectType}", { resource: objects, scoping: byGroupAndType }),

  ["POST", "/v1/notes", "note", "create", noteWorks.create],
  ["PATCH", "/v1/notes/{noteId}", "note", "update", noteWorks.update],
  ["DELETE", "/v1/notes/{noteId}", "note", "remove", noteWorks.remove],

  ["POST", "/v1/tasks", "task", "create", taskWorks.create],
  ["PATCH", "/v1/tasks/{taskId}", "task", "update", taskWorks.update],
  ["DELETE", "/v1/tasks/{taskId}", "task", "remove", taskWorks.remove],
  ["POST", "/v1/tasks/{taskId}/mark-as-done", "task", "mark", markTaskAsDone],
  ["POST", "/v1/tasks/{taskId}/mark-as-todo", "task", "mark", markTaskAsTodo],
  ["POST", "/v1/tasks/{taskId}/mark-as-to-do", "task", "mark", markTaskAsTodo],

  ["POST", "/v1/interactions", "interaction", "create", interactionWorks.create],
  ["PATCH", "/v1/interactions/{interactionId}", "interaction", "update", interactionWorks.update],
  ["DELETE", "/v1/interactions/{interactionId}", "interaction", "remove", interactionWorks.remove],
];

/** Every operation that a transaction may have. docs/guides/transactions.md#operations */
export const TRANSACTABLE: readonly Transactable[] = ROWS.map(([method, path, kind, verb, work, records]) => ({
  method,
  path,
  kind,
  verb,
  work: work as Work,
  ...(records && { records }),
}));

/**
 * Parameter of a path → segments that lead elsewhere, so that they are no values of it.
 * docs/guides/conventions.md#paths
 */
export const NOT_A_VALUE: Readonly<Record<string, readonly string[]>> = {
  personId: ["aggregate", "batch", "duplicates", "search", "upsert"],
  companyId: ["aggregate", "batch", "duplicates", "search", "upsert"],
  objectId: ["aggregate", "batch", "search", "upsert"],
  objectType: ["custom-fields", "members", "object-types"],
  interactionId: ["past", "upcoming"],
};
