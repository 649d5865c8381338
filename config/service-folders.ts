import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { list, oneOf, type ValueKind } from "./env-values.ts";

const ROOT = join(import.meta.dirname, "..", "services");
const SUFFIX = ".service.ts";

/** Names of the folders that hold services, sorted. One folder is one deployable unit. */
export function serviceFolders(): string[] {
  if (!existsSync(ROOT)) return [];
  const folders = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map(({ name }) => name)
    .filter((name) => serviceFiles(name).length > 0)
    .sort();
}

/** Paths of the service files of a folder and the folders in it, sorted. */
export function serviceFiles(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .map((name) => join(ROOT, folder, name));
}

/**
 * Names of the services of a folder, which are not loaded for it: `users.service.ts` holds the service `users`. A
 * gateway has to know which services must be there before requests can be answered, wherever they run.
 */
export function serviceNames(folder: string): string[] {
  return serviceFiles(folder).map((path) => basename(path, SUFFIX));
}

/** The folders that a process which runs only these leaves to others; none when it runs all of them. */
export function missingServices(services: readonly string[] | undefined): string[] {
  return services === undefined ? [] : serviceFolders().filter((name) => !services.includes(name));
}

/** Folders that a list which was written before them has to run, too. */
const BROUGHT_ALONG: Record<string, string[]> = { groups: ["groups", "workspaces", "changes"] };

/** Folders of services, each once. docs/guides/growing.md#services */
export function serviceList(): ValueKind<string[]> {
  const folders = serviceFolders();
  const { allowed, parse } = list(oneOf(folders), `a comma separated list of ${folders.join(", ")}`);
  return {
    allowed,
    parse: (text) => {
      const named = parse(text);
      return named && [...new Set(named.flatMap((name) => BROUGHT_ALONG[name] ?? [name]))];
    },
  };
}
