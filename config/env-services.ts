import { list, oneOf, type ValueKind } from "./env-values.ts";
import { serviceFolders } from "./service-folders.ts";

/** Folders of services, each once. */
export function serviceList(): ValueKind<string[]> {
  const folders = serviceFolders();
  const { allowed, parse } = list(oneOf(folders), `a comma separated list of ${folders.join(", ")}`);
  return {
    allowed,
    parse: (text) => {
      const named = parse(text);
      return named && [...new Set(named)];
    },
  };
}
