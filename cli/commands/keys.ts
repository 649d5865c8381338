import { type Command, InvalidArgumentError, Option } from "commander";
import { isDate } from "../../lib/values/dates.ts";
import type { Admin } from "../admin.ts";
import { show, table } from "./output.ts";

interface NewKey {
  id: string;
  key: string;
  user: { id: string; email: string };
  access: string;
  expiresAt: string | null;
}

interface ListedKey extends Omit<NewKey, "key"> {
  createdAt: string;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

type Options = { workspace: string; user: string; access: string; expires?: string; json?: boolean };

/** Adds `keys create`, `keys list` and `keys revoke`. docs/guides/running.md#keys-and-users */
export function addKeys(program: Command, admin: Admin): void {
  const keys = program.command("keys").description("API keys of users");

  keys
    .command("create")
    .description("make a key; it is shown this once")
    .requiredOption("--workspace <slug>", "the workspace")
    .requiredOption("--user <email>", "the user it belongs to")
    .addOption(new Option("--access <access>", "what it may do").choices(["full", "read"]).default("full"))
    .option("--expires <date>", "first day it no longer works (UTC), or a timestamp", expiry)
    .option("--json", "print JSON")
    .action(async ({ workspace, user, access, expires = undefined, json = false }: Options) => {
      const params = { workspace, email: user, access, expiresAt: expires ?? null };
      show(admin, { json }, await admin.call<NewKey>("keys.create", params), ({ key }) => key);
    });

  keys
    .command("list")
    .description("list the keys of a workspace")
    .requiredOption("--workspace <slug>", "the workspace")
    .option("--json", "print JSON")
    .action(async ({ workspace, json = false }: Options) => {
      show(admin, { json }, await admin.call<{ keys: ListedKey[] }>("keys.list", { workspace }), inTable);
    });

  keys
    .command("revoke")
    .description("end a key; it stops working within a second")
    .argument("<KEY_ID>", "id of the key, key_…")
    .option("--json", "print JSON")
    .action(async (keyId: string, { json = false }: Options) => {
      if (keyId.length !== 40 || !keyId.startsWith("key_"))
        throw new InvalidArgumentError(`"${keyId}" is no id of a key; "keys list" shows them`);
      const revoked = await admin.call<{ id: string; revokedAt: string }>("keys.revoke", { keyId });
      show(admin, { json }, revoked, ({ id, revokedAt }) => `${id} is revoked since ${revokedAt}`);
    });
}

function inTable({ keys }: { keys: ListedKey[] }): string {
  const rows = keys.map((key) => [
    key.id,
    key.user.email,
    key.access,
    key.createdAt,
    key.expiresAt,
    key.revokedAt,
    key.lastUsedAt,
  ]);
  return table(["ID", "USER", "ACCESS", "CREATED", "EXPIRES", "REVOKED", "LAST USED"], rows);
}

/**
 * When a key expires, as a timestamp in UTC. A date means the start of that day in UTC. docs/guides/running.md#keys-and-users
 * @throws InvalidArgumentError for a text that is neither a date nor a timestamp
 */
function expiry(text: string): string {
  if (isDate(text)) return `${text}T00:00:00.000Z`;
  const [day = ""] = text.split("T");
  const instant = /T.*(Z|[+-]\d\d:\d\d)$/.test(text) && isDate(day) ? new Date(text) : undefined;
  // An offset may lead from the last day of 9999 into a year that no timestamp has.
  if (!instant || !(instant.getUTCFullYear() <= 9999))
    throw new InvalidArgumentError("It takes a date like 2099-01-01 or a timestamp like 2099-01-01T12:00:00Z.");
  return instant.toISOString();
}
