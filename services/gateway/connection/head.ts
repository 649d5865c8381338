import type { IncomingMessage } from "node:http";

/**
 * The values of a header, line by line as they were sent: Node keeps the first of repeated Authorization lines, and joins
 * those of most others.
 */
export function headerLines({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i];
    if (raw && raw.length === name.length && raw.toLowerCase() === name) values.push(rawHeaders[i + 1] ?? "");
  }
  return values;
}
