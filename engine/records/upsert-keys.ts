import type { Caller } from "../../base/contract/caller.ts";
import { unprocessable, unsaved } from "../../base/contract/errors.ts";
import { custom, type Issue, type Path } from "../../base/contract/issues.ts";
import { issuesOf } from "../../base/contract/validate.ts";
import { comparableUrl } from "../../base/values/comparable-url.ts";
import { canonicalDecimal } from "../../base/values/decimal.ts";
import { comparable, comparableEmail } from "../../base/values/text.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Definitions, Group } from "../../model/definitions/definitions.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import { filterField } from "../filters/fields.ts";
import { phoneKeys } from "../interactions/phone-numbers.ts";
import { ADDRESS_LISTS } from "./address-forms.ts";
import { nameOf } from "./match-keys.ts";
import type { RecordRow } from "./select.ts";

/** A list of addresses by which records are matched. */
export type AddressList = keyof typeof ADDRESS_LISTS;

/** Field whose values match a record. docs/guides/upsert.md#match-keys */
export type KeySource = { shape: "id" } | { shape: "name" } | { shape: "list"; list: AddressList } | CustomSource;

/** A custom field. With `isHome` its values stand in the record without the id of the group. */
interface CustomSource {
  shape: "custom";
  group: Group;
  field: FieldDefinition;
  isHome: boolean;
}

/** A match key of a request. */
export interface MatchKey {
  /** The key as the request names it, which answers tell. */
  name: string;
  /** Its place in `match`; null for the name of a company that a request did not name. */
  place: number | null;
  source: KeySource;
}

/** A value that a record sends for a key, and its normal forms: equal values have one in common. */
export interface SentValue {
  text: string;
  forms: readonly string[];
}

/**
 * The match keys of a request in their order, each once.
 * docs/guides/upsert.md#match-keys
 * @param at place of the list of keys in the request
 * @throws ApiError 422 for names of no key, which is never saved: another definition may know them
 */
export function readKeys(
  resource: RecordType,
  scope: Scope,
  definitions: Definitions,
  caller: Caller,
  match: readonly string[],
  at: Path,
): MatchKey[] {
  const issues: Issue[] = [];
  const keys = new Map<string, MatchKey>();
  for (const [place, name] of match.entries()) {
    const source = sourceOf(resource, scope, definitions, caller, name);
    if (source === undefined) issues.push(custom([...at, place], unknownKey(resource, scope, name)));
    else if (!keys.has(identityOf(source))) keys.set(identityOf(source), { name, place, source });
  }
  if (issues.length > 0) throw unsaved(unprocessable(issues));
  return [...keys.values()];
}

/** The key of names, which identifies companies even when a request does not name it. */
export const BY_NAME: MatchKey = { name: "name", place: null, source: { shape: "name" } };

/** A name of a key for locks: keys of the same field have the same, however they are written. */
export function identityOf(source: KeySource): string {
  if (source.shape === "custom") return source.field.uuid;
  return source.shape === "list" ? source.list : source.shape;
}

function sourceOf(
  resource: RecordType,
  scope: Scope,
  definitions: Definitions,
  caller: Caller,
  name: string,
): KeySource | undefined {
  if (name === "id") return { shape: "id" };
  if (name === resource.nameField) return { shape: "name" };
  if (Object.hasOwn(ADDRESS_LISTS, name))
    return resource.addressesTable === null ? undefined : { shape: "list", list: name as AddressList };
  const found = filterField(resource, scope, definitions, caller, name);
  if (found?.source.shape !== "custom" || !(found.kind === "TEXT" || found.kind === "NUMBER")) return undefined;
  const { group, definition: field } = found.source;
  return { shape: "custom", group, field, isHome: scope.homeGroup !== null };
}

function unknownKey(resource: RecordType, scope: Scope, name: string): string {
  const lists = resource.addressesTable === null ? [] : Object.keys(ADDRESS_LISTS);
  const field = scope.homeGroup ? "customFieldValues.<field name>" : "customFieldValues.<group id>.<field name>";
  const known = ["id", ...lists, resource.nameField, field].join(", ");
  return `"${name.slice(0, 300)}" is no match key. There are: ${known}, of fields with texts or numbers that you can see`;
}

