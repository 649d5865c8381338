import createRouter from "find-my-way";
import { ApiError } from "../../../base/contract/errors.ts";
import type { Route } from "./routes.ts";

/** A route and the values of the parameters in its path, percent-decoded once. */
export interface Match {
  route: Route;
  path: Record<string, string>;
}

/** Entry of the route table at a path. */
export interface Found {
  /** The route of the method, HEAD being that of GET; undefined when the path has other methods only. */
  route: Route | undefined;
  methods: string[];
  /** The values of the parameters in the path, percent-decoded once. */
  values: Record<string, string>;
}

export interface Matcher {
  /**
   * Finds a raw path. Letter case counts, and a path with empty segments leads nowhere. Undefined for an unknown path.
   */
  find(method: string, path: string): Found | undefined;
}

/** Entry of the radix tree at a path of the table. */
interface Stored {
  byMethod: Map<string, Route>;
  /** Parameter → the fixed segments that other paths have in its place, which are no values of it. */
  fixed: Map<string, Set<string>>;
}

/**
 * Matches raw paths with the route table. Fixed segments win over parameters, and the path decides before the method:
 * `members` is never an object type, whatever the method is and whatever follows. docs/guides/conventions.md#paths
 */
export function createMatcher(routes: readonly Route[]): Matcher {
  const router = createRouter({ caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 32_768 });
  const fixedAt = fixedSegments(routes);
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const byMethod = new Map(ofPath.map((route) => [route.method as string, route]));
    const parameters = segmentsOf(path).flatMap(({ place, name }) => (name === undefined ? [] : { place, name }));
    const fixed = new Map(parameters.map(({ place, name }) => [name, fixedAt.get(place) ?? new Set<string>()]));
    const stored: Stored = { byMethod, fixed };
    router.on("GET", path.replaceAll(/\{(\w+)\}/g, ":$1"), () => {}, stored);
  }

  function find(method: string, path: string): Found | undefined {
    // find-my-way drops everything after a "#". And if a fixed segment leads nowhere, it goes back and takes the
    // segment for the value of a parameter. Neither is wanted here.
    if (path.includes("#") || path.includes("//") || path.endsWith("/")) return undefined;
    const found = router.find("GET", path);
    if (!found) return undefined;
    const { byMethod, fixed } = found.store as Stored;
    const values = found.params as Record<string, string>;
    if (Object.entries(values).some(([name, value]) => fixed.get(name)?.has(value))) return undefined;
    return { route: byMethod.get(method === "HEAD" ? "GET" : method), methods: [...byMethod.keys()], values };
  }

  return { find };
}

/**
 * The route that was found, with the values in its path.
 * @throws ApiError 404 for an unknown path, 405 with Allow for another method of a known one, 400 for an undecodable
 *   path
 */
export function matchOf(found: Found | undefined, method: string, path: string): Match {
  if (!found) throw unknownPath(path);
  if (found.route) return { route: found.route, path: found.values };
  throw methodNotAllowed(
    method,
    found.methods.sort().flatMap((other) => (other === "GET" ? ["GET", "HEAD"] : [other])),
  );
}

/** The segments of a path of the table: where each stands, and the name of a parameter or the text of a fixed one. */
function segmentsOf(path: string): { place: string; name?: string; text: string }[] {
  return path.split("/").map((text, i, all) => {
    const place = all
      .slice(0, i)
      .join("/")
      .replaceAll(/\{\w+\}/g, "{}");
    const name = /^\{(\w+)\}$/.exec(text)?.[1];
    return { place, text, ...(name !== undefined && { name }) };
  });
}

/** Place → the fixed segments that stand there. */
function fixedSegments(routes: readonly Route[]): Map<string, Set<string>> {
  const fixedAt = new Map<string, Set<string>>();
  for (const { place, name, text } of routes.flatMap(({ path }) => segmentsOf(path)))
    if (name === undefined) fixedAt.set(place, (fixedAt.get(place) ?? new Set()).add(text));
  return fixedAt;
}

/** The 404 of a path that leads nowhere, or the 400 of one that cannot be decoded. */
export function unknownPath(path: string): ApiError {
  if (decoded(path) === undefined)
    return new ApiError(
      "INVALID_REQUEST",
      "The path cannot be percent-decoded as UTF-8. A percent sign itself is sent as %25.",
    );
  return new ApiError(
    "RESOURCE_NOT_FOUND",
    `There is nothing at ${path.slice(0, 200)}. The reference at /docs lists the paths.`,
  );
}

/** The 405 of a path that has other methods. */
export function methodNotAllowed(method: string, allowed: string[]): ApiError {
  const list = allowed.join(", ");
  return new ApiError("METHOD_NOT_ALLOWED", `${method} is not possible here. Possible: ${list}.`, undefined, {
    Allow: list,
  });
}

/** Percent-decoded text; undefined if it cannot be decoded. */
export function decoded(text: string): string | undefined {
  try {
    return text.includes("%") ? decodeURIComponent(text) : text;
  } catch {
    return undefined;
  }
}
