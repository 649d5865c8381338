import { closeSync, openSync, readSync } from "node:fs";
import {
  Composer,
  type Document,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  visit,
  type YAMLError,
  type YAMLMap,
} from "yaml";
import { JSON_DEPTH_MAX } from "../../config/limits.ts";
import { CommandError } from "./admin.ts";

export interface YamlDocument {
  value: unknown;
  /** Null for an empty document. */
  node: Node | null;
}

/** A YAML file that was read, with the nodes that hold the places in the file. */
export interface YamlFile {
  name: string;
  documents: YamlDocument[];
  /** Line and column, both from 1. */
  placeAt(offset: number): { line: number; column: number };
  /** An error at a place in the file: `world.yaml:12:3: …`. */
  fault(offset: number, message: string): CommandError;
}

const MIB = 1024 * 1024;
const BYTES_MAX = 4 * MIB;
/**
 * The parser takes about 700 bytes of memory for each word and sign. Without this bound 4 MiB of "1," would take 3 GB.
 */
const TOKENS_MAX = 500_000;
/**
 * Maximum number of aliases in a document, including the aliases inside of aliases. A few lines could otherwise stand
 * for billions of values.
 */
const ALIASES_MAX = 1000;
const TOO_MANY_ALIASES = `has more than ${ALIASES_MAX} aliases, those included that aliases stand for`;
/** Ten thousand options with colours, as `export` writes them, are 0.8 MiB and 140,000 words and signs. */
const TOO_LARGE =
  "is too large: a file may have 4 MiB and 500,000 words and signs, three times what ten thousand options need. Divide it into several, each of which adds to what is there";

/** Some messages of the parser quote what they do not understand, to the end of the file. */
const MESSAGE_LENGTH_MAX = 200;

/**
 * Rules by which YAML is read, and JSON, which is a part of it. Tags that make other values than texts, numbers, lists
 * and mappings are refused.
 */
const PLAIN = { schema: "core", resolveKnownTags: false, prettyErrors: false, uniqueKeys: false } as const;

/**
 * Reads YAML or JSON in UTF-8 from a file, or from standard input for `-`, one or several documents.
 * @throws CommandError that names the file and, for a fault in it, line and column
 */
export function readYaml(file: string): YamlFile {
  const name = file === "-" ? "standard input" : file;
  const text = readText(file, name);
  const lines = new LineCounter();
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const fault = (offset: number, message: string) => {
    const { line, column } = placeAt(offset);
    return new CommandError(`${name}:${line}:${column}: ${message}`);
  };
  const documents = [...new Composer(PLAIN).compose(tokensOf(text, lines, fault))].map((document) => {
    const [error] = [...document.errors, ...document.warnings.filter(({ code }) => code !== "BAD_INDENT")];
    if (error) throw fault(error.pos[0], inWords(error, text));
    return { value: plainValue(document, fault), node: nodeIn(document.contents) };
  });
  return { name, documents, placeAt, fault };
}

function readText(file: string, name: string): string {
  try {
    const bytes = readBytes(file);
    if (bytes.length > BYTES_MAX) throw new CommandError(`${name} ${TOO_LARGE}.`);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new CommandError(`There is no file ${file}.`);
    if (code === "EISDIR") throw new CommandError(`${file} is a folder: name a file in it.`);
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      throw new CommandError(`${name} is not in UTF-8: save it in that encoding.`);
    throw new CommandError(`${name} cannot be read: ${message}`);
  }
}

/** The bytes of a file, at most one more than it may have. The file may be a device that never ends. */
function readBytes(file: string): Buffer {
  // Descriptor 0 is standard input. It stays open, because in the REPL it is the terminal.
  const descriptor = file === "-" ? 0 : openSync(file, "r");
  try {
    const buffer = Buffer.alloc(BYTES_MAX + 1);
    let length = 0;
    for (let count = 1; count > 0 && length < buffer.length; length += count)
      count = readSync(descriptor, buffer, length, buffer.length - length, null);
    return buffer.subarray(0, length);
  } finally {
    if (file !== "-") closeSync(descriptor);
  }
}

type Fault = YamlFile["fault"];

/**
 * The tokens of a text, as `Parser.parse` gives them. The parser and what reads its tokens are recursive, so how deep
 * the text is nested and how many tokens it has is watched while it is parsed: afterwards there may be no stack or no
 * memory left.
 */
function* tokensOf(text: string, lines: LineCounter, fault: Fault): ReturnType<Parser["parse"]> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    count += 1;
    if (count > TOKENS_MAX) throw fault(parser.offset, TOO_LARGE);
    // Beside collections the stack holds the document and a scalar.
    if (parser.stack.length > JSON_DEPTH_MAX + 2) throw fault(parser.offset, TOO_DEEP);
  }
  yield* parser.end();
}

const TOO_DEEP = `is nested deeper than ${JSON_DEPTH_MAX} levels`;

/** The message of the parser, without terms that the author of a file does not know. */
function inWords({ code, pos, message }: YAMLError, text: string): string {
  if (code === "TAG_RESOLVE_FAILED") return `the tag ${text.slice(...pos)} is not allowed here: remove it`;
  if (code === "BLOCK_AS_IMPLICIT_KEY")
    return "this stands behind a colon and has one of its own: put a text with a colon in quotes, and indent each line like those beside it";
  return message.length > MESSAGE_LENGTH_MAX ? `${message.slice(0, MESSAGE_LENGTH_MAX)}…` : message;
}

/**
 * The value of a document, in which each name is a text as it is written. The library finds doubled names by comparing
 * each with all, and takes a list for a name, so both are judged here.
 */
function plainValue(document: Document.Parsed, fault: Fault): unknown {
  const anchored = new Map<string, Node>();
  let aliases = 0;
  visit(document, {
    Value: (_key, node) => {
      if (node.anchor !== undefined) anchored.set(node.anchor, node);
      if (isMap(node)) nameKeys(node, fault);
    },
    Alias: (_key, alias) => {
      aliases += 1;
      if (aliases > ALIASES_MAX) throw fault(offsetOf(alias), TOO_MANY_ALIASES);
      const end = anchored.get(alias.source)?.range?.[1];
      if (end !== undefined && end <= offsetOf(alias)) return;
      const message = end === undefined ? `nothing: there is no &${alias.source} before it` : "itself";
      throw fault(offsetOf(alias), `*${alias.source} stands for ${message}`);
    },
  });
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw fault(offsetOf(document.contents), TOO_MANY_ALIASES);
  }
}

/** Gives each key of a mapping the name that the file has there. */
function nameKeys(map: YAMLMap, fault: Fault): void {
  const names = new Set<string>();
  for (const { key } of map.items) {
    if (!isScalar(key)) throw fault(offsetOf(key), "the name before a colon must be a text. Put it in quotes");
    const name = nameOf(key);
    if (names.has(name)) throw fault(offsetOf(key), `"${name.slice(0, 100)}" is given twice here`);
    names.add(name);
    key.value = name;
  }
}

/** A name as the file has it: `007` and `null` are names of object types like any other. */
export function nameOf(key: unknown): string {
  if (!isScalar(key)) return "";
  return typeof key.value === "string" ? key.value : (key.source ?? "");
}

/** A value if it is a node, else null. */
export function nodeIn(value: unknown): Node | null {
  return isNode(value) ? value : null;
}

function offsetOf(node: unknown): number {
  return nodeIn(node)?.range?.[0] ?? 0;
}
