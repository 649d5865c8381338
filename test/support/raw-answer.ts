import { checkAnswer } from "./answers.ts";

/**
 * Checks the answer to bytes that were sent on a socket, as answers.ts does, when all of it is there. What the HTTP
 * server itself answers has none of our headers and is not checked: docs/guides/conventions.md#answers.
 */
export function checkRawAnswer(server: { publicUrl: string }, sent: string, received: string): void {
  const [, method = "", path = ""] = /^([A-Z]+) (\S+) HTTP\/1\.[01]\r\n/.exec(sent) ?? [];
  const [head = "", text = ""] = received.split(/\r\n\r\n(.*)/s);
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const isWhole = Buffer.byteLength(text) === Number(headers["content-length"]);
  if (!("x-request-id" in headers) || !isWhole) return;
  checkAnswer(server, { method, path, status: Number(first.split(" ")[1]), headers, text });
}
