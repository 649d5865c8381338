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

/** Matches raw paths against the route table. */
export function createMatcher(routes: readonly Route[]): Matcher {
  const router = createRouter({ caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 32_768 });
  for (const route of routes) router.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ":$1"), () => {}, route);
  const methods = [...new Set(routes.map(({ method }) => method))].sort();

  const look = (method: string, path: string) => router.find(method === "HEAD" ? "GET" : (method as Route["method"]), path);

  function match(method: string, path: string): Match {
    checkDecodable(path);
    if (path.includes("//") || (path.length > 1 && path.endsWith("/"))) throw unknownPath(path);
    const found = look(method, path);
    if (found) return { route: found.store as Route, path: found.params as Record<string, string> };
    const allowed = methods.filter((other) => router.find(other, path)).flatMap((other) => (other === "GET" ? ["GET", "HEAD"] : [other]));
    if (allowed.length === 0) throw unknownPath(path);
    throw methodNotAllowed(method, allowed);
  }

  return { find: (method, path) => look(method, path)?.store as Route | undefined, match };
}

/** The 404 of a path that leads nowhere. */
export function unknownPath(path: string): ApiError {
  return new ApiError("RESOURCE_NOT_FOUND", `There is nothing at ${path.slice(0, 200)}.`);
}

/** The 405 of a path that has other methods. */
export function methodNotAllowed(method: string, allowed: string[]): ApiError {
  const list = allowed.join(", ");
  return new ApiError("METHOD_NOT_ALLOWED", `${method} is not possible here. Possible: ${list}.`, undefined, { Allow: list });
}

function checkDecodable(path: string): void {
  try {
    if (path.includes("%")) decodeURIComponent(path);
  } catch {
    throw new ApiError("INVALID_REQUEST", "The path cannot be percent-decoded as UTF-8.");
  }
}
