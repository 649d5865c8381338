import { list, oneOf, type ValueKind } from "./env-values.ts";
import { serviceFolders } from "./service-folders.ts";

/** `groups` held what `workspaces` holds now. So a list that was written before runs all of it. */
const BROUGHT_ALONG: Record<string, string[]> = { groups: ["groups", "workspaces"] };

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
