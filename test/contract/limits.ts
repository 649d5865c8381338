import { ACTIVITY_TYPES } from "../../base/values/activity-types.ts";
import { type Ids, isId, type Schema, sample, text } from "./schemas.ts";

export type Path = (string | number)[];
export type Issue = { code: string; path: Path; [more: string]: unknown };

/**
 * A body that breaks one limit of its schema, with the one issue that must be told; or that just keeps it, with null.
 */
export interface Case {
  path: Path;
  what: string;
  body: unknown;
  issue: Issue | null;
}

/** Where a schema stands in a body, and how a value gets there in an otherwise valid one. */
export interface Place {
  path: Path;
  ids: Ids;
  put(value: unknown): unknown;
}

export const broken = ({ path, put }: Place, what: string, value: unknown, code: string, more: object = {}): Case => ({
  path,
  what: `${path.join(".") || "the body"} ${what}`,
  body: put(value),
  issue: { code, path, ...more },
});

export const kept = ({ path, put }: Place, what: string, value: unknown): Case => ({
  path,
  what: `${path.join(".")} ${what}`,
  body: put(value),
  issue: null,
});

const bound = (type: string, limit: object, exact = false) => ({ ...limit, type, inclusive: true, exact });
const over = (at: Place, type: string, maximum: number, value: unknown, exact = false) =>
  broken(at, `is over ${maximum}`, value, "too_big", bound(type, { maximum }, exact));
const under = (at: Place, type: string, minimum: number, value: unknown, exact = false) =>
  broken(at, `is under ${minimum}`, value, "too_small", bound(type, { minimum }, exact));

/** Formats, each with texts that are none and texts that are; `name` where issues call it by another one. */
const FORMATS: Record<string, { wrong: string[]; right: string[]; name?: string; tooLong?: string }> = {
  timestamp: {
    wrong: ["2026-02-30T10:00:00Z", "2026-01-01", "tomorrow", "", "2026-01-01T24:00:00Z", "2026-01-01 10:00"],
    right: ["2026-01-01T10:00", "2026-01-01T10:00:00.123Z", "2026-01-01T10:00+14:00", "2024-02-29T23:59:59"],
    name: "datetime",
    tooLong: "2026-01-15T10:00:00.0000Z",
  },
  "timestamp-or-date": {
    wrong: ["2026-02-30", "2026-01-01 10:00", "tomorrow", ""],
    right: ["2026-01-01", "2026-01-01T10:00:00.123Z"],
    name: "datetime",
  },
  date: {
    wrong: ["2025-02-29", "2025-2-3", "0000-01-01", "10000-01-01", "tomorrow", ""],
    right: ["0001-01-01", "2024-02-29", "9999-12-31"],
  },
  "date-or-empty": { wrong: ["2025-02-30", "infinity", " "], right: ["", "2000-02-29"], name: "date" },
  "time-of-day": {
    wrong: ["24:00", "9:30", "09:60", "09:30:00", "noon", ""],
    right: ["00:00", "09:30", "23:59"],
    name: "time",
  },
  color: { wrong: ["5738ff", "#5738f", "#gggggg", "red"], right: ["#5738ff", "#ABCDEF"] },
  currency: { wrong: ["usd", "EURO", "XYZ", ""], right: ["USD", "EUR", "JPY"] },
};

/** Texts that are no number, and what is one. docs/guides/values.md#numbers */
const NO_DECIMALS = ["", " 12 ", "NaN", "Infinity", "0x10", "１２", "1_000", "1e3", "1.", ".5", "0.12345678901"];
const DECIMALS = ["1", "007.50", "+3", 0, 1e3, "123456789.0123456789"];
const NO_WHOLE_NUMBERS = ["", "x", "1999.0", " 1999", "01999", "1.999e3", "１９９９"];
/** With a NUL character or an unpaired surrogate. docs/guides/values.md#text */
const NO_PLAIN_TEXTS = ["a\u0000b", "a\ud800b", "a\udc00b"];

const rule = (recurrence: string, zone = "UTC") => `DTSTART;TZID=${zone}:20300115T090000\nRRULE:${recurrence}`;

const many = ({ items = {} }: Schema, { ids }: Place, length: number) =>
  Array.from({ length }, () => sample(items, ids));

type Keywords = { [Name in keyof Schema]?: (limit: NonNullable<Schema[Name]>, at: Place, schema: Schema) => Case[] };

