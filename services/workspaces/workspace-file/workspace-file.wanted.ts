import type { Path } from "../../../base/contract/issues.ts";
import type { NewField } from "../../../engine/definitions/custom-fields.schema.ts";
import { customFieldTypes } from "../../../model/custom-fields/index.ts";
import type { Role } from "../../../model/definitions/definitions.ts";
import type { FileField, FileGroup, WorkspaceFile } from "./workspace-file.schema.ts";

/**
 * A workspace as a document describes it, with defaults for missing parts, and with trimmed names. `at` is its place in
 * the file.
 */
export interface Wanted {
  at: Path;
  slug: string;
  name: string | undefined;
  users: { email: string; fullName: string | undefined; role: "admin" | "member" }[];
  groups: WantedGroup[];
}

export interface WantedGroup {
  at: Path;
  name: string;
  visibility: "public" | "private";
  members: { user: string; role: Role }[];
  /** In the order of the file, in which object types are created. */
  entities: { at: Path; name: string; fields: NewField[] }[];
}

/** The workspace that a document wants. docs/guides/workspace-file.md#the-file */
export function wantedWorkspace(document: WorkspaceFile, at: Path): Wanted {
  return {
    at,
    slug: document.workspace,
    name: document.name?.trim(),
    users: (document.users ?? []).map(({ email, fullName, role = "member" }) => ({ email, fullName, role })),
    groups: (document.groups ?? []).map((group, i) => wantedGroup(group, [...at, "groups", i])),
  };
}

function wantedGroup({ name, visibility = "private", members, fields }: FileGroup, at: Path): WantedGroup {
  const entities = Object.entries(fields ?? {});
  return {
    at,
    name: name.trim(),
    visibility,
    members: members ?? [],
    entities: entities.map(([entity, list]) => ({
      at: [...at, "fields", entity],
      name: entity.trim(),
      fields: (list ?? []).map(wantedField),
    })),
  };
}

function wantedField({ options, ...field }: FileField): NewField {
  const all = options?.map((option) =>
    typeof option === "string" ? { label: option.trim() } : { ...option, label: option.label.trim() },
  );
  const config = field.config ?? customFieldTypes[field.type].config?.unset;
  return { ...field, name: field.name.trim(), ...(config && { config }), ...(all && { options: all }) };
}
