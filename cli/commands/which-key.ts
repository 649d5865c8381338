import { didYouMean } from "../../base/values/known-names.ts";
import { hashOf, isKey, isKeyPrefix } from "../../engine/secrets/api-keys.ts";
import { containsSecret } from "../../engine/secrets/redact.ts";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";

/** A key as `keys list` tells of it. docs/guides/keys.md */
export interface ListedKey {
  id: string;
  user: { id: string | null; email: string | null };
  access: string;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  name: string | null;
  prefix: string | null;
  state: string;
  replacedBy: string | null;
}

type FoundKey = ListedKey & { workspace: string };

const ID_LENGTH = 40;
/** A beginning that was copied from a list may have the three dots behind it. */
const DOTS = /(…|\.\.\.)$/;

/**
 * The key that an admin means by its id, its beginning `cwk_…`, its name, or, by mistake, the key itself. The key
 * itself goes no further than this process: it is found by its hash.
 * @param workspace where to look; everywhere without it
 * @throws CommandError when no key is meant, or several are
 */
export async function whichKey(admin: Admin, typed: string, workspace: string | undefined): Promise<FoundKey> {
  const text = typed.trim().replace(DOTS, "");
  const where = workspace === undefined ? {} : { workspace };
  const { keys, known } = await admin.call<{ keys: FoundKey[]; known: string[] }>("keys-admin.find", {
    ...questionOf(text),
    ...where,
  });
  const usable = keys.filter(({ state }) => state === "active" || state === "rotating");
  const meant = usable.length > 0 ? usable : keys;
  const [key, other] = meant;
  if (!key) throw new CommandError(unknownKey(text, known));
  if (other)
    throw new CommandError(`Several keys match "${text}". Give the id of one: ${meant.map(inWords).join("; ")}.`);
  if (isKey(text)) admin.note(`The key itself was typed${inHistory(admin)}. Next time type its id: ${key.id}`);
  return key;
}

/** Place where a typed key stays. The REPL keeps secrets out of its history (cli/repl.ts), a shell does not. */
export function inHistory({ inRepl }: Pick<Admin, "inRepl">): string {
  return inRepl ? "" : ", and is now in the history of this shell";
}

function questionOf(text: string): { keyId: string } | { hash: string } | { prefix: string } | { name: string } {
  if (text.length === ID_LENGTH && text.startsWith("key_")) return { keyId: text };
  if (text.startsWith("key_"))
    throw new CommandError(`"${text}" is not the id of a key; "keys list" shows the ids.`, 2);
  if (isKey(text)) return { hash: hashOf(text).toString("hex") };
  if (isKeyPrefix(text)) return { prefix: text };
  if (containsSecret(text))
    throw new CommandError(
      'This looks like an API key, but it is incomplete or mistyped. "keys list" shows ids and beginnings of keys.',
      2,
    );
  return { name: text };
}

function unknownKey(text: string, known: string[]): string {
  if (isKey(text)) return "This server has no such key. It was made on another one, or its workspace was removed.";
  if (text.startsWith("key_")) return `There is no key with the id ${text}. "keys list" shows those there are.`;
  const there = didYouMean(text, known, { all: '"keys list"', none: 'None has a name: "keys list" shows ids.' });
  return `There is no key "${text}". ${there}${known.length > 0 ? ' "keys list" shows their ids.' : ""}`;
}

function inWords({ id, workspace, user, state }: FoundKey): string {
  return `${id} of ${user.email ?? "a removed user"} in ${workspace}, ${state}`;
}
