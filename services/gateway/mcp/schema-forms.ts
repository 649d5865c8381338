import { documentedSchema } from "../../../model/custom-fields/documented.ts";

/** The keywords of a schema that tell which members an object has and where null fits. */
export interface Form {
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

/** All forms that a value may have by a schema, whose choices are opened. None for what no schema describes. */
export function formsOf(schema: Form | boolean | undefined): Form[] {
  if (schema === undefined || typeof schema === "boolean") return [];
  const { documentedAs, oneOf = [], anyOf = [] } = schema;
  // The schema that checks custom values takes anything, because it cannot know the fields of a workspace.
  if (documentedAs !== undefined) return formsOf(documentedSchema(documentedAs) as Form);
  const choices = [...oneOf, ...anyOf];
  return choices.length > 0 ? choices.flatMap(formsOf) : [schema];
}

/** The forms of a member of an object. */
export function formsOfMember(forms: readonly Form[], name: string): Form[] {
  return forms.flatMap(({ properties = {}, additionalProperties, patternProperties = {} }) =>
    Object.hasOwn(properties, name)
      ? formsOf(properties[name])
      : [additionalProperties, ...Object.values(patternProperties)].flatMap(formsOf),
  );
}

/** Whether null has a meaning of its own in a place. Where nothing is known of a place, whoever judges the value decides. */
export function takesNull(forms: readonly Form[]): boolean {
  return forms.length === 0 || forms.some(({ type, enum: values }) => isNullAmong(type, values));
}

function isNullAmong(type: Form["type"], values: unknown[] | undefined): boolean {
  if (type !== undefined) return [type].flat().includes("null");
  return values === undefined || values.includes(null);
}
