/**
 * A query as the server reads it: lists as repeated parameters, members of `filter` in brackets.
 * docs/guides/filters.md#writing-a-filter
 * @throws TypeError for a condition with an empty list
 */
export function serializeQuery(query: Record<string, unknown>): string {
  return Object.entries(query)
    .flatMap(([name, value]) => {
      const encoded = encodeURIComponent(name);
      // The only way to write an empty list: left out, the parameter would have its default.
      return Array.isArray(value) && value.length === 0 ? [`${encoded}=`] : pairs(encoded, value);
    })
    .join("&");
}

function pairs(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    // Left out, the condition would let every record pass.
    if (value.length === 0)
      throw new TypeError(`${decodeURIComponent(name)} is an empty list: leave the condition out.`);
    return value.flatMap((one) => pairs(name, one));
  }
  if (typeof value !== "object") return [`${name}=${encodeURIComponent(String(value))}`];
  return Object.entries(value).flatMap(([member, inner]) => pairs(`${name}[${encodeURIComponent(member)}]`, inner));
}