/** Keyword → what breaks it and what just keeps it. The issues are those of Zod 3. docs/guides/conventions.md#issues */
const KEYWORDS: Keywords = {
  minLength: (min, at, schema) =>
    isId(schema)
      ? [under(at, "string", min, "x".repeat(min - 1), true)]
      : [under(at, "string", min, text(min - 1)), kept(at, `has ${min} characters`, text(min))],
  maxLength: (max, at, schema) => {
    if (isId(schema)) return [over(at, "string", max, "x".repeat(max + 1), true)];
    const tooLong = FORMATS[schema.format ?? ""]?.tooLong ?? text(max + 1);
    const just =
      schema.format || schema.activityType || schema.recurrenceRule || schema.webAddress
        ? []
        : [kept(at, `has ${max} characters`, text(max))];
    return [over(at, "string", max, tooLong), ...just];
  },
  activityType: (_, at) => [
    broken(at, "is no activity", "nap", "invalid_enum_value", { options: [...ACTIVITY_TYPES], received: "nap" }),
    ...["coffee", "iMessage", "🎉", "☎", "👩‍💻", "🇫🇷"].map((right) => kept(at, `is ${right}`, right)),
  ],
  recurrenceRule: (_, at) => [
    ...["", "RRULE:COUNT=1", rule("COUNT=2"), rule("COUNT=1", "Nowhere/City"), `${rule("COUNT=1")}\n`].map((wrong) =>
      broken(at, `is ${JSON.stringify(wrong)}`, wrong, "custom"),
    ),
    ...[rule("COUNT=1"), rule("FREQ=MONTHLY;INTERVAL=3", "US/Eastern"), rule("COUNT=1").replace("\n", "\r\n")].map(
      (right) => kept(at, `is ${JSON.stringify(right)}`, right),
    ),
  ],
  webAddress: (_, at) => [
    ...["", "receiver.invalid", "ftp://receiver.invalid/", "http://", "https://receiver.invalid/#x"].map((wrong) =>
      broken(at, `is "${wrong}"`, wrong, "invalid_string", { validation: "url" }),
    ),
    ...["http://receiver.invalid", "HTTPS://receiver.invalid:8443/x?y=z"].map((right) =>
      kept(at, `is ${right}`, right),
    ),
  ],
  trimmedLength: ({ min, max }, at) => [
    under(at, "string", min, " \t\n"),
    over(at, "string", max, text(max + 1)),
    kept(at, `has ${max} characters and white space around`, ` ${text(max)}\n`),
  ],
  minItems: (min, at, schema) => (min > 0 ? [under(at, "array", min, many(schema, at, min - 1))] : []),
  maxItems: (max, at, schema) => [
    over(at, "array", max, many(schema, at, max + 1)),
    kept(at, `has ${max} items`, many(schema, at, max)),
  ],
  minimum: (min, at) => [under(at, "number", min, min - 1), kept(at, `is ${min}`, min)],
  maximum: (max, at) => [over(at, "number", max, max + 1), kept(at, `is ${max}`, max)],
  enum: (values, at) => {
    const options = values.filter((value) => value !== null);
    return [
      broken(at, "is no such word", "nonsense", "invalid_enum_value", { options, received: "nonsense" }),
      ...options.map((word) => kept(at, `is ${word}`, word)),
    ];
  },
  format: (format, at) => {
    const known = FORMATS[format];
    if (!known) throw new Error(`Add texts of the format "${format}" to FORMATS in test/contract/limits.ts.`);
    return [
      ...known.wrong.map((wrong) =>
        broken(at, `is "${wrong}"`, wrong, "invalid_string", { validation: known.name ?? format }),
      ),
      ...known.right.map((right) => kept(at, `is "${right}"`, right)),
    ];
  },
  plainText: (isPlain, at) =>
    isPlain ? NO_PLAIN_TEXTS.map((wrong) => broken(at, `is ${JSON.stringify(wrong)}`, wrong, "custom")) : [],
  decimal: ({ min, maxLength }, at) => [
    ...NO_DECIMALS.map((wrong) => broken(at, `is "${wrong}"`, wrong, "custom")),
    ...DECIMALS.map((right) => kept(at, `is ${JSON.stringify(right)}`, right)),
    ...(min === undefined ? [] : [under(at, "number", min, min - 1)]),
    ...(maxLength === undefined ? [] : [over(at, "string", maxLength, "1".repeat(maxLength + 1))]),
    ...(maxLength === undefined ? [] : [kept(at, `has ${maxLength} characters`, "1".repeat(maxLength))]),
  ],
  wholeNumber: ({ min, max }, at) => [
    ...NO_WHOLE_NUMBERS.map((wrong) => broken(at, `is "${wrong}"`, wrong, "custom")),
    broken(at, "has a fraction", min + 0.5, "invalid_type", { expected: "integer", received: "float" }),
    ...[min - 1, String(min - 1)].map((value) => under(at, "number", min, value)),
    ...[max + 1, String(max + 1)].map((value) => over(at, "number", max, value)),
    ...[min, String(min), max, String(max)].map((value) => kept(at, `is ${JSON.stringify(value)}`, value)),
  ],
};

/** Each limit that a schema sets on a value itself, broken and just kept. */
export function limitCases(schema: Schema, at: Place): Case[] {
  return Object.entries(schema).flatMap(([name, limit]) => {
    const keyword = KEYWORDS[name as keyof Schema] as
      | ((limit: unknown, at: Place, schema: Schema) => Case[])
      | undefined;
    return keyword?.(limit, at, schema) ?? [];
  });
}
