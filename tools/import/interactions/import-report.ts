import type { LeftOut } from "contact-workspace-readers/read";
import { counted } from "../../terminal/output.ts";
import type { ImportedFile } from "./run.ts";

const REFUSED_SHOWN_MAX = 20;
const UNMATCHED_SHOWN_MAX = 10;

/** Why something was left out → the words behind its number. */
const WORDS: Record<LeftOut, string> = {
  drafts: "drafts",
  spam: "spam",
  trash: "in the trash",
  copies: "further copies of a mail or event of the file",
  cancelled: "cancelled",
  withoutOthers: "events without guests",
  outsideWindow: "repeating events that do not take place within the window",
  furtherInstances: "repeating events with too many instances",
  systemMessages: "messages of the telephone itself",
  unmapped: "messages of people that the map does not name",
  unmatched: "with nobody who is a person in the workspace",
};

/** Result of an import of interactions as lines for a person. docs/guides/import-interactions.md#the-answer */
export function interactionsInLines({ unit, answer }: ImportedFile): string {
  const { read, created, updated, unchanged, refused, leftOut, cut } = answer;
  const left = Object.entries(leftOut) as [LeftOut, number][];
  const sum = left.reduce((total, [, count]) => total + count, 0);
  const counts = [`${created} created`, `${updated} updated`, `${unchanged} unchanged`, `${refused.length} refused`];
  return [
    `${read} read: ${[...counts, `${sum} left out`].join(", ")}`,
    ...(sum > 0 ? [`left out: ${left.map(([because, count]) => `${count} ${WORDS[because]}`).join(", ")}`] : []),
    ...(cut > 0 ? [`cut: ${cut} with a text that is longer than an interaction may have`] : []),
    ...unmatchedLines(answer.unmatched),
    ...refused
      .slice(0, REFUSED_SHOWN_MAX)
      .map(({ line, column, reason }) => `${unit} ${line}${column === null ? "" : `, ${column}`}: ${reason}`),
    ...more(refused.length - REFUSED_SHOWN_MAX),
  ].join("\n");
}

/** The error at the end of an import with refused items. Null if nothing was refused. */
export function interactionsRefusalOf({ unit, answer: { refused } }: ImportedFile): string | null {
  if (refused.length === 0) return null;
  return `${counted(refused.length, unit)} refused. Correct them, and import the file again.`;
}

function unmatchedLines(unmatched: ImportedFile["answer"]["unmatched"]): string[] {
  if (unmatched.length === 0) return [];
  const shown = unmatched.slice(0, UNMATCHED_SHOWN_MAX).map(({ address, count }) => `  ${address} (${count})`);
  const rest = more(unmatched.length - UNMATCHED_SHOWN_MAX).map((line) => `  ${line}`);
  return ["no person has these addresses and numbers; --create creates people for them:", ...shown, ...rest];
}

function more(count: number): string[] {
  return count > 0 ? [`and ${count} more; --json lists all`] : [];
}
