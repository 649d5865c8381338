import { type Property, partsOf, plainText, valuesIn } from "./property.ts";

/** Sign that divides the values of a property in a cell. No value holds one. */
export const VCARD_SPLIT = "\n";

/** A card as cells: heading → values. */
export type Cells = Map<string, string[]>;

/** Kinds of records that cards can be imported as. */
export type CardKind = "people" | "companies";

export type About = CardKind | "groups";

/** The headings of the columns that every file of cards has; others come with the cards that have values for them. */
export const HEADINGS: Record<CardKind, string[]> = {
  people: [
    "Full name",
    "Name prefix",
    "First name",
    "Middle name",
    "Last name",
    "Name suffix",
    "Emails",
    "Phones",
    "Addresses",
    "URLs",
    "Companies",
    "Job title",
    "Birthday",
    "Gender",
    "Notes",
  ],
  companies: ["Name", "Emails", "Phones", "Addresses", "URLs", "Notes"],
};

/** Whether a card is about a person, a company, or a group of others. */
export function aboutOf(properties: Property[]): About {
  const value = (name: string) => plainText(properties.find((property) => property.name === name)?.value ?? "");
  const kind = (value("KIND") || value("X-ADDRESSBOOKSERVER-KIND")).toLowerCase();
  if (kind === "group") return "groups";
  if (kind === "org" || value("X-ABSHOWAS").toUpperCase() === "COMPANY") return "companies";
  const [company = ""] = partsOf(properties.find(({ name }) => name === "ORG")?.value ?? "");
  const hasName = partsOf(properties.find(({ name }) => name === "N")?.value ?? "", " ").some((part) => part !== "");
  return company !== "" && !hasName && ["", company].includes(value("FN")) ? "companies" : "people";
}

/** The cells of a card. */
export function cellsOf(properties: Property[], kind: CardKind): Cells {
  const cells: Cells = new Map();
  const add = (heading: string, values: string[]) => {
    const full = values.filter((value) => value !== "");
    if (full.length > 0) cells.set(heading, [...(cells.get(heading) ?? []), ...full]);
  };
  for (const property of preferredFirst(properties)) {
    for (const [heading, values] of READ[property.name]?.(property, properties) ?? []) add(heading, values);
  }
  if (!cells.has("Addresses"))
    add(
      "Addresses",
      properties.filter(({ name }) => name === "LABEL").map(({ value }) => inOneLine(plainText(value))),
    );
  if (kind === "companies") add("Name", [(cells.get("Companies") ?? cells.get("Full name") ?? [""])[0] ?? ""]);
  return cells;
}

/** Those that a program prefers come first, since the first one counts as the main one. */
function preferredFirst(properties: Property[]): Property[] {
  const rank = ({ types, params }: Property) =>
    Number(params.get("PREF") ?? (types.includes("pref") ? 1 : Number.POSITIVE_INFINITY));
  return properties.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

type Read = (property: Property, all: Property[]) => [heading: string, values: string[]][];

const text =
  (heading: string): Read =>
  ({ value }) => [[heading, [plainText(value)]]];

/** Lists are written line by line into a cell, so a value has no lines of its own. */
const item =
  (heading: string, scheme?: RegExp): Read =>
  ({ value }) => [[heading, [inOneLine(plainText(value).replace(scheme ?? "", ""))]]];

const date =
  (heading: string): Read =>
  ({ value, params }) => [[heading, [dateOf(plainText(value), params)]]];

/** Property → its values and their headings. All others are left out. docs/guides/import-files.md#vcards */
const READ: Record<string, Read> = {
  FN: text("Full name"),
  N: ({ value }) => {
    const [last = "", first = "", middle = "", prefix = "", suffix = ""] = partsOf(value, " ");
    return [
      ["Last name", [last]],
      ["First name", [first]],
      ["Middle name", [middle]],
      ["Name prefix", [prefix]],
      ["Name suffix", [suffix]],
    ];
  },
  EMAIL: item("Emails", /^mailto:/i),
  TEL: (property, all) => item(isFax(property) ? "Fax" : "Phones", /^tel:/i)(property, all),
  ADR: ({ value }) => {
    const [box, extended, street, city, region, zip, country] = partsOf(value, ", ");
    const parts = [street, extended, box, city, region, zip, country].filter((part) => part);
    return [["Addresses", [inOneLine(parts.join(", "))]]];
  },
  URL: item("URLs"),
  "X-SOCIALPROFILE": ({ value, types }) => [
    [/^https?:/i.test(value) ? "URLs" : `Social profile${types[0] ? ` (${types[0]})` : ""}`, [plainText(value)]],
  ],
  ORG: ({ value }) => {
    const [company = "", ...department] = partsOf(value);
    return [
      ["Companies", [inOneLine(company)]],
      ["Department", [department.filter((part) => part !== "").join(", ")]],
    ];
  },
  TITLE: text("Job title"),
  ROLE: text("Role"),
  BDAY: date("Birthday"),
  ANNIVERSARY: date("Anniversary"),
  "X-ANNIVERSARY": date("Anniversary"),
  "X-ABDATE": (property, all) => date(labelOf(property, all) ?? "Date")(property, all),
  RELATED: ({ value, types }) => [[capital(types[0] ?? "Related"), [plainText(value)]]],
  "X-ABRELATEDNAMES": (property, all) => text(labelOf(property, all) ?? "Related")(property, all),
  GENDER: ({ value }) => [["Gender", [GENDERS[value.slice(0, 1).toUpperCase()] ?? ""]]],
  NICKNAME: ({ value }) => [["Nickname", [valuesIn(value).join(", ")]]],
  CATEGORIES: ({ value }) => [["Categories", valuesIn(value).map(inOneLine)]],
  IMPP: item("Messaging"),
  NOTE: text("Notes"),
};

const GENDERS: Record<string, string> = { M: "Male", F: "Female", O: "Other", U: "Unknown" };

function isFax({ types }: Property): boolean {
  return types.includes("fax") && !types.includes("voice");
}

/** The label that Apple gives to a property by its group: its own ones stand in signs, `_$!<Anniversary>!$_`. */
function labelOf({ group }: Property, all: Property[]): string | undefined {
  const label = group && all.find((property) => property.name === "X-ABLABEL" && property.group === group)?.value;
  return label ? capital(plainText(label).replace(/^_\$!<(.*)>!\$_$/, "$1")) : undefined;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function inOneLine(text: string): string {
  return text
    .split(VCARD_SPLIT)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(", ");
}

/** Year that Apple's programs write for a birthday without a year. */
const NO_YEAR = "1604";

/**
 * A date of a card as YYYY-MM-DD, or as --MM-DD where it has no year; a time behind it is left out. What is written in
 * another way stays as it is.
 */
function dateOf(value: string, params: Map<string, string> = new Map()): string {
  const { year, month, day } =
    /^(?<year>\d{4}|--)-?(?<month>\d{2})-?(?<day>\d{2})(?:[T ].*)?$/.exec(value.trim())?.groups ?? {};
  if (year === undefined || month === undefined || day === undefined) return value;
  const hasYear = year !== "--" && year !== (params.get("X-APPLE-OMIT-YEAR") ?? NO_YEAR);
  return `${hasYear ? `${year}-` : "--"}${month}-${day}`;
}
