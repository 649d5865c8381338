import { counted } from "../terminal/output.ts";
import { onScreen } from "./cells.ts";
import { planInWords } from "./plan-in-words.ts";
import type { ImportOutcome } from "./run.ts";

const REFUSED_SHOWN_MAX = 20;

/** Result of an import as lines for a person; for a dry run with the plan before it. docs/guides/import.md#the-plan */
export function inLines(
  outcome: ImportOutcome,
  { dryRun = false, workspace = "" }: { dryRun?: boolean; workspace?: string },
): string {
  const { answer, plan } = outcome;
  const { read, created, updated, unchanged, refused, duplicates = 0 } = answer;
  const shown = refused
    .slice(0, REFUSED_SHOWN_MAX)
    .map(({ line, column, reason }) => `line ${line}${column === null ? "" : `, ${onScreen(column)}`}: ${reason}`);
  const more = refused.length - shown.length;
  return [
    ...(dryRun ? [planInWords(plan)] : []),
    `${read} read: ${created} created, ${updated} updated, ${unchanged} unchanged, ${refusedInWords(outcome)}`,
    ...shown,
    ...(more > 0 ? [`and ${more} more; ${outcome.refusedFile ?? "--json"} has all`] : []),
    ...(duplicates > 0
      ? [
          `${duplicates} of the new ones ${duplicates === 1 ? "looks" : "look"} like others: duplicates --workspace ${workspace} lists them.`,
        ]
      : []),
    ...(dryRun ? ["Dry run: nothing was written."] : []),
  ].join("\n");
}

/** `3 rows refused, 12 cells left out` */
function refusedInWords({ refusedRows, refusedCells }: ImportOutcome): string {
  return `${counted(refusedRows, "row")} refused, ${counted(refusedCells, "cell")} left out`;
}

/** The error at the end of an import with refused rows or cells, with advice. Null if nothing was refused. */
export function refusalOf(outcome: ImportOutcome, { sheet }: { sheet?: string | undefined } = {}): string | null {
  if (outcome.answer.refused.length === 0) return null;
  const { refusedFile } = outcome;
  const way =
    refusedFile === undefined
      ? "Correct them in the file, and import it again"
      : `They are in ${refusedFile}: correct them there, and import that file with the same options${sheet === undefined ? "" : ", but --sheet"}`;
  return `${refusedInWords(outcome)}. ${way}.`;
}
