import type { Command } from "commander";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";
import { counted, show, table } from "../../tools/terminal/output.ts";
import { GOES_ON } from "../../tools/terminal/words.ts";

interface UsedKey {
  id: string;
  place: string | null;
  encrypts: boolean;
  secrets: number;
  responses: number;
}

interface Rotated {
  webhooks: number;
  responses: number;
  keys: UsedKey[];
}

/** Adds `encryption status` and `encryption rotate`. docs/guides/running.md#encryption */
export function addEncryption(program: Command, admin: Admin): void {
  const encryption = program.command("encryption").description("keys by which stored secrets are encrypted");

  encryption
    .command("status")
    .description("list the keys, and how much is stored under each")
    .option("--json", "print JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const status = await admin.call<{ keys: UsedKey[] }>("encryption.status", {});
      show(admin, { json }, status, inTable);
      refuseUnknown(status);
    });

  encryption
    .command("rotate")
    .description("encrypt all stored secrets with the first key; can be repeated, and stopped at any moment")
    .option("--json", "print JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      admin.sayWhenStopped?.(GOES_ON);
      const rotated = await admin.call<Rotated>("encryption.rotate", {});
      show(admin, { json }, rotated, ({ webhooks, responses, keys }) => {
        const done = `${counted(webhooks, "webhook")} and ${counted(responses, "saved response")} encrypted anew.`;
        return keys.length > 0 ? `${done}\n${inTable({ keys })}` : done;
      });
      refuseUnknown(rotated);
    });
}

function inTable({ keys }: { keys: UsedKey[] }): string {
  const rows = keys.map(({ id, place, encrypts, secrets, responses }) => [
    id,
    place ?? "unknown",
    encrypts ? "yes" : "no",
    String(secrets),
    String(responses),
  ]);
  return table(["KEY", "FROM", "ENCRYPTS", "SECRETS", "RESPONSES"], rows);
}

/** @throws CommandError when something cannot be opened, since its key is not known */
function refuseUnknown({ keys }: { keys: UsedKey[] }): void {
  const unknown = keys.filter(({ place }) => place === null).map(({ id }) => id);
  if (unknown.length > 0)
    throw new CommandError(
      `What the key ${unknown.join(", ")} has encrypted cannot be read: add it to ENCRYPTION_KEYS, or bring back encryption.key of DATA_DIR.`,
    );
}
