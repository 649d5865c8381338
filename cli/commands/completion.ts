import { Argument, type Command } from "commander";
import { SHELLS, type Shell } from "../../tools/completion/scripts.ts";
import type { Admin } from "../../tools/terminal/admin.ts";

/** Adds `completion`, and the hidden `complete` that its scripts ask. docs/guides/running.md#completion */
export function addCompletion(program: Command, admin: Admin): void {
  program
    .command("completion")
    .description("print a script by which a shell completes commands, options and names")
    .addArgument(new Argument("<SHELL>", "the shell").choices(SHELLS))
    .action(async (shell: Shell) => {
      const { completionScript } = await import("../../tools/completion/scripts.ts");
      admin.print(completionScript(shell));
    });

  program
    .command("complete", { hidden: true })
    .description("print what may stand in the place of the last word, a line each")
    .argument("[WORDS...]")
    .action(async (words: string[]) => {
      const { candidatesFor } = await import("../../tools/completion/candidates.ts");
      const { knownValues } = await import("../../tools/completion/known-values.ts");
      const found = await candidatesFor(program, words, (kind, workspace) => knownValues(admin.env, kind, workspace));
      if (found === "files") admin.print(":files");
      else for (const { value, about } of found) admin.print(inLine(value, about));
    });
}

/** A candidate, and behind a tab what it is. A tab or a line break in a name would divide it. */
function inLine(value: string, about: string | undefined): string {
  return [value, ...(about ? [about] : [])].map((text) => text.replaceAll(/[\t\r\n]+/g, " ")).join("\t");
}
