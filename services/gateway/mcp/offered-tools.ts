import { unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { parseQuery, valuesOf } from "../operation/query-string.ts";
import { isWrite } from "../operation/routes.ts";
import { tools } from "./tools.ts";

/** A word for all tools that only read. */
const READ = "read";

const all: ReadonlySet<string> = new Set(tools.map(({ name }) => name));
const reading = tools.filter((tool) => !isWrite(tool)).map(({ name }) => name);

/**
 * The tools that an address offers, by the parameter `tools`: names with commas between them, or the word "read". All of them
 * without it. docs/guides/assistants.md#fewer-tools
 * @param query as it was sent
 * @throws ApiError 422 for a name of no tool, 400 for what cannot be decoded
 */
export function offeredTools(query: string): ReadonlySet<string> {
  const names = valuesOf(parseQuery(query), "tools", true)
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) return all;
  const unknown = names.find((name) => name !== READ && !all.has(name));
  if (unknown !== undefined) throw unprocessable([custom(["tools"], noTool(unknown))]);
  return new Set(names.flatMap((name) => (name === READ ? reading : [name])));
}

function noTool(name: string): string {
  return `There is no tool "${name.slice(0, 100)}". Write "${READ}" for all tools that only read, or some of: ${[...all].join(", ")}.`;
}
