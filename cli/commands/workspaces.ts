import type { Command } from "commander";
import type { Admin } from "../../tools/terminal/admin.ts";
import { confirmByName } from "../../tools/terminal/ask.ts";
import { show, table } from "../../tools/terminal/output.ts";

interface Workspace {
  id: string;
  slug: string;
  name: string;
}

type Options = { workspace: string; yes?: boolean; json?: boolean };

/** Adds `workspaces list` and `workspaces remove`. docs/guides/running.md#commands */
export function addWorkspaces(program: Command, admin: Admin): void {
  const workspaces = program.command("workspaces").description("all workspaces of the server");

  workspaces
    .command("list")
    .description("list the workspaces")
    .option("--json", "print JSON")
    .action(async ({ json = false }: Options) => {
      const list = await admin.call<{ workspaces: Workspace[] }>("workspaces.list", {});
      show(admin, { json }, list, (shown) =>
        table(
          ["ID", "SLUG", "NAME"],
          shown.workspaces.map(({ id, slug, name }) => [id, slug, name]),
        ),
      );
    });

  workspaces
    .command("remove")
    .description("delete a workspace with everything in it, for ever")
    .requiredOption("--workspace <slug>", "the workspace")
    .option("--yes", "do not ask")
    .option("--json", "print JSON")
    .action(async ({ workspace, yes = false, json = false }: Options) => {
      if (!yes) {
        const { slug } = await admin.call<Workspace>("workspaces.get", { workspace });
        await confirmByName(admin, `This deletes everything of "${slug}", for ever.`, slug);
      }
      const removed = await admin.call<Workspace>("workspaces.remove", { workspace });
      show(admin, { json }, removed, ({ slug }) => `The workspace ${slug} is removed.`);
    });
}
