import type { Issue, Path } from "../../../base/contract/issues.ts";
import { issuesOf } from "../../../base/contract/validate.ts";
import { documentedSchema } from "../../../model/custom-fields/documented.ts";

/**
 * The arguments of a call without what counts as not sent, and what is wrong with them.
 * docs/guides/assistants.md#arguments
 * @param schema of the arguments of the tool
 * @param sent whatever stands in their place
 */
export function judgeArguments(
  schema: Parameters<typeof issuesOf>[0],
  sent: unknown,
): { args: unknown; issues: Issue[] } {
  const forms = formsOf(schema as Form).map(withFilter);
  const args = readSent(forms, withoutEmptyCursor(sent ?? {}));
  const issues = issuesOf(schema, args).map((issue) => withKnownNames(issue, forms));
  return { args, issues };
}

/** Hosts that fill in every argument send an empty text for the cursor of the first page. */
function withoutEmptyCursor(sent: unknown): unknown {
  return isObject(sent) && Reflect.get(sent, "cursor") === "" ? { ...sent, cursor: null } : sent;
}

/**
 * A value without the members that are null where null means nothing. Many hosts send each optional argument of a tool,
 * and null for those that the model has left out.
 */
function readSent(forms: readonly Form[], value: unknown): unknown {
  if (Array.isArray(value)) {
    const ofItems = forms.flatMap(({ items }) => formsOf(items));
    return value.map((item) => readSent(ofItems, item));
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const ofMember = formsOfMember(forms, name);
    if (member === null) return takesNull(ofMember) ? [[name, null]] : [];
    const read = readSent(ofMember, member);
    return isEmptied(member, read, ofMember) && !isRequired(forms, name) ? [] : [[name, read]];
  });
  return Object.fromEntries(members);
}

/**
 * The form of a filter: field → operator → value. A field without a condition is not filtered by. But null as the value
 * of an operator asks for empty fields, and is refused with the words for that.
 */
const FILTER: Form = {
  type: "object",
  additionalProperties: { type: "object", additionalProperties: { additionalProperties: { type: "array" } } },
};

function withFilter(form: Form): Form {
  const { properties } = form;
  return properties?.filter ? { ...form, properties: { ...properties, filter: FILTER } } : form;
}

/** Whether nothing is left of an object that has to have something: `{"entity": {"id": null}}` names no entity. */
function isEmptied(sent: unknown, read: unknown, forms: readonly Form[]): boolean {
  if (!isObject(sent) || !isObject(read) || Object.keys(read).length > 0 || Object.keys(sent).length === 0)
    return false;
  return forms.length > 0 && forms.every(({ required = [] }) => required.length > 0);
}

function isRequired(forms: readonly Form[], name: string): boolean {
  return forms.some(({ required = [] }) => required.includes(name));
}

/** An issue of unknown names with the names that would be right. */
function withKnownNames(issue: Issue, forms: readonly Form[]): Issue {
  if (issue.code !== "unrecognized_keys") return issue;
  const names = knownNames(forms, issue.path);
  const said = issue.message.endsWith("?") ? issue.message : `${issue.message}.`;
  return { ...issue, message: `${said} ${names.length > 0 ? `It takes: ${names.join(", ")}` : "It takes none"}` };
}

function knownNames(forms: readonly Form[], [first, ...rest]: Path): string[] {
  if (first === undefined) return [...new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const inner = typeof first === "number" ? forms.flatMap(({ items }) => formsOf(items)) : formsOfMember(forms, first);
  return knownNames(inner, rest);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The keywords of a schema that tell which members an object has and where null fits. */
interface Form {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Form>;
  required?: string[];
  additionalProperties?: boolean | Form;
  patternProperties?: Record<string, Form>;
  items?: Form;
  oneOf?: Form[];
  anyOf?: Form[];
  documentedAs?: string;
}

/** All forms that a schema allows for a value, with its choices resolved. Empty if no schema describes the value. */
function formsOf(schema: Form | boolean | undefined): Form[] {
  if (schema === undefined || typeof schema === "boolean") return [];
  const { documentedAs, oneOf = [], anyOf = [] } = schema;
  // The schema that checks custom values takes anything, because it cannot know the fields of a workspace.
  if (documentedAs !== undefined) return formsOf(documentedSchema(documentedAs) as Form);
  const choices = [...oneOf, ...anyOf];
  return choices.length > 0 ? choices.flatMap(formsOf) : [schema];
}

/** The forms of a member of an object. */
function formsOfMember(forms: readonly Form[], name: string): Form[] {
  return forms.flatMap(({ properties = {}, additionalProperties, patternProperties = {} }) =>
    Object.hasOwn(properties, name)
      ? formsOf(properties[name])
      : [additionalProperties, ...Object.values(patternProperties)].flatMap(formsOf),
  );
}

/**
 * True if null has a meaning of its own at a place. If the place has no known form, the code that checks the value
 * decides.
 */
function takesNull(forms: readonly Form[]): boolean {
  return forms.length === 0 || forms.some(({ type, enum: values }) => isNullAmong(type, values));
}

function isNullAmong(type: Form["type"], values: unknown[] | undefined): boolean {
  if (type !== undefined) return [type].flat().includes("null");
  return values === undefined || values.includes(null);
}
