import { type Ids, isId, type Schema, sample, text, typeOf, typesOf } from "./schemas.ts";

type Path = (string | number)[];
type Issue = { code: string; path: Path; [more: string]: unknown };

/** A body that breaks one limit of its schema, with the one issue that must be told; or that just keeps it, with null. */
export interface Case {
  path: Path;
  what: string;
  body: unknown;
  issue: Issue | null;
}

/** Puts a value in its place in an otherwise valid body. */
type Place = (value: unknown) => unknown;

/** Every limit of a schema, broken and just kept, wherever it stands in a body. */
export function casesOf(schema: Schema, path: Path, place: Place, ids: Ids): Case[] {
  return [...typeCases(schema, path, place), ...limitCases(schema, path, place, ids), ...innerCases(schema, path, place, ids)];
}

const broken = (what: string, path: Path, body: unknown, code: string, more: object = {}): Case => ({
  path,
  what: `${path.join(".") || "the body"} ${what}`,
  body,
  issue: { code, path, ...more },
});
const kept = (what: string, path: Path, body: unknown): Case => ({ path, what: `${path.join(".")} ${what}`, body, issue: null });
const bounds = (type: string, limit: object, exact = false) => ({ ...limit, type, inclusive: true, exact });

/** A value of each JSON type. */
const VALUES: Record<string, unknown> = { string: "text", number: 7.5, boolean: true, array: [], object: {}, null: null };

function typeCases(schema: Schema, path: Path, place: Place): Case[] {
  const allowed = typesOf(schema).length > 0 ? typesOf(schema) : ["object"];
  const isWhole = allowed.includes("integer");
  return Object.entries(VALUES).flatMap(([type, value]) => {
    if (allowed.includes(type)) return type === "null" ? [kept("is null", path, place(null))] : [];
    const received = isWhole && type === "number" ? "float" : type;
    // A list where an object should be and the like: the first type that is no null is the one asked for.
    return [broken(`is ${type}`, path, place(value), "invalid_type", { expected: typeOf(schema), received })];
  });
}

/** Keyword → bodies that break it, and bodies that keep it. The issues are those of Zod 3 (gaps 2, "Issues"). */
function limitCases(schema: Schema, path: Path, place: Place, ids: Ids): Case[] {
  const { maxLength, maxItems, minItems, minimum, maximum, trimmedLength: trimmed, items = {} } = schema;
  const cases: Case[] = [];
  const tooBig = (limit: number, type: string, value: unknown, exact = false) =>
    cases.push(broken(`is over ${limit}`, path, place(value), "too_big", bounds(type, { maximum: limit }, exact)));
  const tooSmall = (limit: number, type: string, value: unknown, exact = false) =>
    cases.push(broken(`is under ${limit}`, path, place(value), "too_small", bounds(type, { minimum: limit }, exact)));
  const keep = (what: string, value: unknown) => cases.push(kept(what, path, place(value)));
  const many = (length: number) => Array.from({ length }, () => sample(items, ids));

  if (isId(schema) && maxLength !== undefined) {
    tooSmall(maxLength, "string", "x".repeat(maxLength - 1), true);
    tooBig(maxLength, "string", "x".repeat(maxLength + 1), true);
  } else if (maxLength !== undefined) {
    tooBig(maxLength, "string", text(maxLength + 1));
    keep(`has ${maxLength} characters`, text(maxLength));
  }
  if (trimmed) {
    tooBig(trimmed.max, "string", text(trimmed.max + 1));
    tooSmall(trimmed.min, "string", " \t\n");
    keep(`has ${trimmed.max} characters and white space around`, ` ${text(trimmed.max)}\n`);
  }
  if (maxItems !== undefined) {
    tooBig(maxItems, "array", many(maxItems + 1));
    keep(`has ${maxItems} items`, many(maxItems));
  }
  if (minItems) tooSmall(minItems, "array", []);
  if (minimum !== undefined) {
    tooSmall(minimum, "number", minimum - 1);
    keep(`is ${minimum}`, minimum);
  }
  if (maximum !== undefined) {
    tooBig(maximum, "number", maximum + 1);
    keep(`is ${maximum}`, maximum);
  }
  return [...cases, ...wordCases(schema, path, place), ...numberCases(schema, path, place), ...textCases(schema, path, place)];
}

