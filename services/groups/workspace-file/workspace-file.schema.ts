import { EMAIL_LENGTH_MAX, GROUP_NAME_LENGTH_MAX, LABEL_LENGTH_MAX } from "../../../config/limits.ts";
import { ROLES } from "../../../lib/catalog/roles.ts";
import {
  byTag,
  closed,
  nullable,
  oneOf,
  plainText,
  type Static,
  type TSchema,
  Type,
  trimmedName,
} from "../../../lib/contract/schema.ts";
import {
  color,
  name as fieldName,
  label,
  type NewField,
  plainTypes,
  typesWithConfig,
  typesWithOptions,
} from "../custom-fields/custom-fields.schema.ts";

// The schema of a workspace file: docs/guides/workspace-file.md#the-file. A list that is left empty in YAML is null.

const WORKSPACE_ROLES = ["admin", "member"] as const;
const VISIBILITIES = ["public", "private"] as const;

const list = <Item extends TSchema>(item: Item) => Type.Optional(nullable(Type.Array(item)));

/**
 * An option: its label, or its label with a colour. Keywords about texts judge only texts, and those about objects only
 * objects.
 */
const option = Type.Unsafe<FileOption>({
  type: ["string", "object"],
  plainText: true,
  trimmedLength: { min: 1, max: LABEL_LENGTH_MAX },
  properties: { label, color },
  required: ["label"],
  additionalProperties: false,
});

const field = byTag("type", [
  closed({ type: oneOf(typesWithOptions), name: fieldName, options: Type.Array(option) }),
  ...typesWithConfig.map(({ type, sent }) =>
    closed({ type: oneOf([type]), name: fieldName, config: Type.Optional(sent) }),
  ),
  closed({ type: oneOf(plainTypes), name: fieldName }),
]);

const user = closed({
  email: plainText(EMAIL_LENGTH_MAX),
  fullName: Type.Optional(plainText(1000)),
  role: Type.Optional(oneOf(WORKSPACE_ROLES)),
});

const group = closed({
  name: trimmedName(GROUP_NAME_LENGTH_MAX),
  visibility: Type.Optional(oneOf(VISIBILITIES)),
  members: list(closed({ user: plainText(EMAIL_LENGTH_MAX), role: oneOf(ROLES) })),
  fields: Type.Optional(
    Type.Unsafe<Record<string, FileField[] | null> | null>({
      type: ["object", "null"],
      additionalProperties: nullable(Type.Array(field)),
    }),
  ),
});

/** One document of a workspace file. */
export const workspaceFile = closed({
  workspace: plainText(63),
  name: Type.Optional(trimmedName(255)),
  users: list(user),
  groups: list(group),
});

export type WorkspaceFile = Static<typeof workspaceFile>;
export type FileGroup = Static<typeof group>;
export type FileOption = string | { label: string; color?: string };
export type FileField = Omit<NewField, "options"> & { options?: FileOption[] };
