import { InvalidArgumentError } from "commander";
import type { Caller } from "../../base/contract/caller.ts";
import { SOURCES } from "../../base/contract/caller.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { confirmUnlessScript } from "../../tools/terminal/ask.ts";
import { counted } from "../../tools/terminal/output.ts";
import { createProgress } from "../../tools/terminal/progress.ts";
import { answer, type CommandEntry, command, option, timeOf, WORKSPACE } from "./table.ts";

interface Options {
  workspace: string;
  request?: string;
  since?: string;
  until?: string;
  user?: string;
  key?: string;
  source?: string;
  dryRun?: boolean;
  yes?: boolean;
}

/** The members that say which changes are meant, as the actions take them. */
interface Which {
  requestId?: string;
  since?: string;
  until?: string;
  userId?: string;
  keyId?: string;
  source?: string;
}

interface Skipped {
  id: string;
  entityType: string;
  reason: string;
  changes: { path: string[] }[];
}

/** Result of an undo, as `--json` prints it. */
interface Undone {
  undone: number;
  skipped: Skipped[];
}

/** docs/guides/history-and-undo.md#at-the-command-line */
export const UNDO: CommandEntry = command<Options>({
  words: "undo",
  changes: "records",
  about: "take back the changes of a request or a run, or of a user, a key or a source since a time",
  examples: [
    "undo --workspace acme --request 01a209d3-c2c1-7487-991a-32578b1424d8 --dry-run",
    "undo --workspace acme --user ada@acme.test --since 2026-03-01T09:00:00Z",
    "undo --workspace acme --source import --since 2026-03-01",
  ],
  options: [
    WORKSPACE,
    option("--request <id>", "the id of the request, or of the run of a command"),
    option("--since <time>", "changes since then: a timestamp, or a date for its start (UTC)", timeOf),
    option("--until <time>", "and before then", timeOf),
    option("--user <email>", "changes of this user; or the id"),
    option("--key <id>", "changes by this key, key_…"),
    option("--source <source>", "changes that came this way").choices(SOURCES),
    option("--dry-run", "take nothing back, tell what would be"),
    option("--yes", "do not ask at a terminal"),
  ],
  async run(admin, options) {
    const { workspace, dryRun = false } = options;
    const { caller } = await admin.call<{ caller: Caller }>("workspaces.caller", { workspace });
    const which = await whichOf(admin, options);
    const count = () => admin.call<{ records: number }>("undo-admin.count", { ...which }, caller);
    const { records } = dryRun ? { records: 0 } : await count();
    if (records > 0 && !options.yes)
      await confirmUnlessScript(admin, `This takes back the changes of ${counted(records, "record")}. Continue?`);
    if (!dryRun) admin.sayWhenStopped?.("What was taken back stays so; the same command goes on with the rest.");
    return answer(await undoAll(admin, { ...which, dryRun }, caller, records), (undone) => inLines(undone, dryRun));
  },
});

/** @throws InvalidArgumentError for options that do not go together */
async function whichOf(admin: Admin, { workspace, request, since, until, user, key, source }: Options): Promise<Which> {
  const others = { since, until, user, key, source };
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  if (request !== undefined) {
    if (given.length > 0)
      throw new InvalidArgumentError(`--request names all changes by itself: leave --${given[0]?.[0]} out.`);
    return { requestId: request };
  }
  if (since === undefined || (user ?? key ?? source) === undefined)
    throw new InvalidArgumentError(
      'Say which changes: "--request ID", or "--since TIME" with --user, --key or --source.',
    );
  return {
    since,
    ...(until !== undefined && { until }),
    ...(user !== undefined && { userId: await userIdOf(admin, workspace, user) }),
    ...(key !== undefined && { keyId: key }),
    ...(source !== undefined && { source }),
  };
}

async function userIdOf(admin: Admin, workspace: string, user: string): Promise<string> {
  if (user.startsWith("usr_")) return user;
  const { id } = await admin.call<{ id: string }>("users-admin.get", { workspace, email: user });
  return id;
}

/** Takes the changes back part by part, the newest first, and shows how far it is. */
async function undoAll(
  admin: Admin,
  params: Which & { dryRun: boolean },
  caller: Caller,
  records: number,
): Promise<Undone> {
  const progress = createProgress(admin, records);
  const undone = new Set<string>();
  const skipped = new Map<string, Skipped>();
  const take = (one: Skipped) => {
    const place = `${one.id} ${one.reason}`;
    const known = skipped.get(place);
    if (known) known.changes.push(...one.changes);
    else skipped.set(place, one);
  };
  try {
    for (let before: string | null | undefined; before !== null; ) {
      const part: { undone: string[]; skipped: Skipped[]; next: string | null } = await admin.call(
        "undo-admin.run",
        { ...params, ...(before !== undefined && { before }) },
        caller,
      );
      for (const uuid of part.undone) undone.add(uuid);
      for (const one of part.skipped) take(one);
      before = part.next;
      progress.at(Math.min(records, undone.size + skipped.size));
    }
  } finally {
    progress.stop();
  }
  return { undone: undone.size, skipped: [...skipped.values()] };
}

/** Number of things left alone that are shown. */
const SHOWN_MAX = 20;

const BECAUSE: Record<string, string> = {
  changedSince: "has changed since",
  gone: "is gone",
  nameTaken: "has a name that is taken by now",
  noAccess: "is not to be seen by you",
  notSupported: "is not taken back by undo",
};

function inLines({ undone, skipped }: Undone, dryRun: boolean): string {
  if (undone + skipped.length === 0) return "There is nothing to take back";
  const lines = [`${dryRun ? "Would take back" : "Took back"} the changes of ${counted(undone, "record")}`];
  if (skipped.length > 0) lines.push(`${dryRun ? "Would leave" : "Left"} ${skipped.length} alone, whole or in part:`);
  for (const { id, reason, changes } of skipped.slice(0, SHOWN_MAX)) {
    const fields = changes.length > 0 ? ` (${changes.map(({ path }) => path.join(".")).join(", ")})` : "";
    lines.push(`  ${id} ${BECAUSE[reason] ?? reason}${fields}`);
  }
  if (skipped.length > SHOWN_MAX) lines.push(`  and ${skipped.length - SHOWN_MAX} more; --json lists all`);
  return lines.join("\n");
}