/** Formats, each with texts that are none and texts that are. */
const FORMATS: Record<string, { wrong: string[]; right: string[] }> = {
  date: { wrong: ["2025-02-29", "2025-2-3", "0000-01-01", "10000-01-01", "tomorrow", ""], right: ["0001-01-01", "2024-02-29", "9999-12-31"] },
  "date-or-empty": { wrong: ["2025-02-30", "infinity", " "], right: ["", "2000-02-29"] },
  color: { wrong: ["5738ff", "#5738f", "#gggggg", "red"], right: ["#5738ff", "#ABCDEF"] },
  currency: { wrong: ["usd", "EURO", "XYZ", ""], right: ["USD", "EUR", "JPY"] },
};

function wordCases(schema: Schema, path: Path, place: Place): Case[] {
  const { enum: values, format } = schema;
  const words = (values ?? []).filter((value) => value !== null);
  const cases = words.map((word) => kept(`is ${word}`, path, place(word)));
  if (values) cases.push(broken("is no such word", path, place("nonsense"), "invalid_enum_value", { options: words, received: "nonsense" }));
  if (format === undefined) return cases;
  const known = FORMATS[format];
  if (!known) throw new Error(`Add texts of the format "${format}" to FORMATS in test/contract/violations.ts.`);
  for (const wrong of known.wrong) cases.push(broken(`is "${wrong}"`, path, place(wrong), "invalid_string", { validation: format }));
  return [...cases, ...known.right.map((right) => kept(`is "${right}"`, path, place(right)))];
}

/** gaps 2, "Numbers". */
const NO_NUMBERS = ["", " 12 ", "NaN", "Infinity", "0x10", "１２", "1_000", "1e3", "1.", ".5", "0.12345678901"];

function numberCases({ decimal, wholeNumber }: Schema, path: Path, place: Place): Case[] {
  const cases: Case[] = [];
  if (decimal) {
    for (const wrong of NO_NUMBERS) cases.push(broken(`is "${wrong}"`, path, place(wrong), "custom"));
    for (const right of ["1", "007.50", "+3", 0, 1e3, "123456789.0123456789"]) cases.push(kept(`is ${JSON.stringify(right)}`, path, place(right)));
    const { min, maxLength } = decimal;
    if (min !== undefined) cases.push(broken(`is under ${min}`, path, place(min - 1), "too_small", bounds("number", { minimum: min })));
    if (maxLength !== undefined) {
      cases.push(broken(`has ${maxLength + 1} characters`, path, place("1".repeat(maxLength + 1)), "too_big", bounds("string", { maximum: maxLength })));
      cases.push(kept(`has ${maxLength} characters`, path, place("1".repeat(maxLength))));
    }
  }
  if (wholeNumber) {
    const { min, max } = wholeNumber;
    for (const wrong of ["", "x", "1999.0", " 1999", "１９９９"]) cases.push(broken(`is "${wrong}"`, path, place(wrong), "custom"));
    cases.push(broken("has a fraction", path, place(1999.5), "invalid_type", { expected: "integer", received: "float" }));
    for (const under of [min - 1, String(min - 1)]) cases.push(broken(`is ${JSON.stringify(under)}`, path, place(under), "too_small", bounds("number", { minimum: min })));
    for (const over of [max + 1, String(max + 1)]) cases.push(broken(`is ${JSON.stringify(over)}`, path, place(over), "too_big", bounds("number", { maximum: max })));
    for (const right of [min, String(min), max, String(max)]) cases.push(kept(`is ${JSON.stringify(right)}`, path, place(right)));
  }
  return cases;
}

