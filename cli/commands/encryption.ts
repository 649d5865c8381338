import type { Command } from "commander";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";
import { counted, show, table } from "../../tools/terminal/output.ts";
import { GOES_ON } from "../../tools/terminal/words.ts";

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

/** Adds `encryption status` and `encryption rotate`. docs/guides/running.md#encryption */
export function addEncryption(program: Command, admin: Admin): void {
  const encryption = program.command("encryption").description("keys by which stored secrets are encrypted");

  encryption
    .command("status")
    .description("list the keys, and how many secrets are stored under each")
    .option("--json", "print JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const status = await admin.call<Status>("encryption.status", {});
      show(admin, { json }, status, inWords);
      refuseUnknown(status);
    });

  encryption
    .command("rotate")
    .description("encrypt all stored secrets with the first key; can be repeated, and stopped at any moment")
    .option("--json", "print JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      admin.sayWhenStopped?.(GOES_ON);
      const rotated = await admin.call<{ webhooks: number } & Status>("encryption.rotate", {});
      const done = `${counted(rotated.webhooks, "webhook")} encrypted anew.`;
      show(admin, { json }, rotated, (status) => [done, inWords(status)].filter((part) => part !== "").join("\n"));
      refuseUnknown(rotated);
    });
}

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

/** @throws CommandError when something cannot be opened, since its key is not known */
function refuseUnknown({ keys }: Status): void {
  const unknown = keys.filter(({ place }) => place === null).map(({ id }) => id);
  if (unknown.length > 0)
    throw new CommandError(
      `What the key ${unknown.join(", ")} has encrypted cannot be read: add it to ENCRYPTION_KEYS, or bring back encryption.key of DATA_DIR.`,
    );
}
