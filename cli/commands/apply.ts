import { isApiError } from "../../base/contract/errors.ts";
import type { Issue } from "../../base/contract/issues.ts";
import type { AppliedFile } from "../../services/workspaces/workspace-file/workspace-file.apply.ts";
import type { WorkspaceChanges } from "../../services/workspaces/workspace-file/workspace-file.changes.ts";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";
import { confirmUnlessScript } from "../../tools/terminal/ask.ts";
import { inWords } from "../../tools/terminal/issue-words.ts";
import { planInLines, removals, warningsOf } from "../apply/plan.ts";
import { readWorkspaceFile, type WorkspaceSource } from "../apply/workspace-file.ts";
import { type Answer, answer, argument, command, option } from "./table.ts";

type Options = { prune?: boolean; dryRun?: boolean; yes?: boolean };

/** Makes workspaces match a file. docs/guides/workspace-file.md#applying */
export const APPLY = command<Options, [file: string]>({
  words: "apply",
  changes: "settings",
  about: "make workspaces, users, groups, members and fields as a file describes them, all or nothing",
  examples: ["apply acme.yaml --dry-run", "apply acme.yaml", "apply acme.yaml --prune --yes"],
  args: [argument("<FILE>", "YAML or JSON, one or several documents; - is standard input")],
  options: [
    option("--prune", "remove memberships, options, fields and groups that the file does not name"),
    option("--dry-run", "write nothing, show what would be made, changed and removed"),
    option("--yes", "do not ask before --prune removes something"),
  ],
  async run(admin, { yes = false, ...options }, file) {
    const source = readWorkspaceFile(file);
    const asked = options.prune && !options.dryRun && !yes && (await askAboutLoss(admin, source));
    const { workspaces, changes } = await apply(admin, source, options);
    if (options.dryRun) return planOf(source, changes);
    if (!asked) for (const warning of warningsOf(changes, source.documents)) admin.note(warning);
    return answer({ workspaces }, () => planInLines(changes, "done").join("\n"));
  },
});

async function apply(admin: Admin, source: WorkspaceSource, { prune = false, dryRun = false }: Options) {
  try {
    return await admin.call<AppliedFile>("workspaces.apply", { documents: source.documents, prune, dryRun });
  } catch (error) {
    throw placedFaults(source, error);
  }
}

function planOf({ documents }: WorkspaceSource, changes: WorkspaceChanges[]): Answer {
  const warnings = warningsOf(changes, documents);
  return answer({ dryRun: true, workspaces: changes, warnings }, () =>
    [...planInLines(changes, "planned"), ...warnings, "A dry run: nothing was written."].join("\n"),
  );
}

/** Shows the losses at a terminal, and asks. False if it did not ask, because nothing is lost or this is a script. */
async function askAboutLoss(admin: Admin, source: WorkspaceSource): Promise<boolean> {
  if (!admin.interactive && !admin.inRepl) return false;
  const { changes } = await apply(admin, source, { prune: true, dryRun: true });
  const lost = removals(changes);
  if (lost === "") return false;
  for (const line of [...planInLines(changes, "planned"), ...warningsOf(changes, source.documents)]) admin.note(line);
  await confirmUnlessScript(admin, `This permanently removes ${lost}. Continue?`);
  return true;
}

/** Maximum number of faults reported per file. */
const TOLD_MAX = 50;

/**
 * The error of a file with its faults in the order of their places, a line each:
 * `world.yaml:9:23: groups[0].members[1].role: must be one of …`. Another error is given as it is.
 */
function placedFaults(source: WorkspaceSource, error: unknown): unknown {
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
