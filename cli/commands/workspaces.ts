import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { type Admin, CommandError } from "../admin.ts";
import { show, table } from "./output.ts";

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
    .option("--yes", "do not ask at a terminal")
    .option("--json", "print JSON")
    .action(async ({ workspace, yes = false, json = false }: Options) => {
      if (!yes) await confirm(admin, workspace);
      const removed = await admin.call<Workspace>("workspaces.remove", { workspace });
      show(admin, { json }, removed, ({ slug }) => `The workspace ${slug} is removed.`);
    });
}

async function confirm({ interactive }: Admin, slug: string): Promise<void> {
  // A script is not asked: docs/guides/running.md#commands.
  if (!interactive) return;
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(`This deletes everything of "${slug}", for ever. Type ${slug} to go on: `);
  prompt.close();
  if (answer.trim() !== slug) throw new CommandError(`The answer was not "${slug}", so nothing was removed.`);
}
