import { OPERATORS } from "./document.ts";
import type { SweptField } from "./fields.ts";
import { type Answered, type Asked, entriesOf, type Question } from "./oracle.ts";
import { NASTY_TEXTS } from "./values.ts";

/** Values taken from the records themselves. */
const SAMPLES = 3;
const OTHER_PREFIXES = ["per_", "com_", "obj_"];
const UNKNOWN_ID = "00000000-0000-7000-8000-000000000000";

/**
 * Questions about a field for each of its operators: values that some records have, in several spellings; values that
 * none has; several at once where they are taken.
 */
export function questionsAbout(field: SweptField, name: string, records: Answered[], known: string[]): Question[] {
  const groups: Record<string, Asked[]> = {
    one: field.by === "value" ? plainValues(field, name, records).map((value) => asked([value])) : [],
    many: field.by === "value" ? labelLists(field, name, records) : referenceLists(field, name, records, known),
    none: [asked([])],
  };
  const takes: Record<string, string> = { all: "many", in: "many", not_in: "many", empty: "none", not_empty: "none" };
  return OPERATORS[field.kind].flatMap((operator) =>
    (groups[takes[operator] ?? "one"] ?? []).map((one) => ({ field: name, kind: field.kind, operator, asked: one })),
  );
}

function asked(values: string[], ids: string[] = [], emails: string[] = []): Asked {
  return { values, ids, emails };
}

/** Spread over all records, so that the first batch does not give them all. */
function samples<Value>(values: Value[]): Value[] {
  const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  const step = Math.max(1, Math.floor(distinct.length / SAMPLES));
  return distinct.filter((_, i) => i % step === 0).slice(0, SAMPLES);
}

function plainValues({ kind }: SweptField, name: string, records: Answered[]): string[] {
  const found = samples(records.flatMap((record) => entriesOf(record, name, kind)).map(String));
  if (kind === "TEXT")
    return [...new Set([...found.slice(0, 2).flatMap(spellings), "%", "_", "\\", "'", "i", "none has this"])];
  if (kind === "NUMBER")
    return [...found, ...found.map(respelled), "-0", "-1", "9".repeat(38), "0.0000000001", "1.49999"];
  if (kind === "CHOICE") return ["Male", "Female", "Other", "Unknown"];
  return [...found, "0001-01-01", "1999-12-31", "2024-02-29", "9999-12-31"];
}

function spellings(text: string): string[] {
  const characters = [...text];
  const part = characters.slice(0, 4).join("");
  // SQL's wildcard `_` replaces the fifth character. The four before it are enough for the trigram index.
  const wild = characters.length > 4 ? characters.with(4, "_").join("") : "";
  const all = [text, text.normalize("NFD"), text.toUpperCase(), part, characters.slice(1).join(""), wild];
  const [nasty = "x"] = NASTY_TEXTS.filter((one) => text.includes(one));
  return [...all, nasty].filter((one) => one !== "" && one.isWellFormed());
}

function respelled(decimal: string): string {
  const [whole = "", fraction] = decimal.replace(/^-/, "").split(".");
  return `${decimal.startsWith("-") ? "-" : "+"}00${whole}.${fraction ?? ""}0`;
}

/** Lists of labels, and of the values of gender. */
function labelLists(field: SweptField, name: string, records: Answered[]): Asked[] {
  if (field.kind === "CHOICE") return [["Male"], ["Unknown"], ["Male", "Unknown", "Male"]].map((list) => asked(list));
  const sets = records.map((record) => entriesOf(record, name, field.kind).map(String));
  const labels = samples(sets.flat());
  const [first = "none", second = "none"] = labels;
  const lists = [
    ...labels.map((label) => [label]),
    [first.normalize("NFD"), second],
    [first.toUpperCase()],
    [first, "No such label"],
    ["No such label"],
    ["Gone"],
    [""],
    ...samples(sets.filter((set) => set.length > 1)).flatMap((set) => [set, [...set].reverse(), [...set, ...set]]),
  ];
  return lists.map((list) => asked(list));
}

/** Lists of ids and e-mail addresses; `known` are ids that might be mistaken for others. */
function referenceLists(field: SweptField, name: string, records: Answered[], known: string[]): Asked[] {
  const sets = records.map(
    (record) => entriesOf(record, name, field.kind) as unknown as { id: string; email: string }[],
  );
  const single = samples(sets.flat());
  const ids = single.map(({ id }) => id);
  const [first = "", second = ""] = ids;
  const unknown = `${first.slice(0, 4) || "per_"}${UNKNOWN_ID}`;
  const lists = [
    ...ids.map((id) => [id]),
    ...known.map((id) => [id]),
    ids.slice(0, 2),
    [first, unknown],
    [unknown],
    ["", "x".repeat(40), second],
    // The uuid of a record under the prefix of another kind names nothing.
    [`usr_${first.slice(4)}`, `obj_${first.slice(4)}x`],
    ...(name.startsWith("customFieldValues") ? [] : OTHER_PREFIXES.map((prefix) => [swapped(first, prefix)])),
    ...samples(sets.filter((set) => set.length > 1).map((set) => set.map(({ id }) => id))).flatMap((set) => [
      set,
      [...set].reverse(),
      [...set, ...set],
      [...set, unknown],
    ]),
  ].filter((list) => list.some((id) => id !== first) || list.length === 1);
  const byId = lists.map((list) => asked([], list));
  if (field.by !== "user") return byId;
  const emails = single.map(({ email }) => email);
  return [
    ...byId,
    ...emails.map((email) => asked([], [], [email.toUpperCase()])),
    asked([], [first], emails.slice(0, 2)),
    asked([], [], ["nobody@example.test", ""]),
  ];
}

/** The same uuid as an id of another kind. */
function swapped(id: string, prefix: string): string {
  return id.startsWith(prefix) ? `usr_${id.slice(4)}` : `${prefix}${id.slice(4)}`;
}
