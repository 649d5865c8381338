import { quoted } from "contact-workspace-readers/cell-text";
import type { Table } from "contact-workspace-readers/table";
import type { Caller } from "../../base/contract/caller.ts";
import { isApiError } from "../../base/contract/errors.ts";
import type { Path } from "../../base/contract/issues.ts";
import type { RecordKind } from "../../base/values/ids.ts";
import { comparable } from "../../base/values/text.ts";
import type { FieldData } from "../../model/custom-fields/definition.ts";
import { type Admin, CommandError } from "../terminal/admin.ts";
import { inWords } from "../terminal/issue-words.ts";
import type { Column } from "./columns.ts";
import type { WantedFields } from "./new-fields.ts";

/** Entity type the fields belong to. */
export interface FieldsOf {
  caller: Caller;
  group: { id: string };
  kind: RecordKind;
  objectType?: string | undefined;
}

/**
 * Makes the fields that the group lacks, and the options that its selects lack, all or none. Gives all custom fields as
 * they are then; after a dry run as they would be.
 * @throws CommandError that names the column when a field cannot be made of it
 */
export async function defineFields(
  admin: Admin,
  file: Table,
  columns: Column[],
  { caller, group, kind, objectType }: FieldsOf,
  wanted: WantedFields,
  dryRun: boolean,
): Promise<FieldData[]> {
  const fields = wanted.made.map(({ name, type, labels }) => ({
    name,
    type,
    ...(labels.length > 0 && { options: labels.map((label) => ({ label })) }),
  }));
  const options = wanted.labelled.map(({ name, labels }) => ({ field: name, labels }));
  const params = {
    groupId: group.id,
    kind,
    ...(objectType !== undefined && { objectType }),
    dryRun,
    fields,
    options,
  };
  return admin.call<FieldData[]>("workspaces.importFields", params, caller).catch((error) => {
    throw atColumn(file, columns, wanted, error);
  });
}

/** `people.csv:1: the column "…" cannot become a custom field: name must have at most 255 characters. …` */
function atColumn(file: Table, columns: Column[], wanted: WantedFields, error: unknown): unknown {
  const [issue, ...more] = isApiError(error) ? (error.data.details?.issues ?? []) : [];
  if (!issue) return error;
  const [list, index, ...path]: Path = issue.path;
  const field = (list === "options" ? wanted.labelled : wanted.made)[Number(index)];
  const heading = columns.find(
    ({ target }) => target.to === "custom" && comparable(target.name) === comparable(field?.name ?? ""),
  )?.heading;
  const words = issue.code === "custom" ? issue.message : `${path.join(".")} ${inWords(issue)}`;
  const rest = more.length > 0 ? ` (and ${more.length} more)` : "";
  return new CommandError(
    `${file.name}:${file.headingLine}: the column ${quoted(heading ?? "")} cannot become a custom field: ${words}${rest}. Change the heading, or say with --map where the column belongs.`,
  );
}
