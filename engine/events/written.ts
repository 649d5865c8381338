type Listener = () => void;

const listeners = new WeakMap<object, Set<Listener>>();

/**
 * Calls a listener after each commit of events in this process. It only makes them known sooner: events are found
 * without it. Gives a function that ends it.
 * @param database the one on which they are written
 */
export function onEventsWritten(database: object, listener: Listener): () => void {
  const ofDatabase = listeners.get(database) ?? new Set();
  listeners.set(database, ofDatabase.add(listener));
  return () => ofDatabase.delete(listener);
}

/** Tells the listeners that events were committed. */
export function eventsWritten(database: object): void {
  for (const listener of listeners.get(database) ?? []) listener();
}
