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
} from "../../../base/contract/schema.ts";
import { EMAIL_LENGTH_MAX, GROUP_NAME_LENGTH_MAX, LABEL_LENGTH_MAX } from "../../../config/limits.ts";
import {
  color,
  name as fieldName,
  label,
  type NewField,
  plainTypes,
  typesWithConfig,
  typesWithOptions,
} from "../../../engine/definitions/custom-fields.schema.ts";
import { ROLES } from "../../../model/definitions/roles.ts";

// The schema of a workspace file: docs/guides/workspace-file.md#the-file. A list that is left empty in YAML is null.
// Editors show the descriptions, in docs/workspace-file.schema.json, which `npm run openapi` writes.

const WORKSPACE_ROLES = ["admin", "member"] as const;
const VISIBILITIES = ["public", "private"] as const;

/** Form of the slug of a workspace. */
export const SLUG = /^[a-z0-9-]+$/;

const list = <Item extends TSchema>(item: Item, description: string) =>
  Type.Optional(Type.Unsafe<Static<Item>[] | null>({ ...nullable(Type.Array(item)), description }));

const described = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({ ...schema, description });

/**
 * An option: its label, or its label with a colour. Keywords about texts judge only texts, and those about objects only
 * objects.
 */
const option = Type.Unsafe<FileOption>({
  description: 'A label like Lead, or a label with a colour: { label: Lead, color: "#5738ff" }',
  type: ["string", "object"],
  plainText: true,
  trimmedLength: { min: 1, max: LABEL_LENGTH_MAX },
  properties: {
    label: described(label, "Label that records show"),
    color: described(
      color,
      'A colour like "#5738ff", in quotes. Without it a new option gets the next colour of a palette',
    ),
  },
  required: ["label"],
  additionalProperties: false,
});

const named = described(fieldName, "Name of the field, which identifies it. To rename a field use the API");
const typed = <const Name extends string>(names: readonly Name[]) =>
  oneOf(names, { description: "Type of the values. The type of a field cannot change" });

const field = byTag("type", [
  closed({
    type: typed(typesWithOptions),
    name: named,
    options: Type.Array(option, { description: "Options to choose from, in the order of lists" }),
  }),
  ...typesWithConfig.map(({ type, sent }) =>
    closed({ type: typed([type]), name: named, config: Type.Optional(described(sent, "How numbers are shown")) }),
  ),
  closed({ type: typed(plainTypes), name: named }),
]);

const user = closed({
  email: plainText(EMAIL_LENGTH_MAX, { description: "E-mail address, which identifies the user" }),
  fullName: Type.Optional(plainText(1000, { description: "Full name. A new user without one gets the address" })),
  role: Type.Optional(oneOf(WORKSPACE_ROLES, { description: "Role in the workspace", default: "member" })),
});

const member = closed({
  user: plainText(EMAIL_LENGTH_MAX, { description: "E-mail address of a user of the workspace" }),
  role: oneOf(ROLES, {
    description: "reader reads the group, contributor writes its records, admin changes the group",
  }),
});

const group = closed({
  name: trimmedName(GROUP_NAME_LENGTH_MAX, { description: "Name of the group, which identifies it" }),
  visibility: Type.Optional(
    oneOf(VISIBILITIES, {
      description: "public: every user is in it. private: only those who are named as members, one of them an admin",
      default: "private",
    }),
  ),
  members: list(member, "Members of the group, each with a role"),
  fields: Type.Optional(
    Type.Unsafe<Record<string, FileField[] | null> | null>({
      description: "Custom fields, by what they belong to: person, company or the name of an object type like Deals",
      type: ["object", "null"],
      additionalProperties: described(nullable(Type.Array(field)), "Custom fields. An object type is made by its name"),
    }),
  ),
});

/** One document of a workspace file. */
export const workspaceFile = closed({
  workspace: plainText(63, { description: "Slug of the workspace, of a-z, 0-9 and -, which identifies it" }),
  name: Type.Optional(
    trimmedName(255, { description: "Name of the workspace. A new one without a name gets its slug" }),
  ),
  users: list(user, "Users of the workspace. Users that the file does not name stay"),
  groups: list(
    group,
    "Groups of the workspace. Groups that the file does not name stay, unless it is applied with --prune",
  ),
});

export type WorkspaceFile = Static<typeof workspaceFile>;
export type FileGroup = Static<typeof group>;
export type FileOption = string | { label: string; color?: string };
export type FileField = Omit<NewField, "options"> & { options?: FileOption[] };
