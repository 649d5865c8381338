import { setTimeout as pause } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { now } from "../promise.ts";
import { type FeedEvent, toldBy, toldIn } from "./event.ts";
import type { Told } from "./history.ts";

interface Settings {
  ports: number[];
  apiKey: string;
  told: Told[];
  /** Ends the reading. */
  signal: AbortSignal;
}

/** Within the default limits of a user. */
const BACK_OFF_MS = 250;
/** A reader that waits for a gateway which is gone. */
const PATIENCE_MS = 15_000;

/** Reads the feed page after page, from the cursor of the last one, each from another gateway. */
export async function readFeed({ ports, apiKey, told, signal }: Settings): Promise<void> {
  let cursor = "";
  for (let asked = 0; !signal.aborted; asked += 1) {
    const url = `http://127.0.0.1:${ports[asked % ports.length]}/v1/events?limit=100${cursor && `&cursor=${cursor}`}`;
    const page = await pageAt(url, apiKey).catch(() => undefined);
    for (const event of page?.items ?? []) told.push(...toldBy(event, now()));
    cursor = page?.cursor ?? cursor;
    if (!page?.items.length) await pause(BACK_OFF_MS);
  }
}

async function pageAt(url: string, apiKey: string): Promise<{ items: FeedEvent[]; cursor: string } | undefined> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  const text = await response.text();
  if (response.status === 200) return JSON.parse(text).data;
  if (response.status === 503) return undefined;
  throw new Error(`The feed answered ${response.status}: ${text}`);
}

/** Reads the stream; whenever it ends, opens it anew behind the last event that came, at another gateway. */
export async function readStream(settings: Settings): Promise<void> {
  let last: string | undefined;
  for (let opened = 0; !settings.signal.aborted; opened += 1) {
    const port = settings.ports[opened % settings.ports.length] ?? 0;
    try {
      for await (const { id, data } of streamAt(port, last, settings)) {
        settings.told.push(...toldIn(data, now()));
        last = id;
      }
    } catch {
      // The gateway was killed, or is not there yet.
    }
    await pause(BACK_OFF_MS);
  }
}

async function* streamAt(
  port: number,
  last: string | undefined,
  { apiKey, signal }: Settings,
): AsyncGenerator<{ id: string; data: string }> {
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    Accept: "text/event-stream",
    ...(last !== undefined && { "Last-Event-ID": last }),
  };
  const url = `http://127.0.0.1:${port}/v1/events${last === undefined ? "?since=2000-01-01" : ""}`;
  const response = await fetch(url, { headers, signal });
  if (response.status !== 200 || !response.body) throw new Error(`The stream answered ${response.status}`);
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { id, data } of events) if (id !== undefined) yield { id, data };
}
