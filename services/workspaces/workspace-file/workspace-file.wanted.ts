import { custom, type Issue, type Path } from "../../../base/contract/issues.ts";
import { comparable, comparableEmail, isPlainText } from "../../../base/values/text.ts";
import { OBJECT_TYPE_LENGTH_MAX } from "../../../config/limits.ts";
import { isReservedTypeName, reservedTypeName } from "../../../engine/definitions/custom-fields.queries.ts";
import type { NewField } from "../../../engine/definitions/custom-fields.schema.ts";
import { customFieldTypes } from "../../../model/custom-fields/index.ts";
import type { Role } from "../../../model/definitions/roles.ts";
import { type FileField, type FileGroup, SLUG, type WorkspaceFile } from "./workspace-file.schema.ts";

/**
 * A workspace as a document wants it: with defaults in the place of what is absent, and names trimmed. `at` is its place in
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
  /** In the order of the file, in which object types are made. */
  entities: { at: Path; name: string; fields: NewField[] }[];
}

/** The form of an e-mail address, as far as it can be judged without sending a message there. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

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

/** Faults that the schema cannot find in the documents of a workspace file: malformed names, and duplicate names. */
export function faultsOf(documents: Wanted[]): Issue[] {
  const slugs = documents.map(({ slug, at }) => ({ key: slug, path: [...at, "workspace"], shown: slug }));
  return [...issuesOfDoubles(slugs, "workspace"), ...documents.flatMap(faultsOfDocument)];
}

function faultsOfDocument({ at, slug, users, groups }: Wanted): Issue[] {
  const emails = users.map(({ email }, i) => ({
    key: comparableEmail(email),
    path: [...at, "users", i, "email"],
    shown: email,
  }));
  const names = groups.map((group) => ({
    key: comparable(group.name),
    path: [...group.at, "name"],
    shown: group.name,
  }));
  return [
    ...(SLUG.test(slug) ? [] : [custom([...at, "workspace"], "must be made of a-z, 0-9 and -")]),
    ...emails.flatMap(({ path, shown }) =>
      isEmail(shown) ? [] : [custom(path, `"${shown}" is not an e-mail address`)],
    ),
    ...issuesOfDoubles(emails, "user"),
    ...issuesOfDoubles(names, "group"),
    ...groups.flatMap(faultsOfGroup),
  ];
}

/** Whether a text can be the e-mail address of a user. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text) && isPlainText(text);
}

function faultsOfGroup({ at, members, entities }: WantedGroup): Issue[] {
  const users = members.map(({ user }, i) => ({
    key: comparableEmail(user),
    path: [...at, "members", i, "user"],
    shown: user,
  }));
  const names = entities
    .filter(({ name }) => fitsType(name))
    .map(({ name, at: path }) => ({ key: comparable(name), path, shown: name }));
  return [
    ...issuesOfDoubles(users, "member"),
    ...issuesOfDoubles(names, "entity type"),
    ...entities.flatMap(faultsOfEntity),
  ];
}

function faultsOfEntity({ at, name, fields }: WantedGroup["entities"][number]): Issue[] {
  const isType = name !== "person" && name !== "company";
  const names = fields.map((field, i) => ({
    key: comparable(field.name),
    path: [...at, i, "name"],
    shown: field.name,
  }));
  return [
    ...(isType ? faultsOfTypeName(name, at) : []),
    ...issuesOfDoubles(names, "field"),
    ...fields.flatMap(({ options = [] }, i) => {
      const labels = options.map(({ label }, j) => ({
        key: comparable(label),
        path: [...at, i, "options", j],
        shown: label,
      }));
      return issuesOfDoubles(labels, "option");
    }),
  ];
}

function faultsOfTypeName(name: string, at: Path): Issue[] {
  if (!fitsType(name)) return [custom(at, `The name of an object type has 1 to ${OBJECT_TYPE_LENGTH_MAX} characters`)];
  return isReservedTypeName(name) ? [reservedTypeName(at, name)] : [];
}

function fitsType(name: string): boolean {
  return name.length > 0 && name.length <= OBJECT_TYPE_LENGTH_MAX && isPlainText(name);
}

/** An issue for each thing whose name an earlier one has. */
function issuesOfDoubles(named: { key: string; path: Path; shown: string }[], what: string): Issue[] {
  const seen = new Set<string>();
  return named.flatMap(({ key, path, shown }) => {
    if (seen.has(key)) return [custom(path, `The ${what} "${shown.slice(0, 100)}" is named twice`)];
    seen.add(key);
    return [];
  });
}
