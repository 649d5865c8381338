import { isAscii } from "node:buffer";
import { withLineFeeds } from "../../line-feeds.ts";

/** A property of a card: `item1.TEL;TYPE=home,pref:+49 1`. */
export interface Property {
  /** In capital letters. */
  name: string;
  /** Group that ties properties of a card together; empty if the property has none. */
  group: string;
  /** Words for its kind, in lower case. */
  types: string[];
  /** Other parameters, by their names in capital letters. */
  params: Map<string, string>;
  /** Value as in the file, except that quoted-printable and base64 are decoded. */
  value: string;
}

/** Encoding of the bytes of a value in ASCII. */
export type ValueCoding = "quoted-printable" | "base64";

const HEAD = /^(?:(?<group>[\w-]+)\.)?(?<name>[\w-]+)(?<params>(?:;(?:"[^"]*"|[^":])*)?):/;

/**
 * Reads a content line; null if it is not a property.
 * @param encoding encoding of the file, for a property that names none
 */
export function propertyOf(line: Buffer, encoding: string): Property | null {
  const text = line.toString("latin1");
  const found = HEAD.exec(text);
  if (!found) return null;
  const [head] = found;
  const { group = "", name = "" } = found.groups ?? {};
  const params = HEAD.exec(decoded(Buffer.from(head, "latin1"), [encoding, LAST_ENCODING]))?.groups?.params ?? "";
  const { types, others } = paramsOf(params);
  const property = { name: name.toUpperCase(), group: group.toLowerCase(), types, params: others };
  const coding = codingIn(types, others);
  const charset = others.get("CHARSET");
  if (coding === undefined) {
    // Bytes that are valid UTF-8 hardly ever are another encoding: the file was converted, and this word stayed.
    const encodings = charset === undefined ? [encoding] : ["utf-8", charset, encoding];
    return { ...property, value: decoded(line.subarray(head.length), [...encodings, LAST_ENCODING]) };
  }
  const bytes = BYTES_OF[coding](text.slice(head.length));
  return { ...property, value: decoded(bytes, [charset ?? "utf-8", encoding, LAST_ENCODING]) };
}

/** Cards of version 2.1 have words without names: `TEL;HOME;VOICE`. */
function paramsOf(text: string): { types: string[]; others: Map<string, string> } {
  const types: string[] = [];
  const others = new Map<string, string>();
  for (const param of text.match(/;(?:"[^"]*"|[^";])*/g) ?? []) {
    const [, name = "", value = ""] = /^;\s*([\w-]+)\s*=\s*(.*)$/s.exec(param) ?? [null, "TYPE", param.slice(1)];
    const plain = value.replaceAll('"', "").trim();
    if (name.toUpperCase() === "TYPE") types.push(...plain.toLowerCase().split(","));
    else others.set(name.toUpperCase(), plain);
  }
  return { types, others };
}

/** Encoding of the value of the property that begins in this line, if it has one. */
export function codingOf(line: string): ValueCoding | undefined {
  const params = HEAD.exec(line)?.groups?.params;
  if (!params) return undefined;
  const { types, others } = paramsOf(params);
  return codingIn(types, others);
}

/** Cards of version 2.1 may have the word alone: `NOTE;QUOTED-PRINTABLE`. */
function codingIn(types: string[], others: Map<string, string>): ValueCoding | undefined {
  const named = others.get("ENCODING") ?? types.find((type) => /^(?:quoted-printable|base64)$/.test(type)) ?? "";
  if (/^q(?:uoted[-_ ]?printable)?$/i.test(named)) return "quoted-printable";
  return /^b(?:ase[-_ ]?64)?$/i.test(named) ? "base64" : undefined;
}

const BYTES_OF: Record<ValueCoding, (value: string) => Buffer> = {
  "quoted-printable": (value) =>
    Buffer.from(
      value.replaceAll(/=([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      "latin1",
    ),
  base64: (value) => Buffer.from(value, "base64"),
};

/** All bytes have a meaning in it. */
const LAST_ENCODING = "windows-1252";
/** Begins other signs than those of ASCII in iso-2022-jp. */
const ESCAPE = 0x1b;

/** The text of bytes in the first known encoding in which they are valid. The last one always is. */
export function decoded(bytes: Buffer, encodings: string[]): string {
  if (isAscii(bytes) && !bytes.includes(ESCAPE)) return bytes.toString("latin1");
  for (const encoding of encodings) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // The next one is tried.
    }
  }
  return "";
}

/** Properties that commas divide in later versions, and whose commas are plain text in version 2.1. */
const WITH_COMMAS = ["N", "ADR"];

/** A property of version 2.1 as later versions write it: there `\\N` is no line break, and commas divide no names. */
export function asInLaterVersions({ value, ...property }: Property): Property {
  const isDivided = WITH_COMMAS.includes(property.name);
  const written = value.replaceAll(/\\.|,/gs, (text) => {
    if (text === ",") return isDivided ? "\\," : ",";
    return text === "\\N" ? "\\\\N" : text;
  });
  return { ...property, value: written };
}

/** A text without the backslashes that keep its signs from dividing it. Before any other sign a backslash is one. */
export function plainText(value: string): string {
  const text = value.replaceAll(/\\([\\,;:n])/gi, (_all, sign: string) => (/n/i.test(sign) ? "\n" : sign));
  return withLineFeeds(text).trim();
}

/**
 * The parts of a value that semicolons divide, each as text. With `between`, commas divide the values of a part, which
 * are joined by it.
 */
export function partsOf(value: string, between?: string): string[] {
  const parts = divided(value, ";");
  if (between === undefined) return parts.map(plainText);
  return parts.map((part) =>
    valuesIn(part)
      .filter((text) => text !== "")
      .join(between),
  );
}

/** The values that commas divide. */
export function valuesIn(value: string): string[] {
  return divided(value, ",").map(plainText);
}

/** The parts between signs without a backslash before them. */
function divided(value: string, sign: "," | ";"): string[] {
  const parts: string[] = [];
  let part = "";
  for (const [text] of value.matchAll(/\\.|[^\\,;]+|./gs)) {
    if (text === sign) {
      parts.push(part);
      part = "";
    } else part += text;
  }
  return [...parts, part];
}
