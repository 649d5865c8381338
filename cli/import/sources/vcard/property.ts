/** A property of a card: `item1.TEL;TYPE=home,pref:+49 1`. */
export interface Property {
  /** In capital letters. */
  name: string;
  /** What belongs together in a card has the same group; empty when it has none. */
  group: string;
  /** The words that say of which kind it is, in lower case. */
  types: string[];
  /** Other parameters, by their names in capital letters. */
  params: Map<string, string>;
  /** As it stands in the file, except that quoted-printable is decoded. */
  value: string;
}

const HEAD = /^(?:(?<group>[\w-]+)\.)?(?<name>[\w-]+)(?<params>(?:;(?:"[^"]*"|[^":])*)?):/;

/** Reads a line; null when it is no property. */
export function propertyOf(line: string): Property | null {
  const found = HEAD.exec(line);
  if (!found) return null;
  const { group = "", name = "", params = "" } = found.groups ?? {};
  const { types, others } = paramsOf(params);
  const property = { name: name.toUpperCase(), group: group.toLowerCase(), types, params: others };
  const value = line.slice(found[0].length);
  return { ...property, value: isQuotedPrintable(line) ? fromQuotedPrintable(value, others.get("CHARSET")) : value };
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

/** Whether the value of a line is encoded so that a line that ends with an equals sign goes on in the next one. */
export function isQuotedPrintable(line: string): boolean {
  return /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(line);
}

function fromQuotedPrintable(text: string, charset = "utf-8"): string {
  const bytes = Buffer.from(
    text.replaceAll(/=([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    // What is not encoded is ASCII.
    "latin1",
  );
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** A text without the backslashes that keep its signs from dividing it. */
export function plainText(value: string): string {
  return value
    .replaceAll(/\\(.)/gs, (_all, sign: string) => (/n/i.test(sign) ? "\n" : sign))
    .replaceAll(/\r\n?/g, "\n")
    .trim();
}

/** The parts of a value that semicolons divide, each as text; several values of a part are joined by `between`. */
export function partsOf(value: string, between: string): string[] {
  return divided(value, ";").map((part) =>
    divided(part, ",")
      .map(plainText)
      .filter((text) => text !== "")
      .join(between),
  );
}

/** The values that commas divide. */
export function valuesIn(value: string): string[] {
  return divided(value, ",").map(plainText);
}

function divided(value: string, sign: "," | ";"): string[] {
  const part = sign === "," ? /(?:\\(?:.|$)|[^\\,])*(?:,|$)/gs : /(?:\\(?:.|$)|[^\\;])*(?:;|$)/gs;
  const parts = (value.match(part) ?? []).map((text) => (text.endsWith(sign) ? text.slice(0, -1) : text));
  // The pattern also finds nothing behind the last part, unless that ended with the sign.
  return value.endsWith(sign) && !value.endsWith(`\\${sign}`) ? parts : parts.slice(0, Math.max(1, parts.length - 1));
}
