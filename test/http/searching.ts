import { until } from "../../lab/harness/until.ts";
import type { Client, Item } from "../support/client.ts";

/** Longest wait until a search finds what was written. It is far more than promised, for a busy machine. */
const FOUND_MS = 15_000;

/** An item of a search over everything. docs/guides/search.md#answers */
export interface Found {
  id: string;
  entityType: string;
  fullName: string;
  objectType?: string;
  groupId?: string;
  entity?: { id: string; entityType: string; fullName: string };
  matched: { path: string[]; text: string }[];
}

/** The items that a search gives at once. */
export async function searched(api: Client, q: string, query = ""): Promise<Found[]> {
  const answer = await api.get(`/v1/search?q=${encodeURIComponent(q)}${query}`);
  if (answer.status !== 200) throw new Error(`A search for ${q}${query} answered ${answer.status}: ${answer.text}`);
  return (answer.data as unknown as { items: Found[] }).items;
}

/** Waits until a search gives exactly some things, in whatever order: docs/guides/search.md#asking allows for 5 s. */
export async function untilFound(api: Client, q: string, things: Pick<Item, "id">[], query = ""): Promise<Found[]> {
  const wanted = things.map(({ id }) => id).sort();
  let items: Found[] = [];
  const isFound = async () => {
    items = await searched(api, q, query);
    const ids = items.map(({ id }) => id).sort();
    return ids.join() === wanted.join();
  };
  await until(`${q} finds ${wanted}`, isFound, FOUND_MS).catch((cause: unknown) => {
    throw new Error(`${q} finds ${JSON.stringify(items)} instead of ${wanted}`, { cause });
  });
  return items;
}

/** Ids of what a search gives, in its order. */
export async function order(api: Client, q: string, query = ""): Promise<string[]> {
  return (await searched(api, q, query)).map(({ id }) => id);
}

/** Path → text of the fields that an item names. */
export function fieldsOf(item: Found | undefined): Record<string, string> {
  return Object.fromEntries((item?.matched ?? []).map(({ path, text }) => [path.join("."), text]));
}
