import { closed, type TSchema, Type } from "../../../base/contract/schema.ts";
import { filterSchema } from "../../../engine/filters/from-json.ts";
import type { ParamsSchema } from "../action/schemas.ts";

/** The schema of an object, or of several forms of one, as an action announces it. */
interface Body {
  properties?: Record<string, TSchema>;
  required?: string[];
  oneOf?: Body[];
  [keyword: string]: unknown;
}

interface Members {
  properties: Record<string, TSchema>;
  required: string[];
}

const cursor = Type.String({ description: "From nextLink" });
const idempotencyKey = Type.String();

/**
 * The schema of what a tool takes: one closed object with what its action takes in the path, the query and the body of
 * a request. A parameter `entity.id` is a member of `entity`, and filters are written as in the body of a search.
 * docs/guides/assistants.md#arguments
 * @param takesKey whether it takes an `idempotencyKey`
 * @param idParameter parameter that the argument `id` stands for
 * @throws Error when two of the parts have a member of one name
 */
export function argumentSchema(schema: ParamsSchema, takesKey: boolean, idParameter?: string): TSchema {
  const { properties, required = [] } = schema as unknown as Members;
  // Versions are a matter of programs: an assistant gets no ETag.
  const { body, ifMatch: _, ...parameters } = properties;
  const nameOf = (parameter: string) => (parameter === idParameter ? "id" : parameter);
  const named = Object.entries(parameters).map(([parameter, one]) => [nameOf(parameter), one] as const);
  const own = membersOf(Object.fromEntries(named), required.map(nameOf));
  if (takesKey) own.properties.idempotencyKey = idempotencyKey;
  return joined((body ?? closed({})) as Body, own) as unknown as TSchema;
}

function joined(body: Body, own: Members): Body {
  const { title: _, ...rest } = body;
  if (body.oneOf) return { ...rest, oneOf: body.oneOf.map((form) => joined(form, own)) };
  const { properties = {}, required = [] } = body;
  const twice = Object.keys(properties).find((name) => Object.hasOwn(own.properties, name));
  if (twice !== undefined) throw new Error(`"${twice}" is a parameter and a member of the body`);
  return {
    ...rest,
    type: "object",
    additionalProperties: false,
    properties: { ...own.properties, ...properties },
    required: [...own.required, ...required],
  };
}

function membersOf(parameters: Record<string, TSchema>, required: string[]): Members {
  const members: Members = { properties: {}, required: [] };
  const objects = new Map<string, Members>();
  for (const [parameter, schema] of Object.entries(parameters)) {
    const [name = "", inner] = parameter.split(".");
    const isRequired = required.includes(parameter);
    if (isRequired && !members.required.includes(name)) members.required.push(name);
    if (inner === undefined) {
      members.properties[parameter === "after" ? "cursor" : parameter] = memberSchema(parameter, schema);
      continue;
    }
    const object = objects.get(name) ?? { properties: {}, required: [] };
    objects.set(name, object);
    object.properties[inner] = memberSchema(parameter, schema);
    object.required.push(inner);
    members.properties[name] = { type: "object", additionalProperties: false, ...object } as unknown as TSchema;
  }
  return members;
}

function memberSchema(parameter: string, schema: TSchema): TSchema {
  const { emptyIsNone: _, header: __, isBracketed: ___, ...kept } = schema;
  const { example: ____, ...filter } = filterSchema;
  const described = kept.description === undefined ? {} : { description: kept.description };
  if (parameter === "after") return cursor;
  if (parameter === "filter") return { ...filter, ...described };
  if (isYesOrNo(kept)) return Type.Boolean({ ...described, default: kept.default === "true" });
  // A path and a query hold only texts, so their schemas need not say that an exact number is none.
  return kept.type === "string" && !("plainText" in kept) ? { ...kept, plainText: true } : kept;
}

/** True for a boolean parameter, which a query can only send as a word. */
export function isYesOrNo(schema: object): boolean {
  const words: unknown = Reflect.get(schema, "enum");
  return Array.isArray(words) && words.join() === "true,false";
}
