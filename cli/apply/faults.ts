import { isApiError } from "../../base/contract/errors.ts";
import { whatThereIs } from "../../base/values/known-names.ts";
import { CommandError } from "../../tools/terminal/admin.ts";
import { inWords } from "../../tools/terminal/issue-words.ts";
import type { WorkspaceSource } from "./workspace-file.ts";

/** Maximum number of faults reported per file. */
const TOLD_MAX = 50;

/**
 * The error of a file with its faults in the order of their places, a line each:
 * `world.yaml:9:23: groups[0].members[1].role: must be one of …`. Another error is given as it is.
 */
export async function placedFaults(source: WorkspaceSource, error: unknown): Promise<unknown> {
  const issues = isApiError(error) ? (error.data.details?.issues ?? []) : [];
  if (issues.length === 0) return error;
  const { knownKeys } = await import("./known-keys.ts");
  const faults = issues
    .map((issue) => ({ issue, ...source.place(issue.path) }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
  const told = faults.slice(0, TOLD_MAX).map(({ issue, line, column, field }) => {
    const known = issue.code === "unrecognized_keys" ? knownKeys(source.documents, issue.path.slice(0, -1)) : undefined;
    const words = known
      ? `is unknown here. ${whatThereIs(String(issue.path.at(-1)), known, { none: "" })}`
      : inWords(issue);
    return `${source.name}:${line}:${column}: ${field}: ${words.replace(/\.$/, "")}`;
  });
  const [first = "", ...others] = told;
  const more = faults.length > TOLD_MAX ? [`and ${faults.length - TOLD_MAX} more`] : [];
  return new CommandError(first, 1, [...others, ...more]);
}
