import type { Line } from "../lines.ts";

const HEAD_LENGTH = 64;
/** The name of a property, and its value where that directly follows. A file may begin with a byte order mark. */
const HEAD = /^(?:\xef\xbb\xbf)?(?<name>[a-z0-9-]+)(?::\s*(?<value>[a-z0-9-]*)\s*$|[:;])/i;

/** Beginning of a line of a calendar, in capital letters. */
export interface Head {
  /** Whether it goes on with the line before. */
  isFolded: boolean;
  /** Name of the property, or BEGIN or END; empty if the line has none. */
  name: string;
  /** Component name of a BEGIN or END line. */
  value: string;
}

export function headOf({ bytes }: Line): Head {
  const head = bytes.toString("latin1", 0, HEAD_LENGTH);
  if (/^[ \t]/.test(head)) return { isFolded: true, name: "", value: "" };
  const { name = "", value = "" } = HEAD.exec(head)?.groups ?? {};
  return { isFolded: false, name: name.toUpperCase(), value: value.toUpperCase() };
}

/**
 * A content line out of the lines into which it is folded. Some programs fold within a character, so they are joined as
 * bytes. What is not in UTF-8 was written by an older program.
 */
export function unfolded(lines: readonly Buffer[]): string {
  const [first = Buffer.alloc(0), ...more] = lines;
  const bytes = more.length === 0 ? first : Buffer.concat([first, ...more.map((line) => line.subarray(1))]);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
