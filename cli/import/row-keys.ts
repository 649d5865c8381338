import { comparable } from "../../lib/values/text.ts";
import type { ImportKind } from "./headings.ts";

/** The cells of a row by which its record is recognised, by native field. */
export type NamingCells = Map<string, readonly string[]>;

/** The native fields that name a record. */
export const NAMING_FIELDS: Record<ImportKind, string[]> = {
  people: ["emails", "fullName", "firstName", "lastName"],
  companies: ["name"],
  objects: ["name"],
};

/** By what a row finds its record, and by what later rows find it. docs/guides/import.md#matching */
export interface RowKeys {
  finds: string[];
  isFoundBy: string[];
}

/** The keys of a row within its file. They are those of the write action, so that both recognise the same rows. */
export function keysOfRow(kind: ImportKind, match: "email" | "name", cells: NamingCells): RowKeys {
  const name = comparable(kind === "people" ? fullNameOf(cells) : (cells.get("name")?.join(" ") ?? ""));
  const byName = name === "" ? [] : [`name ${name}`];
  const emails = match === "email" ? (cells.get("emails") ?? []).map(comparable) : [];
  if (emails.length === 0) return { finds: byName, isFoundBy: byName };
  return {
    finds: [...new Set(emails.flatMap((email) => [`email ${email}`, `email ${email.toLowerCase()}`]))],
    isFoundBy: [...emails.map((email) => `email ${email}`), ...byName],
  };
}

function fullNameOf(cells: NamingCells): string {
  const whole = cells.get("fullName")?.join(" ");
  return whole ?? ["firstName", "lastName"].flatMap((name) => cells.get(name)?.join(" ") ?? []).join(" ");
}
