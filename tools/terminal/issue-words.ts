import type { Issue } from "../../base/contract/issues.ts";
import { nearest } from "../../base/values/known-names.ts";

type Words = (issue: Issue) => string;

const TYPES: Record<string, string> = {
  string: "a text",
  array: "a list",
  object: "a mapping of names to values",
  boolean: "true or false",
  number: "a number",
  integer: "a whole number",
  float: "a number with decimals",
  null: "nothing",
};
const FORMATS: Record<string, string> = {
  color: 'a colour like "#5738ff", in quotes',
  currency: "a currency of ISO 4217 like USD",
  date: "a date like 2026-03-01",
  datetime: "a timestamp like 2026-03-01T09:30:00Z",
};

/** Code of an issue → words for the reader of a file, which has no request. */
const WORDS: Record<Issue["code"], Words> = {
  invalid_type: ({ message, expected, received }) => {
    if (message === "Required") return "is missing";
    const hint = expected === "string" && (received === "number" || received === "boolean") ? ": put it in quotes" : "";
    return `must be ${typeInWords(expected)}, not ${typeInWords(received)}${hint}`;
  },
  invalid_enum_value: ({ options, received }) => {
    const near = typeof received === "string" ? nearest(received, options as string[]) : undefined;
    return `must be one of ${(options as string[]).join(", ")}${near === undefined ? "" : `. Did you mean ${near}?`}`;
  },
  invalid_string: ({ message, validation }) =>
    FORMATS[String(validation)] ? `must be ${FORMATS[String(validation)]}` : message,
  too_small: ({ type, minimum }) =>
    type === "string" && minimum === 1 ? "must not be empty" : `must ${bound(type)} at least ${minimum}${unit(type)}`,
  too_big: ({ type, maximum }) => `must ${bound(type)} at most ${maximum}${unit(type)}`,
  unrecognized_keys: ({ message, keys }) => {
    const [offer] = /Did you mean '[^']*'\?$/.exec(message) ?? [];
    const isOnly = (keys as string[]).length === 1;
    return `is unknown here${isOnly && offer ? `. ${offer}` : ": correct its spelling, or take it out"}`;
  },
  invalid_union: ({ message }) => message,
  custom: ({ message }) => message,
};

/** Fault in words that follow the name of a field: `role: must be one of reader, contributor, admin`. */
export function inWords(issue: Issue): string {
  return WORDS[issue.code](issue);
}

function typeInWords(type: unknown): string {
  return TYPES[String(type)] ?? String(type);
}

function bound(type: unknown): string {
  return type === "number" ? "be" : "have";
}

function unit(type: unknown): string {
  if (type === "string") return " characters";
  return type === "array" ? " entries" : "";
}
