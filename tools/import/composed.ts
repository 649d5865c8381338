import { ADDRESS_PARTS } from "./headings.ts";

/** The parts of a name, in the order in which it is written. */
export const NAME_PARTS = ["prefix", "middle", "suffix"] as const;
export type NamePart = (typeof NAME_PARTS)[number];

/** Which address of a record, then which part of it → its values: as many as the cell has addresses. */
export type AddressParts = Map<string, { parts: Map<string, readonly string[]>; headings: string[] }>;

/**
 * An address of a record in one line, or several: where the cells hold several values, the first of each part make the
 * first address. A whole address counts where nothing is known of its parts.
 */
export function composeAddresses(parts: Map<string, readonly string[]>): string[] {
  const whole = (parts.get("whole") ?? []).map(inOneLine);
  const count = Math.max(0, ...[...parts].map(([part, values]) => (part === "whole" ? 0 : values.length)));
  const composed = Array.from({ length: count }, (_, at) =>
    ADDRESS_PARTS.flatMap(({ part }) => {
      const value = parts.get(part)?.[at] ?? "";
      return value === "" ? [] : [inOneLine(value)];
    }).join(", "),
  ).filter((address) => address !== "");
  return composed.length > 0 ? composed : whole;
}

function inOneLine(text: string): string {
  return text
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(", ");
}

/** Forms of address that, unlike titles, are not part of a name. */
const SALUTATION = /^(?:mr|mrs|ms|miss|mx|sir|herr|frau|m|mme|mlle|monsieur|madame|sr|sra|dhr|mevr)\.?$/i;

/**
 * The full name with all of its parts, or undefined where it has no others than the first and the last: then it is made
 * of these anyway.
 */
export function composeName(parts: Map<NamePart, string>, first: string, last: string): string | undefined {
  const prefix = parts.get("prefix")?.trim() ?? "";
  const title = SALUTATION.test(prefix) ? "" : prefix;
  if (title === "" && !parts.has("middle") && !parts.has("suffix")) return undefined;
  const words = [title, first, parts.get("middle"), last, parts.get("suffix")];
  return words.filter((word) => word !== undefined && word !== "").join(" ");
}
