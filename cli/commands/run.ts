import { Command, CommanderError } from "commander";
import { ReadError } from "contact-workspace-readers/read-error";
import { isApiError } from "../../base/contract/errors.ts";
import type { Issue } from "../../base/contract/issues.ts";
import { release } from "../../config/release.ts";
import { isUnavailable } from "../../database/database.ts";
import { databaseFailure, plainMessage } from "../../database/migrate/failure.ts";
import { containsKey, redact } from "../../engine/secrets/redact.ts";
import { diskWarning } from "../../tools/installation/room.ts";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";
import { inWords } from "../../tools/terminal/issue-words.ts";
import { APPLY } from "./apply.ts";
import { BACKUP } from "./backup.ts";
import { completionOf } from "./completion.ts";
import { DUPLICATES } from "./duplicates.ts";
import { EXPORT } from "./export.ts";
import { helpOf } from "./help.ts";
import { IMPORT } from "./import.ts";
import { KEYS } from "./keys.ts";
import { PEOPLE } from "./people.ts";
import { RESTORE } from "./restore.ts";
import { DOCTOR, ENCRYPTION, MAINTAIN, MIGRATE } from "./server.ts";
import { addCommand, addExamples, type CommandEntry } from "./table.ts";
import { UNDO } from "./undo.ts";
import { usageError } from "./usage.ts";
import { USERS } from "./users.ts";
import { WEBHOOKS } from "./webhooks.ts";
import { inHistory } from "./which-key.ts";
import { CREDITS, WORKSPACES } from "./workspaces.ts";

/** The table of commands, in the order of `--help`. */
export const commandsIn = (program: Command): CommandEntry[] => [
  APPLY,
  EXPORT,
  ...KEYS,
  ...USERS,
  ...WORKSPACES,
  ...IMPORT,
  ...PEOPLE,
  DUPLICATES,
  UNDO,
  CREDITS,
  ...WEBHOOKS,
  ...ENCRYPTION,
  BACKUP,
  RESTORE,
  MIGRATE,
  MAINTAIN,
  DOCTOR,
  ...completionOf(program),
  helpOf(program),
];

/** The commands below `keys` that take a key itself for its id. */
const FIND_KEYS = ["revoke", "rotate", "rename"];

/** The admin command line: all commands, each with the words of `--help`. docs/guides/commands.md */
export function adminProgram(admin: Admin): Command {
  const program = new Command("workspace")
    .description(
      "Manages workspaces, users, keys and records of a Contact Workspace server, also beside a running one.",
    )
    .version(release(), "--version", "print the release")
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    // `runCommand` tells errors, in one line.
    .configureOutput({
      writeOut: (text) => admin.print(text.trimEnd()),
      writeErr: () => undefined,
      outputError: () => undefined,
    });
  addExamples(program, ["help keys create", "keys list --workspace acme"], admin);
  for (const entry of commandsIn(program)) addCommand(program, admin, entry);
  return program;
}

/** Runs one command, reports an error in one line, and returns the exit code: 0, 1 for an error, 2 for wrong usage. */
export async function runCommand(argv: string[], admin: Admin): Promise<0 | 1 | 2> {
  const told = withoutSecrets(admin);
  const program = adminProgram(told);
  try {
    refuseKeys(argv, admin);
    await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { message, more, exitCode } =
      error instanceof CommanderError ? usageError(error, program, argv) : failure(error, admin);
    for (const line of [message, ...more]) told.note(line.replaceAll(/\s*\n\s*/g, " "));
    return exitCode;
  }
}

/** Notes of commands can quote what was typed, and an admin may type a key where its id is wanted. */
function withoutSecrets(admin: Admin): Admin {
  return { ...admin, print: (text) => admin.print(text), note: (text) => admin.note(redact(text)) };
}

/**
 * No command takes an API key, but those that find it by its hash. Anywhere else it would be stored, or shown to
 * others.
 * @throws CommandError
 */
function refuseKeys(argv: string[], admin: Admin): void {
  const takesKey = argv[0] === "keys" && FIND_KEYS.includes(argv[1] ?? "");
  if (takesKey || !argv.some(containsKey)) return;
  const way = 'end it with "keys revoke" and its id, which "keys list" shows';
  throw new CommandError(`An API key was typed where no key is expected${inHistory(admin)}: ${way}.`, 2);
}

function failure(error: unknown, { env }: Admin): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof ReadError) return new CommandError(error.message, error.isOption ? 2 : 1);
  if (isApiError(error)) return new CommandError(issueInWords(error));
  const meaning = databaseFailure(error, env.databaseUrl);
  if (meaning !== null) return new CommandError(meaning);
  if (isUnavailable(error)) {
    const [what, remedy] = env.databaseUrl
      ? ["The database of DATABASE_URL", 'start it, or correct DATABASE_URL; "doctor" tells more']
      : [`The database in ${env.dataDir}`, diskWarning(env) ?? "its log, postgres.log, lies there too"];
    return new CommandError(`${what} does not answer (${plainMessage(error)}): ${remedy}.`);
  }
  return new CommandError(`The command failed: ${plainMessage(error)}`);
}

/**
 * The first issue of an error in words. The path of one of our own rules is left out: it leads into params that a user
 * of the command line never sees.
 */
function issueInWords(error: { message: string; data: { details?: { issues?: Issue[] } } }): string {
  const [issue, ...more] = error.data.details?.issues ?? [];
  if (!issue) return error.message;
  const words = issue.code === "custom" ? issue.message : `${issue.path.join(".")} ${inWords(issue)}`;
  return `${words}${more.length > 0 ? ` (and ${more.length} more)` : "."}`;
}