// ---- values

/**
 * Values of a record for a key. Nothing, null, empty texts and lists are none, and neither is an entry of a list of
 * which no sign counts.
 */
export function sentValues(resource: RecordType, { source }: MatchKey, sent: RequestBody): SentValue[] {
  switch (source.shape) {
    case "id":
      return typeof sent.id === "string" && sent.id !== "" ? [{ text: sent.id, forms: [sent.id] }] : [];
    case "name": {
      const { [resource.nameField]: name } = resource.derive ? resource.derive(sent, null) : sent;
      return valuesOf([name], (text) => [nameOf(text)]);
    }
    case "list":
      return valuesOf((sent[source.list] as unknown[] | undefined) ?? [], FORMS[source.list]);
    case "custom":
      return valuesOf([sentCustomValue(source, sent)], (text) => customForms(source.field, text));
    default:
      return source satisfies never;
  }
}

/** Normal forms of the values of a record that is there. */
export function storedForms({ nameField }: RecordType, { source }: MatchKey, row: RecordRow): string[] {
  switch (source.shape) {
    case "id":
      return [];
    case "name":
      return [nameOf(String(row[nameField]))];
    case "list":
      return formsOfList(source.list, row[source.list] as string[]);
    case "custom": {
      const { values = {} } = row.memberships.find(({ groupId }) => groupId === source.group.uuid) ?? {};
      const stored = values[source.field.uuid];
      return typeof stored === "string" ? customForms(source.field, stored) : [];
    }
    default:
      return source satisfies never;
  }
}

/** Normal forms of the entries of a list of addresses. */
export function formsOfList(list: AddressList, entries: readonly string[]): string[] {
  return entries.flatMap((text) => FORMS[list](text));
}

/**
 * The forms in which addresses are compared. One of which no sign counts has none, or all such would be equal.
 * docs/guides/upsert.md#equal-values
 */
const FORMS: Record<AddressList, (text: string) => readonly string[]> = {
  emails: (text) => withoutEmpty(comparableEmail(text.trim())),
  phones: phoneKeys,
  urls: (text) => withoutEmpty(comparableUrl(text)),
};

function withoutEmpty(form: string): string[] {
  return form === "" ? [] : [form];
}

/** A text or a number as filters compare them. docs/guides/filters.md#operators */
function customForms(field: FieldDefinition, value: unknown): string[] {
  const { filter } = customFieldTypes[field.type];
  if (filter === "TEXT") return typeof value === "string" ? [comparable(value)] : [];
  const number = canonicalDecimal(value as string);
  return number === null ? [] : [number];
}

function valuesOf(values: readonly unknown[], formsOf: (text: string) => readonly string[]): SentValue[] {
  return values.flatMap((value) => {
    if (value === undefined || value === null || value === "") return [];
    const forms = formsOf(value as string).filter((form) => form !== "");
    return forms.length > 0 ? [{ text: value as string, forms }] : [];
  });
}

/** The value that a record sends for a custom field. Of two spellings of a name the last counts. */
function sentCustomValue({ group, field, isHome }: CustomSource, { customFieldValues = {} }: RequestBody): unknown {
  const all = customFieldValues as Record<string, unknown>;
  const inGroup = Object.hasOwn(all, group.id) ? all[group.id] : {};
  const values = (isHome ? all : inGroup) as Record<string, unknown>;
  const name = Object.keys(values).findLast((one) => comparable(one) === field.key);
  return name === undefined ? undefined : values[name];
}

/**
 * Faults of the values that a record sends for its keys. They come before the match, which could not tell such values
 * from missing ones.
 */
export function valueIssues(keys: readonly MatchKey[], sent: RequestBody, at: Path): Issue[] {
  return keys.flatMap(({ source }) => {
    if (source.shape !== "custom") return [];
    const value = sentCustomValue(source, sent);
    if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0))
      return [];
    const { type, name } = source.field;
    const place = source.isHome ? [name] : [source.group.id, name];
    return issuesOf(customFieldTypes[type].value, value, [...at, "customFieldValues", ...place]);
  });
}
