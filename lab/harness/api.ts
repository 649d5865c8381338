import type { Request } from "./load.ts";

/** Sends a request and gives `data` of its answer; throws unless that is 200. */
export async function askJson(port: number, key: string, { method, path, body }: Request): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body }),
  });
  const answer = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path} answered ${response.status}: ${answer}`);
  return JSON.parse(answer).data;
}
