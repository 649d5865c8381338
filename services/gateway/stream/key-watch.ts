import pLimit from "p-limit";
import type { Caller } from "../../../lib/contract/caller.ts";
import type { Stream } from "./stream.ts";

/** So many keys are asked for at once. */
const AT_ONCE = 16;
/** For so long a key is trusted while nobody can say whether it is still valid. */
const TRUST_MS = 20_000;

/** Ends the streams of keys that are not valid any more. */
export interface KeyWatch {
  add(stream: Stream): void;
  remove(stream: Stream): void;
  /** Asks for each key that has streams. */
  check(): Promise<void>;
}

interface Parts {
  identify(key: string): Promise<Caller | null> | Caller;
  end(stream: Stream): void;
  now(): number;
}

interface WatchedKey {
  streams: Set<Stream>;
  /** When it was last known to be valid. */
  validAt: number;
}

/** Watches the keys of open streams, each once however many streams it has. docs/guides/event-feed.md#when-it-ends */
export function createKeyWatch({ identify, end, now }: Parts): KeyWatch {
  const keys = new Map<string, WatchedKey>();
  const oneOfFew = pLimit(AT_ONCE);

  async function isValid(key: string, watched: WatchedKey): Promise<boolean> {
    try {
      if (!(await identify(key))) return false;
      watched.validAt = now();
      return true;
    } catch {
      return now() - watched.validAt <= TRUST_MS;
    }
  }

  async function checkOne(key: string, watched: WatchedKey): Promise<void> {
    if (!(await isValid(key, watched))) for (const stream of watched.streams) end(stream);
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
  };
}
