import { isApiError } from "../../base/contract/errors.ts";
import type { Issue } from "../../base/contract/issues.ts";
import { CommandError } from "../../tools/terminal/admin.ts";
import { inWords } from "../../tools/terminal/issue-words.ts";
import type { WorkspaceSource } from "./workspace-file.ts";

/** Maximum number of faults reported per file. */
const TOLD_MAX = 50;

/**
 * The error of a file with its faults in the order of their places, a line each:
 * `world.yaml:9:23: groups[0].members[1].role: must be one of …`. Another error is given as it is.
 */
export function placedFaults(source: WorkspaceSource, error: unknown): unknown {
  const issues = isApiError(error) ? (error.data.details?.issues ?? []) : [];
  if (issues.length === 0) return error;
  const faults = issues
    .flatMap(eachKey)
    .map((issue) => ({ issue, ...source.place(issue.path) }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
  const told = faults
    .slice(0, TOLD_MAX)
    .map(({ issue, line, column, field }) => `${source.name}:${line}:${column}: ${field}: ${inWords(issue)}`);
  const [first = "", ...others] = told;
  const more = faults.length > TOLD_MAX ? [`and ${faults.length - TOLD_MAX} more`] : [];
  return new CommandError(first, 1, [...others, ...more]);
}

/** An issue of several unknown names as one for each, whose path leads to it. */
function eachKey(issue: Issue): Issue[] {
  if (issue.code !== "unrecognized_keys") return [issue];
  return (issue.keys as string[]).map((key) => ({ ...issue, path: [...issue.path, key] }));
}
