import { InvalidArgumentError } from "commander";
import { isDate } from "../../base/values/dates.ts";
import { KEY_OVERLAP_DAYS_MAX } from "../../config/limits.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { ask } from "../../tools/terminal/ask.ts";
import { table } from "../../tools/terminal/output.ts";
import { answer, argument, type CommandEntry, command, option, required, WORKSPACE } from "./table.ts";
import { type ListedKey, whichKey } from "./which-key.ts";

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

const UNITS_S: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
const KEY = argument("<KEY>", "id, name or beginning (cwk_ and 8 characters) of the key");
const WHERE = option("--workspace <slug>", "where to look for a name");

/** docs/guides/keys.md */
export const KEYS: CommandEntry[] = [
  command<{ workspace: string; user: string; access: string; expires?: string; name?: string }>({
    words: "keys create",
    changes: "settings",
    about: "make a key; it is shown this once",
    examples: [
      'keys create --workspace acme --user ada@acme.test --name "Nightly export" --access read',
      "keys create --workspace acme --user ada@acme.test --expires 2099-01-01 --json",
    ],
    options: [
      WORKSPACE,
      required("--user <email>", "the user it belongs to"),
      option("--name <name>", "what it is for, to tell it from others in lists"),
      option("--access <access>", "what it may do").choices(["full", "read"]).default("full"),
      option("--expires <date>", "first day it no longer works (UTC), or a timestamp", expiry),
    ],
    async run(admin, { workspace, user: email, access, expires: expiresAt = null, name }) {
      const params = { workspace, email, access, expiresAt, ...(name !== undefined && { name }) };
      return answer(await admin.call<NewKey>("keys.create", params), ({ key }) => key);
    },
  }),
  command<{ workspace: string }>({
    words: "keys list",
    about: "list the keys of a workspace, the oldest first; the keys themselves are kept nowhere",
    examples: ["keys list --workspace acme"],
    options: [WORKSPACE],
    run: async (admin, { workspace }) =>
      answer(await admin.call<{ keys: ListedKey[] }>("keys.list", { workspace }), inTable),
  }),
  command<{ workspace?: string; overlap: number; expires?: string }, [typed: string]>({
    words: "keys rotate",
    changes: "settings",
    about: "make a key in the place of another one, which goes on for a while; the new one is shown this once",
    examples: ['keys rotate "Nightly export" --overlap 24h', "keys rotate cwk_Xh2kQw7a --overlap 7d --json"],
    args: [KEY],
    options: [
      option("--overlap <time>", "how long the old key goes on: a number with s, m, h or d", overlap).default(
        UNITS_S.d,
        "24h",
      ),
      option("--expires <date>", "when the new key expires; else when the old one would have", expiry),
      WHERE,
    ],
    async run(admin, { workspace, overlap: overlapS, expires, json }, typed) {
      const { id: keyId } = await whichKey(admin, typed, workspace);
      const params = { keyId, overlapS, ...(expires !== undefined && { expiresAt: expires }) };
      const rotated = await admin.call<RotatedKey>("keys-admin.rotate", params);
      if (!json) admin.note(`${rotated.replaces.id} works until ${rotated.replaces.expiresAt}. The new key:`);
      return answer(rotated, ({ key }) => key);
    },
  }),
  command<{ workspace?: string }, [typed: string, name: string]>({
    words: "keys rename",
    changes: "settings",
    about: "give a key a name, or another one",
    examples: ['keys rename cwk_Xh2kQw7a "Nightly export"'],
    args: [KEY, argument("<NAME>", "the name, up to 100 characters")],
    options: [WHERE],
    async run(admin, { workspace }, typed, name) {
      const { id: keyId } = await whichKey(admin, typed, workspace);
      const renamed = await admin.call<{ id: string; name: string }>("keys-admin.rename", { keyId, name });
      return answer(renamed, (key) => `${key.id} is named "${key.name}"`);
    },
  }),
  command<{ workspace?: string; pauseWebhooks?: boolean }, [typed: string]>({
    words: "keys revoke",
    changes: "settings",
    about: "end a key within a second, and name the webhooks that were made or changed with it",
    examples: ["keys revoke cwk_Xh2kQw7a --pause-webhooks", 'keys revoke "Nightly export" --workspace acme'],
    args: [KEY],
    options: [WHERE, option("--pause-webhooks", "make these webhooks inactive too")],
    async run(admin, { workspace, pauseWebhooks = false }, typed) {
      const key = await whichKey(admin, typed, workspace);
      const revoked = await admin.call<{ id: string; revokedAt: string }>("keys.revoke", { keyId: key.id });
      const webhooks = await webhooksOfKey(admin, key, pauseWebhooks);
      const result = { ...revoked, ...(webhooks.length > 0 && { webhooks }) };
      return answer(result, ({ id, revokedAt }) => `${id} is revoked since ${revokedAt}`);
    },
  }),
];

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
 * When a key expires, as a timestamp in UTC. A date means the start of that day in UTC. docs/guides/keys.md
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
 * @throws InvalidArgumentError for an invalid time, or one that is too long
 */
function overlap(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,8})([smhd])$/.exec(text.trim()) ?? [];
  const seconds = Number(number) * (UNITS_S[unit] ?? 0);
  if (unit !== "" && seconds <= KEY_OVERLAP_DAYS_MAX * 86_400) return seconds;
  throw new InvalidArgumentError(`It takes a time like 30m, 24h or 7d, at most ${KEY_OVERLAP_DAYS_MAX}d.`);
}

/** A webhook that was made or changed with a key. */
interface WebhookOfKey {
  id: string;
  name: string;
  targetUrl: string;
  status: string;
}

/**
 * The webhooks that were made or changed with a revoked key. They go on without it, so the command names them, and
 * makes them inactive on request. docs/guides/webhooks.md#when-a-key-has-leaked
 */
async function webhooksOfKey(
  admin: Admin,
  { id: keyId, workspace }: { id: string; workspace: string },
  isPausing: boolean,
): Promise<WebhookOfKey[]> {
  const { id: workspaceId } = await admin.call<{ id: string }>("workspaces.get", { workspace });
  const listed = await admin.call<{ webhooks: WebhookOfKey[] }>("webhooks-admin.list", { workspaceId, keyId });
  const active = listed.webhooks.filter(({ status }) => status === "active");
  if (active.length > 0)
    admin.note(`Made or changed with the key, and still active: ${active.map(inWords).join("; ")}.`);
  if (active.length > 0 && (isPausing || (await isWanted(admin))))
    for (const { id: webhookId } of active) await admin.call("webhooks-admin.pause", { webhookId, workspace });
  const paused = await admin.call<{ webhooks: WebhookOfKey[] }>("webhooks-admin.list", { workspaceId, keyId });
  return paused.webhooks.map(({ id, name, targetUrl, status }) => ({ id, name, targetUrl, status }));
}

async function isWanted(admin: Admin): Promise<boolean> {
  if (admin.interactive) return /^\s*(y|yes)\s*$/i.test(await ask(admin, "Make them inactive? [y/N] "));
  admin.note("--pause-webhooks makes them inactive.");
  return false;
}

function inWords({ id, name, targetUrl }: WebhookOfKey): string {
  return `${id}${name === "" ? "" : ` (${name})`}, which sends to ${targetUrl}`;
}
