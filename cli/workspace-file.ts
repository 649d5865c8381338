import { readFileSync } from "node:fs";
import { type Document, isMap, isNode, isSeq, LineCounter, type Node, parseAllDocuments } from "yaml";
import type { Issue, Path } from "../lib/contract/issues.ts";
import { CommandError } from "./admin.ts";

/** A file that was read, and where things stand in it. */
export interface WorkspaceSource {
  name: string;
  documents: unknown[];
  /** Line and name of the field that an issue of `workspaces.apply` is about. */
  place(issue: Issue): { line: number; field: string };
}

/** Where a document stands: in a YAML document, which may be a list of them. */
type Located = { value: unknown; node: Node | null };

/**
 * Reads YAML or JSON, one or several documents; an empty one does not count, a list is a document each.
 * @throws CommandError naming file and line
 */
export function readWorkspaceFile(file: string): WorkspaceSource {
  const name = file === "-" ? "standard input" : file;
  const text = readText(file);
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const documents = Array.isArray(parsed) ? parsed : [];
  for (const { errors } of documents) {
    const [error] = errors;
    if (error) throw new CommandError(`${name}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
  }
  const located = documents.flatMap((document) => locate(document, name, lines));
  if (located.length === 0)
    throw new CommandError(`${name} names no workspace: it needs at least a line like "workspace: acme".`);
  return {
    name,
    documents: located.map(({ value }) => value),
    place: (issue) => {
      const [, index, ...path] =
        issue.code === "unrecognized_keys" ? [...issue.path, (issue.keys as string[])[0] ?? ""] : issue.path;
      const offset = offsetOf(located[Number(index)]?.node ?? null, path);
      return { line: lines.linePos(offset).line, field: path.length > 0 ? fieldName(path) : "document" };
    },
  };
}

/** Text of a file in UTF-8. */
export function readText(file: string): string {
  try {
    // Descriptor 0 is standard input.
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file === "-" ? 0 : file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new CommandError(`There is no file ${file}.`);
    if (code === "EISDIR") throw new CommandError(`${file} is a folder: name a file in it.`);
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      throw new CommandError(`${file} is not in UTF-8: save it in that encoding.`);
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function locate(document: Document, name: string, lines: LineCounter): Located[] {
  const { contents } = document;
  const value = contentOf(document, name, lines);
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value) || !isSeq(contents)) return [{ value, node: isNode(contents) ? contents : null }];
  return value.map((item, i) => ({ value: item, node: nodeIn(contents.items[i]) }));
}

/** An alias that stands for itself, or for too much, is found only here. */
function contentOf(document: Document, name: string, lines: LineCounter): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new CommandError(`${name}:${lines.linePos(document.range?.[0] ?? 0).line}: ${(error as Error).message}`);
  }
}

/** Where the path leads in the text, or the last of it that is there: what is missing has no place of its own. */
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

/** A key of a mapping, or an entry of a list. */
function below({ node, offset }: Place, step: string | number): Place | undefined {
  if (isSeq(node)) {
    const entry = nodeIn(node.items[Number(step)]);
    return { node: entry, offset: entry?.range?.[0] ?? offset };
  }
  const pair = isMap(node) ? node.items.find(({ key }) => keyText(key) === String(step)) : undefined;
  if (!pair) return undefined;
  return { node: nodeIn(pair.value), offset: nodeIn(pair.key)?.range?.[0] ?? offset };
}

function nodeIn(value: unknown): Node | null {
  return isNode(value) ? value : null;
}

function keyText(key: unknown): string {
  return typeof key === "object" && key !== null && "value" in key ? String(key.value) : String(key);
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
