import { custom, type Issue, type Path } from "../../../base/contract/issues.ts";
import { Type } from "../../../base/contract/schema.ts";
import { issuesOf } from "../../../base/contract/validate.ts";
import { comparable, comparableEmail, isPlainText } from "../../../base/values/text.ts";
import { OBJECT_TYPE_LENGTH_MAX } from "../../../config/limits.ts";
import { isReservedTypeName, reservedTypeName } from "../../../engine/definitions/custom-fields.queries.ts";
import { SLUG, workspaceFile } from "./workspace-file.schema.ts";

const wholeFile = Type.Array(workspaceFile);

/** The form of an e-mail address, as far as it can be judged without sending a message there. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Faults that a file shows by itself: none, or nothing of it may be applied. docs/guides/workspace-file.md#applying */
export function faultsOf(documents: unknown[]): Issue[] {
  const at = ["documents"];
  const issues = issuesOf(wholeFile, documents, at);
  const placed = new Set(issues.map(({ path }) => JSON.stringify(path)));
  const faults = [
    ...doublesIn(documents, at, "workspace", "workspace"),
    ...documents.flatMap((document, i) => faultsOfDocument(document, [...at, i])),
  ];
  return [...issues, ...faults.filter(({ path }) => !placed.has(JSON.stringify(path)))];
}

/** Whether a text can be the e-mail address of a user. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text) && isPlainText(text);
}

// The functions below judge names and doubles. They pass over values that do not fit the schema.

function faultsOfDocument(document: unknown, at: Path): Issue[] {
  const { workspace, users, groups } = membersOf(document);
  const emails = entriesOf(users).map((user) => membersOf(user).email);
  return [
    ...(typeof workspace !== "string" || SLUG.test(workspace)
      ? []
      : [custom([...at, "workspace"], "must be made of a-z, 0-9 and -")]),
    ...emails.flatMap((email, i) =>
      typeof email !== "string" || isEmail(email)
        ? []
        : [custom([...at, "users", i, "email"], `"${email}" is not an e-mail address`)],
    ),
    ...doublesIn(users, [...at, "users"], "email", "user"),
    ...doublesIn(groups, [...at, "groups"], "name", "group"),
    ...entriesOf(groups).flatMap((group, i) => faultsOfGroup(group, [...at, "groups", i])),
  ];
}

function faultsOfGroup(group: unknown, at: Path): Issue[] {
  const { members, fields } = membersOf(group);
  const entities = Object.entries(membersOf(fields)).map(([name, list]) => ({
    name,
    list,
    path: [...at, "fields", name],
  }));
  return [
    ...doublesIn(members, [...at, "members"], "user", "member"),
    ...doubles(entities, "entity type"),
    ...entities.flatMap(({ name, list, path }) => faultsOfEntity(name.trim(), list, path)),
  ];
}

function faultsOfEntity(name: string, fields: unknown, at: Path): Issue[] {
  const isType = name !== "person" && name !== "company";
  return [
    ...(isType ? faultsOfTypeName(name, at) : []),
    ...doublesIn(fields, at, "name", "field"),
    ...entriesOf(fields).flatMap((field, i) => {
      const options = entriesOf(membersOf(field).options);
      const labels = options.map((option, j) => ({
        name: typeof option === "string" ? option : membersOf(option).label,
        path: [...at, i, "options", j],
      }));
      return doubles(labels, "option");
    }),
  ];
}

function faultsOfTypeName(name: string, at: Path): Issue[] {
  if (name === "" || name.length > OBJECT_TYPE_LENGTH_MAX || !isPlainText(name))
    return [custom(at, `The name of an object type has 1 to ${OBJECT_TYPE_LENGTH_MAX} characters`)];
  return isReservedTypeName(name) ? [reservedTypeName(at, name)] : [];
}

/** An issue for each entry of a list whose name an earlier one has. `member` holds the name. */
function doublesIn(list: unknown, at: Path, member: string, what: string): Issue[] {
  const named = entriesOf(list).map((entry, i) => ({ name: membersOf(entry)[member], path: [...at, i, member] }));
  return doubles(named, what);
}

/** An issue for each text that is equal to an earlier one. */
function doubles(named: { name: unknown; path: Path }[], what: string): Issue[] {
  const equal = what === "user" || what === "member" ? comparableEmail : comparable;
  const seen = new Set<string>();
  return named.flatMap(({ name, path }) => {
    if (typeof name !== "string") return [];
    const key = equal(name.trim());
    if (seen.has(key)) return [custom(path, `The ${what} "${name.trim().slice(0, 100)}" is named twice`)];
    seen.add(key);
    return [];
  });
}

function entriesOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function membersOf(value: unknown): Record<string, unknown> {
  const hasMembers = typeof value === "object" && value !== null && !Array.isArray(value);
  return hasMembers ? (value as Record<string, unknown>) : {};
}
