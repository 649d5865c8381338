import pLimit from "p-limit";
import type { Caller } from "../../../base/contract/caller.ts";
import type { Stream } from "./stream.ts";

/** Number of keys that are asked for at once. */
const AT_ONCE = 16;
/**
 * Time for which a key is trusted while the service of keys does not answer. The streams of an invalid key end at the
 * next beat, after 25 s at most.
 */
const TRUST_MS = 20_000;

/** Ends the streams of keys that are not valid any more. */
export interface KeyWatch {
  add(stream: Stream): void;
  remove(stream: Stream): void;
  /** Asks for each key that has streams. It may take for long, or fail, when the database is away. */
  check(): Promise<void>;
  /** Ends the streams of keys that were not confirmed as valid for too long. */
  endUntrusted(): void;
}

interface Parts {
  identify(key: string): Promise<Caller | null> | Caller;
  end(stream: Stream): void;
  now(): number;
}

interface WatchedKey {
  streams: Set<Stream>;
  /** When it was last asked for, so that it was valid then or later. */
  validAt: number;
}

/** Watches the keys of open streams, each once however many streams it has. docs/guides/event-feed.md#when-it-ends */
export function createKeyWatch({ identify, end, now }: Parts): KeyWatch {
  const keys = new Map<string, WatchedKey>();
  const oneOfFew = pLimit(AT_ONCE);

  function endAll({ streams }: WatchedKey): void {
    for (const stream of streams) end(stream);
  }

  async function checkOne(key: string, watched: WatchedKey): Promise<void> {
    const askedAt = now();
    try {
      if (await identify(key)) watched.validAt = askedAt;
      else endAll(watched);
    } catch {
      // Whether it is still trusted is judged by its age alone: an answer may also never come.
    }
  }

  return {
    add(stream) {
      const watched = keys.get(stream.apiKey) ?? { streams: new Set(), validAt: now() };
      keys.set(stream.apiKey, watched);
      watched.streams.add(stream);
    },
    remove(stream) {
      const watched = keys.get(stream.apiKey);
      watched?.streams.delete(stream);
      if (watched?.streams.size === 0) keys.delete(stream.apiKey);
    },
    async check() {
      await Promise.all([...keys].map(([key, watched]) => oneOfFew(() => checkOne(key, watched))));
    },
    endUntrusted() {
      for (const watched of keys.values()) if (now() - watched.validAt > TRUST_MS) endAll(watched);
    },
  };
}
