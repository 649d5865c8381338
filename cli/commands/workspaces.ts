import { InvalidArgumentError } from "commander";
import { CREDITS_MAX } from "../../config/limits.ts";
import { confirmByName } from "../../tools/terminal/ask.ts";
import { counted, table } from "../../tools/terminal/output.ts";
import { answer, type CommandEntry, command, option, WORKSPACE, YES } from "./table.ts";

interface Workspace {
  id: string;
  slug: string;
  name: string;
}

interface Credits {
  remaining: number;
  used: number;
}

/** docs/guides/commands.md */
export const WORKSPACES: CommandEntry[] = [
  command({
    words: "workspaces list",
    about: "list the workspaces",
    examples: ["workspaces list --json"],
    run: async (admin) =>
      answer(await admin.call<{ workspaces: Workspace[] }>("workspaces.list", {}), ({ workspaces }) =>
        table(
          ["ID", "SLUG", "NAME"],
          workspaces.map(({ id, slug, name }) => [id, slug, name]),
        ),
      ),
  }),
  command<{ workspace: string; yes?: boolean }>({
    words: "workspaces remove",
    about: "delete a workspace with everything in it permanently",
    examples: ["workspaces remove --workspace acme"],
    options: [WORKSPACE, YES],
    async run(admin, { workspace, yes = false }) {
      if (!yes) {
        const { slug } = await admin.call<Workspace>("workspaces.get", { workspace });
        await confirmByName(admin, `This permanently deletes everything of "${slug}".`, slug);
      }
      const removed = await admin.call<Workspace>("workspaces.remove", { workspace });
      return answer(removed, ({ slug }) => `The workspace ${slug} is removed.`);
    },
  }),
];

/** docs/guides/enrichment.md#credits */
export const CREDITS = command<{ workspace: string; set?: number }>({
  words: "credits",
  about: "show or set how many enrichments a workspace has left",
  examples: ["credits --workspace acme", "credits --workspace acme --set 1000"],
  options: [WORKSPACE, option("--set <number>", "how many credits it has left from now on", remaining)],
  async run(admin, { workspace, set }) {
    const { id } = await admin.call<Workspace>("workspaces.get", { workspace });
    const params = { workspaceId: id, ...(set !== undefined && { remaining: set }) };
    return answer(
      await admin.call<Credits>("credits.ofWorkspace", params),
      (credits) => `${workspace} has ${counted(credits.remaining, "credit")} left and has used ${credits.used}.`,
    );
  },
});

/** @throws InvalidArgumentError for an invalid number of credits */
function remaining(text: string): number {
  const number = Number(text);
  if (/^\d{1,10}$/.test(text) && number <= CREDITS_MAX) return number;
  throw new InvalidArgumentError(`It takes a whole number from 0 to ${CREDITS_MAX}.`);
}
