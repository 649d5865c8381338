import type { Change } from "../../model/events.ts";

/** Entry of a list as an event shows it: a text itself, anything else by its id. */
type Told = string | { id: string };

/**
 * The difference between two values as answers show them; null for one that is unset, as an empty text is. Scalars are
 * set, without a value if they were cleared. For lists and references it names the removed and the added entries.
 * docs/guides/events.md#changes
 */
export function diff(path: string[], before: unknown, after: unknown): Change[] {
  if (isList(before) || isList(after)) return listDiff(path, entriesOf(before), entriesOf(after));
  const [old, now] = [before, after].map((value) => (value === "" ? null : value));
  if (old === now) return [];
  return [now === null ? { path, type: "set" } : { path, type: "set", value: now }];
}

/** A list, or a single reference, which counts as a list of one. */
function isList(value: unknown): boolean {
  return typeof value === "object" && value !== null;
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
