import type { Block } from "./blocks.ts";

/** Whose key a request is sent with: `reader` is a read key of ada, `nobody` none. */
export type Sender = "ada" | "bob" | "reader" | "nobody";

/** A request and what it is answered with, as a block of the language `http` shows it. */
export interface Example {
  method: string;
  path: string;
  sender: Sender;
  /** Whether it is sent again until it is answered as shown: what it asks for is done in the background. */
  isAwaited: boolean;
  headers: Record<string, string>;
  body: string | undefined;
  status: number;
  answerHeaders: Record<string, string>;
  /** A part of the answer; undefined when the block shows none. */
  answer: unknown;
}

const REQUEST_LINE = /^([A-Z]+) (\S+)(?: # (as bob|with a read key|without a key|soon))?$/;
const WHO: Record<string, Sender> = { "as bob": "bob", "with a read key": "reader", "without a key": "nobody" };
const HEADER = /^([A-Za-z][\w-]*): *(.*)$/;

/** Reads a block. Throws when it has another form than the guides agree on. */
export function readExample({ text }: Pick<Block, "text">): Example {
  const parts = text.split(/^---\n/m);
  const [request = "", answer = ""] = parts;
  if (parts.length !== 2) throw new Error("An example is a request, a line of three hyphens and an answer.");
  const [first = "", ...below] = request.split("\n");
  const [, method, path, who] = REQUEST_LINE.exec(first) ?? [];
  if (method === undefined || path === undefined)
    throw new Error(`"${first}" is no method and path, with nothing behind them but who sends it.`);
  const { headers, body } = headersAndBody(below);
  const [status = "", ...told] = answer.split("\n");
  if (!/^\d{3}$/.test(status)) throw new Error(`"${status}" is no status: the answer begins with one.`);
  const { headers: answerHeaders, body: shown } = headersAndBody(told);
  return {
    method,
    path,
    sender: who === undefined ? "ada" : (WHO[who] ?? "ada"),
    isAwaited: who === "soon",
    headers,
    body,
    status: Number(status),
    answerHeaders,
    answer: shown === undefined ? undefined : JSON.parse(shown),
  };
}

function headersAndBody(lines: string[]): { headers: Record<string, string>; body: string | undefined } {
  const headers: Record<string, string> = {};
  let count = 0;
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) break;
    headers[name] = value;
    count += 1;
  }
  const body = lines.slice(count).join("\n").trim();
  return { headers, body: body === "" ? undefined : body };
}
