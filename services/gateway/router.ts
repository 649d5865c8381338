import createRouter from "find-my-way";
import { ApiError } from "../../lib/errors.ts";
import type { Route } from "./routes.ts";

/** A route and the values of the parameters in its path, percent-decoded once. */
export interface Match {
  route: Route;
  path: Record<string, string>;
}

export interface Matcher {
  /** The route of a method and a raw path, if there is one. HEAD goes where GET goes. */
  find(method: string, path: string): Route | undefined;
  /**
   * The route with the values in its path. Case-sensitive; empty segments name nothing.
   * @throws ApiError 404 for an unknown path, 405 with Allow for another method of a known one, 400 for an undecodable path
   */
  match(method: string, path: string): Match;
}

/**
 * Matches raw paths against the route table. The path decides before the method: `members` is no object type, whatever is
 * asked of it. gaps 1: fixed segments win over parameters.
 */
export function createMatcher(routes: readonly Route[]): Matcher {
  const router = createRouter({ caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 32_768 });
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const byMethod = new Map(ofPath.map((route) => [route.method as string, route]));
    router.on("GET", path.replaceAll(/\{(\w+)\}/g, ":$1"), () => {}, byMethod);
  }

  function look(path: string): { byMethod: Map<string, Route>; values: Record<string, string> } | undefined {
    const found = router.find("GET", path);
    return found ? { byMethod: found.store, values: found.params as Record<string, string> } : undefined;
  }

  function match(method: string, path: string): Match {
    checkDecodable(path);
    const found = path.includes("//") || path.endsWith("/") ? undefined : look(path);
    if (!found) throw unknownPath(path);
    const route = found.byMethod.get(served(method));
    if (route) return { route, path: found.values };
    const allowed = [...found.byMethod.keys()].sort();
    throw methodNotAllowed(
      method,
      allowed.flatMap((other) => (other === "GET" ? ["GET", "HEAD"] : [other])),
    );
  }

  return { find: (method, path) => look(path)?.byMethod.get(served(method)), match };
}

/** HEAD answers like GET. */
function served(method: string): string {
  return method === "HEAD" ? "GET" : method;
}

/** The 404 of a path that leads nowhere. */
export function unknownPath(path: string): ApiError {
  return new ApiError("RESOURCE_NOT_FOUND", `There is nothing at ${path.slice(0, 200)}.`);
}

/** The 405 of a path that has other methods. */
export function methodNotAllowed(method: string, allowed: string[]): ApiError {
  const list = allowed.join(", ");
  return new ApiError("METHOD_NOT_ALLOWED", `${method} is not possible here. Possible: ${list}.`, undefined, {
    Allow: list,
  });
}

function checkDecodable(path: string): void {
  try {
    if (path.includes("%")) decodeURIComponent(path);
  } catch {
    throw new ApiError("INVALID_REQUEST", "The path cannot be percent-decoded as UTF-8.");
  }
}
