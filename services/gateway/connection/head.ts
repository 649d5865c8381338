import type { IncomingMessage } from "node:http";

/**
 * The values of a header, one for each line that was sent. `request.headers` does not tell them apart: Node keeps the first
 * of repeated Authorization lines, and joins those of most other headers.
 * @param name in lower case
 */
export function headerLines({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i];
    if (raw && raw.length === name.length && raw.toLowerCase() === name) values.push(rawHeaders[i + 1] ?? "");
  }
  return values;
}
