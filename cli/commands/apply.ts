import type { Command } from "commander";
import { isApiError } from "../../lib/contract/errors.ts";
import { type Admin, CommandError } from "../admin.ts";
import { inWords } from "../issue-words.ts";
import { readWorkspaceFile, type WorkspaceSource } from "../workspace-file.ts";
import { counted, show } from "./output.ts";

interface Applied {
  workspaces: {
    id: string;
    slug: string;
    users: { id: string; email: string }[];
    groups: { id: string; name: string }[];
  }[];
}

/** Adds `apply`, which makes workspaces what a file says. docs/guides/workspace-file.md#applying */
export function addApply(program: Command, admin: Admin): void {
  program
    .command("apply")
    .description("make workspaces, users, groups, members and fields what a file says; all of it or nothing")
    .argument("<FILE>", "YAML or JSON, one or several documents; - is standard input")
    .option("--prune", "remove memberships, options, fields and groups that the file does not name")
    .option("--json", "print JSON")
    .action(async (file: string, { prune = false, json = false }: { prune?: boolean; json?: boolean }) => {
      const source = readWorkspaceFile(file);
      const applied = await admin
        .call<Applied>("workspaces.apply", { documents: source.documents, prune })
        .catch((error) => {
          throw placed(source, error);
        });
      show(admin, { json }, applied, ({ workspaces }) =>
        workspaces
          .map(
            ({ slug, users, groups }) =>
              `${slug}: ${counted(users.length, "user")}, ${counted(groups.length, "group")} as the file says`,
          )
          .join("\n"),
      );
    });
}

/** An error that tells the first of its issues by line: `world.yaml:12: groups[0].members[0].role: must be one of …`. */
function placed(source: WorkspaceSource, error: unknown): unknown {
  const issues = isApiError(error) ? (error.data.details?.issues ?? []) : [];
  const [first, ...more] = issues.map((issue) => ({ issue, ...source.place(issue) })).sort((a, b) => a.line - b.line);
  if (!first) return error;
  const rest = more.length > 0 ? ` (and ${more.length} more)` : "";
  return new CommandError(`${source.name}:${first.line}: ${first.field}: ${inWords(first.issue)}${rest}`);
}