/** gaps 2, "Text": NUL and unpaired surrogates. */
function textCases({ plainText }: Schema, path: Path, place: Place): Case[] {
  if (!plainText) return [];
  return ["a\u0000b", "a\ud800b", "a\udc00b"].map((wrong) => broken(`is ${JSON.stringify(wrong)}`, path, place(wrong), "custom"));
}

function innerCases(schema: Schema, path: Path, place: Place, ids: Ids): Case[] {
  const { items, oneOf, discriminator, properties, additionalProperties: others } = schema;
  if (oneOf && discriminator) return unionCases(oneOf, discriminator.propertyName, path, place, ids);
  const cases: Case[] = items ? casesOf(items, [...path, 0], (value) => place([value]), ids) : [];
  if (properties) cases.push(...objectCases(schema, path, place, ids));
  if (typeof others !== "object") return cases;
  // A record by group id, the only kind there is.
  const name = ids.grp_ ?? "";
  return [...cases, ...casesOf(others, [...path, name], (value) => place({ [name]: value }), ids)];
}

function objectCases(schema: Schema, path: Path, place: Place, ids: Ids): Case[] {
  const { properties = {}, required = [], exactlyOneOf, additionalProperties } = schema;
  const base = () => sample(schema, ids) as Record<string, unknown>;
  const cases = Object.entries(properties).flatMap(([name, inner]) => {
    const among = exactlyOneOf?.includes(name) ? () => ({}) : base;
    return casesOf(inner, [...path, name], (value) => place({ ...among(), [name]: value }), ids);
  });
  for (const name of required) {
    const { [name]: _, ...others } = base();
    cases.push(broken(`has no ${name}`, [...path, name], place(others), "invalid_type", { expected: typeOf(properties[name] ?? {}), received: "undefined" }));
  }
  if (exactlyOneOf) {
    const all = Object.fromEntries(exactlyOneOf.map((name) => [name, sample(properties[name] ?? {}, ids)]));
    cases.push(broken("names it by nothing", path, place({}), "invalid_union"), broken("names it twice", path, place(all), "invalid_union"));
  }
  if (additionalProperties === false) cases.push(...surplusCases(path, place, base));
  return cases;
}

/** gaps 1: bodies are closed objects; gaps 2, "Text": `__proto__` and the like are ordinary unknown names. */
function surplusCases(path: Path, place: Place, base: () => object): Case[] {
  return ["surplus", "constructor", "__proto__"].map((name) => {
    const body = Object.defineProperty(base(), name, { value: 1, enumerable: true, configurable: true, writable: true });
    return broken(`has a member ${name}`, path, place(body), "unrecognized_keys", { keys: [name] });
  });
}

function unionCases(branches: Schema[], tag: string, path: Path, place: Place, ids: Ids): Case[] {
  const options = branches.flatMap(({ properties }) => properties?.[tag]?.enum ?? []);
  const at = [...path, tag];
  return [
    broken(`has no ${tag}`, at, place({}), "invalid_type", { expected: "string", received: "undefined" }),
    broken(`has a number as ${tag}`, at, place({ [tag]: 7 }), "invalid_type", { expected: "string", received: "number" }),
    broken(`has an unknown ${tag}`, at, place({ [tag]: "nonsense" }), "invalid_enum_value", { options, received: "nonsense" }),
    ...branches.flatMap((branch) => {
      // The tag itself is judged above: a wrong one names no branch.
      const { [tag]: tagSchema, ...properties } = branch.properties ?? {};
      const tagged = (value: unknown) => place(typeof value === "object" && value !== null ? { [tag]: tagSchema?.enum?.[0], ...value } : value);
      const inner = { ...branch, properties, required: (branch.required ?? []).filter((name) => name !== tag) };
      return objectCases(inner, path, tagged, ids);
    }),
  ];
}
