import { setTimeout as pause } from "node:timers/promises";

const BUSY = 503;

/** A request as it goes out. */
interface Sent {
  method: string;
  url: string;
  key: string;
  headers?: Record<string, string> | undefined;
  /** JSON text. */
  body?: string | undefined;
}

/**
 * Sends a request, and again while the server has too much to do, which has done nothing then.
 * docs/guides/under-load.md
 */
export async function send({ method, url, key, headers, body }: Sent): Promise<{ status: number; text: string }> {
  for (;;) {
    const response = await fetch(url, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (response.status !== BUSY) return { status: response.status, text };
    await pause(Number(response.headers.get("Retry-After")) * 1000);
  }
}
