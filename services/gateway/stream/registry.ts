import { showGauge } from "../../../base/budgets/gauges.ts";
import type { Query } from "../../../database/query.ts";
import { giveBackPlaces, type StreamPlace } from "./places.queries.ts";
import { endStream, type Stream } from "./stream.ts";

/** The open streams of a gateway. */
export interface Registry {
  all: ReadonlySet<Stream>;
  add(stream: Stream): void;
  /** Ends a stream and gives back its place. Nothing happens when it has ended before. */
  end(stream: Stream): void;
  /** Resolves when the places of all that have ended are given back. */
  freed(): Promise<void>;
}

/** @param onEnd called for each stream that ends, whatever the reason is */
export function createRegistry(query: Query, onEnd: (stream: Stream) => void): Registry {
  const streams = new Set<Stream>();
  showGauge("contact_workspace_event_streams", {}, () => streams.size);
  let free: StreamPlace[] = [];
  let freeing: Promise<void> | undefined;

  /** Those that end together give back their places together. What fails here is free by itself after a while. */
  async function giveBack(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const places = free;
    free = [];
    freeing = undefined;
    await giveBackPlaces(query, places).catch(() => undefined);
  }

  return {
    all: streams,
    add: (stream) => streams.add(stream),
    end(stream) {
      if (!streams.delete(stream)) return;
      endStream(stream);
      onEnd(stream);
      free.push(stream.place);
      freeing ??= giveBack();
    },
    freed: async () => freeing,
  };
}
