import { createHash } from "node:crypto";
import type { LeftOut } from "contact-workspace-readers/read";
import type { ImportedInteraction } from "../../../engine/interactions/imported.ts";

/**
 * Output of an import of interactions. Each item that was read counts in exactly one of `created`, `updated`,
 * `unchanged`, `refused` and the counts of `leftOut`. docs/guides/import-interactions.md#the-answer
 */
export interface InteractionsAnswer {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  /** `line` is the number of the line, mail or event, `column` the member that is at fault, if it is a single one. */
  refused: { line: number; column: string | null; reason: string }[];
  /**
   * Addresses of participants that the workspace does not have, with the number of interactions left out because of
   * them, highest number first.
   */
  unmatched: { address: string; count: number }[];
  leftOut: Partial<Record<LeftOut, number>>;
  /** Number of interactions whose text was cut. */
  cut: number;
}

/** Answers of the write action for interactions, in the order in which they were sent. */
export type Written =
  | { outcome: "created" | "updated" | "unchanged" }
  /** No participant is a person of the workspace; the addresses and numbers of those who are not users either. */
  | { outcome: "unmatched"; addresses: string[] }
  | { refused: string; path: (string | number)[] };

/** Counts what becomes of interactions. */
export interface Tally {
  refuse(line: number, reason: string, column?: string): void;
  leaveOut(because: LeftOut): void;
  written(line: number, interaction: ImportedInteraction, result: Written): void;
  cut(): void;
  answer(): InteractionsAnswer;
}

/** @param isDryRun a dry run leaves nothing in the database, so the earlier ids are kept here */
export function createTally(isDryRun: boolean): Tally {
  const counts = { read: 0, created: 0, updated: 0, unchanged: 0, cut: 0 };
  const refused: InteractionsAnswer["refused"] = [];
  const leftOut: InteractionsAnswer["leftOut"] = {};
  const unmatched = new Map<string, number>();
  const tried = new Map<string, string>();

  function refuse(line: number, reason: string, column?: string): void {
    counts.read += 1;
    refused.push({ line, column: column ?? null, reason });
  }

  function leaveOut(because: LeftOut): void {
    counts.read += 1;
    leftOut[because] = (leftOut[because] ?? 0) + 1;
  }

  function written(line: number, interaction: ImportedInteraction, result: Written): void {
    if ("refused" in result) refuse(line, result.refused, result.path.join(".") || undefined);
    else if (result.outcome === "unmatched") miss(result.addresses);
    else {
      counts.read += 1;
      counts[isDryRun ? afterTrying(interaction, result.outcome) : result.outcome] += 1;
    }
  }

  function miss(addresses: string[]): void {
    for (const address of new Set(addresses)) unmatched.set(address, (unmatched.get(address) ?? 0) + 1);
    leaveOut("unmatched");
  }

  /** The second of two with one id would find the first one, had that been written. */
  function afterTrying(interaction: ImportedInteraction, outcome: "created" | "updated" | "unchanged") {
    const content = createHash("sha256").update(JSON.stringify(interaction)).digest("base64");
    const before = tried.get(interaction.id);
    tried.set(interaction.id, content);
    if (before === undefined) return outcome;
    return before === content ? "unchanged" : "updated";
  }

  function answer(): InteractionsAnswer {
    const { cut, ...others } = counts;
    const byCount = [...unmatched].map(([address, count]) => ({ address, count })).sort((a, b) => b.count - a.count);
    return { ...others, refused: refused.sort((a, b) => a.line - b.line), unmatched: byCount, leftOut, cut };
  }

  return {
    refuse,
    leaveOut,
    written,
    cut: () => {
      counts.cut += 1;
    },
    answer,
  };
}
