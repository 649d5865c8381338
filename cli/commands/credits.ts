import { type Command, InvalidArgumentError } from "commander";
import { CREDITS_MAX } from "../../config/limits.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { counted, show } from "../../tools/terminal/output.ts";

interface Credits {
  remaining: number;
  used: number;
}

type Options = { workspace: string; set?: number; json?: boolean };

/** Adds `credits`. docs/guides/enrichment.md#credits */
export function addCredits(program: Command, admin: Admin): void {
  program
    .command("credits")
    .description("show or set how many enrichments a workspace has left")
    .requiredOption("--workspace <slug>", "the workspace")
    .option("--set <number>", "how many credits it has left from now on", remaining)
    .option("--json", "print JSON")
    .action(async ({ workspace, set, json = false }: Options) => {
      const { id } = await admin.call<{ id: string }>("workspaces.get", { workspace });
      const params = { workspaceId: id, ...(set !== undefined && { remaining: set }) };
      show(
        admin,
        { json },
        await admin.call<Credits>("credits.ofWorkspace", params),
        (credits) => `${workspace} has ${counted(credits.remaining, "credit")} left and has used ${credits.used}.`,
      );
    });
}

/** @throws InvalidArgumentError for what is no number of credits */
function remaining(text: string): number {
  const number = Number(text);
  if (/^\d{1,10}$/.test(text) && number <= CREDITS_MAX) return number;
  throw new InvalidArgumentError(`It takes a whole number from 0 to ${CREDITS_MAX}.`);
}
