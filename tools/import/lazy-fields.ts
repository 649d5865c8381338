import { comparable } from "../../base/values/text.ts";
import type { ImportRow } from "../../engine/records/import-entry.ts";
import type { ImportResult } from "../../engine/records/import-rows.ts";
import type { FieldData } from "../../model/custom-fields/definition.ts";
import type { ImportField, WantedFields } from "./new-fields.ts";

/** Writes rows, or tries them: `pretended` are the custom fields as they would be. */
export type Write = (
  rows: ImportRow[],
  trying: { dryRun: boolean; pretended?: FieldData[] },
) => Promise<ImportResult[]>;

/**
 * Writes rows, and makes the custom fields and options that they need when the first row is taken that has a value for one. So a
 * file of which no row can be taken leaves no fields behind. docs/guides/import.md#custom-fields
 * @param pretended all custom fields as they will be
 * @param define makes some of the wanted ones
 */
export function withLazyFields(
  write: Write,
  wanted: WantedFields,
  pretended: FieldData[],
  define: (part: WantedFields) => Promise<unknown>,
): (rows: ImportRow[]) => Promise<ImportResult[]> {
  const undefinedYet = new Set([...wanted.made, ...wanted.labelled].map(({ name }) => comparable(name)));

  return async (rows) => {
    const needsNone = !rows.some((row) => needed(row, []).length > 0);
    if (undefinedYet.size === 0 || needsNone) return write(rows, { dryRun: false });
    const tried = await write(rows, { dryRun: true, pretended });
    const taken = [...rows.keys()].filter((i) => "outcome" in (tried[i] ?? {}));
    await defineNamed(new Set(taken.flatMap((i) => needed(rows[i], tried[i]?.without ?? []))));
    return taken.length === 0 ? tried : writeTaken(rows, taken, tried);
  };

  /** A value that was refused is one of a field that may not be there yet: what speaks against it is known from the try only. */
  async function writeTaken(rows: ImportRow[], taken: number[], tried: ImportResult[]): Promise<ImportResult[]> {
    const written = await write(
      taken.flatMap((i) => rows[i] ?? []),
      { dryRun: false },
    );
    const results = [...tried];
    for (const [n, i] of taken.entries()) {
      const [before, after] = [tried[i], written[n]];
      if (before && after) results[i] = { ...after, without: before.without };
    }
    return results;
  }

  /** The names of fields that are still to be defined, for which a row has a value that is taken. */
  function needed(row: ImportRow | undefined, without: ImportResult["without"]): string[] {
    const refused = new Set(without.map(({ path }) => (path[0] === "customFieldValues" ? path[1] : undefined)));
    return Object.keys(row?.values ?? {})
      .filter((name) => !refused.has(name))
      .map(comparable)
      .filter((name) => undefinedYet.has(name));
  }

  async function defineNamed(names: Set<string>): Promise<void> {
    if (names.size === 0) return;
    const named = (fields: ImportField[]) => fields.filter(({ name }) => names.has(comparable(name)));
    await define({ made: named(wanted.made), labelled: named(wanted.labelled) });
    for (const name of names) undefinedYet.delete(name);
  }
}
