import type { Command } from "commander";
import type { AppliedFile } from "../../services/workspaces/workspace-file/workspace-file.apply.ts";
import type { WorkspaceChanges } from "../../services/workspaces/workspace-file/workspace-file.changes.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { confirmUnlessScript } from "../../tools/terminal/ask.ts";
import { show } from "../../tools/terminal/output.ts";
import { placedFaults } from "../apply/faults.ts";
import { planInLines, removals, warningsOf } from "../apply/plan.ts";
import { readWorkspaceFile, type WorkspaceSource } from "../apply/workspace-file.ts";

type Options = { prune?: boolean; dryRun?: boolean; yes?: boolean; json?: boolean };

/** Adds `apply`, which makes workspaces what a file says. docs/guides/workspace-file.md#applying */
export function addApply(program: Command, admin: Admin): void {
  program
    .command("apply")
    .description("make workspaces, users, groups, members and fields as a file describes them, all or nothing")
    .argument("<FILE>", "YAML or JSON, one or several documents; - is standard input")
    .option("--prune", "remove memberships, options, fields and groups that the file does not name")
    .option("--dry-run", "write nothing, show what would be made, changed and removed")
    .option("--yes", "do not ask before --prune removes something")
    .option("--json", "print JSON")
    .action(async (file: string, { yes = false, json = false, ...options }: Options) => {
      const source = readWorkspaceFile(file);
      const asked = options.prune && !options.dryRun && !yes && (await askAboutLoss(admin, source));
      const { workspaces, changes } = await apply(admin, source, options);
      if (options.dryRun) return tellPlan(admin, source, changes, json);
      if (!asked) for (const warning of warningsOf(changes, source.documents)) admin.note(warning);
      show(admin, { json }, { workspaces }, () => planInLines(changes, "done").join("\n"));
    });
}

async function apply(admin: Admin, source: WorkspaceSource, { prune = false, dryRun = false }: Options) {
  try {
    return await admin.call<AppliedFile>("workspaces.apply", { documents: source.documents, prune, dryRun });
  } catch (error) {
    throw placedFaults(source, error);
  }
}

function tellPlan(admin: Admin, { documents }: WorkspaceSource, changes: WorkspaceChanges[], json: boolean): void {
  const warnings = warningsOf(changes, documents);
  show(admin, { json }, { dryRun: true, workspaces: changes, warnings }, () =>
    [...planInLines(changes, "planned"), ...warnings, "A dry run: nothing was written."].join("\n"),
  );
}

/** Shows at a terminal what is lost, and asks. False where it did not ask: nothing is lost, or this is a script. */
async function askAboutLoss(admin: Admin, source: WorkspaceSource): Promise<boolean> {
  if (!admin.interactive && !admin.inRepl) return false;
  const { changes } = await apply(admin, source, { prune: true, dryRun: true });
  const lost = removals(changes);
  if (lost === "") return false;
  for (const line of [...planInLines(changes, "planned"), ...warningsOf(changes, source.documents)]) admin.note(line);
  await confirmUnlessScript(admin, `This removes ${lost}, for ever. Go on?`);
  return true;
}
