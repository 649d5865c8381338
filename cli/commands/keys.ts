import { type Command, InvalidArgumentError, Option } from "commander";
import { isDate } from "../../base/values/dates.ts";
import { KEY_OVERLAP_DAYS_MAX } from "../../config/limits.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { show, table } from "../../tools/terminal/output.ts";
import { webhooksOfKey } from "../keys/webhooks-of-key.ts";
import { type ListedKey, whichKey } from "../keys/which-key.ts";

interface NewKey {
  id: string;
  key: string;
  user: { id: string; email: string };
  access: string;
  expiresAt: string | null;
}

interface RotatedKey extends NewKey {
  name: string | null;
  prefix: string;
  replaces: { id: string; expiresAt: string };
}

type CreateOptions = {
  workspace: string;
  user: string;
  access: string;
  expires?: string;
  name?: string;
  json?: boolean;
};
type RotateOptions = { workspace?: string; overlap: number; expires?: string; json?: boolean };
type Options = { workspace?: string; json?: boolean };
type RevokeOptions = Options & { pauseWebhooks?: boolean };

const KEY_WORDS = "id, name or beginning (cwk_ and 8 characters) of the key";
const UNITS_S: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Adds `keys create`, `keys list`, `keys rotate`, `keys rename` and `keys revoke`. docs/guides/running.md#keys-and-users */
export function addKeys(program: Command, admin: Admin): void {
  const keys = program.command("keys").description("API keys of users");
  addCreate(keys, admin);
  addList(keys, admin);
  addRotate(keys, admin);
  addRename(keys, admin);
  addRevoke(keys, admin);
}

function addCreate(keys: Command, admin: Admin): void {
  keys
    .command("create")
    .description("make a key; it is shown this once")
    .requiredOption("--workspace <slug>", "the workspace")
    .requiredOption("--user <email>", "the user it belongs to")
    .option("--name <name>", "what it is for, to tell it from others in lists")
    .addOption(new Option("--access <access>", "what it may do").choices(["full", "read"]).default("full"))
    .option("--expires <date>", "first day it no longer works (UTC), or a timestamp", expiry)
    .option("--json", "print JSON")
    .action(async ({ workspace, user, access, expires, name, json = false }: CreateOptions) => {
      const params = {
        workspace,
        email: user,
        access,
        expiresAt: expires ?? null,
        ...(name !== undefined && { name }),
      };
      show(admin, { json }, await admin.call<NewKey>("keys.create", params), ({ key }) => key);
    });
}

function addList(keys: Command, admin: Admin): void {
  keys
    .command("list")
    .description("list the keys of a workspace, the oldest first; the keys themselves are kept nowhere")
    .requiredOption("--workspace <slug>", "the workspace")
    .option("--json", "print JSON")
    .action(async ({ workspace, json = false }: Options) => {
      show(admin, { json }, await admin.call<{ keys: ListedKey[] }>("keys.list", { workspace }), inTable);
    });
}

function addRotate(keys: Command, admin: Admin): void {
  keys
    .command("rotate")
    .description("make a key in the place of another one, which goes on for a while; the new one is shown this once")
    .argument("<KEY>", KEY_WORDS)
    .addOption(
      new Option("--overlap <time>", "how long the old key goes on: a number with s, m, h or d")
        .argParser(overlap)
        .default(UNITS_S.d, "24h"),
    )
    .option("--expires <date>", "when the new key expires; else when the old one would have", expiry)
    .option("--workspace <slug>", "where to look for a name")
    .option("--json", "print JSON")
    .action(async (typed: string, { workspace, overlap: overlapS, expires, json = false }: RotateOptions) => {
      const { id: keyId } = await whichKey(admin, typed, workspace);
      const params = { keyId, overlapS, ...(expires !== undefined && { expiresAt: expires }) };
      const rotated = await admin.call<RotatedKey>("keys-admin.rotate", params);
      if (!json) admin.note(`${rotated.replaces.id} works until ${rotated.replaces.expiresAt}. The new key:`);
      show(admin, { json }, rotated, ({ key }) => key);
    });
}

function addRename(keys: Command, admin: Admin): void {
  keys
    .command("rename")
    .description("give a key a name, or another one")
    .argument("<KEY>", KEY_WORDS)
    .argument("<NAME>", "the name, up to 100 characters")
    .option("--workspace <slug>", "where to look for a name")
    .option("--json", "print JSON")
    .action(async (typed: string, name: string, { workspace, json = false }: Options) => {
      const { id: keyId } = await whichKey(admin, typed, workspace);
      const renamed = await admin.call<{ id: string; name: string }>("keys-admin.rename", { keyId, name });
      show(admin, { json }, renamed, (key) => `${key.id} is named "${key.name}"`);
    });
}

function addRevoke(keys: Command, admin: Admin): void {
  keys
    .command("revoke")
    .description("end a key within a second, and name the webhooks that were made or changed with it")
    .argument("<KEY>", KEY_WORDS)
    .option("--workspace <slug>", "where to look for a name")
    .option("--pause-webhooks", "make these webhooks inactive too")
    .option("--json", "print JSON")
    .action(async (typed: string, { workspace, pauseWebhooks = false, json = false }: RevokeOptions) => {
      const key = await whichKey(admin, typed, workspace);
      const revoked = await admin.call<{ id: string; revokedAt: string }>("keys.revoke", { keyId: key.id });
      const webhooks = await webhooksOfKey(admin, key, pauseWebhooks);
      const result = { ...revoked, ...(webhooks.length > 0 && { webhooks }) };
      show(admin, { json }, result, ({ id, revokedAt }) => `${id} is revoked since ${revokedAt}`);
    });
}

function inTable({ keys }: { keys: ListedKey[] }): string {
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.prefix && `${key.prefix}…`,
    key.user.email,
    key.access,
    key.state,
    key.createdAt,
    key.expiresAt,
    key.revokedAt,
    key.lastUsedAt,
  ]);
  return table(["ID", "NAME", "KEY", "USER", "ACCESS", "STATE", "CREATED", "EXPIRES", "REVOKED", "LAST USED"], rows);
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

/**
 * A time like `24h` in seconds.
 * @throws InvalidArgumentError for what is no time, or longer than it may be
 */
function overlap(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,8})([smhd])$/.exec(text.trim()) ?? [];
  const seconds = Number(number) * (UNITS_S[unit] ?? 0);
  if (unit !== "" && seconds <= KEY_OVERLAP_DAYS_MAX * 86_400) return seconds;
  throw new InvalidArgumentError(`It takes a time like 30m, 24h or 7d, at most ${KEY_OVERLAP_DAYS_MAX}d.`);
}
