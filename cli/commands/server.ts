import { migrate } from "../../database/migrate/migrate.ts";
import { grantToRuntime } from "../../database/migrate/runtime-role.ts";
import { maintenance } from "../../engine/events/maintenance.ts";
import { openProcessDatabase, withDatabase } from "../../tools/installation/open-database.ts";
import { inTransaction } from "../../tools/installation/own-connection.ts";
import { AT_ONCE, CommandError } from "../../tools/terminal/admin.ts";
import { counted, table } from "../../tools/terminal/output.ts";
import { answer, type CommandEntry, command, option } from "./table.ts";
import { GOES_ON } from "./words.ts";

interface UsedKey {
  id: string;
  place: string | null;
  encrypts: boolean;
  secrets: number;
}

interface Status {
  keys: UsedKey[];
  plain: number;
}

/** docs/guides/database.md#encryption */
export const ENCRYPTION: CommandEntry[] = [
  command({
    words: "encryption status",
    about: "list the keys, and how many secrets are stored under each",
    examples: ["encryption status"],
    async run(admin) {
      const status = await admin.call<Status>("encryption.status", {});
      return { value: status, text: inWords(status), fault: unreadable(status) };
    },
  }),
  command({
    words: "encryption rotate",
    about: "encrypt all stored secrets with the first key; can be repeated, and stopped at any moment",
    examples: ["encryption rotate"],
    async run(admin) {
      admin.sayWhenStopped?.(GOES_ON);
      const rotated = await admin.call<{ webhooks: number } & Status>("encryption.rotate", {});
      const done = `${counted(rotated.webhooks, "webhook")} encrypted anew.`;
      const text = [done, inWords(rotated)].filter((part) => part !== "").join("\n");
      return { value: rotated, text, fault: unreadable(rotated) };
    },
  }),
];

function inWords({ keys, plain }: Status): string {
  const rows = keys.map(({ id, place, encrypts, secrets }) => [
    id,
    place ?? "unknown",
    encrypts ? "yes" : "no",
    String(secrets),
  ]);
  const listed = table(["KEY", "FROM", "ENCRYPTS", "SECRETS"], rows);
  return plain > 0 ? `${listed}\n${counted(plain, "secret")} not encrypted.` : listed;
}

/** The fault of unknown keys: the data that they have encrypted cannot be read. */
function unreadable({ keys }: Status): string | null {
  const unknown = keys.filter(({ place }) => place === null).map(({ id }) => id);
  if (unknown.length === 0) return null;
  return `Secrets encrypted with the key ${unknown.join(", ")} cannot be read: add it to ENCRYPTION_KEYS, or restore encryption.key of DATA_DIR.`;
}

/**
 * Brings the database up to this release. A start does so by itself, unless MIGRATIONS is wait.
 * docs/guides/database.md#migrations
 */
export const MIGRATE = command<{ runtimeRole?: string; toCitus?: true }>({
  words: "migrate",
  about: "apply the migrations that the database does not have yet",
  examples: ["migrate", "migrate --runtime-role contacts_runtime", "migrate --to-citus"],
  options: [
    option("--runtime-role <name>", "give this role the rights of a running server, which makes and drops no tables"),
    option("--to-citus", "distribute the rows of a database that has the extension citus now; no server may run"),
  ],
  async run(admin, { runtimeRole, toCitus = false }) {
    if (runtimeRole !== undefined && admin.env.databaseUrl === undefined)
      throw new CommandError("--runtime-role needs DATABASE_URL: the embedded database has one role.", 2);
    // First for the tables that migrations make: a server that waits for these can read them as soon as they are there.
    const grant = async () => {
      if (runtimeRole !== undefined) await inTransaction(admin.env, "", (query) => grantToRuntime(query, runtimeRole));
    };
    await grant();
    const applied = await withDatabase(admin.env, (url) => migrate(url, { toCitus }));
    await grant();
    return answer({ applied }, () => applied.join("\n") || "The database is up to date.");
  },
});

/** Does for a server whose role owns no tables what others do every hour. docs/guides/deploying.md#two-roles */
export const MAINTAIN = command({
  words: "maintain",
  about: "make and drop the partitions of what is kept for a time; a server that owns its tables does so by itself",
  examples: ["maintain"],
  async run(admin) {
    const { database, close } = await openProcessDatabase(admin.env, AT_ONCE);
    const dropped: string[] = [];
    try {
      for (const maintain of Object.values(maintenance(database, admin.env))) dropped.push(...(await maintain()));
    } finally {
      await close();
    }
    return answer({ dropped }, () => dropped.join("\n") || "Nothing was to be dropped.");
  },
});

/** docs/guides/database.md#doctor */
export const DOCTOR = command({
  words: "doctor",
  about: "check database, settings and data; nothing is changed",
  examples: ["doctor --json"],
  async run(admin) {
    const { examine } = await import("../../tools/doctor/examine.ts");
    const checks = await examine(admin.env);
    const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name);
    return {
      value: { ok: failed.length === 0, checks },
      text: checks.map(({ name, ok, message }) => `${ok ? "ok    " : "FAILED"} ${name}: ${message}`).join("\n"),
      fault: failed.length > 0 ? `${failed.length} of ${checks.length} checks failed: ${failed.join(", ")}.` : null,
    };
  },
});
