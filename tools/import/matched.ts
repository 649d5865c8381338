import { MATCHED_BY, type MatchedBy } from "../../engine/records/match-keys.ts";
import { counted } from "../terminal/output.ts";
import type { ImportKind } from "./headings.ts";

/**
 * Number of rows that found their record, by what they matched; `nameOnly` counts rows that create a record although
 * another one has the same name.
 */
export type Matched = Partial<Record<MatchedBy | "nameOnly", number>>;

/** Keys that find companies and objects. */
const BY_NAME: readonly MatchedBy[] = ["id", "name"];

/** The counts of a kind, with those that are zero. docs/guides/import.md#the-plan */
export function matchedOf(kind: ImportKind, counts: Matched): Matched {
  const names = kind === "people" ? [...MATCHED_BY.filter((by) => by !== "name"), "nameOnly" as const] : BY_NAME;
  return Object.fromEntries(names.map((by) => [by, counts[by] ?? 0]));
}

const WORDS: Record<MatchedBy, string> = {
  id: "by id",
  emails: "by e-mail address",
  phones: "by phone",
  urls: "by profile URL",
  nameAndCompany: "by name and company",
  nameAndBirthday: "by name and birthday",
  nameAndAddress: "by name and address",
  nameAndEmail: "by name and e-mail address",
  nameAndPhone: "by name and phone",
  nameAndUrl: "by name and URL",
  name: "by name",
  sameValues: "by all of their values",
};

/** `Found: 3 by e-mail address, 1 by phone`, and a line about rows that share a name only; none without such rows. */
export function matchedInWords(matched: Matched): string[] {
  const found = MATCHED_BY.flatMap((by) => (matched[by] ? `${matched[by]} ${WORDS[by]}` : []));
  return [...(found.length > 0 ? [`Found: ${found.join(", ")}`] : []), ...nameOnlyInWords(matched)];
}

/** The warning that the import creates people although others have the same name. */
export function nameOnlyInWords({ nameOnly = 0 }: Matched): string[] {
  if (nameOnly === 0) return [];
  return [
    `${counted(nameOnly, "row")} with the name of an existing person, and nothing else in common: the import creates new people. An e-mail address, a phone, a profile URL, a company or the id would match the existing person.`,
  ];
}
