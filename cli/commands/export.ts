import type { Command } from "commander";
import { stringify } from "yaml";
import type { Admin } from "../admin.ts";
import { show } from "./output.ts";

type Document = { groups?: { name: string }[] };

/** Adds `export`, which prints a workspace as a file that `apply` takes. docs/guides/workspace-file.md#exporting */
export function addExport(program: Command, admin: Admin): void {
  program
    .command("export")
    .description("print users, groups, members and fields of a workspace as a file for apply")
    .requiredOption("--workspace <slug>", "the workspace")
    .option("--json", "print JSON instead of YAML")
    .action(async ({ workspace, json = false }: { workspace: string; json?: boolean }) => {
      const document = await admin.call<Document>("workspaces.export", { workspace });
      const names = (document.groups ?? []).map(({ name }) => name);
      const twice = names.find((name, i) => names.indexOf(name) !== i);
      if (twice !== undefined)
        admin.note(
          `Several groups are named "${twice}": apply will refuse this file until they have names of their own.`,
        );
      show(admin, { json }, document, (shown) => stringify(shown, { lineWidth: 0 }).trimEnd());
    });
}
