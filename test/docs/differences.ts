/** "…" at the end of a text, of a list or for a whole value: what is not shown. */
const MORE = "…";

/**
 * Where a value differs from what a guide shows of it, a line each. Members that are not shown may be there. A list has
 * exactly the entries that are shown, unless the last is "…". A text that ends in "…" stands for every text that begins
 * so, and "…" alone for every value.
 */
export function differences(shown: unknown, value: unknown, at: string): string[] {
  if (shown === MORE) return value === undefined ? [`${at} is missing`] : [];
  if (typeof shown === "string" && shown.endsWith(MORE)) return differencesOfBeginnings(shown, value, at);
  if (Array.isArray(shown)) return differencesOfLists(shown, value, at);
  if (isObject(shown)) return differencesOfObjects(shown, value, at);
  return Object.is(shown, value) ? [] : [`${at} is ${show(value)} and not ${show(shown)}`];
}

function differencesOfBeginnings(shown: string, value: unknown, at: string): string[] {
  const begins = typeof value === "string" && value.startsWith(shown.slice(0, -MORE.length));
  return begins ? [] : [`${at} is ${show(value)} and does not begin as ${show(shown)}`];
}

function differencesOfObjects(shown: Record<string, unknown>, value: unknown, at: string): string[] {
  if (!isObject(value)) return [`${at} is ${show(value)} and no object`];
  return Object.entries(shown).flatMap(([name, part]) =>
    Object.hasOwn(value, name) ? differences(part, value[name], `${at}.${name}`) : [`${at}.${name} is missing`],
  );
}

function differencesOfLists(shown: unknown[], value: unknown, at: string): string[] {
  if (!Array.isArray(value)) return [`${at} is ${show(value)} and no list`];
  const isOpen = shown.at(-1) === MORE;
  const entries = isOpen ? shown.slice(0, -1) : shown;
  const fits = isOpen ? value.length >= entries.length : value.length === entries.length;
  if (!fits) return [`${at} has ${value.length} entries and not ${entries.length}: ${show(value)}`];
  return entries.flatMap((entry, index) => differences(entry, value[index], `${at}[${index}]`));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 500) ?? "missing";
}
