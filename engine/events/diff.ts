import type { Change } from "../../model/events.ts";
import { type Changed, isLongText } from "../../model/log.ts";

/** Entry of a list as an event shows it: a text itself, anything else by its id. */
type Told = string | { id: string };

/**
 * A value that a write has changed, as the log keeps it: none when both are the same. Null stands for one that is
 * unset, as an empty text is; lists and references name their entries as events do.
 * @param before as answers show it
 */
export function changed(path: string[], before: unknown, after: unknown): Changed[] {
  if (isList(before) || isList(after)) {
    const [old, now] = [entriesOf(before), entriesOf(after)];
    const isSame = old.length === now.length && old.every((entry, i) => keyOf(entry) === keyOf(now[i] as Told));
    return isSame ? [] : [{ path, before: old, after: now }];
  }
  const [old, now] = [before, after].map((value) => (value === "" ? null : value));
  return old === now ? [] : [{ path, before: old, after: now }];
}

/** A value as the log keeps it: `undefined` for one that is unset. */
export function keptValue(shown: unknown): unknown {
  if (shown === null || shown === "") return undefined;
  if (!isList(shown)) return shown;
  if (Array.isArray(shown) && typeof shown[0] === "string") return shown;
  const entries = entriesOf(shown);
  return entries.length === 0 ? undefined : entries;
}

/**
 * The entries of `changes` in an event for a changed value. Scalars are set, without a value if they were cleared, or
 * if only a reference to a long text is there. For lists and references it names the removed and the added entries.
 * docs/guides/events.md#changes
 */
export function toldOf({ path, before, after, untold }: Changed): Change[] {
  const changes =
    isList(before) || isList(after)
      ? listDiff(path, entriesOf(before), entriesOf(after))
      : [
          after === null || isLongText(after)
            ? { path, type: "set" as const }
            : { path, type: "set" as const, value: after },
        ];
  return untold ? changes.map((change): Change => ({ path: change.path, type: change.type })) : changes;
}

/** A list, or a single reference, which counts as a list of one. */
function isList(value: unknown): boolean {
  return typeof value === "object" && value !== null && !isLongText(value);
}

function entriesOf(value: unknown): Told[] {
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((entry: Told) =>
    typeof entry === "object" ? { id: entry.id } : entry,
  );
}

/**
 * Entries that went, then entries that came, each as often as it did. When only the order is another, the whole list
 * goes and comes.
 * docs/guides/events.md#changes
 */
function listDiff(path: string[], before: Told[], after: Told[]): Change[] {
  const [old, now] = [before.map(keyOf), after.map(keyOf)];
  if (old.length === now.length && old.every((key, i) => key === now[i])) return [];
  const gone = without(before, now);
  const come = without(after, old);
  const isOrder = gone.length + come.length === 0;
  const changes: Change[] = [
    { path, type: "remove", value: isOrder ? before : gone },
    { path, type: "add", value: isOrder ? after : come },
  ];
  return changes.filter(({ value }) => (value as Told[]).length > 0);
}

/** The entries that are left when one is taken away for each of these keys. */
function without(entries: Told[], keys: string[]): Told[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return entries.filter((entry) => {
    const count = counts.get(keyOf(entry)) ?? 0;
    counts.set(keyOf(entry), count - 1);
    return count <= 0;
  });
}

function keyOf(entry: Told): string {
  return typeof entry === "string" ? entry : entry.id;
}
