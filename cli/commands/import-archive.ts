import type { Command } from "commander";
import type { ImportedWorkspace } from "../../tools/archive/import-workspace.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { counted, show } from "../../tools/terminal/output.ts";

/** Adds `import workspace`, which makes a workspace of an archive. docs/guides/export.md#importing-an-archive */
export function addImportArchive(command: Command, admin: Admin): void {
  command
    .command("workspace")
    .description("make a workspace from an archive of export --all, all or nothing")
    .argument("<FILE>", "the archive")
    .option("--workspace <slug>", "the slug of the new workspace; else that of the archive")
    .option("--json", "print JSON")
    .action(async (file: string, { workspace, json = false }: { workspace?: string; json?: boolean }) => {
      const { importWorkspace } = await import("../../tools/archive/import-workspace.ts");
      show(admin, { json }, await importWorkspace(admin, file, workspace), inLines);
    });
}

function inLines({ workspace, idsKept, counts }: ImportedWorkspace): string {
  const { users = 0, people = 0, companies = 0, objects = 0, webhooks = 0 } = counts;
  const lines = [
    `The workspace ${workspace.slug} is made: ${counted(users, "user")}, ${people} ${people === 1 ? "person" : "people"}, ${companies} ${companies === 1 ? "company" : "companies"}, ${counted(objects, "object")}.`,
    idsKept
      ? "All ids are those of the archive."
      : "The archive's workspace is here already, so everything has new ids.",
  ];
  if (webhooks > 0)
    lines.push(`${counted(webhooks, "webhook")} with new secrets, inactive: switch them on by the API.`);
  lines.push('It has no keys yet: make one with "keys create".');
  return lines.join("\n");
}
