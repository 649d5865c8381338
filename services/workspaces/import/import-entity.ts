import { ApiError } from "../../../base/contract/errors.ts";
import { oneOf, Type } from "../../../base/contract/schema.ts";
import type { RecordKind } from "../../../base/values/ids.ts";
import { nearest } from "../../../base/values/known-names.ts";
import { comparable } from "../../../base/values/text.ts";
import { kindMeantBy } from "../../../engine/records/words-for-kinds.ts";
import type { EntityKey, Group } from "../../../model/definitions/definitions.ts";

/** Kind of an import: people, companies, or objects of a type, which is named. */
export interface ImportedKind {
  kind: RecordKind;
  objectType?: string;
}

/** The schema of `ImportedKind`, for params to spread. */
export const importedKind = {
  kind: oneOf(["person", "company", "object"]),
  objectType: Type.Optional(Type.String()),
};

/** Further options of an import. */
const OTHER_KINDS = ["people", "companies", "interactions"];

/**
 * Entity type whose custom fields an import fills, with the name of the object type as it is written.
 * @throws ApiError 404 that lists the object types of the group
 */
export function importEntity(
  group: Group,
  { kind, objectType = "" }: ImportedKind,
): { entity: EntityKey; objectType?: string } {
  if (kind !== "object") return { entity: kind };
  const key = comparable(objectType.trim());
  const type = group.objectTypes.find(({ name }) => comparable(name) === key);
  if (type) return { entity: type.uuid, objectType: type.name };
  const types = group.objectTypes.map(({ name }) => name);
  const names = types.map((name) => `"${name}"`).join(", ");
  const word = objectType.trim().toLowerCase();
  const isWritten = (name: string) => name.toLowerCase() === word;
  const meant = types.find(isWritten) ?? kindMeantBy(word) ?? nearest(word, [...types, ...OTHER_KINDS]);
  const known = names === "" ? "It has none" : `There are: ${names}`;
  throw new ApiError(
    "RESOURCE_NOT_FOUND",
    `The group "${group.name}" has no object type "${objectType.slice(0, 100)}". ${known}. ${meant === undefined ? "" : `Did you mean "import ${meant}"? `}Besides, people, companies and interactions can be imported. To make a type, name it under "fields" of the group in a workspace file and run "apply".`,
  );
}
