import { broken, type Case, kept, limitCases, type Path, type Place } from "./limits.ts";
import { expectedOf, type Ids, type Schema, sample, typesOf } from "./schemas.ts";

/** Every limit of the schema of a body, broken and just kept, wherever it stands. */
export function casesOfBody(schema: Schema, ids: Ids): Case[] {
  return casesOf(schema, { path: [], ids, put: (value) => value });
}

function casesOf(schema: Schema, at: Place): Case[] {
  return [...typeCases(schema, at), ...limitCases(schema, at), ...innerCases(schema, at)];
}

/** The place of a member or an entry below another place. */
function below(at: Place, step: Path[number], put: (value: unknown) => unknown): Place {
  return { path: [...at.path, step], ids: at.ids, put: (value) => at.put(put(value)) };
}

/** Stands for a number that no double holds, which JSON.stringify could not write. */
export const EXACT = { marker: "@exact", written: "12345678901234567890.5" };

/** A value of each JSON type. */
const VALUES: Record<string, unknown> = {
  string: "text",
  number: 7.5,
  boolean: true,
  array: [],
  object: {},
  null: null,
};

function typeCases(schema: Schema, at: Place): Case[] {
  const allowed = typesOf(schema).length > 0 ? typesOf(schema) : ["object"];
  const isWhole = allowed.includes("integer");
  return [...Object.entries(VALUES), ["number", EXACT.marker] as const].flatMap(([type, value]) => {
    if (allowed.includes(type)) return type === "null" ? [kept(at, "is null", null)] : [];
    const received = isWhole && type === "number" ? "float" : type;
    return [broken(at, `is ${type}`, value, "invalid_type", { expected: expectedOf(schema), received })];
  });
}

function innerCases(schema: Schema, at: Place): Case[] {
  const { items, oneOf, discriminator, properties, additionalProperties: others } = schema;
  if (oneOf && discriminator) return unionCases(oneOf, discriminator.propertyName, at);
  const cases: Case[] = items
    ? casesOf(
        items,
        below(at, 0, (value) => [value, ...(sample(schema, at.ids) as unknown[]).slice(1)]),
      )
    : [];
  if (properties) cases.push(...objectCases(schema, at));
  if (typeof others !== "object") return cases;
  // A record by group id, the only kind there is.
  const name = at.ids.grp_ ?? "";
  return [
    ...cases,
    ...casesOf(
      others,
      below(at, name, (value) => ({ [name]: value })),
    ),
  ];
}

function objectCases(schema: Schema, at: Place): Case[] {
  const { properties = {}, required = [], exactlyOneOf = [], eitherMember = [], additionalProperties } = schema;
  const base = () => sample(schema, at.ids) as Record<string, unknown>;
  const cases = Object.entries(properties).flatMap(([name, inner]) => {
    const beside = exactlyOneOf.includes(name)
      ? () => ({})
      : () => without(base(), eitherMember.includes(name) ? eitherMember : []);
    return casesOf(
      inner,
      below(at, name, (value) => ({ ...beside(), [name]: value })),
    );
  });
  for (const name of required) {
    const { [name]: _, ...others } = base();
    const missing = { expected: expectedOf(properties[name] ?? {}), received: "undefined" };
    cases.push(broken({ ...below(at, name, () => others) }, "is missing", undefined, "invalid_type", missing));
  }
  const [deprecated, member] = eitherMember;
  if (deprecated !== undefined && member !== undefined) {
    const neither = { ...below(at, member, () => without(base(), eitherMember)) };
    cases.push(broken(neither, "is missing", undefined, "invalid_type", { expected: "string", received: "undefined" }));
    const different = { ...base(), [deprecated]: "lunch".padEnd(properties[deprecated]?.minLength ?? 0, "-") };
    cases.push(
      broken(
        below(at, deprecated, () => different),
        "differs",
        undefined,
        "custom",
      ),
    );
  }
  if (exactlyOneOf.length > 0) {
    const all = exactlyOneOf.map((name) => [name, sample(properties[name] ?? {}, at.ids)]);
    cases.push(broken(at, "is named by nothing", {}, "invalid_union"));
    cases.push(broken(at, "is named twice", Object.fromEntries(all), "invalid_union"));
  }
  return additionalProperties === false ? [...cases, ...surplusCases(at, base)] : cases;
}

function without(body: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/**
 * Bodies are closed objects, and `__proto__` and the like are ordinary unknown names. docs/guides/conventions.md#bodies
 */
function surplusCases(at: Place, base: () => object): Case[] {
  return ["surplus", "constructor", "__proto__"].map((name) => {
    const own = { value: 1, enumerable: true, configurable: true, writable: true };
    const body = Object.defineProperty(base(), name, own);
    return broken(at, `has a member ${name}`, body, "unrecognized_keys", { keys: [name] });
  });
}

function unionCases(branches: Schema[], tag: string, at: Place): Case[] {
  const options = branches.flatMap(({ properties }) => properties?.[tag]?.enum ?? []);
  const expected = expectedOf({ enum: options });
  const tagAt = below(at, tag, (value) => (value === undefined ? {} : { [tag]: value }));
  return [
    broken(tagAt, "is missing", undefined, "invalid_type", { expected, received: "undefined" }),
    broken(tagAt, "is a number", 7, "invalid_type", { expected, received: "number" }),
    broken(tagAt, "is unknown", "nonsense", "invalid_enum_value", { options, received: "nonsense" }),
    ...branches.flatMap((branch) => branchCases(branch, tag, at)),
  ];
}

/** The tag itself is judged by the union: a wrong one names no branch. */
function branchCases(branch: Schema, tag: string, at: Place): Case[] {
  const { [tag]: tagSchema, ...properties } = branch.properties ?? {};
  const required = (branch.required ?? []).filter((name) => name !== tag);
  const tagged = (value: unknown) =>
    at.put(typeof value === "object" && value !== null ? { [tag]: tagSchema?.enum?.[0], ...value } : value);
  return objectCases({ ...branch, properties, required }, { ...at, put: tagged });
}
