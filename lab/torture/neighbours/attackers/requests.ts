import type { Wanted } from "../wire.ts";
import { anyKey } from "./flood.ts";
import type { World } from "./world.ts";

/** So many records fit into a batch. docs/guides/limits.md#sizes */
export const BATCH = 100;

/** A GET of somebody. */
export function get(key: string | undefined, path: string): Wanted {
  return { method: "GET", path, ...(key !== undefined && { key }) };
}

/** A POST of somebody. */
export function post(key: string | undefined, path: string, body: object | string): Wanted {
  return { method: "POST", path, body, ...(key !== undefined && { key }) };
}

/** A PATCH of somebody. */
export function patch(key: string, path: string, body: object | string): Wanted {
  return { method: "PATCH", path, body, key };
}

/** A search of people. */
export function search(key: string, filter: object, query = ""): Wanted {
  return post(key, `/v1/people/search${query}`, { filter });
}

/** Makes people, in batches of as many as are given at once, and gives their ids. */
export async function makePeople(
  world: World,
  count: number,
  shape: (n: number) => object,
  atOnce = BATCH,
): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += atOnce) {
    const records = Array.from({ length: Math.min(atOnce, count - from) }, (_, i) => shape(from + i));
    const key = anyKey(world, from / atOnce);
    const { results } = await world.make<{ results: { status: string; data?: { id: string } }[] }>(
      post(key, "/v1/people/batch/create", { records }),
    );
    ids.push(...results.flatMap(({ data }) => (data ? [data.id] : [])));
  }
  if (ids.length < count) throw new Error(`Only ${ids.length} of ${count} people could be made.`);
  return ids;
}
