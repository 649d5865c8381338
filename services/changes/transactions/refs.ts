import type { Path } from "../../../base/contract/issues.ts";

/** Gives the id that a ref stands for. `at` is the place of the ref in the operation. */
export type IdOf = (ref: string, at: Path) => string;

/** The name in a text that stands for an id; undefined for any other text. No id begins with this sign. */
export function refIn(text: unknown): string | undefined {
  return typeof text === "string" && text.startsWith("$") ? text.slice(1) : undefined;
}

/**
 * A body with ids in the place of its refs, which are values of members with the name `id`.
 * docs/guides/transactions.md#refs
 */
export function withIds(value: unknown, idOf: IdOf, at: Path = []): unknown {
  if (Array.isArray(value)) return value.map((entry, i) => withIds(entry, idOf, [...at, i]));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const place = [...at, name];
    const ref = name === "id" && !isFieldName(at) ? refIn(member) : undefined;
    return [name, ref === undefined ? withIds(member, idOf, place) : idOf(ref, place)];
  });
  return Object.fromEntries(members);
}

/** Whether the members at a place are custom fields. The value of one with the name `id` is no id. */
function isFieldName(at: Path): boolean {
  const [group, values] = [at.at(-1), at.at(-2)];
  return group === "customFieldValues" || (values === "customFieldValues" && String(group).startsWith("grp_"));
}

/** The values in a path and a query with ids in the place of refs. A type of objects has a name, and no id. */
export function valuesWithIds(values: Readonly<Record<string, string>>, idOf: IdOf): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]) => {
    const ref = name === "objectType" ? undefined : refIn(value);
    return [name, ref === undefined ? value : idOf(ref, ["path"])];
  });
  return Object.fromEntries(entries);
}
