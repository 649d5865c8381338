import { isProfileUrl } from "../../base/values/comparable-url.ts";
import { isEmailAddress } from "../../base/values/email-address.ts";
import { keysWithinFile, type MatchOption, nameOf } from "../../engine/records/match-keys.ts";
import type { ImportKind } from "./headings.ts";

/** The values of a row by which its record is recognised, by native field. */
export type NamingCells = Map<string, readonly string[]>;

/** The native fields that name a record. */
export const NAMING_FIELDS: Record<ImportKind, string[]> = {
  people: ["id", "emails", "phones", "urls", "fullName", "firstName", "lastName", "companies"],
  companies: ["id", "name"],
  objects: ["id", "name"],
};

/** The keys of a row within its file: those that it has, and those of earlier rows that are, or may be, about the same record. */
export interface RowKeys {
  has: string[];
  finds: string[];
  hints: string[];
}

/** The keys of a row. They are those of the write action, so that both recognise the same rows. */
export function keysOfRow(kind: ImportKind, match: MatchOption, cells: NamingCells): RowKeys {
  const [id] = cells.get("id") ?? [];
  if (kind !== "people") {
    const name = nameOf(cells.get("name")?.join(" ") ?? "");
    const keys = [...(id === undefined ? [] : [`id ${id}`]), ...(name === "" ? [] : [`name ${name}`])];
    return { finds: keys, hints: [], has: keys };
  }
  const list = (field: string) => cells.get(field) ?? [];
  const identity = {
    id,
    emails: list("emails").filter(isEmailAddress),
    phones: list("phones"),
    urls: list("urls"),
    fullName: fullNameOf(cells),
    companies: list("companies"),
    addresses: [],
  };
  const keys = keysWithinFile(identity, match) ?? { has: [], finds: [], second: [], hints: [] };
  const hasOwn = identity.emails.length > 0 || identity.urls.some(isProfileUrl);
  return {
    has: keys.has,
    finds: hasOwn ? keys.finds : [...keys.finds, ...keys.second],
    hints: hasOwn ? [...keys.second, ...keys.hints] : keys.hints,
  };
}

/** What follows the kind of a key, as people read it: an address, or a name and what else agrees. */
export function keyInWords(key: string): string {
  return key
    .slice(key.indexOf(" ") + 1)
    .split("\n")
    .filter((part) => part !== "")
    .join(", ");
}

function fullNameOf(cells: NamingCells): string {
  const whole = cells.get("fullName")?.join(" ");
  return whole ?? ["firstName", "lastName"].flatMap((name) => cells.get(name)?.join(" ") ?? []).join(" ");
}
