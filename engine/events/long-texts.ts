import { createHash } from "node:crypto";
import type { Uuid } from "../../base/values/ids.ts";
import type { Changed, LogBody, LongText } from "../../model/log.ts";

/** Length in UTF-16 units up to which a text stands in the entry itself. */
const INLINE_LENGTH_MAX = 2_000;

/** The body of an entry, as it is stored. */
export interface StoredBody {
  json: string;
  /** Long texts that it refers to, by their ids. */
  texts: ReadonlyMap<Uuid, string>;
  /** Number of bytes of those that its events tell; null without any. */
  toldBytes: number | null;
}

const NO_TEXTS: ReadonlyMap<Uuid, string> = new Map();

/**
 * The body of an entry, with references in the place of long texts. Lists stand in it as they are: their texts are
 * short, and events are made by comparing both lists.
 * docs/decisions/0013-events.md#long-texts
 */
export function storedBody(body: LogBody): StoredBody {
  const json = JSON.stringify(body);
  // A text is at least as long in JSON, so most bodies are not looked through.
  if (json.length <= INLINE_LENGTH_MAX || !body.changes?.some(isLong))
    return { json, texts: NO_TEXTS, toldBytes: null };
  const texts = new Map<Uuid, string>();
  const put = (value: unknown): unknown => {
    if (!isLongValue(value)) return value;
    const textId = idOf(value);
    texts.set(textId, value);
    return { textId } satisfies LongText;
  };
  const changes = body.changes.map(
    (change): Changed => ({ ...change, before: put(change.before), after: put(change.after) }),
  );
  const told = body.changes.flatMap(({ after, untold }) => (untold || !isLongValue(after) ? [] : after));
  const toldBytes = told.length === 0 ? null : told.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { json: JSON.stringify({ ...body, changes }), texts, toldBytes };
}

function isLong({ before, after }: Changed): boolean {
  return isLongValue(before) || isLongValue(after);
}

function isLongValue(value: unknown): value is string {
  return typeof value === "string" && value.length > INLINE_LENGTH_MAX;
}

/** The first half of the SHA-256 of a text, as a uuid. */
function idOf(text: string): Uuid {
  const hash = createHash("sha256").update(text).digest("hex");
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") as Uuid;
}
