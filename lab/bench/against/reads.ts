import type { Request } from "../../harness/load.ts";
import type { Material, Operation } from "./operation.ts";

const GOT = 500;

export function reads({ contents, pages }: Material): Operation[] {
  const get = (path: string): Request => ({ method: "GET", path });
  return [
    { name: "get one", kind: "read", requests: spread(contents.people, GOT).map((id) => get(`/v1/people/${id}`)) },
    ...[20, 100].map((limit): Operation => {
      const paths = [`/v1/people?limit=${limit}`, ...pages.map((path) => path.replace("limit=100", `limit=${limit}`))];
      return { name: `list ${limit}`, kind: "read", requests: paths.map(get) };
    }),
  ];
}

/** So many entries from all over a list. */
export function spread<Entry>(list: readonly Entry[], count: number): Entry[] {
  const step = Math.max(1, list.length / count);
  return list.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}
