import { setImmediate } from "node:timers/promises";
import type { Outcome, Read } from "contact-workspace-readers/read";
import type { CountryCode } from "libphonenumber-js/min";
import { type ImportedInteraction, importedIssues } from "../../../engine/interactions/imported.ts";
import { normalForm } from "../../../engine/interactions/normal-form.ts";
import { inWords } from "../../terminal/issue-words.ts";

/** A thing that was read and judged: an interaction in the normal form, or why there is none. */
export type Judged = { place: number } & (
  | { interaction: ImportedInteraction; isCut?: boolean }
  | Exclude<Outcome, { interaction: unknown } | { json: unknown }>
);

/** Number of things that are given before everything else in the process gets its turn. */
const IN_A_TURN = 50;

/**
 * All that is read, judged. What is given is sure to be valid, so that no reader can make the server refuse the others that are
 * sent with it. `country` is where numbers without a country code are dialled.
 */
export async function* judged(reads: AsyncIterable<Read>, country: CountryCode | undefined): AsyncGenerator<Judged> {
  let given = 0;
  for await (const read of reads) {
    given += 1;
    if (given % IN_A_TURN === 0) await setImmediate();
    if ("json" in read) yield { place: read.place, ...judgeWritten(read.json, country) };
    else if ("interaction" in read) {
      const judged = judgeMade(read.interaction, country);
      yield "refused" in judged ? { place: read.place, ...judged } : { ...read, ...judged };
    } else yield read;
  }
}

/** A line of JSON, which a person may have written: all that is wrong with it is counted. */
function judgeWritten(json: unknown, country: CountryCode | undefined) {
  const [issue, ...more] = importedIssues(json);
  // The schema has found nothing wrong, so it is one.
  if (!issue) return judgeMade(json as ImportedInteraction, country);
  const words = issue.code === "unrecognized_keys" ? issue.message : inWords(issue);
  const path = issue.path.join(".");
  return { refused: `${words}${more.length > 0 ? ` (and ${more.length} more)` : ""}`, ...(path !== "" && { path }) };
}

function judgeMade(made: ImportedInteraction, country: CountryCode | undefined) {
  const interaction = normalForm(made, country);
  const [issue] = importedIssues(interaction);
  return issue ? { refused: issue.message, path: issue.path.join(".") } : { interaction };
}
