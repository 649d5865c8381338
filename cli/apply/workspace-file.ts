import { isMap, isSeq, type Node } from "yaml";
import type { Path } from "../../base/contract/issues.ts";
import { CommandError } from "../../tools/terminal/admin.ts";
import { nameOf, nodeIn, readYaml, type YamlDocument } from "../../tools/terminal/yaml-file.ts";

/** A workspace file that was read, with the positions of its parts. */
export interface WorkspaceSource {
  name: string;
  documents: unknown[];
  /** The position and the field name for the path of an issue of `workspaces.apply`. */
  place(path: Path): { line: number; column: number; field: string };
}

/**
 * Reads a workspace file: YAML or JSON, of one or several documents. An empty document does not count, and each entry
 * of a list counts as a document. docs/guides/workspace-file.md#the-file
 * @throws CommandError that names file, line and column
 */
export function readWorkspaceFile(file: string): WorkspaceSource {
  const { name, documents, placeAt } = readYaml(file);
  const located = documents.flatMap(locate);
  if (located.length === 0)
    throw new CommandError(`${name} names no workspace: it needs at least a line like "workspace: acme".`);
  return {
    name,
    documents: located.map(({ value }) => value),
    place: ([, index, ...path]) => {
      const offset = offsetOf(located[Number(index)]?.node ?? null, path);
      return { ...placeAt(offset), field: path.length > 0 ? fieldName(path) : "document" };
    },
  };
}

function locate({ value, node }: YamlDocument): YamlDocument[] {
  if (value === null) return [];
  if (!Array.isArray(value) || !isSeq(node)) return [{ value, node }];
  return value.map((item, i) => ({ value: item, node: nodeIn(node.items[i]) }));
}

/** Offset of a path in the text. If the end of the path is missing, the offset of its last part that exists. */
function offsetOf(root: Node | null, path: Path): number {
  let place: Place | undefined = { node: root, offset: root?.range?.[0] ?? 0 };
  let offset = place.offset;
  for (const step of path) {
    place = below(place, step);
    if (!place) break;
    offset = place.offset;
  }
  return offset;
}

interface Place {
  node: Node | null;
  offset: number;
}

/** The place of a key of a mapping, or of an entry of a list; undefined when it is not there. */
function below({ node, offset }: Place, step: string | number): Place | undefined {
  if (isSeq(node)) {
    const entry = nodeIn(node.items[Number(step)]);
    return { node: entry, offset: entry?.range?.[0] ?? offset };
  }
  const pair = isMap(node) ? node.items.find(({ key }) => nameOf(key) === String(step)) : undefined;
  if (!pair) return undefined;
  return { node: nodeIn(pair.value), offset: nodeIn(pair.key)?.range?.[0] ?? offset };
}

/** `groups[0].fields["Big deals"][2].name` */
function fieldName(path: Path): string {
  return path
    .map((step) => {
      if (typeof step === "number") return `[${step}]`;
      return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join("")
    .replace(/^\./, "");
}
